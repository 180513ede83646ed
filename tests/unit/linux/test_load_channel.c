/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/linux_private.h"

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>
#include <unistd.h>

#include "linux/system/linux_platform.h"
#include "unit.h"

TREE_FIXTURE(NULL, NULL)

/* Injects a load through a channel that answers with this code. */
static int inject(int code, struct injected_load *load, struct error *err)
{
	const struct load_message answer = {.load = {.bytes_read = 64}, .code = code};
	struct platform *p = tree_platform();
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
	linux_of(p)->load_fd = ends[0];
	/* waits in the channel for its request */
	ck_assert_int_eq(send(ends[1], &answer, sizeof(answer), 0), sizeof(answer));
	const int rc = linux_inject_load(p, load, err);
	close(ends[0]);
	close(ends[1]);
	return rc;
}

static const struct {
	int code, expected;
} answers[] = {
	{0, 0},
	{-ENODEV, -ENODEV},
	{-ERRNO_MOST, -ERRNO_MOST},
	/* codes that are neither */
	{1, -EPROTO},
	{ENODEV, -EPROTO},
	{INT_MAX, -EPROTO},
	{-ERRNO_MOST - 1, -EPROTO},
	{INT_MIN, -EPROTO},
};

TEST_LOOP(test_an_answer_to_a_load_is_success_or_an_errno, COUNT_OF(answers))
{
	struct injected_load load = {.node = 2};
	struct error err = {0};

	ck_assert_int_eq(inject(answers[_i].code, &load, &err), answers[_i].expected);
	ck_assert_int_eq(err.code, answers[_i].expected);
	ck_assert_uint_eq(load.bytes_read, answers[_i].expected ? 0 : 64);
}
