/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers by which a CPMU describes itself. Accepted events can be counted. */
#include "fuzz.h"
#include "uncore/units/cpmu.h"

static void check_counter(const struct cpmu *cpmu, unsigned i)
{
	const struct cpmu_counter *counter = &cpmu->counters[i];

	if (counter->type == CPMU_CONFIGURABLE || counter->type == CPMU_RESERVED)
		return;
	fuzz_require(counter->group < cpmu->group_count && counter->events);
	fuzz_require(!(counter->events & ~cpmu->groups[counter->group].events));
	fuzz_require(counter->type != CPMU_FIXED || cpmu->groups[counter->group].is_fixed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct cpmu_registers registers;
	struct cpmu cpmu = {.address = 0};
	struct error err = {0};
	bool is_usable = false;

	input_bytes(&in, &registers.capability, sizeof(registers.capability));
	input_bytes(&in, registers.configurations, sizeof(registers.configurations));
	input_bytes(&in, registers.groups, sizeof(registers.groups));
	int rc = cpmu_decode(&registers, &cpmu, &err);
	if (rc) {
		fuzz_check_error(rc, &err);
		return 0;
	}
	fuzz_require(cpmu.counter_count && cpmu.counter_count <= UNIT_MAX_COUNTERS);
	fuzz_require(cpmu.counter_count <= cpmu.has && cpmu.has <= CPMU_MAX_COUNTERS);
	fuzz_require(cpmu.group_count && cpmu.group_count <= CPMU_MAX_GROUPS);
	fuzz_require(cpmu.width && cpmu.width <= 64 && (cpmu.can_freeze || !cpmu.is_writable));
	for (unsigned i = 0; i < cpmu.counter_count; i++) {
		check_counter(&cpmu, i);
		is_usable |= cpmu.counters[i].type != CPMU_RESERVED;
	}
	fuzz_require(is_usable);
	return 0;
}
