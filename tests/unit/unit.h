/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The header of every test. A definition registers its test. Each file is a suite of Check:
 * test_plan.c is "plan".
 *
 *	FIXTURE(set_up, tear_down)
 *
 *	TEST(test_counter_wraps_at_48_bits)
 *	{
 *		...
 *	}
 *
 * main.c finds all tests in a section of the program. Each test is a process; with CK_FORK=no, one
 * process runs all tests of a file, except after EACH_IN_A_PROCESS.
 */
#ifndef CXLMON_TEST_UNIT_H
#define CXLMON_TEST_UNIT_H

#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* A test, or the fixture of the tests below it in its file. */
struct unit_entry {
	const TTest *test; /* NULL: a fixture */
	int first, end;	   /* the test runs once for each _i from first to end - 1 */
	const char *file;
	int line;
	void (*set_up)(void), (*tear_down)(void); /* NULL: nothing to do */
	bool by_root;				  /* the test is left out without root */
	bool in_tree; /* its tests have an empty directory that serves as "/": see support.h */
	bool alone;   /* neither a test nor a fixture: see EACH_IN_A_PROCESS */
};

#define UNIT_ENTRY(name, ...)                                                                      \
	static const struct unit_entry name = {.file = __FILE__, .line = __LINE__, __VA_ARGS__};   \
	static const struct unit_entry *const name##_listed                                        \
		__attribute__((section("unit_entries"), used)) = &name;

/* Defines tests; the function may use _i, the number of the run. */
#define TEST_OF(name, begin, end_, ...)                                                            \
	static void name(int _i);                                                                  \
	static const TTest name##_check = {#name, name, __FILE__, __LINE__};                       \
	UNIT_ENTRY(name##_entry, .test = &name##_check, .first = (begin), .end = (end_),           \
		   __VA_ARGS__)                                                                    \
	static void name(int _i __attribute__((unused)))

#define TEST_RANGE(name, begin, end_) TEST_OF(name, begin, end_, )
#define TEST_LOOP(name, count)	      TEST_OF(name, 0, count, )
#define TEST(name)		      TEST_OF(name, 0, 1, )
#define ROOT_TEST_LOOP(name, count)   TEST_OF(name, 0, count, .by_root = true)
#define ROOT_TEST(name)		      TEST_OF(name, 0, 1, .by_root = true)

/*
 * Stands before all tests and fixtures of a file, and makes each of its tests a process, also with
 * CK_FORK=no. Such tests change properties of the process, such as its signals and folder, or need
 * the file's variables in their initial state.
 */
#define EACH_IN_A_PROCESS UNIT_ENTRY(each_in_a_process, .alone = true)

/* Defines functions that run before and after each test below, up to the next fixture. */
#define FIXTURE_AT(line, ...)	   UNIT_ENTRY(fixture_##line, __VA_ARGS__)
#define FIXTURE_AT_LINE(line, ...) FIXTURE_AT(line, __VA_ARGS__)
#define FIXTURE(before, after)	   FIXTURE_AT_LINE(__LINE__, .set_up = (before), .tear_down = (after))
/* Defines such functions, and gives each test an empty directory that serves as "/" (support.h). */
#define TREE_FIXTURE(before, after)                                                                \
	FIXTURE_AT_LINE(__LINE__, .set_up = (before), .tear_down = (after), .in_tree = true)

#endif
