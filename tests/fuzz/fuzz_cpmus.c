/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Machines with CXL functions: register locators and registers of CPMUs come from the input, and
 * are used to find, plan, program, read and restore. Every register is restored, and no counter is
 * told to interrupt.
 */
#include <stdlib.h>
#include <string.h>

#include "pci/config.h"
#include "platform.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "poller/pmu_state.h"
#include "uncore/devices/cpmus.h"
#include "uncore/units/cpmu.h"

#define LOCATOR	 0x100
#define ENTRIES	 3
#define FUNCTION 2
#define EVENTS	 8

/* Bits of the input's first byte that determine a function. */
#define RAW_LOCATOR (1 << 0) /* arbitrary bytes; else the headers are right */
#define RAW_BAR	    (1 << 1) /* arbitrary bytes; else it is memory of 64 bits */
#define BRIDGE	    (1 << 2)

static void make_locator(uint32_t *config, struct input *in)
{
	config[LOCATOR / 4] = PCI_EXTENDED_ID_DVSEC | 1U << 16;
	config[LOCATOR / 4 + 1] = CXL_DVSEC_VENDOR | (0x0C + 8 * ENTRIES) << 20;
	config[LOCATOR / 4 + 2] = DVSEC_ID_REGISTER_LOCATOR;
	for (unsigned i = 0; i < ENTRIES; i++) {
		const uint8_t at = input_u8(in);

		/* a block of 64 KiB in a BAR, and its type */
		config[LOCATOR / 4 + 3 + 2 * i] = (at & 3) * 2 | (at >> 4 & 3) << 16 |
						  (at & 4 ? 1 : REGISTER_BLOCK_CPMU) << 8;
		config[LOCATOR / 4 + 4 + 2 * i] = 0;
	}
}

static void make_function(struct fuzz_platform *p, unsigned n, struct input *in)
{
	struct fuzz_function *f = &p->functions[n];
	const uint8_t how = input_u8(in);

	f->info = (struct pci_function){.at = {.bus = (uint8_t)n},
					.vendor = 0x1E98,
					.device = 0x0D93,
					.numa_node = (how >> 4) - 1};
	fuzz_function_init(f, in);
	f->config[0x08 / 4] = how & BRIDGE ? 0x0604U << 16 : 0x0502U << 16;
	f->config[0x04 / 4] |= 0x2; /* memory space */
	if (!(how & RAW_LOCATOR))
		make_locator(f->config, in);
	for (unsigned i = 0; i < PCI_BAR_COUNT; i++)
		f->info.bar_size[i] = (uint64_t)input_u16(in) << 12;
	if (!(how & RAW_BAR))
		for (unsigned i = 0; i < PCI_BAR_COUNT; i += 2) {
			f->config[PCI_BAR0 / 4 + i] = (f->config[PCI_BAR0 / 4 + i] & ~0xFU) | 4;
			f->config[PCI_BAR0 / 4 + i + 1] &= 0xFF;
			f->info.bar_size[i] = UINT64_C(1) << 18;
		}
}

static void check_cpmu(const struct machine *m, const struct cpmu *cpmu)
{
	const struct unit *unit = &cpmu->unit;
	char name[UNIT_NAME_SIZE];

	fuzz_require(unit->cpmu == cpmu && unit->control == cpmu->address);
	fuzz_require(cpmu->address <= UINT64_MAX - CPMU_BLOCK_BYTES);
	fuzz_require(unit->counters && unit->counters <= UNIT_MAX_COUNTERS);
	fuzz_require(unit->usable && !((uint64_t)unit->usable >> unit->counters));
	fuzz_require(unit->width && unit->width <= 64 && unit->socket >= 0);
	fuzz_require(fuzz_one_line(unit_name(unit, name)));
	for (const struct cpmu *other = m->cpmus; other < cpmu; other++)
		fuzz_require(other->address != cpmu->address);
}

/* Tells if a register is written with 1 to clear, which this memory does not do. */
static bool is_overflow(const struct unit *unit, uint64_t address)
{
	return address - unit->control - CPMU_OVERFLOW_STATUS < 8;
}

/* Checks that all is as before, except registers that could not be read. */
static void check_restored(const struct fuzz_platform *p, const struct unit *unit)
{
	for (size_t i = 0; i < p->dword_count; i++) {
		const struct fuzz_dword *d = &p->dwords[i];

		fuzz_require(d->space == REG_MMIO);
		fuzz_require(d->now == d->before || d->before == UINT32_MAX ||
			     is_overflow(unit, d->address));
	}
}

static void check_controls(const struct plan *plan)
{
	const uint64_t never = CPMU_CFG_INTERRUPT | CPMU_CFG_OVERFLOW_FREEZE;

	for (size_t g = 0; g < plan->round_count; g++)
		for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
			fuzz_require(!(plan->rounds[g].controls[i] & never));
	for (size_t s = 0; s < plan->counter_count; s++) {
		const struct counter *counter = &plan->counters[s];
		const struct unit *unit = plan->units[counter->unit].unit;
		const uint64_t i = (counter->reg.address - unit->control - CPMU_COUNTER) / 8;

		fuzz_require(unit_event_counters(unit, counter->event) >> i & 1);
	}
}

/* Programs, reads, and lets all rounds count; any access may fail. */
static int run(struct fuzz_platform *p, struct pmu_state *pmu, struct error *err)
{
	const struct plan *plan = pmu->plan;
	int rc = pmu_state_start(pmu, err);

	for (size_t turn = 0; !rc && turn < plan->round_count; turn++) {
		for (size_t s = 0; !rc && s < plan->counter_count; s++) {
			uint64_t value;

			rc = reg_read(&p->base, &plan->counters[s].reg, &value, err);
		}
		if (!rc && plan->units[0].round_count > 1)
			rc = pmu_state_rotate(
				     pmu, 0, (pmu->units[0].round + 1) % plan->units[0].round_count,
				     err) < 0
				     ? err->code
				     : 0;
	}
	return rc;
}

static void use_plan(struct fuzz_platform *p, struct machine *m, const struct request *requests,
		     size_t count, enum freeze_policy policy)
{
	struct pmu_state pmu = {0};
	struct plan plan = {0};
	struct error err = {0};
	int rc = plan_make(m, requests, count, policy, &plan, &err);

	if (!rc)
		check_controls(&plan);
	if (!rc)
		rc = pmu_state_init(&pmu, &plan, &err);
	if (!rc) {
		rc = run(p, &pmu, &err);
		if (rc)
			fuzz_check_error(rc, &err);
		p->fails_in = 0; /* the restoring is tried again */
		if (!pmu_state_restore(&pmu, &err))
			check_restored(p, plan.units[0].unit);
	} else {
		fuzz_check_error(rc, &err);
	}
	pmu_state_free(&pmu);
	plan_free(&plan);
	p->dword_count = 0;
}

/* Makes requests for events of its own groups, and for some that it may not have. */
static size_t make_requests(struct cpmu *cpmu, struct input *in, struct event events[EVENTS],
			    struct request requests[EVENTS])
{
	size_t count = 0;

	for (unsigned i = 0; i < EVENTS; i++) {
		const uint8_t which = input_u8(in);
		const struct cpmu_group *group = &cpmu->groups[which % cpmu->group_count];
		const uint32_t mask = which & 0x80 ? group->events & -group->events : group->events;

		events[i] = (struct event){.name = "event",
					   .type = PMU_CPMU,
					   .modifiers = CPMU_EVENT(group->vendor, group->id, mask)};
		if (!unit_event_counters(&cpmu->unit, &events[i]))
			continue;
		requests[count++] = (struct request){
			.unit = &cpmu->unit, .event = &events[i], .pinned = which & 0x40};
	}
	return count;
}

static void use_cpmu(struct fuzz_platform *p, struct machine *m, struct cpmu *cpmu,
		     struct input *in)
{
	const uint8_t how = input_u8(in);
	struct event events[EVENTS];
	struct request requests[EVENTS];
	const size_t count = make_requests(cpmu, in, events, requests);
	struct error err = {0};

	fuzz_platform_confine(p, cpmu->address, cpmu->address + CPMU_BLOCK_BYTES - 1);
	cpmu->unit.ownership = (enum ownership)(how % 3);
	if (unit_open(&p->base, &cpmu->unit, &err))
		fuzz_check_error(err.code, &err);
	else if (count)
		use_plan(p, m, requests, count,
			 how & 0x80   ? FREEZE_NEVER
			 : how & 0x40 ? FREEZE_UNITS
				      : FREEZE_AUTO);
	unit_close(&p->base, &cpmu->unit);
	fuzz_platform_confine(p, 0, 0);
	fuzz_require(!p->dword_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct fuzz_platform p;
	struct machine machine;
	struct error err = {0};

	fuzz_platform_init(&p, &(struct input){NULL, 0});
	p.faults = input_u8(&in) & 0xF;
	p.fails_in = input_u8(&in);
	p.signature = p.faults & 4 ? 0x606A0 : p.signature;
	while (p.function_count < FUNCTION + 1)
		make_function(&p, (unsigned)p.function_count++, &in);
	struct input chosen = {in.at, in.left < 32 ? in.left : 32};
	p.memory = in.at + chosen.left;
	p.memory_bytes = in.left - chosen.left;
	int rc = machine_open(&p.base, &machine, &err);
	fuzz_require(!p.windows && !p.dword_count);
	if (rc)
		fuzz_check_error(rc, &err);
	for (size_t i = 0; !rc && i < machine.cpmu_count; i++) {
		check_cpmu(&machine, &machine.cpmus[i]);
		use_cpmu(&p, &machine, &machine.cpmus[i], &chosen);
	}
	if (machine.cpmu_error.code)
		fuzz_check_error(machine.cpmu_error.code, &machine.cpmu_error);
	machine_close(&machine);
	guard_free(&p.base.guard);
	fuzz_require(!p.windows && !p.mapped);
	return 0;
}
