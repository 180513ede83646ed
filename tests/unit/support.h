/* SPDX-License-Identifier: BSD-3-Clause */
/* Common parts of several suites: a root directory of small files, simulated machines. */
#ifndef CXLMON_TEST_SUPPORT_H
#define CXLMON_TEST_SUPPORT_H

#include <check.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "pci/config.h"
#include "platform/platform.h"
#include "uncore/model/model.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define COUNT(array)	((int)COUNT_OF(array))

#define assert_contains(text, part)                                                                \
	do {                                                                                       \
		const char *const text_ = (text), *const part_ = (part);                           \
		ck_assert_msg(strstr(text_, part_) != NULL, "\"%.4000s\" does not contain \"%s\"", \
			      text_, part_);                                                       \
	} while (0)
#define assert_lacks(text, part)                                                                   \
	do {                                                                                       \
		const char *const text_ = (text), *const part_ = (part);                           \
		ck_assert_msg(strstr(text_, part_) == NULL, "\"%.4000s\" contains \"%s\"", text_,  \
			      part_);                                                              \
	} while (0)

/* Asserts a number within a tolerance; NAN equals only NAN. */
#define assert_double(number, expected, tolerance)                                                 \
	ck_assert_msg(is_number((number), (expected), (tolerance)), "%s is %.17g, expected %.17g", \
		      #number, (double)(number), (double)(expected))
bool is_number(double number, double expected, double tolerance);

/* Returns how often a text has this part, without overlaps. */
size_t occurrences(const char *text, const char *part);

/*
 * Gives every test of tc an empty directory that serves as "/". The directories are removed when
 * the test case has ended, also after failures.
 */
void tree_fixture(TCase *tc);

/*
 * Adds the fixture that every test case needs for at_end(). A test fails if it leaves descriptors
 * open that have FD_CLOEXEC, as all of the program's have.
 */
void end_fixture(TCase *tc);

/* Returns the running test's directory. Paths below are in it; missing directories are made. */
const char *tree_root(void);
const char *tree_path(const char *path); /* valid until eight more calls */
/* Returns a formatted path below the directory; valid until eight more calls. */
__attribute__((format(printf, 1, 2))) const char *tree_name(const char *format, ...);

/* Returns the Linux platform of the directory, which each call resets, and nobody destroys. */
struct platform *tree_platform(void);

void tree_directory(const char *path);
void tree_link(const char *path, const char *target);
/* Writes bytes at this offset. Leaves the rest of the file unchanged, or a hole. */
void tree_bytes(const char *path, off_t offset, const void *bytes, size_t count);
__attribute__((format(printf, 2, 3))) void tree_file(const char *path, const char *format, ...);
/* Reads 8 bytes of a file, to check what was stored. */
uint64_t tree_word(const char *path, off_t offset);

/* One PCI function as sysfs shows it. */
struct tree_function {
	const char *name; /* "0000:1e:00.0" */
	unsigned vendor, device;
	int numa_node;
	const char *resource; /* lines of start, end and flags; NULL: seven empty ones */
	size_t config_bytes;  /* length of the file config, all zero */
};
void tree_pci_function(const struct tree_function *f);

/* Opens a stream. text_close() returns its text, which is freed when the test has ended. */
FILE *text_open(void);
const char *text_close(FILE *file);

/* Calls finish(object) after the running test, also if it fails; last in, first out. */
void at_end(void (*finish)(void *object), void *object);

void destroy_at_end(struct platform *p);

/* Closes a descriptor after the test, if it is open then. Returns fd, also if negative. */
int close_at_end(int fd);

extern const struct log silent_log; /* drops its messages */

/* Makes a simulated machine without messages, destroyed when the test has ended. */
struct platform *sim_make(const char *spec);

/* Returns the number of descriptors that this process has open. */
size_t count_descriptors(void);

/* Asserts that rc and err refuse wrong usage, in one line that contains this text. */
void assert_refusal(int rc, const struct error *err, const char *expected);

/* Returns an event of the uncore, the CPUs or CPMUs; NULL: the model has no event of this name. */
const struct event *model_event(const struct model *model, const char *name);

#endif
