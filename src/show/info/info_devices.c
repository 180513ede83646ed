/* SPDX-License-Identifier: BSD-3-Clause */
/* CXL devices, for both outputs. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "linux/cxl/cxl_mailbox.h"
#include "pci/config.h"
#include "platform/clock.h"
#include "platform/cxl.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "show/info/info.h"
#include "uncore/units/cpmu.h"

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

/* Writes "; groups 10h (fixed), 1b00:25h": ids, each after its vendor unless that is the
 * specification. */
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

static json_t *cpmu_object(const struct cpmu *cpmu)
{
	json_t *groups = json_array();
	char pci[PCI_TEXT_SIZE];

	for (const struct cpmu_group *g = cpmu->groups; g < cpmu->groups + cpmu->group_count; g++)
		if (g->events)
			json_array_append_new(groups, json_pack("{s:i, s:i, s:I, s:b}", "vendor",
								(int)g->vendor, "group", (int)g->id,
								"events", (json_int_t)g->events,
								"fixed", g->is_fixed));
	return json_pack("{s:s?, s:s, s:o, s:i, s:i, s:i, s:i, s:i, s:b, s:b, s:i, s:o, s:i, s:s?}",
			 "memdev", cpmu->device ? cpmu->device->name : NULL, "pci",
			 pci_location_text(cpmu->pci, pci), "address",
			 json_sprintf("0x%" PRIx64, cpmu->address), "counters", (int)cpmu->has,
			 "free_running", (int)count_type(cpmu, CPMU_FREE_RUNNING), "fixed",
			 (int)count_type(cpmu, CPMU_FIXED), "configurable",
			 (int)count_type(cpmu, CPMU_CONFIGURABLE), "width_bits", (int)cpmu->width,
			 "can_freeze", cpmu->can_freeze, "writable", cpmu->is_writable, "filters",
			 (int)cpmu->filters, "groups", groups, "id", (int)cpmu->unit.id, "pmu",
			 *cpmu->kernel_pmu ? cpmu->kernel_pmu : NULL);
}

json_t *info_cpmus(const struct machine *machine)
{
	json_t *cpmus = json_array();

	for (size_t i = 0; i < machine->cpmu_count; i++)
		json_array_append_new(cpmus, cpmu_object(&machine->cpmus[i]));
	return cpmus;
}

static void print_hop(FILE *out, const struct cxl_device *device, const struct pci_hop *hop)
{
	const bool has_port = pci_location_compare(&hop->above, &hop->below);
	char at[PCI_TEXT_SIZE], now[PCI_LINK_TEXT_SIZE], possible[PCI_LINK_TEXT_SIZE];

	fprintf(out, "  %-5s ", device->name);
	if (has_port)
		fprintf(out, "%s - ", pci_location_text(hop->above, at));
	fprintf(out, "%s  %s  %.3g GB/s each way", pci_location_text(hop->below, at),
		pci_link_text(hop->now, now), pci_link_rate(hop->now) / 1e9);
	if (pci_hop_is_degraded(hop))
		fprintf(out, "  (could be %s)", pci_link_text(hop->possible, possible));
	putc('\n', out);
}

static const struct {
	unsigned bit;
	const char *name;
} protocols[] = {{FLEX_BUS_IO, "io"}, {FLEX_BUS_CACHE, "cache"}, {FLEX_BUS_MEM, "mem"}};

#define PROTOCOLS (sizeof(protocols) / sizeof(protocols[0]))

/* Returns the bytes of a flit; 0: unknown, as for CXL 1.1. */
static unsigned flit_bytes(unsigned status)
{
	if (status & (FLEX_BUS_LATENCY_256B | FLEX_BUS_PBR_FLIT))
		return 256;
	return status & FLEX_BUS_68B_FLIT ? 68 : 0;
}

/* Reads the protocols of a link, which both ends report. False: neither does, or is readable. */
static bool read_protocols(const struct machine *machine, const struct cxl_device *device,
			   unsigned *status)
{
	struct platform *p = machine->platform;
	struct flex_bus bus;
	int rc = flex_bus_read(p, device->path[device->depth - 1], &bus);

	if (rc && device->depth > 1)
		rc = flex_bus_read(p, device->path[device->depth - 2], &bus);
	*status = rc ? 0 : bus.status;
	return !rc;
}

void info_print_links(FILE *out, const struct machine *machine)
{
	bool heading = false;
	unsigned status;

	for (size_t i = 0; i < machine->device_count; i++) {
		const struct cxl_device *device = &machine->devices[i];

		for (size_t h = 0; h < device->hop_count; h++) {
			if (!(pci_link_rate(device->hops[h].now) > 0))
				continue;
			if (!heading)
				fputs("CXL links:\n", out);
			heading = true;
			print_hop(out, device, &device->hops[h]);
		}
	}
	heading = false;
	for (size_t i = 0; i < machine->device_count; i++) {
		const struct cxl_device *device = &machine->devices[i];
		char names[32] = "";

		if (!read_protocols(machine, device, &status))
			continue;
		for (size_t k = 0; k < PROTOCOLS; k++)
			if (status & protocols[k].bit)
				text_list(names, sizeof(names), "CXL.%s", protocols[k].name);
		fputs(heading ? "" : "CXL protocols:\n", out);
		heading = true;
		fprintf(out, "  %-5s %s", device->name, names);
		if (flit_bytes(status))
			fprintf(out, ", flits of %u bytes", flit_bytes(status));
		fputs(status & FLEX_BUS_LATENCY_256B ? ", latency-optimised\n" : "\n", out);
	}
}

static json_t *hop_object(const struct cxl_device *device, const struct pci_hop *hop)
{
	const struct pci_link *now = &hop->now, *possible = &hop->possible;
	char above[PCI_TEXT_SIZE], below[PCI_TEXT_SIZE];

	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "memdev", device->name,
			 "above", pci_location_text(hop->above, above), "below",
			 pci_location_text(hop->below, below), "speed_GTps",
			 info_positive(now->GTps), "width", info_integer(now->lanes, now->lanes),
			 "possible_speed_GTps", info_positive(possible->GTps), "possible_width",
			 info_integer(possible->lanes, possible->lanes), "bytes_per_s",
			 info_positive(pci_link_rate(*now)));
}

json_t *info_links(const struct machine *machine)
{
	json_t *links = json_array();

	for (size_t i = 0; i < machine->device_count; i++) {
		const struct cxl_device *device = &machine->devices[i];

		for (size_t h = 0; h < device->hop_count; h++) {
			json_t *link = hop_object(device, &device->hops[h]);
			const bool last = h + 1 == device->hop_count;
			unsigned status = 0;
			json_t *names = NULL;

			/* protocols of the link to the device itself */
			if (last && read_protocols(machine, device, &status))
				names = json_array();
			for (size_t k = 0; names && k < PROTOCOLS; k++)
				if (status & protocols[k].bit)
					json_array_append_new(names,
							      json_string(protocols[k].name));
			json_object_set_new(link, "protocols", names ? names : json_null());
			json_object_set_new(link, "flit_bytes",
					    info_integer(flit_bytes(status), flit_bytes(status)));
			json_array_append_new(links, link);
		}
	}
	return links;
}

int info_ask_health(const struct machine *machine, const struct cxl_device *device,
		    struct device_health *out)
{
	struct platform *p = machine->platform;

	return p->ops->cxl->health ? p->ops->cxl->health(p, device, p->ops->clock->wall(p), out)
				   : -ENOTTY;
}

void info_print_health(FILE *out, const struct machine *machine)
{
	char text[DEVICE_HEALTH_TEXT_SIZE];
	struct device_health health;

	if (machine->device_count)
		fputs("Health of CXL devices:\n", out);
	for (size_t i = 0; i < machine->device_count; i++) {
		const int rc = info_ask_health(machine, &machine->devices[i], &health);

		fprintf(out, "  %-5s ", machine->devices[i].name);
		if (rc) {
			fprintf(out, "unknown: %s\n", cxl_mailbox_reason(rc));
			continue;
		}
		fputs(device_health_text(health.state, text), out);
		if (!isnan(health.temperature_C))
			fprintf(out, ", %.0f C", health.temperature_C);
		if (!isnan(health.life_used_pct))
			fprintf(out, ", %.0f %% of its life used", health.life_used_pct);
		fprintf(out, ", %.0f corrected errors\n", health.corrected_errors);
	}
}

static json_t *known_count(double value)
{
	return info_integer(!isnan(value), isnan(value) ? 0 : (uint64_t)value);
}

json_t *info_health(const struct machine *machine)
{
	char text[DEVICE_HEALTH_TEXT_SIZE];
	struct device_health health;
	json_t *list = json_array();

	for (size_t i = 0; i < machine->device_count; i++) {
		const char *memdev = machine->devices[i].name;
		const int rc = info_ask_health(machine, &machine->devices[i], &health);

		json_array_append_new(
			list,
			rc ? json_pack("{s:s, s:s}", "memdev", memdev, "error",
				       cxl_mailbox_reason(rc))
			   : json_pack("{s:s, s:i, s:s, s:o?, s:o?, s:o}", "memdev", memdev,
				       "health", (int)health.state, "text",
				       device_health_text(health.state, text), "temperature_C",
				       json_real(health.temperature_C), "life_used_pct",
				       json_real(health.life_used_pct), "corrected_errors",
				       known_count(health.corrected_errors)));
	}
	return list;
}

/* Returns errors of a device; all unknown if the platform does not report them. */
static struct kernel_stats errors_of(const struct machine *machine, const struct cxl_device *device)
{
	struct platform *p = machine->platform;
	struct device_stats stats = {.kernel = kernel_stats_unknown(0)};

	if (p->ops->cxl->stats)
		p->ops->cxl->stats(p, device, p->ops->clock->wall(p), &stats);
	return stats.kernel;
}

void info_print_errors(FILE *out, const struct machine *machine)
{
	if (machine->device_count)
		fputs("Errors since boot from root port to CXL device:\n", out);
	for (size_t i = 0; i < machine->device_count; i++) {
		const struct kernel_stats errors = errors_of(machine, &machine->devices[i]);
		bool any = false;

		fprintf(out, "  %-5s", machine->devices[i].name);
		for (unsigned n = AER_CORRECTABLE; n <= AER_FATAL; n++) {
			if (isnan(errors.values[n]))
				continue;
			fprintf(out, "%s %.0f %s", any ? "," : "", errors.values[n],
				aer_severity(n));
			any = true;
		}
		fputs(any ? "\n" : " not visible to the kernel\n", out);
	}
}

json_t *info_aer(const struct machine *machine)
{
	json_t *list = json_array();

	for (size_t i = 0; i < machine->device_count; i++) {
		const struct kernel_stats errors = errors_of(machine, &machine->devices[i]);

		json_array_append_new(
			list, json_pack("{s:s, s:o, s:o, s:o}", "memdev", machine->devices[i].name,
					"correctable", known_count(errors.values[AER_CORRECTABLE]),
					"nonfatal", known_count(errors.values[AER_NONFATAL]),
					"fatal", known_count(errors.values[AER_FATAL])));
	}
	return list;
}
