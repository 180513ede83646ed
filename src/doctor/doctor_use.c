/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of who else counts. They look at what is programmed, and not at who did it. */
#include <inttypes.h>
#include <stdio.h>

#include "doctor/doctor.h"
#include "platform/undo.h"
#include "uncore/core_unit.h"

/* Units of these types are what metrics are made of; those of others don't stop the monitor. */
static bool counts_for_metrics(const struct model *model, uint16_t type)
{
	for (const struct formula *f = model->formulas; f->metric; f++)
		for (unsigned i = 0; i < FORMULA_EVENTS && f->events[i]; i++) {
			const struct event *event = model_event(model, f->events[i]);

			if (event && event->box == type)
				return true;
		}
	return false;
}

struct use {
	size_t free;
	size_t waiting;	    /* for MSRs to be readable */
	size_t left_out;    /* they don't answer, and the monitor does without them */
	size_t taken;	    /* they would stop the monitor */
	struct error first; /* of those that are taken, or else left out */
};

/* Neither of the two calls writes. */
static void look_at_unit(struct platform *p, struct unit *unit, struct use *use)
{
	struct undo undo = {.count = 0};
	struct error why;

	if (unit_open(p, unit, &why)) {
		if (!use->left_out++ && !use->taken)
			use->first = why;
	} else if (unit_save(p, unit, 0, &undo, &why)) {
		if (!use->taken++)
			use->first = why;
	} else {
		use->free++;
	}
	undo_free(&undo);
}

static void judge(const struct use *use, struct finding *out)
{
	if (use->taken)
		doctor_fail(out, &use->first);
	else if (use->waiting)
		doctor_skip(out, true,
			    "waits for msr-device: %zu units are free, %zu can't be seen",
			    use->free, use->waiting);
	else if (use->left_out)
		doctor_warn(out, use->first.command, "%zu units are free, %zu left out: %s",
			    use->free, use->left_out, use->first.text);
	else
		doctor_pass(out, "%zu units for metrics are free", use->free);
	if (use->taken > 1)
		snprintf(out->error.text, sizeof(out->error.text),
			 "%zu units, the first of them: %.600s", use->taken, use->first.text);
}

void check_units_free(struct doctor *d, struct finding *out)
{
	struct machine *machine = &d->probe.machine;
	struct use use = {.free = 0};

	if (d->left) {
		doctor_skip(out, true,
			    "waits for other-runs: what was left would be taken for use");
		return;
	}
	for (size_t i = 0; i < machine->discovery.unit_count; i++) {
		struct unit *unit = &machine->discovery.units[i];

		if (!counts_for_metrics(machine->model, unit->type))
			continue;
		if (unit->access == ACCESS_MSR && !d->msrs)
			use.waiting++;
		else
			look_at_unit(d->probe.platform, unit, &use);
	}
	judge(&use, out);
}

static int read_freeze(struct doctor *d, int socket, struct reg *reg, uint64_t *value,
		       struct error *err)
{
	const struct machine *machine = &d->probe.machine;

	*reg = (struct reg){
		.space = REG_MSR,
		.bytes = 8,
		.cpu = (unsigned)topology_first_cpu(&machine->topology, socket),
		.address = machine->model->global_freeze_msr,
	};
	return reg_read(d->probe.platform, reg, value, err);
}

void check_freeze(struct doctor *d, struct finding *out)
{
	const struct machine *machine = &d->probe.machine;
	char name[REG_NAME_SIZE], command[64];
	struct error why;
	struct reg reg;
	uint64_t value;

	for (size_t i = 0; machine->model->global_freeze_msr && i < machine->socket_count; i++) {
		if (read_freeze(d, machine->sockets[i], &reg, &value, &why)) {
			doctor_fail(out, &why);
			return;
		}
		if (!(value & UNIT_CTL_FREEZE))
			continue;
		snprintf(command, sizeof(command), "sudo wrmsr -p %u 0x%" PRIx64 " 0", reg.cpu,
			 reg.address);
		doctor_warn(out, command,
			    "socket %d was left frozen (%s holds 0x%" PRIx64
			    "); cxlmon lets it run while it counts",
			    machine->sockets[i], reg_name(&reg, name), value);
		return;
	}
	doctor_pass(out, "%s",
		    machine->model->global_freeze_msr ? "no socket is frozen"
						      : "units are frozen one by one here");
}

/* "fixed 1, general 0": the counters of a CPU that somebody else uses. */
static void name_counters(uint32_t busy, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < CORE_COUNTER_TSC && used < size; i++)
		if (busy >> i & 1)
			used += (size_t)snprintf(
				text + used, size - used, "%s%s %u", used ? ", " : "",
				i < CORE_COUNTER_GENERAL ? "fixed" : "general",
				i < CORE_COUNTER_GENERAL ? i : i - CORE_COUNTER_GENERAL);
}

/* The counters of a CPU that are used; the unit stays closed. */
static int look_at_cpu(struct doctor *d, const struct cpu_location *place, uint32_t *busy,
		       struct error *err)
{
	struct unit cpu = core_unit(place);
	int rc = unit_open(d->probe.platform, &cpu, err);

	*busy = rc ? 0 : cpu.busy;
	unit_close(d->probe.platform, &cpu);
	return rc;
}

void check_core_counters(struct doctor *d, struct finding *out)
{
	const struct topology *topology = &d->probe.machine.topology;
	const bool watchdog = platform_has_watchdog(d->probe.platform);
	unsigned first = 0;
	char counters[256];
	struct error why;
	size_t cpus = 0;

	for (size_t i = 0; i < topology->count; i++) {
		uint32_t busy;

		if (look_at_cpu(d, &topology->cpus[i], &busy, &why)) {
			doctor_warn(out, why.command, "%s; there are no core metrics", why.text);
			return;
		}
		if (!busy || cpus++)
			continue;
		first = topology->cpus[i].cpu;
		name_counters(busy, counters, sizeof(counters));
	}
	if (cpus)
		doctor_warn(
			out, watchdog ? WATCHDOG_COMMAND_OFF : UNIT_COMMAND_WHO_COUNTS,
			"counters of %zu CPU%s are used by someone else (of cpu %u: %s); -m core needs --share or --force",
			cpus, cpus == 1 ? "" : "s", first, counters);
	else
		doctor_pass(out, "none is used by someone else");
}
