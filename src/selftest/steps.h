/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic to and from each node, step by step. */
#ifndef CXLMON_SELFTEST_STEPS_H
#define CXLMON_SELFTEST_STEPS_H

#include <stddef.h>

enum step_kind { STEP_IDLE, STEP_READS, STEP_WRITES, STEP_MIX, STEP_CHASE, STEP_KINDS };

struct step {
	enum step_kind kind;
	double read_share;
	double part; /* of the node's maximum for this kind; 1: the maximum itself */
};

#define STEPS 15

/*
 * In this order; the most of a kind comes before its parts. Idle at both ends and between the
 * kinds, so that it shows what others do meanwhile.
 */
extern const struct step step_table[STEPS];

extern const char *const step_names[STEP_KINDS]; /* "idle", "reads", ... */

#endif
