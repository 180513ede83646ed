/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl_private.h"

#include "platform/cxl.h"
#include "unit.h"

#define ID	    1300
#define RECORD_SIZE 256

/* An event of a kernel: consecutive fields, and a record of them. */
static char format_text[4096];
static uint8_t bytes[RECORD_SIZE];
static size_t used;
static struct cxl_format format;
static struct cxl_event event;

static void add(const char *type, const char *name, unsigned size, int64_t value)
{
	const size_t length = strlen(format_text);

	snprintf(format_text + length, sizeof(format_text) - length,
		 "\tfield:%s %s;\toffset:%zu;\tsize:%u;\tsigned:%d;\n", type, name, used, size,
		 *type == 's');
	memcpy(bytes + used, &value, size);
	used += size;
}

/* Adds a string, whose bytes are at the end of the record. */
static void add_string(const char *name, const char *text)
{
	static const uint16_t place = RECORD_SIZE - 32;

	add("__data_loc char[]", name, 4, place | (int64_t)(strlen(text) + 1) << 16);
	memcpy(bytes + place, text, strlen(text) + 1);
}

static void set_up(void)
{
	used = 0;
	memset(bytes, 0, sizeof(bytes));
	snprintf(format_text, sizeof(format_text), "name: cxl_event\nID: %d\nformat:\n", ID);
	add("unsigned short", "common_type", 2, ID);
	add("unsigned char", "common_flags", 1, 0);
	add("unsigned char", "common_preempt_count", 1, 0);
	add("int", "common_pid", 4, 77);
	add_string("memdev", "mem3");
}

FIXTURE(set_up, NULL)

static void check(enum cxl_event_kind kind, const char *text)
{
	const struct trace_record record = {bytes, sizeof(bytes)};

	ck_assert_int_eq(cxl_format_parse(kind, format_text, &format), 0);
	ck_assert(cxl_record_is_of(&format, record));
	cxl_record_decode(&format, record, &event);
	ck_assert_int_eq(event.kind, kind);
	ck_assert_str_eq(event.device, "mem3");
	ck_assert_str_eq(event.text, text);
}

static const struct {
	enum cxl_event_kind kind;
	uint32_t status;
	const char *text;
} errors[] = {
	{CXL_EVENT_AER_CORRECTABLE, 0x4C,
	 "corrected error: CRC errors above the threshold, retries above the threshold, physical "
	 "layer"},
	{CXL_EVENT_AER_UNCORRECTABLE, 0x80001001,
	 "uncorrectable error: cache data parity, status 0x80001000"},
	{CXL_EVENT_AER_UNCORRECTABLE, 0xFFFFFFFF,
	 "uncorrectable error: the device does not answer, so that all bits of the status are set"},
};

TEST_LOOP(test_an_error_names_the_bits_of_its_status, (int)COUNT_OF(errors))
{
	add("u64", "serial", 8, 4711);
	add("u32", "status", 4, errors[_i].status);
	check(errors[_i].kind, errors[_i].text);
}

TEST(test_an_overflow_says_how_many_records_were_lost)
{
	add("s32", "log", 4, 2);
	add("u16", "count", 2, 512);
	check(CXL_EVENT_OVERFLOW,
	      "the device's event log (failure) is full, and has lost 512 records");
}

/* Flags of a record: bits 1:0 are its log, 2 to 5 states of the device. */
static const struct {
	uint32_t flags;
	const char *text;
} flagged[] = {
	{0x03, ""},
	{0x04, ", permanent"},
	{0x08, ", maintenance needed"},
	{0x10, ", performance degraded"},
	{0x20, ", to be replaced"},
	{0x3C, ", permanent, to be replaced, maintenance needed, performance degraded"},
	{0x40, ""}, /* validity bits in the record */
};

TEST_LOOP(test_the_flags_of_a_record_are_said, (int)COUNT_OF(flagged))
{
	char text[CXL_EVENT_TEXT_SIZE];

	add("s32", "log", 4, 3);
	add("u32", "hdr_flags", 4, flagged[_i].flags);
	add("u64", "dpa", 8, 0x40);
	snprintf(text, sizeof(text), "event of a kind that the kernel does not know%s (fatal)",
		 flagged[_i].text);
	check(CXL_EVENT_GENERIC, text);
	snprintf(text, sizeof(text), "media error%s: error at device address 0x40 (fatal)",
		 flagged[_i].text);
	check(CXL_EVENT_GENERAL_MEDIA, text);
	snprintf(text, sizeof(text), "DRAM error%s: error at device address 0x40 (fatal)",
		 flagged[_i].text);
	check(CXL_EVENT_DRAM, text);
	snprintf(text, sizeof(text), "memory module%s: event (fatal)", flagged[_i].text);
	check(CXL_EVENT_MEMORY_MODULE, text);
}

TEST(test_the_longest_sentence_is_whole)
{
	add("s32", "log", 4, 0);
	add("u32", "hdr_flags", 4, 0x3C);
	add("u64", "dpa", 8, -64);
	add("u8", "dpa_flags", 1, 3);
	add("u8", "descriptor", 1, 7);
	add("u8", "type", 1, 5);
	add("u8", "transaction_type", 1, 7);
	add("u16", "validity_flags", 2, 0xFFFF);
	add("u8", "channel", 1, 255);
	add("u8", "rank", 1, 255);
	add("u8", "bank_group", 1, 255);
	add("u8", "bank", 1, 255);
	add("u32", "row", 4, 0xFFFFFFFF);
	add("u16", "column", 2, 0xFFFF);
	check(CXL_EVENT_DRAM,
	      "uncorrectable DRAM error, permanent, to be replaced, maintenance needed, "
	      "performance degraded: corrected errors counted to the end on error check scrubbing "
	      "at device address 0xffffffffffffffc0, not repairable, channel 255, rank 255, bank "
	      "group 255, bank 255, row 4294967295, column 65535, above the threshold, poison list "
	      "overflow (information)");
}

TEST(test_a_media_error_says_where_it_is)
{
	add("s32", "log", 4, 1);
	add("u64", "dpa", 8, 0x1234567FC0);
	add("u8", "descriptor", 1, 3);
	add("u8", "type", 1, 0);
	add("u8", "transaction_type", 1, 1);
	add("u8", "channel", 1, 3);
	add("u16", "validity_flags", 2, 1);
	add("u8", "rank", 1, 2);
	check(CXL_EVENT_GENERAL_MEDIA,
	      "uncorrectable media error: ECC error on a host read at device address "
	      "0x1234567fc0, channel 3, above the threshold (warning)");
}

/* Places of a DRAM error by validity flags; bit 2 is for a number that is left out. */
static const struct {
	unsigned flags;
	const char *text;
} places[] = {
	{0x01, ", channel 9"},
	{0x02, ", rank 1"},
	{0x04, ""},
	{0x08, ", bank group 2"},
	{0x10, ", bank 3"},
	{0x20, ", row 70000"},
	{0x40, ", column 5"},
	{0x7A, ", rank 1, bank group 2, bank 3, row 70000, column 5"},
};

TEST_LOOP(test_a_dram_error_names_what_is_valid, (int)COUNT_OF(places))
{
	char sentence[256];

	add("u64", "dpa", 8, 0x40);
	add("u8", "type", 1, 1);
	add("u8", "transaction_type", 1, 5);
	add("u16", "validity_flags", 2, places[_i].flags);
	add("u8", "channel", 1, 9);
	add("u8", "rank", 1, 1);
	add("u8", "bank_group", 1, 2);
	add("u8", "bank", 1, 3);
	add("u32", "row", 4, 70000);
	add("u16", "column", 2, 5);
	snprintf(sentence, sizeof(sentence),
		 "DRAM error: ECC error found by scrubbing on media scrubbing at device address "
		 "0x40%s",
		 places[_i].text);
	check(CXL_EVENT_DRAM, sentence);
}

TEST(test_memory_sparing_tells_where)
{
	add("u32", "hdr_flags", 4, 0x04);
	add("u16", "validity_flags", 2, 1 | 1 << 1 | 1 << 5);
	add("u8", "channel", 1, 2);
	add("u8", "rank", 1, 5);
	add("u8", "bank", 1, 3);
	add("u32", "row", 4, 13);
	check(CXL_EVENT_MEMORY_SPARING, "memory sparing, permanent, channel 2, rank 5, row 13");
}

TEST(test_a_memory_module_tells_its_health)
{
	add("u8", "event_type", 1, 3);
	add("u8", "health_status", 1, 2);
	add("u8", "life_used", 1, 15);
	add("s16", "device_temp", 2, -3);
	add("u8", "add_status", 1, 8);
	check(CXL_EVENT_MEMORY_MODULE,
	      "memory module: temperature changed, -3 C, 15 % of its life used, performance "
	      "degraded, temperature critical");
}

TEST(test_a_memory_module_tells_that_its_data_is_lost)
{
	add("u32", "hdr_flags", 4, 0x20);
	add("u8", "event_type", 1, 1);
	add("u8", "health_status", 1, 5);
	add("u8", "media_status", 1, 3);
	check(CXL_EVENT_MEMORY_MODULE,
	      "memory module, to be replaced: media status changed, media data lost, maintenance "
	      "needed");
}

/* Temperatures of signed 16 bits: 7FFFh and FFFFh. */
TEST_LOOP(test_a_memory_module_that_says_nothing_has_no_numbers, 2)
{
	add("u8", "life_used", 1, 0xFF);
	add("s16", "device_temp", 2, _i ? -1 : 0x7FFF);
	check(CXL_EVENT_MEMORY_MODULE, "memory module: event");
}

TEST(test_poison_has_an_address_and_a_source)
{
	add("u8", "trace_type", 1, 1);
	add("u64", "dpa", 8, 0x1000);
	add("u32", "dpa_length", 4, 64);
	add("u8", "source", 1, 3);
	check(CXL_EVENT_POISON, "poison injected at device address 0x1000, 64 bytes, injected");
}

TEST_LOOP(test_a_kernel_without_the_fields_gets_a_sentence_all_the_same, CXL_EVENT_KINDS)
{
	const struct trace_record record = {bytes, 4};

	ck_assert_int_eq(cxl_format_parse((enum cxl_event_kind)_i, format_text, &format), 0);
	ck_assert(cxl_record_is_of(&format, record));
	cxl_record_decode(&format, record, &event);
	ck_assert_str_eq(event.device, "");
	ck_assert_uint_gt(strlen(event.text), 5);
}

TEST(test_a_port_is_named_by_its_device)
{
	used = 0;
	snprintf(format_text, sizeof(format_text), "ID: %d\n", ID);
	add("unsigned short", "common_type", 2, ID);
	add_string("device", "0000:35:00.0\n\x1b[2J");
	add("u32", "status", 4, 4);
	ck_assert_int_eq(cxl_format_parse(CXL_EVENT_PORT_AER_CORRECTABLE, format_text, &format), 0);
	cxl_record_decode(&format, (struct trace_record){bytes, sizeof(bytes)}, &event);
	ck_assert_str_eq(event.device, "0000:35:00.0\?\?[2J");
}

TEST(test_a_record_of_another_event_is_not_its)
{
	ck_assert_int_eq(cxl_format_parse(CXL_EVENT_POISON, format_text, &format), 0);
	bytes[0]++;
	ck_assert(!cxl_record_is_of(&format, (struct trace_record){bytes, sizeof(bytes)}));
	ck_assert(!cxl_record_is_of(&format, (struct trace_record){bytes, 1}));
}
