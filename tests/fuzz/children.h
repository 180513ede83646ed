/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Child processes of a helper, and its clock, in place of bounded_fork() and clock_monotonic(). The
 * input determines the messages of children, their ends, and the time that passes. The linker's
 * --wrap makes the helper call these.
 */
#ifndef CXLMON_FUZZ_CHILDREN_H
#define CXLMON_FUZZ_CHILDREN_H

#include "fuzz.h"
#include "linux/run/bounded_process.h"

/* Begins an input, without children. */
void children_begin(void);
void children_end(void);

/* Returns the socket of a child that has not ended; -1: there is none. */
int children_choose(struct input *in);

/* Ends a child that has not ended, if there is one. */
void children_end_one(struct input *in);

/* Lets some time pass, less than this many seconds. */
void children_wait(struct input *in, unsigned seconds);

#endif
