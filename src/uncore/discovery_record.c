/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery_record.h"

#include <errno.h>

#include "pci/config.h"

#define PCI_UNIT_VALID (UINT64_C(1) << 31)
#define MSR_SPACE      (UINT64_C(1) << 32) /* Intel SDM vol. 2, RDMSR: ECX holds the number */
#define MAX_WIDTH      64
#define LARGEST_STEP   8 /* bytes, outside MSR space */

static uint64_t bits(uint64_t word, unsigned high, unsigned low)
{
	return word >> low & ((UINT64_C(2) << (high - low)) - 1);
}

const char *record_fault_text(enum record_fault fault)
{
	static const char *const texts[RECORD_FAULTS] = {
		[RECORD_VALID] = "valid",
		[RECORD_EMPTY] = "empty",
		[RECORD_NO_OFFSET] = "no offset of controls or counters",
		[RECORD_BAD_ACCESS] = "unknown access type",
		[RECORD_BAD_ADDRESS] = "impossible address",
		[RECORD_BAD_SHAPE] = "impossible number or width of counters",
		[RECORD_DUPLICATE] = "unit seen before",
		[RECORD_IGNORED] = "type whose records are wrong on this processor",
	};
	return texts[fault];
}

int discovery_decode_global(const uint64_t words[DISCOVERY_RECORD_WORDS], struct global_record *out)
{
	if (words[0] == 0 || words[0] == UINT64_MAX)
		return -EINVAL;
	*out = (struct global_record){
		.type = (uint8_t)bits(words[0], 7, 0),
		.stride = (uint8_t)bits(words[0], 15, 8),
		.max_units = (uint16_t)bits(words[0], 25, 16),
		.access = (uint8_t)bits(words[0], 63, 62),
		.control = words[1],
	};
	return out->stride < DISCOVERY_RECORD_WORDS ? -EINVAL : 0;
}

/* Outside MSR space, registers must be naturally aligned. */
static bool aligned(const struct unit_record *record)
{
	if (record->access == ACCESS_MSR)
		return true;
	const unsigned whole = record->access == ACCESS_PCI ? 4 : 8;

	return !(record->control % whole) && !(record->counter_offset % whole) &&
	       !(record->control_offset % 4);
}

/* Whether all registers are within MSR space, memory, or one function's configuration space. */
static bool fits(const struct unit_record *record)
{
	const unsigned offset = record->control_offset > record->counter_offset
					? record->control_offset
					: record->counter_offset;
	const unsigned extent =
		offset + record->counters * (record->access == ACCESS_MSR ? 1 : LARGEST_STEP);

	switch (record->access) {
	case ACCESS_MSR:
		return record->control <= MSR_SPACE - extent;
	case ACCESS_PCI:
		return bits(record->control, 11, 0) <= PCI_CONFIG_BYTES - extent;
	default:
		return record->control <= UINT64_MAX - extent;
	}
}

enum record_fault discovery_decode_unit(const uint64_t words[DISCOVERY_RECORD_WORDS],
					struct unit_record *out)
{
	*out = (struct unit_record){
		.counters = (uint8_t)bits(words[0], 7, 0),
		.control_offset = (uint8_t)bits(words[0], 15, 8),
		.width = (uint8_t)bits(words[0], 23, 16),
		.counter_offset = (uint8_t)bits(words[0], 31, 24),
		.status_offset = (uint8_t)bits(words[0], 39, 32),
		.access = (uint8_t)bits(words[0], 63, 62),
		.control = words[1],
		.type = (uint16_t)bits(words[2], 15, 0),
		.id = (uint16_t)bits(words[2], 31, 16),
	};
	if (!words[0] || words[0] == UINT64_MAX || !words[1] || words[1] == UINT64_MAX ||
	    words[2] == UINT64_MAX)
		return RECORD_EMPTY;
	if (!out->control_offset || !out->counter_offset)
		return RECORD_NO_OFFSET;
	if (out->access > ACCESS_PCI)
		return RECORD_BAD_ACCESS;
	if (out->access == ACCESS_PCI && !(out->control & PCI_UNIT_VALID))
		return RECORD_BAD_ADDRESS;
	if (!out->counters || out->counters > UNIT_MAX_COUNTERS || !out->width ||
	    out->width > MAX_WIDTH)
		return RECORD_BAD_SHAPE;
	return aligned(out) && fits(out) ? RECORD_VALID : RECORD_BAD_ADDRESS;
}

void discovery_decode_pci(uint64_t control, struct pci_location *at, uint64_t *offset)
{
	at->domain = (uint32_t)bits(control, 30, 28);
	at->bus = (uint8_t)bits(control, 27, 20);
	at->device = (uint8_t)bits(control, 19, 15);
	at->function = (uint8_t)bits(control, 14, 12);
	*offset = bits(control, 11, 0);
}
