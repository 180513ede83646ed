/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-hold [--root=DIR] [--list]
 *
 * Programs counters and holds them, so that other programs can examine them: the core PMU of the
 * first CPU, and one CHA of each socket, frozen and read through MSRs. Each line on standard input
 * takes a sample and prints it; end of input ends the run and restores all registers.
 *
 * --list prints the discovered uncore units instead: type id access address.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/linux.h"
#include "platform/reg.h"
#include "session/sampling.h"
#include "uncore/machine.h"
#include "uncore/units/core_unit.h"

#define INTERVAL_NS 10000000
#define MAX_SOCKETS 8

/* IA_MISS_DRD_LOCAL_DDR of Intel's event lists */
static const struct event tor_inserts = {"TOR_INSERTS", PMU_CHA, 0x35, 0x01,
					 0x00C81686,	0x0F,	 NULL, 0};

static int failed(const struct error *why)
{
	fprintf(stderr, "cxlmon-hold: %s\n", why->text);
	return (int)why->kind;
}

static void list_units(const struct machine *m)
{
	for (size_t i = 0; i < m->discovery.unit_count; i++) {
		const struct unit *u = &m->discovery.units[i];
		uint64_t address = u->control;

		if (u->access == ACCESS_PCI)
			address |= UINT64_C(1) << 31 | (uint64_t)u->pci.domain << 28 |
				   (uint64_t)u->pci.bus << 20 | (uint64_t)u->pci.device << 15 |
				   (uint64_t)u->pci.function << 12;
		printf("%u %u %u 0x%" PRIx64 "\n", u->type, u->id, u->access, address);
	}
}

/* Finds the first CHA of each socket. */
static size_t choose_units(struct machine *m, struct request *requests)
{
	size_t count = 0;

	for (size_t i = 0; i < m->discovery.unit_count && count < MAX_SOCKETS; i++) {
		struct unit *unit = &m->discovery.units[i];

		if (unit->type == PMU_CHA && unit->id == 0 && unit->die == 0)
			requests[count++] = (struct request){.unit = unit, .event = &tor_inserts};
	}
	return count;
}

#define FIXED_COUNTERS (CORE_FIXED(0) | CORE_FIXED(1) | CORE_FIXED(2))

/* Selects instructions on the first general-purpose counter, and three fixed counters. */
static int start_core(struct platform *p, struct unit *unit, struct undo *undo, struct error *why)
{
	const uint32_t counters = FIXED_COUNTERS | UINT32_C(1) << CORE_COUNTER_GENERAL;
	const uint64_t controls[UNIT_MAX_COUNTERS] = {
		1, 1, 1, [CORE_COUNTER_GENERAL] = PERFEVTSEL_OS | PERFEVTSEL_USR | 0xC0};
	int rc = unit_open(p, unit, why);

	unit->claimed = counters;
	if (!rc)
		rc = unit_save(p, unit, counters, undo, why);
	if (!rc)
		rc = unit_add_ours(unit, controls, undo, why);
	if (!rc)
		rc = unit_program(p, unit, controls, why);
	return rc ? rc : unit_unfreeze(p, unit, why);
}

static int read_counter(struct platform *p, const struct unit *unit, unsigned i, uint64_t *value,
			struct error *why)
{
	const struct reg reg = unit_counter(unit, i);

	return reg_read(p, &reg, value, why);
}

static int sample_on_lines(struct platform *p, const struct unit *cpu, struct sampling *sampling,
			   struct error *why)
{
	char line[64];
	int rc = 0;

	while (!rc && fgets(line, sizeof(line), stdin)) {
		struct sample sample;
		uint64_t instructions = 0, fixed = 0;

		rc = read_counter(p, cpu, CORE_COUNTER_GENERAL, &instructions, why);
		if (!rc)
			rc = read_counter(p, cpu, FIXED_INSTRUCTIONS, &fixed, why);
		if (!rc)
			rc = sampling_take(sampling, &sample, why);
		if (rc)
			break;
		printf("instructions %" PRIu64 " fixed %" PRIu64 " inserts %" PRIu64
		       " known %d missed %" PRIu64 "\n",
		       instructions, fixed, sample.counts[0].events, sample.counts[0].known,
		       sample.missed);
		if (sample.warning)
			printf("trouble: %s\n", sample.warning->text);
		fflush(stdout);
	}
	return rc;
}

static int hold(struct platform *p, struct machine *m, struct error *why)
{
	struct request requests[MAX_SOCKETS];
	struct undo_left left = {0};
	struct undo undo = {0};
	struct pmu_state pmu = {0};
	struct sampling sampling = {0};
	struct poller *poller = NULL;
	struct plan plan = {0};
	const size_t count = choose_units(m, requests);
	int rc = 0, restored;

	for (size_t i = 0; !rc && i < count; i++)
		rc = unit_open(p, requests[i].unit, why);
	if (!rc)
		rc = plan_make(m, requests, count, FREEZE_ALWAYS, &plan, why);
	if (!rc)
		rc = pmu_state_init(&pmu, &plan, why);
	if (!rc)
		rc = poller_new(&pmu, INTERVAL_NS, &poller, why);
	if (!rc)
		rc = poller_start(poller, why);
	if (!rc)
		rc = sampling_begin(&sampling, poller, &plan, why);
	if (!rc)
		rc = start_core(p, &m->cpus[0], &undo, why);
	if (!rc) {
		puts("programmed");
		fflush(stdout);
		rc = sample_on_lines(p, &m->cpus[0], &sampling, why);
	}
	restored = undo_apply(p, &undo, 0, undo.count, &m->topology, &left, rc ? NULL : why);
	undo_free(&undo);
	rc = rc ? rc : restored;
	restored = poller ? poller_stop(poller, rc ? NULL : why) : 0;
	rc = rc ? rc : restored;
	poller_free(poller);
	sampling_free(&sampling);
	pmu_state_free(&pmu);
	plan_free(&plan);
	return rc;
}

static void print_message(void *context, enum log_level level, const char *text)
{
	(void)context;
	if (level == LEVEL_WARNING)
		fprintf(stderr, "cxlmon-hold: %s\n", text);
}

int main(int argc, char **argv)
{
	const struct log log = {.write = print_message};
	const char *root = "/";
	bool list = false;
	struct machine machine;
	struct platform *p;
	struct error why = {0};

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--root=", 7))
			root = argv[i] + 7;
		else if (!strcmp(argv[i], "--list"))
			list = true;
		else
			errx(2, "usage: cxlmon-hold [--root=DIR] [--list]");
	}
	if (platform_linux(root, &log, &p, &why))
		return failed(&why);
	int rc = machine_open(p, &machine, &why);
	if (!rc && list)
		list_units(&machine);
	else if (!rc)
		rc = hold(p, &machine, &why);
	machine_close(&machine);
	platform_destroy(p);
	return rc ? failed(&why) : 0;
}
