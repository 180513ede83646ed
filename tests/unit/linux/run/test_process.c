/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/process.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Messages with descriptors. */

#define DESCRIPTORS_MOST 8

static void send_descriptors(int socket, const void *bytes, size_t size, size_t count)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int))];
	} attached = {.room = ""};
	struct iovec part = {(void *)bytes, size};
	const struct msghdr message = {.msg_iov = &part,
				       .msg_iovlen = 1,
				       .msg_control = &attached,
				       .msg_controllen = CMSG_SPACE(count * sizeof(int))};
	const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	attached.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(count * sizeof(int)),
					 .cmsg_level = SOL_SOCKET,
					 .cmsg_type = SCM_RIGHTS};
	for (size_t i = 0; i < count; i++)
		memcpy(CMSG_DATA(&attached.head) + i * sizeof(int), &null, sizeof(int));
	ck_assert_int_eq(sendmsg(socket, &message, 0), (ssize_t)size);
	close(null);
}

/* Returns whether a message of 4 bytes was taken, which leaves no descriptor but one at most. */
static bool is_taken(int type, size_t size, size_t descriptors)
{
	const size_t before = count_descriptors();
	int ends[2], fd;
	char bytes[4];

	ck_assert_int_eq(socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends), 0);
	send_descriptors(ends[0], "123456", size, descriptors);
	close(ends[0]);
	const bool taken = helper_receive(ends[1], bytes, sizeof(bytes), &fd);
	ck_assert(taken || fd < 0);
	if (fd >= 0)
		close(fd);
	close(ends[1]);
	ck_assert_uint_eq(count_descriptors(), before);
	return taken;
}

TEST(test_a_message_comes_with_a_descriptor)
{
	ck_assert(is_taken(SOCK_STREAM, 4, 1));
	ck_assert(is_taken(SOCK_SEQPACKET, 4, 1));
}

TEST_RANGE(test_a_message_with_more_descriptors_is_not_taken, 2, DESCRIPTORS_MOST)
{
	ck_assert(!is_taken(SOCK_STREAM, 4, (size_t)_i));
	ck_assert(!is_taken(SOCK_SEQPACKET, 4, (size_t)_i));
}

TEST(test_a_message_of_another_size_is_not_taken)
{
	ck_assert(!is_taken(SOCK_STREAM, 3, 1));
	ck_assert(!is_taken(SOCK_SEQPACKET, 3, 1));
	ck_assert(!is_taken(SOCK_SEQPACKET, 6, 1));
}
