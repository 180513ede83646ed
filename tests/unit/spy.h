/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A platform that passes everything on to another one, and records register accesses, mappings and
 * messages (remarks). It checks that its callers obey platform.h, and makes an access fail on
 * request.
 */
#ifndef CXLMON_TEST_SPY_H
#define CXLMON_TEST_SPY_H

#include "platform/guard.h"
#include "platform/pci.h"
#include "platform/platform.h"
#include "platform/reg.h"
#include "tests/sim/fake_platform.h"

struct unit;

#define SPY_ACCESSES 8192
#define SPY_REMARKS  64

struct access {
	enum reg_space space;
	bool write;
	unsigned cpu;		 /* MSR */
	struct pci_location pci; /* PCI */
	uint64_t address;	 /* as in struct reg */
	unsigned bytes;
	uint64_t value; /* written value */
};

struct remark {
	enum log_level level;
	char text[512];
};

struct spy {
	union {
		struct platform base;
		struct fake_platform fake;
	};
	struct platform *inner;

	struct access *accesses; /* freed with the messages when the test has ended */
	size_t access_count;
	struct remark *remarks;
	size_t remark_count;

	uint64_t opened_cpus; /* bit n: the MSR device of CPU n was opened ahead of use */

	/* Mappings: number made, number that exist, and the last one. */
	size_t map_count, windows;
	uint64_t map_phys;
	size_t map_length;
	bool map_writable;

	/* Number of the read, and of the write, that fails; 1: the next one; 0: none. */
	size_t fail_read, fail_write;
	int fail_code;

	/* A register that reads as .held_value, whatever it holds; .bytes 0: none. */
	struct reg held;
	uint64_t held_value;
};

/* Makes a spy on inner, and takes it over: platform_destroy(&spy->base) destroys inner. */
void spy_init(struct spy *spy, struct platform *inner);

/* Forgets accesses and messages. */
void spy_forget(struct spy *spy);

/* Returns the nth write, from 0. */
const struct access *spy_write(const struct spy *spy, size_t n);
size_t spy_count(const struct spy *spy, bool write);
size_t spy_count_space(const struct spy *spy, enum reg_space space);

/* Asserts that two writes are the same. n is their number, for the message. */
void spy_assert_same(const struct access *a, const struct access *b, size_t n);

/* Asserts that the writes so far are exactly these, in this order. */
void spy_assert_writes(const struct spy *spy, const struct access *expected, size_t count);

/* Return the number of messages of a level, and the first of these messages; NULL: none. */
size_t spy_remarks(const struct spy *spy, enum log_level level);
const char *spy_remark(const struct spy *spy, enum log_level level);

/*
 * Returns true if the unit's own freeze register now freezes it. Returns false for a CPU, for a
 * unit without such a register, and if the register cannot be read.
 */
bool unit_is_frozen(struct platform *p, const struct unit *unit);

#endif
