/* SPDX-License-Identifier: BSD-3-Clause */
#include "instruction.h"

#include <string.h>

#define REX	   0x40 /* 0100WRXB */
#define REX_W	   0x8	/* 8 bytes */
#define REX_R	   0x4	/* the register is one of r8 to r15 */
#define MOV_STORE  0x89
#define MOV_LOAD   0x8b
#define MOV_IMM	   0xc7
#define RM_SIB	   4 /* a SIB byte follows */
#define RM_NO_BASE 5 /* with mod 0: only 4 bytes of displacement */

/*
 * Returns the length of ModRM, SIB and displacement of an operand in memory; 0: it is a register.
 */
static unsigned operand_length(const uint8_t *modrm)
{
	const unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7;
	const unsigned sib = rm == RM_SIB;

	switch (mod) {
	case 0:
		return 1 + sib + ((sib ? modrm[1] & 7 : rm) == RM_NO_BASE ? 4 : 0);
	case 1:
		return 1 + sib + 1;
	case 2:
		return 1 + sib + 4;
	default:
		return 0;
	}
}

bool instruction_decode(const uint8_t *code, struct instruction *out)
{
	const uint8_t *at = code;
	const uint8_t rex = (*at & 0xf0) == REX ? *at++ : 0;
	const uint8_t opcode = *at++;

	if (opcode != MOV_STORE && opcode != MOV_LOAD && opcode != MOV_IMM)
		return false;
	const uint8_t *modrm = at;
	const unsigned operand = operand_length(modrm);
	*out = (struct instruction){
		.store = opcode != MOV_LOAD,
		.bytes = rex & REX_W ? 8 : 4,
		.reg = (modrm[0] >> 3 & 7) + (rex & REX_R ? 8 : 0),
	};
	at += operand;
	if (opcode == MOV_IMM) {
		int32_t constant;

		if (modrm[0] >> 3 & 7)
			return false;
		memcpy(&constant, at, sizeof(constant));
		at += sizeof(constant);
		out->reg = INSTRUCTION_CONSTANT;
		out->constant = (uint64_t)(int64_t)constant;
	}
	out->length = (unsigned)(at - code);
	return operand != 0;
}
