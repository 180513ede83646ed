/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/run_dir_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

/* Two open files of the same file. */
static int held, wanted;

static void set_up(void)
{
	tree_file("lock", "%s", "");
	held = open(tree_path("lock"), O_RDONLY | O_CLOEXEC);
	wanted = open(tree_path("lock"), O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(held, 0);
	ck_assert_int_ge(wanted, 0);
}

static void tear_down(void)
{
	close(held);
	close(wanted);
}

TREE_FIXTURE(set_up, tear_down)

TEST(test_a_lock_is_had_once)
{
	ck_assert_int_eq(file_lock_wait(held, 0), 0);
	ck_assert_int_eq(file_lock_wait(held, 0), 0);
	ck_assert_int_eq(file_lock_wait(wanted, 0), -EWOULDBLOCK);
}

TEST(test_it_is_free_once_all_have_closed_it)
{
	const int copy = dup(held);

	ck_assert_int_eq(file_lock_wait(held, 0), 0);
	close(held);
	ck_assert_int_eq(file_lock_wait(wanted, 0), -EWOULDBLOCK);
	close(copy);
	ck_assert_int_eq(file_lock_wait(wanted, 0), 0);
}

TEST(test_another_error_is_told)
{
	ck_assert_int_eq(file_lock_wait(-1, 0), -EBADF);
}

/* Whoever took it, though it is a child that has it then. */
TEST(test_the_holder_is_who_took_it)
{
	tree_file("other", "%s", "");
	const int other = close_at_end(open(tree_path("other"), O_RDONLY | O_CLOEXEC));

	ck_assert_int_eq(file_lock_wait(other, 0), 0);
	ck_assert_int_eq(file_lock_holder(wanted), 0);
	ck_assert_int_eq(file_lock_wait(held, 0), 0);
	ck_assert_int_eq(file_lock_holder(wanted), getpid());

	int end[2];
	char byte;
	ck_assert_int_eq(pipe(end), 0);
	const pid_t child = fork();
	if (!child) {
		close(end[1]);
		_exit((int)read(end[0], &byte, 1));
	}
	close(held);
	ck_assert_int_eq(file_lock_wait(wanted, 0), -EWOULDBLOCK);
	ck_assert_int_eq(file_lock_holder(wanted), getpid());
	close(end[0]);
	close(end[1]);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}
