/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

TEST(test_a_child_is_stopped_until_it_is_continued)
{
	siginfo_t info;
	const pid_t child = fork();

	if (!child)
		for (;;)
			pause();
	ck_assert(!process_is_stopped(child));
	ck_assert_int_eq(kill(child, SIGSTOP), 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOWAIT), 0);
	ck_assert(process_is_stopped(child));
	ck_assert(process_is_stopped(child));
	ck_assert_int_eq(kill(child, SIGCONT), 0);
	ck_assert(!process_is_stopped(child));
	ck_assert_int_eq(kill(child, SIGKILL), 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	ck_assert(!process_is_stopped(child));
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert(!process_is_stopped(child));
	ck_assert(!process_is_stopped(getpid()));
}

TREE_FIXTURE(NULL, NULL)

TEST(test_fields_are_counted_from_the_end_of_the_name)
{
	struct proc_stat stat;

	tree_file("proc/7/stat",
		  "7 (a) Z 1\n(b) S 1 2 3 4 5 6 7 8 9 10 111 222 16 17 18 19 4 21 99 23\n");
	ck_assert(proc_stat_read(&stat, tree_root(), "proc/%u/stat", 7U));
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_UTIME), 111);
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_STIME), 222);
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_THREADS), 4);
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_STARTED), 99);
	ck_assert_uint_eq(proc_stat_number(&stat, STAT_CPU), 0);
	ck_assert(!proc_stat_is_zombie(&stat));
	ck_assert(!proc_stat_read(&stat, tree_root(), "proc/%u/stat", 8U));
}
