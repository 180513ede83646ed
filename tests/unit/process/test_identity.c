/* SPDX-License-Identifier: BSD-3-Clause */
/* One process after another has the same pid, also while its files are read. */
#include "process/identity.h"

#include <limits.h>

#include "platform/platform.h"
#include "unit.h"

static unsigned now;   /* number of the process that has the pid */
static unsigned reads; /* files read so far */
/* the process ends after this number of reads; 0: never */
static unsigned ends;
static unsigned gone; /* number of the first process that does not exist */

/* Reads a file of the process that has the pid at that time. */
static unsigned read_file(void)
{
	if (ends && ++reads % ends == 0)
		now++;
	return now;
}

static bool read_stat(struct platform *p, unsigned pid, unsigned tid, struct process_stat *out)
{
	(void)p, (void)pid, (void)tid;
	*out = (struct process_stat){.started = 1000 + read_file()};
	return now < gone;
}

static int read_status(struct platform *p, unsigned pid, struct listed_process *out)
{
	(void)p;
	const unsigned number = read_file();

	*out = (struct listed_process){pid, 5000 + number, 7000 + number};
	return number < gone;
}

static const char *read_name(struct platform *p, unsigned pid, char name[PROCESS_NAME_SIZE])
{
	(void)p, (void)pid;
	snprintf(name, PROCESS_NAME_SIZE, "p%u", read_file());
	return name;
}

static const char *user_name(struct platform *p, uid_t uid, char name[PROCESS_USER_SIZE])
{
	(void)p;
	snprintf(name, PROCESS_USER_SIZE, "u%u", (unsigned)uid);
	return name;
}

static const char *read_cgroup(struct platform *p, unsigned pid, char path[ROOTFS_PATH_SIZE])
{
	(void)p, (void)pid;
	snprintf(path, ROOTFS_PATH_SIZE, "/c%u", read_file());
	return path;
}

static struct process_identity describe(void)
{
	static const struct process_ops processes = {.stat = read_stat,
						     .status = read_status,
						     .name = read_name,
						     .user = user_name,
						     .cgroup = read_cgroup};
	static const struct platform_ops ops = {.processes = &processes};
	struct platform p = {.ops = &ops};
	struct process_identity is;

	process_describe(&p, 7, &is);
	ck_assert_uint_eq(is.pid, 7);
	return is;
}

static void begin(void)
{
	now = reads = ends = 0;
	gone = UINT_MAX;
}

FIXTURE(begin, NULL)

static void assert_of_one(const struct process_identity *is)
{
	const unsigned number = (unsigned)is->started - 1000;
	char text[32];

	snprintf(text, sizeof(text), "p%u /c%u u%u", number, number, 5000 + number);
	char found[512];
	snprintf(found, sizeof(found), "%s %s %s", is->name, is->cgroup, is->user);
	ck_assert_str_eq(found, text);
	ck_assert_uint_eq(is->uid, 5000 + number);
	ck_assert_uint_eq(is->resident, 7000 + number);
}

TEST(test_what_is_known_of_a_pid_is_of_one_process_while_10000_use_it)
{
	unsigned described = 0;

	for (ends = 1; now < 10000; ends = ends % 31 + 1) {
		const struct process_identity is = describe();

		if (!is.ended)
			assert_of_one(&is);
		described += !is.ended;
	}
	ck_assert_uint_gt(described, 1000);
}

TEST(test_of_a_pid_that_changes_hands_with_every_file_nothing_is_known)
{
	ends = 1;
	const struct process_identity is = describe();
	ck_assert(is.ended && !is.started && !*is.name && !*is.cgroup && !*is.user);
	ck_assert(is.uid == OWNER_UNKNOWN && !is.resident);
}

TEST(test_one_that_ends_while_it_is_read_is_not_half_known)
{
	ends = 3;
	gone = 1;
	const struct process_identity is = describe();
	ck_assert(is.ended && !*is.name);
}
