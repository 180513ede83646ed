/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of counters of bytes by region of memory. */
#include <errno.h>

#include "show/doctor/doctor.h"
#include "uncore/rdt/region_counters.h"

static void check_regions(struct doctor *d, struct finding *out)
{
	const struct machine *m = &d->probe.machine;
	struct region_counters counters;
	struct error why;
	const int rc = region_counters_open(&counters, d->probe.platform, &m->topology, &why);
	const size_t domains = counters.erdt.count;

	if (!rc)
		doctor_pass(out, "%zu L3 domain%s: -m region can be measured", domains,
			    domains == 1 ? "" : "s");
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
