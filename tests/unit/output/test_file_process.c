/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/file_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#define LARGE (4 << 20) /* more than a socket holds */

static const struct sudo_user nobody = {.known = false};
static struct file_place place;
static struct file_process process;
static struct error err;

/* It keeps "file" of the test's directory. */
static int start(bool replaces)
{
	const struct file_process_use use = {
		.place = &place, .name = "file", .caller = &nobody, .replaces = replaces};

	place = (struct file_place){.name = "file"};
	place.directory = open(tree_root(), O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(place.directory, 0);
	return file_process_start(&use, &process, &err);
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
	const struct file_process_use use = {
		.place = &place, .name = "file", .second = "list", .caller = &nobody};

	place = (struct file_place){.name = "file"};
	place.directory = open(tree_root(), O_PATH | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(file_process_start(&use, &process, &err), 0);
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

/* The head of a request: struct request of file_process.c. */
struct raw_request {
	int what;
	size_t size;
};

/* The process ends, and does not read what follows. */
static void assert_request_ends_it(const struct raw_request *request)
{
	char byte;

	ck_assert_int_eq(start(true), 0);
	ck_assert_int_eq(write(process.channel, request, sizeof(*request)), sizeof(*request));
	ck_assert_int_eq(read(process.channel, &byte, 1), 0);
	ck_assert_int_eq(size_of("file"), -1);
	stop();
}

TEST(test_a_request_of_more_bytes_than_it_can_hold_ends_it)
{
	assert_request_ends_it(&(const struct raw_request){.size = SIZE_MAX});
	assert_request_ends_it(&(const struct raw_request){.size = ((size_t)1 << 30) + 1});
}

TEST(test_a_request_of_an_unknown_kind_ends_it)
{
	assert_request_ends_it(&(const struct raw_request){.what = 3});
	assert_request_ends_it(&(const struct raw_request){.what = -1});
}

TEST(test_a_text_that_is_too_large_is_refused_before_it_is_sent)
{
	ck_assert_int_eq(start(true), 0);
	ck_assert_int_eq(file_process_replace(&process, "", ((size_t)1 << 30) + 1), -EFBIG);
	ck_assert_int_eq(file_process_replace(&process, "new", 3), 0);
	stop();
}

/* As by the kernel where memory is short. */
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
