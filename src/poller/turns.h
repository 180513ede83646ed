/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In which order the groups of a unit take turns within a sample. In the same order in each, what
 * is counted last would always be too high while traffic rises: so the order is reversed at the end
 * of each sample in which all had as many turns, and the last group goes on as the first. Where
 * they had not, the next one follows:
 *
 *     0 1 2 3 | 3 2 1 0 | 0 1 2 3          0 1 2 0 | 1 2 0 1 | 2 0 1 2
 */
#ifndef CXLMON_TURNS_H
#define CXLMON_TURNS_H

#include <stdbool.h>
#include <stddef.h>

struct turns {
	bool backwards;
	size_t taken; /* since the sample began, besides that of the first group */
};

/* The group after so many turns, at most count of them. */
size_t turns_next(const struct turns *turns, size_t group, size_t count, size_t turn_count);

/* A sample ends. True: all count groups had as many turns, and the same group goes on. */
bool turns_end_sample(struct turns *turns, size_t count);

#endif
