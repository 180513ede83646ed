/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/job.h"

#include <limits.h>
#include <unistd.h>

#include "unit.h"

EACH_IN_A_PROCESS

#define TEN	   "0123456789"
#define SIXTY_FOUR TEN TEN TEN TEN TEN TEN "0123"

static const char *const variables[] = {"SLURMD_NODENAME", "SLURM_JOB_ID", "SLURM_STEP_ID",
					"SLURM_PROCID"};

/* Sets the environment of a job; NULL: unset. */
static void enter_job(const char *const values[COUNT_OF(variables)])
{
	for (size_t i = 0; i < COUNT_OF(variables); i++)
		if (values[i])
			setenv(variables[i], values[i], 1);
		else
			unsetenv(variables[i]);
}

static const struct {
	const char *pattern, *environment[COUNT_OF(variables)], *name;
} names[] = {
	{"run.cxl", {NULL}, "run.cxl"},
	{"run-%N.cxl", {"n2", "77", "0", "1"}, "run-n2.cxl"},
	{"%j/%s/%t-%N",
	 {"node-01.cluster", "77", "4294967291", "1"},
	 "77/4294967291/1-node-01.cluster"},
	{"%N%N", {SIXTY_FOUR}, SIXTY_FOUR SIXTY_FOUR},
	/* other parts stay, also at the end */
	{"%%N-%x-100%", {"n2"}, "%N-%x-100%"},
	{"%%%N%", {"n2"}, "%n2%"},
	{"", {NULL}, ""},
};

TEST_LOOP(test_parts_of_a_file_s_name_are_those_of_the_job, COUNT_OF(names))
{
	struct error err;
	char *name;

	enter_job(names[_i].environment);
	ck_assert_msg(!job_file_name(names[_i].pattern, &name, &err), "%s", err.text);
	ck_assert_str_eq(name, names[_i].name);
	free(name);
}

static const struct {
	const char *pattern, *environment[COUNT_OF(variables)], *message;
} refused[] = {
	{"run-%j.cxl",
	 {"n2"},
	 "run-%j.cxl: no job for %j: expected the environment variable SLURM_JOB_ID, as Slurm sets "
	 "it"},
	{"%s", {"n2", "77"}, "no step for %s: expected the environment variable SLURM_STEP_ID"},
	{"%t", {"n2", "77", "0", ""}, "no rank for %t"},
	{"%t", {"n2", "77", "0", "-1"}, "no rank for %t"},
	{"%j", {"n2", "0x7"}, "no job for %j"},
	{"%j", {"n2", "7\n"}, "no job for %j"},
	{"%j", {"n2", "12345678901"}, "no job for %j"},
	/* no name leads to another directory */
	{"%N", {""}, "no host for %N"},
	{"%N", {"."}, "no host for %N"},
	{"%N", {".."}, "no host for %N"},
	{"%N", {"n/2"}, "no host for %N"},
	{"%N", {"/etc/n2"}, "no host for %N"},
	{"%N", {"n\x1b[2J"}, "no host for %N"},
	{"%N", {"n\xc3\xa9"}, "no host for %N"},
	{"%N", {SIXTY_FOUR "4"}, "no host for %N"},
	{"a\x1b[2J%N", {""}, "a?[2J%N: no host for %N"},
};

TEST_LOOP(test_a_part_that_is_unknown_or_no_name_is_refused, COUNT_OF(refused))
{
	struct error err;
	char *name;

	enter_job(refused[_i].environment);
	ck_assert_int_eq(job_file_name(refused[_i].pattern, &name, &err), -EINVAL);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	ck_assert_ptr_null(name);
	assert_contains(err.text, refused[_i].message);
}

TEST(test_outside_of_a_job_the_node_is_the_host)
{
	char host[HOST_NAME_MAX + 1] = "", *name;
	struct error err;

	enter_job((const char *const[COUNT_OF(variables)]){NULL});
	ck_assert_int_eq(gethostname(host, sizeof(host) - 1), 0);
	host[strcspn(host, ".")] = '\0';
	ck_assert_msg(!job_file_name("%N", &name, &err), "%s", err.text);
	ck_assert_str_eq(name, host);
	free(name);
	ck_assert(!job_is_slurm());
}
