/* SPDX-License-Identifier: BSD-3-Clause */
#include "../../platform/trap/instruction.h"

#include "unit.h"

static const struct {
	const char *text;
	uint8_t code[12];
	struct instruction expected;
} known[] = {
	{"mov (%rsi),%rax", {0x48, 0x8b, 0x06}, {false, 8, 0, 0, 3}},
	{"mov (%rsi),%eax", {0x8b, 0x06}, {false, 4, 0, 0, 2}},
	{"mov (%rbx,%r14,4),%eax", {0x42, 0x8b, 0x04, 0xb3}, {false, 4, 0, 0, 4}},
	{"mov 8(%rsp),%r15", {0x4c, 0x8b, 0x7c, 0x24, 0x08}, {false, 8, 15, 0, 5}},
	{"mov 4(%rip),%ecx", {0x8b, 0x0d, 4, 0, 0, 0}, {false, 4, 1, 0, 6}},
	{"mov %r8d,0(%rbp)", {0x44, 0x89, 0x45, 0}, {true, 4, 8, 0, 4}},
	{"mov %edx,0x12345678(%r13)",
	 {0x41, 0x89, 0x95, 0x78, 0x56, 0x34, 0x12},
	 {true, 4, 2, 0, 7}},
	{"mov %rax,0x1000", {0x48, 0x89, 0x04, 0x25, 0, 0x10, 0, 0}, {true, 8, 0, 0, 8}},
	{"movl $1,4(%rax)", {0xc7, 0x40, 0x04, 1, 0, 0, 0}, {true, 4, INSTRUCTION_CONSTANT, 1, 7}},
	{"movq $-1,(%rax)",
	 {0x48, 0xc7, 0x00, 0xff, 0xff, 0xff, 0xff},
	 {true, 8, INSTRUCTION_CONSTANT, UINT64_MAX, 7}},
};

TEST_LOOP(test_a_move_between_memory_and_a_register_is_taken_apart, (int)COUNT_OF(known))
{
	const struct instruction *expected = &known[_i].expected;
	struct instruction found = {.length = 0};

	ck_assert_msg(instruction_decode(known[_i].code, &found), "%s", known[_i].text);
	ck_assert_int_eq(found.store, expected->store);
	ck_assert_uint_eq(found.bytes, expected->bytes);
	ck_assert_int_eq(found.reg, expected->reg);
	ck_assert_uint_eq(found.constant, expected->constant);
	ck_assert_uint_eq(found.length, expected->length);
}

static const struct {
	const char *text;
	uint8_t code[12];
} others[] = {
	{"add %rax,(%rsi)", {0x48, 0x01, 0x06}},
	{"movzbl (%rsi),%eax", {0x0f, 0xb6, 0x06}},
	{"mov %ax,(%rsi)", {0x66, 0x89, 0x06}},
	{"mov %rcx,%rax", {0x48, 0x89, 0xc8}},
	{"xchg %rax,(%rsi)", {0x48, 0x87, 0x06}},
	{"no instruction: C7 with another register than 0", {0xc7, 0x48, 0x04, 1, 0, 0, 0}},
};

TEST_LOOP(test_any_other_instruction_is_refused, (int)COUNT_OF(others))
{
	struct instruction ignored;

	ck_assert_msg(!instruction_decode(others[_i].code, &ignored), "%s", others[_i].text);
}
