/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Child processes of a helper, and its clock, in place of bounded_fork() and clock_monotonic(): the
 * input determines the messages of children, their ends, and the time that passes. The linker's
 * --wrap makes the helper call these.
 */
#ifndef CXLMON_FUZZ_CHILDREN_H
#define CXLMON_FUZZ_CHILDREN_H

#include "fuzz.h"
#include "linux/run/bounded_process.h"

/* Begins without children, as the input begins. */
void children_begin(void);
void children_end(void);

/* Returns the socket of a child that has not ended; -1: there is none. */
int children_choose(struct input *in);

/* Ends one such child. */
void children_end_one(struct input *in);

/* Lets at most this many seconds pass. */
void children_wait(struct input *in, unsigned seconds);

#endif
