/* SPDX-License-Identifier: BSD-3-Clause */
/* How a value is computed: a formula, and a range of the view's terms for each operand. */
#ifndef CXLMON_EXPRESSION_H
#define CXLMON_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore/formula.h"

#define EXPRESSIONS 4 /* alternative formulas of a metric, tried in this order */

struct expression {
	const struct formula *formula; /* NULL: not available for the row */
	size_t first_term[FORMULA_EVENTS];
	size_t term_count[FORMULA_EVENTS];
	unsigned operands;
	/* of a program: its inputs, of the last sample, behind their interval; see struct value */
	double *inputs;
	bool lacks_unit; /* no formula, as a unit was left out that the value should include */
};

#endif
