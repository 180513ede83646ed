/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a self-test has shown, as a file for others: no name of a host or a user, no serial number
 * and no address; and a page of what many such files say.
 *
 *   share.c    writes one
 *   shared.c   reads one, which may come from anybody
 *   merge.c    the page
 */
#ifndef CXLMON_PROBE_SELFTEST_SHARE_H
#define CXLMON_PROBE_SELFTEST_SHARE_H

#include <jansson.h>
#include <stdio.h>

#include "probe/selftest/selftest.h"

#define SHARE_SCHEMA   1
#define SHARE_TEXT     64	     /* bytes of a text, with NUL */
#define SHARE_FORMULAS 1024	     /* in a file */
#define SHARE_MAX_FILE (1024 * 1024) /* bytes */

/* NULL: out of memory. */
json_t *share_json(const struct selftest_result *result);

/* Whether a text may stand in a file: short, printable, and without a meaning in Markdown or HTML.
 */
bool share_is_text(const char *text);

/* One way to count a metric of one memory. Texts are of the file; "": null. */
struct shared_formula {
	const char *metric, *source, *backend, *memory, *device;
	bool candidate;
	struct judged judged; /* by the figures of all steps */
	double ratios[STEPS]; /* counted / moved, of rates without what is counted when idle */
	size_t ratio_count;
};

struct shared_test {
	const char *processor, *vendor; /* of the file; "": not known */
	const char *microcode, *kernel, *cxlmon;
	int family, model, stepping; /* -1: not known */
	bool simulated;
	struct shared_formula *formulas;
	size_t count;
	json_t *root; /* which the texts are of */
};

/* ERROR_USAGE: it is none. *out is freed by shared_test_free(), also then. */
int shared_test_decode(const char *text, size_t size, struct shared_test *out, struct error *err);
void shared_test_free(struct shared_test *test);

/* Prints the page, in Markdown. ERROR_USAGE: a file can't be read, is none, or twice there. */
int share_merge(char *const *paths, size_t count, FILE *out, struct error *err);

#endif
