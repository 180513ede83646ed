/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/spread.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Sorts values, and returns their median. */
static double median_of(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_numbers);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

int spread_make(const double *values, size_t count, struct spread *out)
{
	double *known = calloc(count + 1, sizeof(*known));

	*out = (struct spread){.median = NAN, .deviation = NAN};
	if (!known)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			known[out->known++] = values[i];
	if (out->known) {
		out->median = median_of(known, out->known);
		for (size_t i = 0; i < out->known; i++)
			known[i] = fabs(known[i] - out->median);
		out->deviation = median_of(known, out->known);
	}
	free(known);
	return 0;
}

bool spread_stands_out(const struct spread *spread, double value, double least)
{
	const double distance = fabs(value - spread->median);

	return spread->known >= SPREAD_FEWEST && distance > SPREAD_DEVIATIONS * spread->deviation &&
	       distance > fabs(spread->median) * SPREAD_PERCENT / 100 && distance > least;
}
