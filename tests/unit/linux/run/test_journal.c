/* SPDX-License-Identifier: BSD-3-Clause */

#include <inttypes.h>
#include <zlib.h>

#include "linux/run/journal.h"
#include "platform/guard.h"
#include "platform/mbm.h"
#include "unit.h"

static const struct undo_step steps[] = {
	{.reg = {.space = REG_MSR, .bytes = 8, .cpu = 12, .address = 0x2FF0},
	 .value = 1,
	 .socket = 1,
	 .mask = 1,
	 .unit = 0},
	{.reg = {.space = REG_MSR, .bytes = 8, .cpu = 3, .address = 0x186},
	 .value = 0x5300C0,
	 .socket = UNDO_THIS_CPU,
	 .condition = UNDO_IF_OURS,
	 .mask = UINT64_MAX,
	 .unit = 1},
	{.reg = {.space = REG_MMIO, .bytes = 8, .address = UINT64_C(0xFB022800)},
	 .value = UINT64_MAX - 1,
	 .socket = UNDO_THIS_CPU,
	 .condition = UNDO_IF_CONTROL,
	 .mask = UINT64_MAX,
	 .control = 1,
	 .unit = 1},
	{.reg = {.space = REG_MMIO, .bytes = 4, .address = UINT64_C(0xFB022804)},
	 .socket = UNDO_THIS_CPU,
	 .condition = UNDO_IF_UNIT,
	 .mask = 0xf0,
	 .action = true,
	 .unit = 1},
	{.reg = {.space = REG_PCI,
		 .bytes = 8,
		 .pci = {.domain = 1, .bus = 0x7F, .device = 31, .function = 7},
		 .address = 0x438},
	 .value = UINT64_C(0xFEDCBA9876543210),
	 .socket = UNDO_THIS_CPU,
	 .condition = UNDO_IF_OURS,
	 .mask = UINT64_MAX,
	 .unit = 4},
	{.reg = {.space = REG_MSR, .bytes = 8, .cpu = 9, .address = 0xC0010230},
	 .value = UINT64_C(0x0303C000000010AC),
	 .socket = 1,
	 .l3_scoped = true,
	 .l3 = 17,
	 .condition = UNDO_IF_OURS,
	 .mask = UINT64_MAX,
	 .unit = 5},
	{.reg = {.space = REG_MBM, .bytes = 8, .cpu = MBM_EVERY_CACHE, .address = MBM_LOCAL},
	 .value = MBM_LOCAL_DEFAULT,
	 .socket = UNDO_THIS_CPU,
	 .condition = UNDO_IF_OURS,
	 .mask = UINT64_MAX,
	 .unit = 6},
};

static const struct undo_ours ours[] = {
	{1, 0x4300C0}, {1, UINT64_MAX}, {4, 0}, {4, UINT64_C(0x8000000000000000)}};

static struct journal original, decoded;
static struct error err;
static char *text;
static size_t size;

static void set_up(void)
{
	original = (struct journal){
		.process = {.pid = 4711, .started = 123456789, .namespace = 4026531836},
		.boot = "a-boot"};
	snprintf(original.processor, sizeof(original.processor), "spr");
	for (size_t i = 0; i < COUNT_OF(steps); i++) {
		if (steps[i].unit == i)
			undo_begin_unit(&original.undo);
		ck_assert_int_eq(undo_add(&original.undo, &steps[i], &err), 0);
	}
	for (size_t i = 0; i < COUNT_OF(ours); i++)
		ck_assert_int_eq(undo_add_value(&original.undo, ours[i].step, ours[i].value, &err),
				 0);
	ck_assert_int_eq(journal_encode(&original, &text, &size, &err), 0);
}

static void tear_down(void)
{
	free(text);
	text = NULL;
	journal_free(&original);
	journal_free(&decoded);
}

FIXTURE(set_up, tear_down)

TEST(test_a_journal_says_what_was_written_into_it)
{
	ck_assert_int_eq(journal_decode(text, size, &decoded, &err), 0);
	ck_assert_int_eq(decoded.process.pid, 4711);
	ck_assert_uint_eq(decoded.process.started, 123456789);
	ck_assert_uint_eq(decoded.process.namespace, 4026531836);
	ck_assert_str_eq(decoded.boot, "a-boot");
	ck_assert_str_eq(decoded.processor, "spr");
	ck_assert_uint_eq(decoded.undo.count, COUNT_OF(steps));
	for (size_t i = 0; i < COUNT_OF(steps); i++) {
		const struct undo_step *step = &decoded.undo.steps[i];

		ck_assert_int_eq(step->reg.space, steps[i].reg.space);
		ck_assert_uint_eq(step->reg.bytes, steps[i].reg.bytes);
		ck_assert_uint_eq(step->reg.cpu, steps[i].reg.cpu);
		ck_assert_uint_eq(step->reg.address, steps[i].reg.address);
		ck_assert_int_eq(pci_location_compare(&step->reg.pci, &steps[i].reg.pci), 0);
		ck_assert_uint_eq(step->value, steps[i].value);
		ck_assert_int_eq(step->socket, steps[i].socket);
		ck_assert_int_eq(step->l3_scoped, steps[i].l3_scoped);
		ck_assert_int_eq(step->l3, steps[i].l3);
		ck_assert_int_eq(step->condition, steps[i].condition);
		ck_assert_uint_eq(step->mask, steps[i].mask);
		ck_assert_int_eq(step->action, steps[i].action);
		ck_assert_uint_eq(step->control, steps[i].control);
		ck_assert_uint_eq(step->unit, steps[i].unit);
	}
	ck_assert_uint_eq(decoded.undo.ours_count, COUNT_OF(ours));
	for (size_t i = 0; i < COUNT_OF(ours); i++) {
		ck_assert_uint_eq(decoded.undo.ours[i].step, ours[i].step);
		ck_assert_uint_eq(decoded.undo.ours[i].value, ours[i].value);
	}
}

TEST(test_a_journal_that_was_cut_off_anywhere_is_recognised)
{
	for (size_t cut = 0; cut < size; cut++)
		ck_assert_int_eq(journal_decode(text, cut, &decoded, &err), -EBADMSG);
	assert_contains(err.text, "truncated or damaged");
}

TEST(test_a_flipped_bit_anywhere_is_recognised)
{
	for (size_t bit = 0; bit < 8 * size; bit++) {
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
		ck_assert_int_eq(journal_decode(text, size, &decoded, &err), -EBADMSG);
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
	}
}

/* A line of JSON that somebody has given the right checksum. */
static int decode(const char *json)
{
	char forged[1024];
	const int length = snprintf(forged, sizeof(forged), "%s\ncrc32 %08" PRIx32 "\n", json,
				    (uint32_t)crc32(0, (const Bytef *)json, (uInt)strlen(json)));

	journal_free(&decoded);
	return journal_decode(forged, (size_t)length, &decoded, &err);
}

#define HEAD(version)                                                                              \
	"{\"cxlmon journal\":" version                                                             \
	",\"pid\":1,\"started\":1,\"boot\":\"b\",\"processor\":\"spr\",\"steps\":["
#define STEP(space, cpu, socket, bytes, address, value)                                            \
	"{\"space\":\"" space "\",\"cpu\":" cpu ",\"socket\":" socket ",\"bytes\":" bytes          \
	",\"address\":\"" address "\",\"value\":\"" value "\"}"

#define STEP_OF_L3(l3)                                                                             \
	"{\"space\":\"msr\",\"cpu\":0,\"socket\":0,\"bytes\":8,\"address\":\"0xc0010230\","        \
	"\"value\":\"0x0\",\"l3\":" l3 "}"

/* A register in its unit, with a condition. */
#define STEP_IF(condition, mask, control, unit, action)                                                  \
	"{\"space\":\"msr\",\"cpu\":0,\"socket\":-1,\"bytes\":8,\"address\":\"0x186\",\"value\":\"0x0\"" \
	",\"if\":\"" condition "\",\"mask\":\"" mask "\",\"control\":" control ",\"unit\":" unit         \
	",\"action\":" action "}"
#define OURS(values) "],\"ours\":[" values "]}"

static const struct {
	const char *json;
	int code;
} forged[] = {
	{HEAD("1") "]}", 0},
	{HEAD("1") STEP("msr", "0", "-1", "8", "0x186", "0x0") "]}", 0},
	{"{\"cxlmon journal\":1,\"pid\":1,\"boot\":\"b\",\"processor\":\"spr\",\"steps\":[]}", 0},
	{"{\"cxlmon journal\":1,\"pid\":1,\"started\":-1,\"boot\":\"b\",\"processor\":\"spr\","
	 "\"steps\":[]}",
	 -EBADMSG},
	{"{\"cxlmon journal\":1,\"pid\":1,\"started\":1,\"namespace\":\"1\",\"boot\":\"b\","
	 "\"processor\":\"spr\",\"steps\":[]}",
	 -EBADMSG},
	{HEAD("3") "]}", -ENOTSUP},
	{HEAD("2") OURS(""), 0},
	{HEAD("2") "]}", -EBADMSG},
	{HEAD("2") STEP("msr", "0", "-1", "8", "0x186", "0x0") OURS(""), -EBADMSG},
	{HEAD("2") STEP_IF("ours", "0xff", "0", "0", "false") OURS("[0,\"0x1\"]"), 0},
	{HEAD("2") STEP_IF("control", "0xff", "0", "0", "true") OURS(""), 0},
	{HEAD("2") STEP_IF("control", "0xff", "1", "0", "true") OURS(""), -EBADMSG},
	{HEAD("2") STEP_IF("control", "0xff", "-1", "0", "true") OURS(""), -EBADMSG},
	{HEAD("2") STEP_IF("never", "0xff", "0", "0", "true") OURS(""), -EBADMSG},
	{HEAD("2") STEP_IF("unit", "255", "0", "0", "true") OURS(""), -EBADMSG},
	{HEAD("2") STEP_IF("unit", "0xff", "0", "1", "true") OURS(""), -EBADMSG},
	{HEAD("2") STEP_IF("unit", "0xff", "0", "0", "1") OURS(""), -EBADMSG},
	{HEAD("2") STEP_IF("ours", "0xff", "0", "0", "false") OURS("[1,\"0x1\"]"), -EBADMSG},
	{HEAD("2") STEP_IF("ours", "0xff", "0", "0", "false") OURS("[-1,\"0x1\"]"), -EBADMSG},
	{HEAD("2") STEP_IF("ours", "0xff", "0", "0", "false") OURS("[0,1]"), -EBADMSG},
	{HEAD("2") STEP_IF("ours", "0xff", "0", "0", "false") OURS("0"), -EBADMSG},
	/* a condition in another unit; a unit in two parts; values out of order */
	{HEAD("2") STEP_IF("ours", "0xff", "0", "0", "false") "," STEP_IF("control", "0xff", "0",
									  "1", "false") OURS(""),
	 -EBADMSG},
	{HEAD("2") STEP_IF("ours", "0xff", "0", "0", "false") "," STEP_IF(
		 "ours", "0xff", "0", "1", "false") "," STEP_IF("ours", "0xff", "0", "0", "false")
		 OURS(""),
	 -EBADMSG},
	{HEAD("2") STEP_IF("ours", "0xff", "0", "0", "false") "," STEP_IF(
		 "ours", "0xff", "0", "1", "false") OURS("[1,\"0x1\"],[0,\"0x1\"]"),
	 -EBADMSG},
	{HEAD("0") "]}", -EBADMSG},
	{"{}", -EBADMSG},
	{"[]", -EBADMSG},
	{"null", -EBADMSG},
	{"", -EBADMSG},
	{HEAD("1") "]", -EBADMSG},
	{HEAD("1") "1]}", -EBADMSG},
	{HEAD("1") "{}]}", -EBADMSG},
	{HEAD("1") STEP_OF_L3("0") "]}", 0},
	{HEAD("1") STEP_OF_L3("-1") "]}", -EBADMSG},
	{HEAD("1") STEP_OF_L3("\"0\"") "]}", -EBADMSG},
	{HEAD("1") STEP_OF_L3("2147483648") "]}", -EBADMSG},
	{HEAD("1") STEP("gpr", "0", "-1", "8", "0x186", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("msr", "-1", "-1", "8", "0x186", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("msr", "0", "-2", "8", "0x186", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("msr", "0", "-1", "4", "0x186", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("msr", "0", "-1", "8", "0x100000000", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("msr", "0", "-1", "8", "390", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("msr", "0", "-1", "8", "0x", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("msr", "0", "-1", "8", "0x186", "0x11111111111111111") "]}", -EBADMSG},
	{HEAD("1") STEP("mmio", "0", "-1", "8", "0x1004", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("mmio", "0", "-1", "5", "0x1000", "0x0") "]}", -EBADMSG},
	{HEAD("1") STEP("pci", "0", "-1", "8", "0x438", "0x0") "]}", -EBADMSG},
};

TEST_LOOP(test_what_is_no_journal_is_not_taken_for_one, COUNT_OF(forged))
{
	ck_assert_int_eq(decode(forged[_i].json), forged[_i].code);
	if (forged[_i].code)
		ck_assert_uint_gt(strlen(err.text), 0);
}

/* As journals were before there were registers of an L3. */
TEST(test_a_step_without_an_l3_is_of_the_whole_socket)
{
	ck_assert_int_eq(decode(HEAD("1") STEP("msr", "0", "1", "8", "0x2ff0", "0x0") "]}"), 0);
	ck_assert(!decoded.undo.steps[0].l3_scoped);
	ck_assert_int_eq(decoded.undo.steps[0].socket, 1);
}
