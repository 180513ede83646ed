/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/file_process.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/run/packet.h"
#include "unit.h"

#define LARGE (4 << 20) /* more than a socket holds */

static const struct sudo_user nobody = {.known = false};
static struct file_place place;
static struct file_process process;
static struct error err;

/* Starts a process that keeps "file" of the test's directory. */
static int start_use(const struct file_process_use *wanted)
{
	struct file_process_use use = *wanted;

	use.place = &place;
	use.name = "file";
	use.caller = &nobody;
	place = (struct file_place){.name = "file"};
	place.directory = open(tree_root(), O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(place.directory, 0);
	return file_process_start(&use, &process, &err);
}

static int start(bool replaces)
{
	return start_use(&(const struct file_process_use){.replaces = replaces});
}

static void stop(void)
{
	file_process_stop(&process);
	close(place.directory);
}

static off_t size_of(const char *name)
{
	struct stat st;

	return fstatat(place.directory, name, &st, 0) ? -1 : st.st_size;
}

TREE_FIXTURE(NULL, NULL)

TEST(test_it_replaces_another_file_of_that_directory)
{
	ck_assert_int_eq(start_use(&(const struct file_process_use){.second = "list"}), 0);
	ck_assert_int_eq(file_process_replace_second(&process, "rows", 4), 0);
	ck_assert_int_eq(size_of("list"), 4);
	ck_assert_int_eq(size_of("file"), -1);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), 0);
	ck_assert_int_eq(size_of("list"), 4);
	ck_assert_int_eq(size_of("file"), 3);
	stop();
}

TEST(test_it_replaces_its_file)
{
	char *text = malloc(LARGE);

	ck_assert_ptr_nonnull(text);
	memset(text, 'x', LARGE);
	ck_assert_int_eq(start(true), 0);
	ck_assert_int_eq(file_process_replace_second(&process, "new", 3), -ENOENT);
	ck_assert_int_eq(file_process_replace(&process, text, LARGE), 0);
	ck_assert_int_eq(size_of("file"), LARGE);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), 0);
	ck_assert_int_eq(size_of("file"), 3);
	ck_assert_int_eq(file_process_replace(&process, "", 0), 0);
	ck_assert_int_eq(size_of("file"), 0);
	stop();
	free(text);
}

TEST(test_it_says_why_a_file_cannot_be_replaced)
{
	ck_assert_int_eq(start(true), 0);
	ck_assert_int_eq(chmod(tree_root(), 0500), 0);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), -EACCES);
	ck_assert_int_eq(chmod(tree_root(), 0700), 0);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), 0);
	stop();
}

TEST(test_it_opens_its_file_again_for_another)
{
	char text[8] = "";

	ck_assert_int_eq(start(false), 0);
	const int fd = file_process_open(&process, &err);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(write(fd, "rows", 4), 4);
	close(fd);
	const int in = openat(place.directory, "file", O_RDONLY | O_CLOEXEC);
	ck_assert_int_eq(read(in, text, sizeof(text) - 1), 4);
	ck_assert_str_eq(text, "rows");
	close(in);
	stop();
}

TEST(test_it_says_why_a_file_cannot_be_opened)
{
	ck_assert_int_eq(start(false), 0);
	ck_assert_int_eq(symlinkat("elsewhere", place.directory, "file"), 0);
	ck_assert_int_eq(file_process_open(&process, &err), -ELOOP);
	assert_contains(err.text, "file: cannot be written: ");
	stop();
}

/* Sends a request, as code_request() of file_process.c codes it, and a byte more unless it is 0. */
static void send_request(uint64_t what, uint64_t size, uint8_t more)
{
	struct bytes bytes = {.failed = false};
	struct coder c = {.out = &bytes};

	code_varint(&c, what);
	code_varint(&c, size);
	if (more)
		code_u8(&c, more);
	ck_assert_int_eq(packet_send(process.channel, &bytes), 0);
	bytes_free(&bytes);
}

/* Asserts that the last request ends the process, which does not read further ones. */
static void assert_that_it_ends(void)
{
	char byte;

	packet_wait(process.channel, POLLIN);
	ck_assert_int_le(read(process.channel, &byte, 1), 0);
	ck_assert_int_eq(size_of("file"), -1);
	stop();
}

static const struct {
	uint64_t what, size;
	uint8_t more;
} wrong_requests[] = {
	{.size = UINT64_MAX},
	{.size = ((uint64_t)1 << 30) + 1},
	{.what = 3},
	{.what = UINT64_MAX},
	{.what = 2, .size = 1}, /* an opening, with a text */
	{.more = 1},
};

TEST_LOOP(test_a_wrong_request_ends_it, COUNT(wrong_requests))
{
	ck_assert_int_eq(start(true), 0);
	send_request(wrong_requests[_i].what, wrong_requests[_i].size, wrong_requests[_i].more);
	assert_that_it_ends();
}

TEST(test_a_text_that_is_longer_than_its_request_said_ends_it)
{
	ck_assert_int_eq(start(true), 0);
	send_request(0, 3, 0);
	ck_assert_int_eq(packet_send(process.channel,
				     &(struct bytes){.data = (uint8_t[]){"text"}, .size = 4}),
			 0);
	assert_that_it_ends();
}

TEST(test_a_text_that_is_too_large_is_refused_before_it_is_sent)
{
	ck_assert_int_eq(start(true), 0);
	ck_assert_int_eq(file_process_replace(&process, "", ((size_t)1 << 30) + 1), -EFBIG);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), 0);
	stop();
}

static void stop_by_signal(void)
{
	siginfo_t info;

	ck_assert_int_eq(kill(process.pid, SIGSTOP), 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)process.pid, &info, WSTOPPED | WNOWAIT), 0);
}

/* Stops the process without waiting, though it cannot end before it is killed. */
static void stop_the_stopped(void)
{
	const pid_t pid = process.pid;

	stop();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Covers a text that fits into the socket, and one that does not. */
TEST_LOOP(test_a_process_that_is_stopped_is_given_up_after_the_limit, 2)
{
	char *text = calloc(1, LARGE);

	ck_assert_ptr_nonnull(text);
	ck_assert_int_eq(start(true), 0);
	stop_by_signal();
	file_process_limit(&process, 1000);
	ck_assert_int_eq(file_process_replace(&process, text, _i ? LARGE : 3), -ETIME);
	ck_assert_int_eq(size_of("file"), -1);
	ck_assert_int_lt(process.channel, 0);
	/* its answer would be taken as the next request's */
	kill(process.pid, SIGCONT);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), -ETIME);
	ck_assert_int_eq(file_process_open(&process, &err), -ETIME);
	assert_contains(err.text, "cannot be opened again: cxlmon-file, the process that does ");
	stop_the_stopped();
	free(text);
}

TEST(test_a_process_that_answers_within_the_limit_goes_on_after_it)
{
	ck_assert_int_eq(start(true), 0);
	file_process_limit(&process, 60 * NS_PER_S);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), 0);
	stop();
}

TEST(test_where_somebody_waits_a_stopped_process_is_given_up_without_a_limit)
{
	ck_assert_int_eq(start_use(&(const struct file_process_use){.interactive = true}), 0);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), 0);
	stop_by_signal();
	ck_assert_int_eq(file_process_replace(&process, "other", 5), -ETIME);
	ck_assert_int_eq(size_of("file"), 3);
	stop_the_stopped();
}

TEST(test_reasons_say_what_became_of_the_process)
{
	assert_contains(file_process_reason(-ETIME), "cxlmon-file, ");
	assert_contains(file_process_reason(-ETIME), "does not answer");
	assert_contains(file_process_reason(-ECHILD), "cxlmon-file, ");
	assert_contains(file_process_reason(-ECHILD), "has ended");
	ck_assert_str_eq(file_process_reason(-ENOSPC), "No space left on device");
}

/* Makes the test the other process. Returns its end of the channel. */
static int pretend(void)
{
	int ends[2];

	ck_assert_int_eq(packet_pair(ends), 0);
	process = (struct file_process){.channel = ends[0]};
	return ends[1];
}

/* Sends an answer and a descriptor, which it closes; negative: none. */
static void answer(int other, const struct error *error, int fd)
{
	struct bytes bytes = {.failed = false};
	struct error copy = *error;

	code_error(&(struct coder){.out = &bytes}, &copy);
	ck_assert_int_eq(packet_send_waiting(other, &bytes, fd), 0);
}

static const struct error none = {.code = 0};
static const struct error wrong_answers[] = {
	{.code = 1, .kind = ERROR_FAILED, .text = "sentence"},
	{.code = -4096, .kind = ERROR_FAILED, .text = "sentence"},
	{.code = -INT_MAX, .kind = ERROR_FAILED, .text = "sentence"},
	{.code = -EACCES, .kind = ERROR_FAILED},
	{.code = -EACCES, .kind = ERROR_NONE, .text = "sentence"},
	{.code = -EACCES, .kind = ERROR_KINDS, .text = "sentence"},
	{.code = -EACCES, .kind = ERROR_FAILED, .text = "\033[2J"},
	{.text = "two\nlines"},
};

TEST_LOOP(test_a_wrong_answer_is_none, COUNT(wrong_answers))
{
	const size_t before = count_descriptors();
	const int other = pretend();

	answer(other, &wrong_answers[_i], -1);
	answer(other, &none, -1);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), -ECHILD);
	/* the next request is not answered either */
	ck_assert_int_eq(file_process_replace(&process, "new", 3), -ECHILD);
	ck_assert_int_eq(file_process_open(&process, &err), -ECHILD);
	assert_contains(err.text, "cannot be opened again: cxlmon-file, ");
	close(other);
	ck_assert_uint_eq(count_descriptors(), before);
}

TEST(test_an_answer_of_another_size_is_none)
{
	const int other = pretend();
	struct bytes bytes = {.failed = false};
	struct coder c = {.out = &bytes};
	struct error error = none;

	code_error(&c, &error);
	code_u8(&c, 0);
	ck_assert_int_eq(packet_send(other, &bytes), 0);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), -ECHILD);
	close(other);
	bytes_free(&bytes);
}

/* Returns a descriptor that is not an opened file. */
static int other_descriptor(int i)
{
	int ends[2];

	if (i == 1)
		return open(tree_root(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (i == 2)
		return open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (i != 3)
		return -1;
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	close(ends[0]);
	return ends[1];
}

TEST_RANGE(test_a_descriptor_that_is_not_a_file_is_not_taken, 0, 4)
{
	const size_t before = count_descriptors();
	const int other = pretend();

	answer(other, &none, other_descriptor(_i));
	ck_assert_int_eq(file_process_open(&process, &err), -ECHILD);
	close(other);
	ck_assert_uint_eq(count_descriptors(), before);
}

TEST(test_a_descriptor_that_nobody_asked_for_is_not_taken)
{
	const size_t before = count_descriptors();
	const int other = pretend();

	answer(other, &none, openat(AT_FDCWD, tree_root(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
	ck_assert_int_eq(file_process_replace(&process, "new", 3), -ECHILD);
	close(other);
	ck_assert_uint_eq(count_descriptors(), before);
}

/* The kernel kills a process if memory is short. */
TEST(test_a_run_learns_that_it_was_killed)
{
	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(start(true), 0);
	ck_assert_int_eq(kill(process.pid, SIGTERM), 0);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), 0);
	ck_assert_int_eq(kill(process.pid, SIGKILL), 0);
	ck_assert_int_eq(file_process_replace(&process, "other", 5), -ECHILD);
	ck_assert_int_eq(file_process_open(&process, &err), -ECHILD);
	stop();
}

TEST(test_it_starts_only_where_it_can_replace_the_file)
{
	if (!geteuid())
		ck_assert_int_eq(chown(tree_root(), 4242, 4242), 0);
	ck_assert_int_eq(chmod(tree_root(), 0555), 0);
	ck_assert_int_eq(start(true), -EACCES);
	assert_contains(err.text, "file: cannot be replaced: Permission denied; ");
	stop();
	ck_assert_int_eq(start(false), 0);
	ck_assert_int_eq(file_process_open(&process, &err), -EACCES);
	stop();
	ck_assert_int_eq(chmod(tree_root(), 0700), 0);
}
