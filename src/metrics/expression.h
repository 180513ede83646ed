/* SPDX-License-Identifier: BSD-3-Clause */
/* How a value is computed: a formula, and a range of the view's terms for each operand. */
#ifndef CXLMON_EXPRESSION_H
#define CXLMON_EXPRESSION_H

#include <stddef.h>

#include "uncore/formula.h"

#define EXPRESSIONS 3 /* alternative formulas of a metric, tried in this order */

struct expression {
	const struct formula *formula; /* NULL: not available for the row */
	size_t first_term[FORMULA_EVENTS];
	size_t term_count[FORMULA_EVENTS];
	unsigned operands;
};

#endif
