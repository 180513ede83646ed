/* SPDX-License-Identifier: BSD-3-Clause */
/* One end of a pair of sockets: the test is the other one, which may send anything. */
#include "linux/run/packet.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/run/process.h"
#include "unit.h"

static struct packet_buffer buffer;
static struct coder packet;
static int ends[2];

static void begin(void)
{
	signal(SIGPIPE, SIG_IGN); /* as a run has it */
	ck_assert_int_eq(packet_pair(ends), 0);
}

static void end(void)
{
	close(ends[0]);
	close(ends[1]);
}

FIXTURE(begin, end)

static int send_to(int socket, const void *bytes, size_t size)
{
	return packet_send(socket, &(struct bytes){.data = (uint8_t *)bytes, .size = size});
}

static int send_packet(const void *bytes, size_t size)
{
	return send_to(ends[0], bytes, size);
}

static int receive(void)
{
	return packet_receive(ends[1], &buffer, &packet, NULL);
}

TEST(test_packets_are_received_whole_and_in_order)
{
	ck_assert_int_eq(receive(), 0);
	ck_assert_int_eq(send_packet("four", 4), 0);
	ck_assert_int_eq(send_packet("eighteighteight!", 16), 0);
	ck_assert_int_eq(receive(), 1);
	ck_assert_uint_eq(packet.left, 4);
	ck_assert_mem_eq(packet.at, "four", 4);
	ck_assert_int_eq(receive(), 1);
	ck_assert_uint_eq(packet.left, 16);
	ck_assert_mem_eq(packet.at, "eighteighteight!", 16);
	ck_assert(!packet.bad && !packet.out);
	ck_assert_int_eq(receive(), 0);
}

TEST(test_the_largest_and_the_smallest_packet_are_received)
{
	static const uint8_t bytes[PACKET_BYTES_MOST + 1] = {[PACKET_BYTES_MOST - 1] = 7};

	ck_assert_int_eq(send_packet(bytes, PACKET_BYTES_MOST), 0);
	ck_assert_int_eq(receive(), 1);
	ck_assert_uint_eq(packet.left, PACKET_BYTES_MOST);
	ck_assert_mem_eq(packet.at, bytes, PACKET_BYTES_MOST);
	ck_assert_int_eq(send_packet("1", 1), 0);
	ck_assert_int_eq(receive(), 1);
	ck_assert_uint_eq(packet.left, 1);
	ck_assert_int_eq(send_packet(bytes, PACKET_BYTES_MOST + 1), 0);
	ck_assert_int_eq(receive(), -EBADMSG);
}

TEST(test_a_packet_for_which_memory_was_short_is_not_sent)
{
	ck_assert_int_eq(packet_send(ends[0], &(struct bytes){.failed = true}), -EPIPE);
	ck_assert_int_eq(receive(), 0);
}

/* How many there is room for is the kernel's choice. */
TEST(test_sending_never_waits_for_the_receiver)
{
	static const uint8_t bytes[PACKET_BYTES_MOST];
	unsigned sent = 0, received = 0;
	int rc;

	while (!(rc = send_packet(bytes, sizeof(bytes))))
		sent++;
	ck_assert_int_eq(rc, -EAGAIN);
	ck_assert_uint_gt(sent, 1);
	while (receive() > 0)
		received++;
	ck_assert_uint_eq(received, sent);
	ck_assert_int_eq(send_packet(bytes, sizeof(bytes)), 0);
}

/* Also if it has not read all that was sent to it. */
TEST_RANGE(test_what_was_sent_before_the_end_is_received, 0, 2)
{
	if (_i)
		ck_assert_int_eq(send_to(ends[1], "four", 4), 0);
	ck_assert_int_eq(send_packet("last", 4), 0);
	close(ends[0]);
	ends[0] = -1;
	ck_assert_int_eq(receive(), 1);
	ck_assert_mem_eq(packet.at, "last", 4);
	ck_assert_int_eq(receive(), -EPIPE);
	ck_assert_int_eq(send_to(ends[1], "four", 4), -EPIPE);
}

/* Descriptors. */

#define DESCRIPTORS_MOST 8

/* Sends a packet with several descriptors, which packet_send_waiting() never does. */
static void send_descriptors(size_t count)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int))];
	} attached = {.room = ""};
	char sent[] = "four";
	struct iovec part = {sent, 4};
	const struct msghdr message = {.msg_iov = &part,
				       .msg_iovlen = 1,
				       .msg_control = &attached,
				       .msg_controllen = CMSG_SPACE(count * sizeof(int))};

	attached.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(count * sizeof(int)),
					 .cmsg_level = SOL_SOCKET,
					 .cmsg_type = SCM_RIGHTS};
	for (size_t i = 0; i < count; i++)
		memcpy(CMSG_DATA(&attached.head) + i * sizeof(int), &ends[0], sizeof(int));
	ck_assert_int_eq(sendmsg(ends[0], &message, 0), 4);
}

/* Sends a packet of this many zeros, and a descriptor; negative: none. */
static int send_waiting(size_t size, int fd)
{
	static const uint8_t zeros[PACKET_BYTES_MOST + 1];
	struct bytes bytes = {.failed = false};

	bytes_put(&bytes, zeros, size);
	const int rc = packet_send_waiting(ends[0], &bytes, fd);
	ck_assert_ptr_null(bytes.data);
	return rc;
}

TEST(test_a_descriptor_comes_with_its_packet)
{
	const size_t before = count_descriptors();
	int passed[2], fd;

	ck_assert_int_eq(packet_pair(passed), 0);
	ck_assert_int_eq(send_waiting(4, passed[0]), 0);
	ck_assert_int_eq(send_waiting(4, -1), 0);
	ck_assert_int_eq(packet_receive(ends[1], &buffer, &packet, &fd), 1);
	ck_assert_uint_eq(packet.left, 4);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(send_to(fd, "eight", 5), 0);
	ck_assert_int_eq(packet_receive(passed[1], &buffer, &packet, NULL), 1);
	close(fd);
	close(passed[1]);
	ck_assert_int_eq(packet_receive(ends[1], &buffer, &packet, &fd), 1);
	ck_assert_int_eq(fd, -1);
	ck_assert_int_eq(packet_receive(ends[1], &buffer, &packet, &fd), 0);
	ck_assert_int_eq(fd, -1);
	ck_assert_uint_eq(count_descriptors(), before);
}

TEST_RANGE(test_several_descriptors_are_not_taken, 2, DESCRIPTORS_MOST)
{
	const size_t before = count_descriptors();
	int fd;

	send_descriptors((size_t)_i);
	ck_assert_int_eq(packet_receive(ends[1], &buffer, &packet, &fd), -EBADMSG);
	ck_assert_int_eq(fd, -1);
	ck_assert_uint_eq(count_descriptors(), before);
}

TEST(test_a_descriptor_that_nobody_expects_is_not_taken)
{
	const size_t before = count_descriptors();

	send_descriptors(1);
	ck_assert_int_eq(receive(), 1);
	ck_assert_uint_eq(count_descriptors(), before);
}

TEST(test_a_descriptor_of_a_packet_that_is_too_long_is_not_taken)
{
	const size_t before = count_descriptors();
	int fd;

	ck_assert_int_eq(send_waiting(PACKET_BYTES_MOST + 1, dup(ends[0])), 0);
	ck_assert_int_eq(packet_receive(ends[1], &buffer, &packet, &fd), -EBADMSG);
	ck_assert_int_eq(fd, -1);
	ck_assert_uint_eq(count_descriptors(), before);
}

TEST(test_a_descriptor_that_nobody_receives_is_closed)
{
	const size_t before = count_descriptors();

	close(ends[1]);
	ck_assert_int_eq(send_waiting(4, dup(ends[0])), -EPIPE);
	ck_assert_uint_eq(count_descriptors(), before - 1);
	ends[1] = -1;
}

/* The child waits until this process receives. */
TEST(test_a_sender_that_waits_sends_all)
{
	const unsigned most = 100;
	unsigned received = 0;
	const pid_t pid = fork();
	int rc;

	if (!pid) {
		for (unsigned i = 0; i < most; i++)
			if (send_waiting(PACKET_BYTES_MOST, -1))
				_exit(1);
		_exit(0);
	}
	ck_assert_int_gt(pid, 0);
	close(ends[0]);
	ends[0] = -1;
	while ((rc = receive()) >= 0) {
		received += (unsigned)rc;
		packet_wait(ends[1], POLLIN);
	}
	ck_assert_uint_eq(received, most);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

TEST(test_a_process_is_forked_at_the_other_end)
{
	const int32_t question = 7;
	int socket, status;
	const pid_t pid = helper_fork(&socket);

	if (!pid)
		_exit(send_to(socket, &question, sizeof(question)) ||
		      read(socket, &socket, 1) != -1);
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(packet_receive(socket, &buffer, &packet, NULL), 1);
	ck_assert_mem_eq(packet.at, &question, sizeof(question));
	ck_assert_int_eq(packet_receive(socket, &buffer, &packet, NULL), -EPIPE);
	close(socket);
}
