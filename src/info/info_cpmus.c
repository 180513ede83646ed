/* SPDX-License-Identifier: BSD-3-Clause */
/* The counters of CXL devices, for both outputs. */
#include <inttypes.h>

#include "info/info.h"
#include "uncore/cpmu_events.h"

static const char *const type_names[] = {[CPMU_FREE_RUNNING] = "free-running",
					 [CPMU_FIXED] = "fixed",
					 [CPMU_CONFIGURABLE] = "configurable",
					 [CPMU_RESERVED] = "unusable"};

#define TYPES (sizeof(type_names) / sizeof(type_names[0]))

static unsigned count_type(const struct cpmu *cpmu, enum cpmu_counter_type type)
{
	unsigned count = 0;

	for (unsigned i = 0; i < cpmu->counter_count; i++)
		count += cpmu->counters[i].type == type;
	return count;
}

static void print_counters(FILE *out, const struct cpmu *cpmu)
{
	const char *separator = " (";

	fprintf(out, "%u counter%s of %u bits", cpmu->has, cpmu->has == 1 ? "" : "s", cpmu->width);
	for (enum cpmu_counter_type type = 0; type < TYPES; type++) {
		const unsigned count = count_type(cpmu, type);

		if (!count)
			continue;
		fprintf(out, "%s%u %s", separator, count, type_names[type]);
		separator = ", ";
	}
	fprintf(out, "), %s, %s", cpmu->can_freeze ? "can be frozen" : "never frozen",
		cpmu->is_writable ? "written while frozen" : "not written");
}

/* "25h,20h/71fh": with what is no event of the specification, its vendor. */
static void print_groups(FILE *out, const struct cpmu *cpmu)
{
	const char *separator = "; groups ";

	for (unsigned g = 0; g < cpmu->group_count; g++) {
		const struct cpmu_group *group = &cpmu->groups[g];

		if (!group->events)
			continue;
		fputs(separator, out);
		if (group->vendor != CPMU_VENDOR_CXL)
			fprintf(out, "%04x:", group->vendor);
		fprintf(out, "%02xh%s", group->id, group->is_fixed ? " (fixed)" : "");
		separator = ", ";
	}
}

static void print_cpmu(FILE *out, const struct cpmu *cpmu)
{
	char pci[PCI_TEXT_SIZE];

	fprintf(out, "  %-5s cpmu %u  %s  0x%" PRIx64 "  ", cpmu->device ? cpmu->device->name : "-",
		cpmu->unit.id, pci_location_text(cpmu->pci, pci), cpmu->address);
	print_counters(out, cpmu);
	print_groups(out, cpmu);
	if (*cpmu->kernel_pmu)
		fprintf(out, "; PMU %s", cpmu->kernel_pmu);
	putc('\n', out);
}

void info_print_cpmus(FILE *out, const struct machine *machine)
{
	if (machine->cpmu_count || machine->cpmu_error.code)
		fputs("CPMUs of CXL devices:\n", out);
	for (size_t i = 0; i < machine->cpmu_count; i++)
		print_cpmu(out, &machine->cpmus[i]);
	if (machine->cpmu_error.code)
		fprintf(out, "  left out: %s\n", machine->cpmu_error.text);
}

static json_t *groups_of(const struct cpmu *cpmu)
{
	json_t *groups = json_array();

	for (unsigned g = 0; g < cpmu->group_count; g++) {
		const struct cpmu_group *group = &cpmu->groups[g];

		if (group->events)
			json_array_append_new(groups,
					      json_pack("{s:i, s:i, s:I, s:b}", "vendor",
							(int)group->vendor, "group", (int)group->id,
							"events", (json_int_t)group->events,
							"fixed", group->is_fixed));
	}
	return groups;
}

static json_t *cpmu_object(const struct cpmu *cpmu)
{
	char pci[PCI_TEXT_SIZE];

	return json_pack("{s:s?, s:s, s:o, s:i, s:i, s:i, s:i, s:i, s:b, s:b, s:i, s:o, s:i, s:s?}",
			 "memdev", cpmu->device ? cpmu->device->name : NULL, "pci",
			 pci_location_text(cpmu->pci, pci), "address",
			 json_sprintf("0x%" PRIx64, cpmu->address), "counters", (int)cpmu->has,
			 "free_running", (int)count_type(cpmu, CPMU_FREE_RUNNING), "fixed",
			 (int)count_type(cpmu, CPMU_FIXED), "configurable",
			 (int)count_type(cpmu, CPMU_CONFIGURABLE), "width_bits", (int)cpmu->width,
			 "can_freeze", cpmu->can_freeze, "writable", cpmu->is_writable, "filters",
			 (int)cpmu->filters, "groups", groups_of(cpmu), "id", (int)cpmu->unit.id,
			 "pmu", *cpmu->kernel_pmu ? cpmu->kernel_pmu : NULL);
}

json_t *info_cpmus(const struct machine *machine)
{
	json_t *cpmus = json_array();

	for (size_t i = 0; i < machine->cpmu_count; i++)
		json_array_append_new(cpmus, cpmu_object(&machine->cpmus[i]));
	return cpmus;
}
