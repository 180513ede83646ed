/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/perf_unit.h"

#include "fake_machine.h"
#include "platform/cpus.h"
#include "platform/perf.h"
#include "unit.h"

#define MOST_NAMES 6

/* What kernels call units, and what these are; "" where they are none of the model. */
static const struct {
	const char *model;
	const char *names[MOST_NAMES];
	const char *units; /* by type and id */
} kernels[] = {
	{"dmr",
	 {"uncore_dda_1", "uncore_ula_0", "uncore_sbo_3"},
	 "socket 0 ula 0, socket 0 dda 1, socket 0 sbo 3, "},
	{"dmr",
	 {"uncore_d2d_dda_1", "uncore_d2d_ula_0", "uncore_d2d_sbo_3"},
	 "socket 0 ula 0, socket 0 dda 1, socket 0 sbo 3, "},
	{"cwf",
	 {"uncore_pciex16_1", "uncore_pciex16_3", "uncore_pciex16_8", "uncore_pciex8"},
	 "socket 0 pcie5_x16 1, socket 0 pcie5_x16 3, socket 0 pcie5_x16 8, socket 0 pcie5_x8 0, "},
	{"cwf", {"uncore_d2d_dda_0", "uncore_cha_0", "uncore_cha_x"}, "socket 0 cha 0, "},
};

TEST_LOOP(test_a_unit_is_known_by_every_name_that_kernels_have_for_it, COUNT(kernels))
{
	unsigned cpus[] = {0};
	struct perf_pmu items[MOST_NAMES] = {{.type = 0}};
	struct perf_pmus pmus = {.items = items};
	struct fake_machine fake;
	struct topology topology;
	struct discovery found = {.units = NULL};
	struct error err = {0};
	char units[256] = "", name[UNIT_NAME_SIZE];

	fake_init(&fake);
	ck_assert_int_eq(fake.base.ops->cpus->topology(&fake.base, &topology, NULL), 0);
	for (; kernels[_i].names[pmus.count]; pmus.count++) {
		struct perf_pmu *pmu = &items[pmus.count];

		snprintf(pmu->name, sizeof(pmu->name), "%s", kernels[_i].names[pmus.count]);
		pmu->cpus = cpus;
		pmu->cpu_count = 1;
	}
	const struct discovery no_tables = {.tables = NULL};
	ck_assert_msg(!perf_units_find(&fake.base, fake_model(kernels[_i].model), &topology, &pmus,
				       &no_tables, &found, &err),
		      "%s", err.text);
	for (size_t i = 0; i < found.unit_count; i++) {
		strcat(units, unit_name(&found.units[i], name));
		strcat(units, ", ");
	}
	ck_assert_str_eq(units, kernels[_i].units);
	discovery_free(&found);
	topology_free(&topology);
	platform_destroy(&fake.base);
}
