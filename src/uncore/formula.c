/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/formula.h"

double formula_scaled(const struct formula *formula, const double *per_second)
{
	return per_second[0] * formula->factor;
}
