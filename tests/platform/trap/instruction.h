/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores that compilers make of volatile accesses to 4 or 8 bytes: a move between memory
 * and a general register, or of a constant to memory.
 *
 * Source: Intel SDM volume 2, chapter 2 (REX, ModRM, SIB) and MOV.
 */
#ifndef CXLMON_TEST_INSTRUCTION_H
#define CXLMON_TEST_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#define INSTRUCTION_CONSTANT (-1)

struct instruction {
	bool store;
	unsigned bytes; /* 4 or 8; a load of 4 clears the upper half of its register */
	int reg;	/* 0 (rax) to 15 (r15) in the order of encodings, or INSTRUCTION_CONSTANT */
	uint64_t constant; /* the stored value, if reg is INSTRUCTION_CONSTANT */
	unsigned length;
};

/* Decodes an instruction. Returns false if it is not such a move. Reads no byte after its end. */
bool instruction_decode(const uint8_t *code, struct instruction *out);

#endif
