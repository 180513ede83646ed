/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double percentile(const double *sorted, size_t count, unsigned percent)
{
	return count ? sorted[(count * percent + 99) / 100 - 1] : NAN;
}

int statistics_make(const double *values, size_t count, double weighted, double seconds,
		    struct statistics *out)
{
	double *sorted = malloc((count + 1) * sizeof(*sorted));
	size_t known = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			sorted[known++] = values[i];
	qsort(sorted, known, sizeof(*sorted), compare);
	*out = (struct statistics){
		.known = known,
		.mean = known && seconds > 0 ? weighted / seconds : NAN,
		.p50 = percentile(sorted, known, 50),
		.p95 = percentile(sorted, known, 95),
		.p99 = percentile(sorted, known, 99),
		.max = percentile(sorted, known, 100),
	};
	/* the sum may overflow */
	if (!isfinite(out->mean))
		out->mean = NAN;
	free(sorted);
	return 0;
}
