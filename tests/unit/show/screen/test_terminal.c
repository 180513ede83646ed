/* SPDX-License-Identifier: BSD-3-Clause */
/* The mode and the signals of a terminal. */
#include "show/screen/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "unit.h"

EACH_IN_A_PROCESS

static bool is_blocked(int number)
{
	sigset_t blocked;

	ck_assert_int_eq(sigprocmask(SIG_SETMASK, NULL, &blocked), 0);
	return sigismember(&blocked, number);
}

TEST(test_signals_are_blocked_only_if_they_can_be_read)
{
	const int fd = close_at_end(posix_openpt(O_RDWR | O_NOCTTY));
	struct rlimit before, none;
	struct terminal terminal;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	const int rc = terminal_open(&terminal, fd);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	ck_assert_int_eq(rc, -EMFILE);
	ck_assert(!is_blocked(SIGWINCH) && !is_blocked(SIGTSTP) && !is_blocked(SIGCONT));
	ck_assert_int_eq(terminal_open(&terminal, fd), 0);
	ck_assert(is_blocked(SIGWINCH) && is_blocked(SIGTSTP) && is_blocked(SIGCONT));
	terminal_close(&terminal);
}
