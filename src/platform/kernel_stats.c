/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/kernel_stats.h"

#include <string.h>

#include "base/text.h"

void aer_kinds_add(struct aer_kinds *kinds, enum kernel_stat severity, const char *name,
		   double count)
{
	struct aer_kind added = {.severity = severity};
	size_t i = 0;

	printable(name, added.name, sizeof(added.name));
	while (i < kinds->count && (kinds->items[i].severity != severity ||
				    strcmp(kinds->items[i].name, added.name) != 0))
		i++;
	if (i == AER_KINDS_MOST)
		return;
	if (i == kinds->count)
		kinds->items[kinds->count++] = added;
	kinds->items[i].count += count;
}

const char *aer_severity(enum kernel_stat severity)
{
	return severity == AER_CORRECTABLE ? "correctable"
	       : severity == AER_NONFATAL  ? "nonfatal"
					   : "fatal";
}
