/* SPDX-License-Identifier: BSD-3-Clause */
/* What a value is made of: a formula, and for each of its operands a stretch of the view's terms.
 */
#ifndef CXLMON_EXPRESSION_H
#define CXLMON_EXPRESSION_H

#include <stddef.h>

#include "uncore/formula.h"

#define EXPRESSIONS 2 /* ways to make one metric that are tried */

struct expression {
	const struct formula *formula; /* NULL: the row can't have it */
	size_t first_term[FORMULA_EVENTS];
	size_t term_count[FORMULA_EVENTS];
	unsigned operands;
};

#endif
