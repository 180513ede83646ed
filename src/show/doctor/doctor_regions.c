/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of counters of bytes by region of memory. */
#include <errno.h>

#include "base/text.h"
#include "show/doctor/doctor.h"
#include "uncore/rdt/region_counters.h"

/* "0 DRAM, 2 CXL" */
static const char *names_of(const struct region_tables *tables, char *text, size_t size)
{
	text[0] = '\0';
	for (int region = 0; region < ERDT_REGIONS; region++)
		if (region_tables_name(tables, region))
			text_list(text, size, "%d %s", region, region_tables_name(tables, region));
	return text;
}

static void check_regions(struct doctor *d, struct check_result *out)
{
	const struct machine *m = &d->probe.machine;
	struct region_counters counters;
	struct error why;
	char names[64];
	const int rc = region_counters_open(&counters, d->probe.platform, &m->topology, &why);
	const size_t domains = counters.tables.erdt.count;

	if (!rc)
		doctor_pass(out, "%zu L3 domain%s: -m region can be measured: regions %s", domains,
			    domains == 1 ? "" : "s",
			    names_of(&counters.tables, names, sizeof(names)));
	else if (rc == -ENODEV)
		doctor_pass(out, "none: %s", why.text);
	else
		doctor_warn(out, why.command, "%s", why.text);
	region_counters_close(&counters);
}

const struct check doctor_regions = {
	.name = "regions",
	.purpose = "-m region: the ACPI tables ERDT and MRRM must say where L3 caches count bytes",
	.run = check_regions,
};
