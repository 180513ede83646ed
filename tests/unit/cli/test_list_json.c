/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics in the output of cxlmon list --json. */
#include <jansson.h>

#include "cli/common.h"
#include "run_line.h"
#include "unit.h"

EACH_IN_A_PROCESS

static struct outcome outcome;

static const struct {
	const char *metric, *scopes;
} metrics[] = {
	{"cxl_mem_read_MBps", "[\"port\",\"socket\",\"system\"]"},
	{"dram_read_MBps", "[\"socket\",\"system\"]"},
	{"ipc", "[\"cpu\",\"socket\",\"system\"]"},
};

/* Asserts the scopes of all entries of this name. Returns their number. */
static size_t assert_scopes(const json_t *entries, const char *metric, const char *expected)
{
	const json_t *entry;
	size_t n, found = 0;

	json_array_foreach(entries, n, entry)
	{
		if (strcmp(json_string_value(json_object_get(entry, "name")), metric) != 0)
			continue;
		char *scopes = json_dumps(json_object_get(entry, "scopes"), JSON_COMPACT);
		ck_assert_str_eq(scopes, expected);
		free(scopes);
		found++;
	}
	return found;
}

/* A metric is listed as a column of CSV and with each of its formulas. */
TEST_LOOP(test_a_metric_has_the_scopes_of_its_rows, COUNT(metrics))
{
	const char *metric = metrics[_i].metric, *expected = metrics[_i].scopes;

	run_line(&cmd_list, (const char *const[MAX_WORDS]){"list", "--sim=spr", "--json", metric},
		 &outcome);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	json_t *list = json_loads(outcome.out, 0, NULL);
	ck_assert_ptr_nonnull(list);
	ck_assert_uint_eq(assert_scopes(json_object_get(list, "columns"), metric, expected), 1);
	ck_assert_uint_gt(assert_scopes(json_object_get(list, "metrics"), metric, expected), 0);
	json_decref(list);
}
