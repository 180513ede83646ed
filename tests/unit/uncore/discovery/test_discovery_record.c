/* SPDX-License-Identifier: BSD-3-Clause */
/* Records, bit by bit. */
#include "platform/pci.h"
#include "uncore/discovery/discovery.h"
#include "unit.h"

#define RECORD_BITS (DISCOVERY_RECORD_WORDS * 64)

struct field {
	unsigned word, high, low;
	size_t offset, bytes;
};

#define FIELD(type, member, word, high, low)                                                       \
	{                                                                                          \
		word, high, low, offsetof(struct type, member), sizeof(((struct type *)0)->member) \
	}

static const struct field global_fields[] = {
	FIELD(global_record, type, 0, 7, 0),	    FIELD(global_record, stride, 0, 15, 8),
	FIELD(global_record, max_units, 0, 25, 16), FIELD(global_record, access, 0, 63, 62),
	FIELD(global_record, control, 1, 63, 0),
};

static const struct field unit_fields[] = {
	FIELD(unit_record, counters, 0, 7, 0),
	FIELD(unit_record, control_offset, 0, 15, 8),
	FIELD(unit_record, width, 0, 23, 16),
	FIELD(unit_record, counter_offset, 0, 31, 24),
	FIELD(unit_record, status_offset, 0, 39, 32),
	FIELD(unit_record, access, 0, 63, 62),
	FIELD(unit_record, control, 1, 63, 0),
	FIELD(unit_record, type, 2, 15, 0),
	FIELD(unit_record, id, 2, 31, 16),
};

static void assert_fields(const struct field *fields, int count, const uint64_t *words,
			  const void *record)
{
	for (int i = 0; i < count; i++) {
		const struct field *f = &fields[i];
		uint64_t value = 0, expected = words[f->word] << (63 - f->high);

		memcpy(&value, (const char *)record + f->offset, f->bytes);
		ck_assert_uint_eq(value, expected >> (63 - f->high + f->low));
	}
}

TEST(test_each_bit_of_a_global_record_has_its_field)
{
	for (unsigned bit = 0; bit < RECORD_BITS; bit++) {
		uint64_t words[DISCOVERY_RECORD_WORDS] = {UINT64_C(0x80) << 8, 0, 0};
		struct global_record record;

		words[bit / 64] |= UINT64_C(1) << bit % 64;
		ck_assert_int_eq(discovery_decode_global(words, &record), 0);
		assert_fields(global_fields, COUNT(global_fields), words, &record);
	}
}

TEST(test_each_bit_of_a_unit_record_has_its_field)
{
	for (unsigned bit = 0; bit < RECORD_BITS; bit++) {
		uint64_t words[DISCOVERY_RECORD_WORDS] = {0, 0, 0};
		struct unit_record record;

		words[bit / 64] = UINT64_C(1) << bit % 64;
		discovery_decode_unit(words, &record);
		assert_fields(unit_fields, COUNT(unit_fields), words, &record);
	}
}

static const struct {
	uint64_t word;
	int code;
} global_words[] = {
	{0, -EINVAL},
	{UINT64_MAX, -EINVAL},
	{UINT64_C(10) << 16, -EINVAL}, /* stride 0 */
	{2 << 8 | UINT64_C(10) << 16, -EINVAL},
	{3 << 8 | UINT64_C(10) << 16, 0},
	{255 << 8, 0},
};

TEST_LOOP(test_a_global_record_needs_a_stride_that_holds_a_record, COUNT(global_words))
{
	const uint64_t words[DISCOVERY_RECORD_WORDS] = {global_words[_i].word, 0x2FF0, 0};
	struct global_record record;

	ck_assert_int_eq(discovery_decode_global(words, &record), global_words[_i].code);
}

#define WORD_0(access, counter_offset, width, control_offset, counters)                            \
	(UINT64_C(access) << 62 | UINT64_C(counter_offset) << 24 | (width) << 16 |                 \
	 (control_offset) << 8 | (counters))
#define GOOD(access) WORD_0(access, 0x58, 48, 0x10, 8)

static const struct {
	uint64_t words[DISCOVERY_RECORD_WORDS];
	enum record_fault fault;
} unit_words[] = {
	{{GOOD(0), 0x2000, 0}, RECORD_VALID},
	/* the last addresses with room for eight counters from 0x58 on */
	{{GOOD(0), 0xFFFFFFA0, 0}, RECORD_VALID},
	{{GOOD(1), UINT64_C(0xFFFFFFFFFFFFFF60), 12}, RECORD_VALID},
	{{GOOD(2), 0x81E60F68, 7}, RECORD_VALID},
	/* 32 bits are enough for a PCI register */
	{{WORD_0(2, 0x5C, 48, 0x14, 8), 0x81E60434, 7}, RECORD_VALID},
	{{WORD_0(1, 0x08, 48, 0x44, 4), 0x1000, 6}, RECORD_VALID},
	{{GOOD(1), UINT64_C(0x2001000000), 2 << 16 | 12}, RECORD_VALID},
	{{GOOD(2), 0x81E60438, 7}, RECORD_VALID},
	{{WORD_0(1, 0x58, 64, 0x10, UNIT_MAX_COUNTERS), 0x1000, 12}, RECORD_VALID},
	{{WORD_0(1, 0x58, 1, 0x10, 1), 0x1000, 12}, RECORD_VALID},
	{{0, 0x1000, 12}, RECORD_EMPTY},
	{{UINT64_MAX, 0x1000, 12}, RECORD_EMPTY},
	{{GOOD(1), 0, 12}, RECORD_EMPTY},
	{{GOOD(1), UINT64_MAX, 12}, RECORD_EMPTY},
	{{GOOD(1), 0x1000, UINT64_MAX}, RECORD_EMPTY},
	{{0, 0, 0}, RECORD_EMPTY},
	{{UINT64_MAX, UINT64_MAX, UINT64_MAX}, RECORD_EMPTY},
	{{WORD_0(1, 0x58, 48, 0, 8), 0x1000, 12}, RECORD_NO_OFFSET},
	{{WORD_0(1, 0, 48, 0x10, 8), 0x1000, 12}, RECORD_NO_OFFSET},
	{{GOOD(3), 0x1000, 12}, RECORD_BAD_ACCESS},
	{{GOOD(2), 0x01E60438, 7}, RECORD_BAD_ADDRESS},
	{{GOOD(0), UINT64_C(0x100000000), 0}, RECORD_BAD_ADDRESS},
	/* one register beyond the end of MSRs, memory, configuration space */
	{{GOOD(0), 0xFFFFFFA1, 0}, RECORD_BAD_ADDRESS},
	{{GOOD(0), 0xFFFFFFFF, 0}, RECORD_BAD_ADDRESS},
	{{WORD_0(0, 0x10, 48, 0x58, 8), 0xFFFFFFA1, 0}, RECORD_BAD_ADDRESS},
	{{GOOD(1), UINT64_C(0xFFFFFFFFFFFFFF68), 12}, RECORD_BAD_ADDRESS},
	{{GOOD(2), 0x81E60F6C, 7}, RECORD_BAD_ADDRESS},
	{{WORD_0(2, 0x10, 48, 0x58, 8), 0x81E60F6C, 7}, RECORD_BAD_ADDRESS},
	/* counters in memory are read 8 bytes at a time */
	{{WORD_0(1, 0x5C, 48, 0x10, 8), 0x1000, 12}, RECORD_BAD_ADDRESS},
	{{WORD_0(1, 0x58, 48, 0x10, 0), 0x1000, 12}, RECORD_BAD_SHAPE},
	{{WORD_0(1, 0x58, 48, 0x10, UNIT_MAX_COUNTERS + 1), 0x1000, 12}, RECORD_BAD_SHAPE},
	{{WORD_0(1, 0x58, 0, 0x10, 8), 0x1000, 12}, RECORD_BAD_SHAPE},
	{{WORD_0(1, 0x58, 65, 0x10, 8), 0x1000, 12}, RECORD_BAD_SHAPE},
};

TEST_LOOP(test_a_unit_record_shows_what_is_wrong_with_it, COUNT(unit_words))
{
	struct unit_record record;

	ck_assert_int_eq(discovery_decode_unit(unit_words[_i].words, &record),
			 unit_words[_i].fault);
}

TEST_LOOP(test_each_fault_has_a_text_of_its_own, RECORD_FAULTS)
{
	ck_assert_ptr_nonnull(record_fault_text((enum record_fault)_i));
	for (int other = 0; other < _i; other++)
		ck_assert_str_ne(record_fault_text((enum record_fault)_i),
				 record_fault_text((enum record_fault)other));
}

static const struct {
	uint64_t control;
	struct pci_location at;
	uint64_t offset;
} pci_units[] = {
	{0x80000000, {0, 0, 0, 0}, 0},	       {0xF0000000, {7, 0, 0, 0}, 0},
	{0x8FF00000, {0, 0xFF, 0, 0}, 0},      {0x800F8000, {0, 0, 31, 0}, 0},
	{0x80007000, {0, 0, 0, 7}, 0},	       {0x80000FFF, {0, 0, 0, 0}, 0xFFF},
	{0xD7F63438, {5, 0x7F, 12, 3}, 0x438},
};

TEST_LOOP(test_a_pci_unit_s_address_unpacks_to_its_function_and_offset, COUNT(pci_units))
{
	const struct pci_location *at = &pci_units[_i].at;
	struct pci_location got;
	uint64_t offset;

	discovery_decode_pci(pci_units[_i].control, &got, &offset);
	ck_assert_uint_eq(got.domain, at->domain);
	ck_assert_uint_eq(got.bus, at->bus);
	ck_assert_uint_eq(got.device, at->device);
	ck_assert_uint_eq(got.function, at->function);
	ck_assert_uint_eq(offset, pci_units[_i].offset);
}
