/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/duration.h"

#include <inttypes.h>
#include <stdio.h>

#include "platform/number.h"

static const struct {
	const char *name;
	uint64_t seconds;
} units[] = {{"day", 86400}, {"hour", 3600}, {"minute", 60}};

const char *duration_words(uint64_t ns, char text[DURATION_SIZE])
{
	uint64_t seconds = ns / NS_PER_S;
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const uint64_t count = seconds / units[i].seconds;

		seconds %= units[i].seconds;
		if (count)
			used += (size_t)snprintf(text + used, DURATION_SIZE - used,
						 "%s%" PRIu64 " %s%s", used ? " " : "", count,
						 units[i].name, count == 1 ? "" : "s");
	}
	const double rest = (double)seconds + (double)(ns % NS_PER_S) / NS_PER_S;
	if (rest > 0 || !used)
		snprintf(text + used, DURATION_SIZE - used, "%s%.9g second%s", used ? " " : "",
			 rest, rest == 1 ? "" : "s");
	return text;
}
