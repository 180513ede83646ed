/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics in the output of cxlmon list --json. */
#include <jansson.h>

#include "cli/common.h"
#include "run_line.h"
#include "unit.h"

EACH_IN_A_PROCESS

static struct outcome outcome;

static const struct {
	const char *metric, *scopes, *events; /* events of its only formula; NULL: several */
} metrics[] = {
	{"cxl_mem_read_MBps", "[\"port\",\"socket\",\"system\"]", NULL},
	{"dram_read_MBps", "[\"socket\",\"system\"]",
	 "[\"UNC_M_CAS_COUNT.RD\",\"UNC_MCHBM_CAS_COUNT.RD\"]"},
	{"ipc", "[\"cpu\",\"socket\",\"system\"]", "[\"instructions\",\"cycles\"]"},
};

/* Asserts a member of all entries of this name. Returns their number. */
static size_t assert_member(const json_t *entries, const char *metric, const char *member,
			    const char *expected)
{
	const json_t *entry;
	size_t n, found = 0;

	json_array_foreach(entries, n, entry)
	{
		if (strcmp(json_string_value(json_object_get(entry, "name")), metric) != 0)
			continue;
		char *value = json_dumps(json_object_get(entry, member), JSON_COMPACT);
		ck_assert_str_eq(value, expected);
		free(value);
		found++;
	}
	return found;
}

/* A metric is listed as a column of CSV and with each of its formulas. */
TEST_LOOP(test_a_metric_has_the_scopes_of_its_rows_and_the_events_of_its_formula, COUNT(metrics))
{
	const char *metric = metrics[_i].metric, *scopes = metrics[_i].scopes;

	run_line(&cmd_list, (const char *const[MAX_WORDS]){"list", "--sim=spr", "--json", metric},
		 &outcome);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	json_t *list = json_loads(outcome.out, 0, NULL);
	ck_assert_ptr_nonnull(list);
	const json_t *formulas = json_object_get(list, "metrics");
	ck_assert_uint_eq(assert_member(json_object_get(list, "columns"), metric, "scopes", scopes),
			  1);
	ck_assert_uint_gt(assert_member(formulas, metric, "scopes", scopes), 0);
	if (metrics[_i].events)
		assert_member(formulas, metric, "events", metrics[_i].events);
	json_decref(list);
}
