/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Child processes of a helper, and its clock, in the place of bounded_fork() and clock_monotonic():
 * the input says what children send, when they end, and how much time passes. The linker's --wrap
 * has the helper call these.
 */
#ifndef CXLMON_FUZZ_CHILDREN_H
#define CXLMON_FUZZ_CHILDREN_H

#include "fuzz.h"
#include "linux/run/bounded_process.h"

/* As the input begins: there are none. */
void children_begin(void);
void children_end(void);

/* The socket of one that has not ended; -1: there is none. */
int children_choose(struct input *in);

/* Ends one of those. */
void children_end_one(struct input *in);

/* Lets up to so many seconds pass. */
void children_wait(struct input *in, unsigned seconds);

#endif
