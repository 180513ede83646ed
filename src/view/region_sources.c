/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/region_sources.h"

#include <math.h>

#include "base/text.h"
#include "formula/value.h"
#include "view/kernel_sources.h"

const struct formula region_rate = {.program = &kernel_program, .source = "rmbm"};

static bool has_domain(const struct region_cell *cell, size_t domain, int socket)
{
	if (cell->domain != SIZE_MAX)
		return domain == cell->domain;
	if (cell->socket >= 0)
		return socket == cell->socket;
	return socket >= 0 && (!cell->sockets || numlist_contains(cell->sockets, (unsigned)socket));
}

bool region_sources_inputs(const struct region_counters *counters, const struct region_cell *cell,
			   struct inputs *out)
{
	const double seconds = region_counters_seconds(counters);
	double sum = 0;
	size_t parts = 0;

	for (size_t d = 0; d < counters->tables.erdt.count; d++) {
		if (!has_domain(cell, d, counters->sockets[d]))
			continue;
		sum += region_counters_bytes(counters, d, cell->region);
		parts++;
	}
	if (!parts || isnan(sum) || !(seconds > 0))
		return false;
	kernel_input(out, &region_rate, sum / 1e6 / seconds, seconds);
	return true;
}
