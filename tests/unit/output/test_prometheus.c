/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/prometheus.h"

#include "unit.h"

static const struct {
	const char *openmetrics, *expected;
} cases[] = {
	{"", ""},
	{"# EOF\n", ""},
	/* a counter has its full name; neither its unit nor the end is written */
	{"# HELP read_bytes Data, read\n# TYPE read_bytes counter\n# UNIT read_bytes bytes\n"
	 "read_bytes_total{port=\"0\"} 12\nread_bytes_total{port=\"1\"} 13\n# EOF\n",
	 "# HELP read_bytes_total Data, read\n# TYPE read_bytes_total counter\n"
	 "read_bytes_total{port=\"0\"} 12\nread_bytes_total{port=\"1\"} 13\n"},
	/* a gauge is unchanged, also next to a counter */
	{"# HELP up A counter\n# TYPE up gauge\nup 1\n# HELP n N\n# TYPE n counter\nn_total 1\n",
	 "# HELP up A counter\n# TYPE up gauge\nup 1\n# HELP n_total N\n# TYPE n_total counter\n"
	 "n_total 1\n"},
	/* labels are not metadata */
	{"a{b=\"# UNIT \"} 1\n", "a{b=\"# UNIT \"} 1\n"},
	/* incomplete lines */
	{"a 1", "a 1"},
	{"# HELP", "# HELP"},
	{"# HELP a", ""},
	{"# TYPE a", "# TYPE a"},
	{"# HELP a\n# TYPE a counter\n", "# HELP a_total\n# TYPE a_total counter\n"},
};

FIXTURE(NULL, NULL)

TEST_LOOP(test_metadata_of_counters_and_the_end_differ_from_openmetrics, COUNT_OF(cases))
{
	FILE *out = text_open();

	prometheus_put(cases[_i].openmetrics, strlen(cases[_i].openmetrics), out);
	ck_assert_str_eq(text_close(out), cases[_i].expected);
}
