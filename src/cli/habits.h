/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options that users of perf, turbostat, vmstat and PCM type out of habit, and the options of
 * cxlmon. A row is tried only after a word was refused, so that none of them hides a valid word.
 */
#ifndef CXLMON_CLI_HABITS_H
#define CXLMON_CLI_HABITS_H

/* Where the word stood. */
enum habit_place {
	HABIT_OPTION,
	HABIT_OPERAND,
	HABIT_NUMBER, /* an operand, too, where an interval or a count was expected */
};

/* The hint behind "...: " in the message. NULL: no habit is known. */
const char *habit_hint(enum habit_place place, const char *word);

#endif
