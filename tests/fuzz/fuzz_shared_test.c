/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of selftest --share, from anybody: what is taken makes a page on which no text starts
 * another cell or line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "probe/selftest/share.h"

static void check(const struct shared_test *test)
{
	fuzz_require(test->count <= SHARE_FORMULAS);
	for (size_t i = 0; i < test->count; i++) {
		const struct shared_formula *f = &test->formulas[i];

		fuzz_require(share_is_text(f->metric) && f->ratio_count <= STEPS);
		for (size_t r = 0; r < f->ratio_count; r++)
			fuzz_require(isfinite(f->ratios[r]));
	}
}

/* Each line of a table has as many cells as its heading. */
static void check_page(char *page)
{
	size_t cells = 0, expected = 0;

	for (char *line; (line = strsep(&page, "\n"));) {
		fuzz_require(fuzz_one_line(line));
		cells = 0;
		for (const char *c = line; *c; c++)
			cells += *c == '|';
		fuzz_require(!cells || !expected || cells == expected);
		expected = cells;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct shared_test test;
	struct input_file file;
	struct error err = {0};
	char *page = NULL;
	size_t length;

	int rc = shared_test_decode((const char *)data, size, &test, &err);
	if (rc)
		fuzz_check_usage(rc, &err);
	else
		check(&test);
	shared_test_free(&test);

	input_file(&in, &file);
	char *paths[] = {file.path, file.path};
	FILE *out = open_memstream(&page, &length);
	if (out && !share_merge(paths, 2, out, &err)) {
		fflush(out);
		fclose(out);
		check_page(page);
	} else if (out) {
		fclose(out);
	}
	free(page);
	input_file_close(&file);
	return 0;
}
