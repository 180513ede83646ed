/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/output_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#define STRANGER 65534
#define CALLER	 4242

static struct error err;

static struct sudo_user caller = {.known = true, .uid = CALLER, .gid = CALLER};

/* Makes the tests' "/tmp" and "/home": one that everybody may write to, and our own. */
static void make_directories(void)
{
	tree_directory("tmp");
	tree_directory("home");
	ck_assert_int_eq(chmod(tree_path("tmp"), 01777), 0);
}

/* Opens a file for writing. Returns 0 or a negative errno. */
static int try(const char *name)
{
	err = (struct error){0};
	int fd = output_open(tree_path(name), &caller, OUTPUT_WRITTEN, NULL, &err);
	if (fd < 0)
		return fd;
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_WRONLY);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(write(fd, "new", 3), 3);
	close(fd);
	return 0;
}

static void assert_holds(const char *name, const char *text)
{
	char held[32] = "";

	int fd = open(tree_path(name), O_RDONLY);
	ck_assert_msg(fd >= 0, "%s is not there", name);
	ck_assert_int_ge(read(fd, held, sizeof(held) - 1), 0);
	close(fd);
	ck_assert_str_eq(held, text);
}

static void assert_absent(const char *name)
{
	ck_assert_int_ne(access(tree_path(name), F_OK), 0);
}

static void give(const char *name, uid_t owner)
{
	ck_assert_int_eq(lchown(tree_path(name), owner, owner), 0);
}

static void assert_refused(const char *name)
{
	ck_assert_int_eq(try(name), -EACCES);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, name);
	assert_contains(err.text, "in a world-writable ");
}

static const char *const new_names[] = {"home/out", "tmp/out", "home/../tmp/./out",
					"home//deep/../out"};

TREE_FIXTURE(make_directories, NULL)

TEST_LOOP(test_a_file_that_is_not_there_is_created, COUNT_OF(new_names))
{
	struct stat st;

	tree_directory("home/deep");
	umask(022);
	ck_assert_int_eq(try(new_names[_i]), 0);
	assert_holds(new_names[_i], "new");
	ck_assert_int_eq(stat(tree_path(new_names[_i]), &st), 0);
	ck_assert_uint_eq(st.st_mode, S_IFREG | 0644);
	ck_assert_uint_eq(st.st_uid, geteuid());
}

TEST(test_a_name_may_be_relative)
{
	ck_assert_int_eq(chdir(tree_path("home")), 0);
	int fd = output_open("out", &caller, OUTPUT_WRITTEN, NULL, &err);
	ck_assert_int_ge(fd, 0);
	close(fd);
	assert_holds("home/out", "");
}

TEST(test_what_is_in_a_file_stays_until_it_is_written)
{
	tree_file("tmp/out", "old text");
	ck_assert_int_eq(try("tmp/out"), 0);
	assert_holds("tmp/out", "new text");
}

/* Links to home/out, with different owners and directories. */
static const struct {
	const char *link, *target;
	uid_t owner;
	bool refused;
} links[] = {
	{"tmp/link", "../home/out", 0, false},	     {"tmp/link", "../home/out", CALLER, false},
	{"tmp/link", "../home/out", STRANGER, true}, {"home/link", "out", 0, false},
	{"home/link", "out", STRANGER, false}, /* another user's link in our directory */
	{"home/link", "../home/out", CALLER, false}, {"tmp/directory", "../home", STRANGER, true},
	{"tmp/directory", "../home", 0, false},
};

ROOT_TEST_LOOP(test_a_strangers_link_among_everybodys_files_is_not_followed, COUNT_OF(links))
{
	char name[64];

	tree_link(links[_i].link, links[_i].target);
	give(links[_i].link, links[_i].owner);
	snprintf(name, sizeof(name), "%s%s", links[_i].link,
		 strstr(links[_i].link, "directory") ? "/out" : "");
	if (links[_i].refused) {
		assert_refused(name);
		assert_absent("home/out"); /* a dangling link creates nothing */
		tree_file("home/out", "old");
		assert_refused(name);
		assert_holds("home/out", "old");
	} else {
		ck_assert_int_eq(try(name), 0);
		assert_holds("home/out", "new");
	}
}

ROOT_TEST(test_a_link_of_ours_that_leads_to_a_strangers_is_not_followed)
{
	tree_file("home/out", "old");
	tree_link("home/link", "../tmp/link");
	tree_link("tmp/link", "../home/out");
	give("tmp/link", STRANGER);
	assert_refused("home/link");
	assert_holds("home/out", "old");
}

/* Owners and modes of the directories in "d/e/out", by which others could redirect it. */
static const struct {
	const char *directory;
	uid_t owner;
	mode_t mode;
	bool refused;
} directories[] = {
	{"d", 0, 0755, false},	       {"d", CALLER, 0755, false},
	{"d", STRANGER, 0755, true},   {"d/e", STRANGER, 0755, true},
	{"d/e", STRANGER, 0777, true}, {"d/e", STRANGER, 01777, true},
	{"d/e", 0, 0777, true},	       {"d/e", CALLER, 0777, true},
	{"d/e", 0, 01777, false},      {"d", CALLER, 01777, false},
	{"d/e", 0, 0775, false}, /* its owner let the group in */
};

static void make_path(size_t i)
{
	tree_directory("d/e");
	give(directories[i].directory, directories[i].owner);
	ck_assert_int_eq(chmod(tree_path(directories[i].directory), directories[i].mode), 0);
}

ROOT_TEST_LOOP(test_a_directory_that_another_user_may_change_is_refused, COUNT_OF(directories))
{
	make_path((size_t)_i);
	const int rc = try("d/e/out");
	if (!directories[_i].refused) {
		ck_assert_msg(!rc, "%s", err.text);
		return;
	}
	ck_assert_int_eq(rc, -EACCES);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, "d/e/out: refused: ");
	assert_contains(err.text, directories[_i].owner == STRANGER ? "user 65534" : "sticky bit");
	assert_absent("d/e/out");
}

ROOT_TEST(test_it_is_refused_behind_a_link_too)
{
	tree_link("link", "d/e");
	make_path(3);
	ck_assert_int_eq(try("link/out"), -EACCES);
	assert_absent("d/e/out");
}

/* Runs in a process of its own, which gives up root's privileges. */
ROOT_TEST_LOOP(test_a_user_may_write_wherever_they_could, COUNT_OF(directories))
{
	const char *path;
	int status;

	make_path((size_t)_i);
	tree_file("d/e/out", "old");
	give("d/e/out", CALLER);
	const pid_t pid = fork();
	if (pid == 0) {
		caller = (struct sudo_user){.uid = CALLER, .gid = CALLER};
		/* only root may enter the tests' own directory */
		path = tree_path("d");
		if (chdir(path) || setresuid(CALLER, CALLER, CALLER))
			_exit(1);
		const int fd = output_open("e/out", &caller, OUTPUT_WRITTEN, NULL, &err);
		fputs(fd < 0 ? err.text : "", stderr);
		_exit(fd < 0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

static int try_replaced(const char *name, struct file_place *file)
{
	return output_open(tree_path(name), &caller, OUTPUT_REPLACED, file, &err);
}

TEST(test_a_file_to_be_replaced_is_found_and_not_created)
{
	struct file_place file;
	const int fd = try_replaced("home/out", &file);

	ck_assert_msg(fd >= 0, "%s", err.text);
	ck_assert_int_eq(file.directory, fd);
	assert_absent("home/out");
	ck_assert_int_eq(replace_file(&file, "new", 3), 0);
	assert_holds("home/out", "new");
	close(fd);
}

TEST(test_a_file_to_be_replaced_may_be_behind_a_link)
{
	struct file_place file;

	tree_link("tmp/link", "../home/out");
	const int fd = try_replaced("tmp/link", &file);
	ck_assert_msg(fd >= 0, "%s", err.text);
	ck_assert_str_eq(file.name, "out");
	ck_assert_int_eq(replace_file(&file, "new", 3), 0);
	assert_holds("home/out", "new");
	close(fd);
}

TEST(test_a_pipe_is_not_replaced)
{
	struct file_place file;

	const char *path = tree_path("home/pipe");
	ck_assert_int_eq(mkfifo(path, 0666), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	const int fd = try_replaced("home/pipe", &file);
	ck_assert_msg(fd >= 0, "%s", err.text);
	ck_assert_int_eq(file.directory, -1);
	ck_assert_int_eq(write(fd, "new", 3), 3);
	close(fd);
	close(reader);
}

TEST(test_the_file_of_a_descriptor_is_replaced_by_its_path)
{
	struct file_place file;
	char path[PATH_MAX];

	tree_file("home/out", "old");
	strcpy(path, tree_path("home/out"));
	const int open_file = open(path, O_WRONLY);
	snprintf(path, sizeof(path), "/dev/fd/%d", open_file);
	const int fd = output_open(path, &caller, OUTPUT_REPLACED, &file, &err);
	ck_assert_msg(fd >= 0, "%s", err.text);
	ck_assert_int_eq(replace_file(&file, "new", 3), 0);
	assert_holds("home/out", "new");
	close(fd);
	close(open_file);
}

/* Opens "home/out" or another file, and returns the descriptor. */
static int open_kept(const char *name, bool readable, struct file_place *place)
{
	const int fd = output_open(tree_path(name), &caller,
				   readable ? OUTPUT_CONTINUED : OUTPUT_WRITTEN, place, &err);
	ck_assert_msg(fd >= 0, "%s", err.text);
	return fd;
}

static int open_again(const struct file_place *place, const char *text)
{
	err = (struct error){0};
	const int fd = output_open_again(place, "the output", &caller, &err);

	if (fd < 0)
		return fd;
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_WRONLY);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return 0;
}

static void move(const char *from, const char *to)
{
	ck_assert_int_eq(rename(tree_path(from), tree_path(to)), 0);
}

TEST(test_a_file_that_was_renamed_is_opened_again_wherever_its_directory_is)
{
	struct file_place place;
	const int fd = open_kept("home/out", false, &place);

	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_WRONLY);
	ck_assert_str_eq(place.name, "out");
	ck_assert_int_eq(write(fd, "old", 3), 3);
	close(fd);
	move("home/out", "home/out.1");
	ck_assert_int_eq(open_again(&place, "new"), 0);
	assert_holds("home/out.1", "old");
	assert_holds("home/out", "new");
	/* the file is not emptied */
	ck_assert_int_eq(open_again(&place, "N"), 0);
	assert_holds("home/out", "New");
	move("home", "elsewhere");
	tree_directory("home");
	ck_assert_int_eq(open_again(&place, "P"), 0);
	assert_holds("elsewhere/out", "Pew");
	assert_absent("home/out");
	close(place.directory);
}

TEST(test_what_is_no_file_is_not_opened_again)
{
	struct file_place place;

	close(open_kept("home/out", false, &place));
	move("home/out", "home/victim");
	tree_link("home/out", "victim");
	ck_assert_int_eq(open_again(&place, "new"), -ELOOP);
	assert_contains(err.text, "the output: cannot be written: ");
	assert_holds("home/victim", "");
	const char *path = tree_path("home/out");
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkfifo(path, 0666), 0);
	ck_assert_int_eq(open_again(&place, "new"), -ELOOP);
	close(place.directory);
}

ROOT_TEST(test_a_strangers_file_is_not_opened_again_among_everybodys)
{
	struct file_place place;

	close(open_kept("tmp/out", false, &place));
	move("tmp/out", "tmp/out.1");
	tree_file("tmp/out", "old");
	give("tmp/out", STRANGER);
	ck_assert_int_eq(open_again(&place, "new"), -EACCES);
	assert_contains(err.text, "the output: refused: ");
	assert_holds("tmp/out", "old");
	close(place.directory);
}

TEST(test_a_file_to_be_continued_is_read_as_well)
{
	struct file_place place;
	char byte;

	tree_file("home/out", "old");
	int fd = open_kept("home/out", true, &place);
	ck_assert_int_eq(read(fd, &byte, 1), 1);
	close(fd);
	close(place.directory);
	/* opening a pipe also for reading would hide that nobody else reads it */
	const char *path = tree_path("home/pipe");
	ck_assert_int_eq(mkfifo(path, 0666), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	fd = open_kept("home/pipe", true, &place);
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_WRONLY);
	ck_assert_int_eq(place.directory, -1);
	close(fd);
	close(reader);
}

ROOT_TEST(test_a_strangers_file_among_everybodys_is_not_taken)
{
	tree_file("tmp/out", "old");
	give("tmp/out", STRANGER);
	assert_refused("tmp/out");
	assert_contains(err.text, "user 65534");
	assert_holds("tmp/out", "old");
	give("tmp/out", CALLER);
	ck_assert_int_eq(try("tmp/out"), 0);
	tree_file("home/out", "old");
	give("home/out", STRANGER);
	ck_assert_int_eq(try("home/out"), 0);
}

/* Opening the pipe would wait for the stranger to read. */
ROOT_TEST(test_a_strangers_pipe_among_everybodys_files_is_not_opened)
{
	ck_assert_int_eq(mkfifo(tree_path("tmp/pipe"), 0666), 0);
	give("tmp/pipe", STRANGER);
	assert_refused("tmp/pipe");
}

TEST(test_a_second_name_of_our_file_among_everybodys_is_not_taken)
{
	tree_file("home/secret", "old");
	ck_assert_int_eq(link(tree_path("home/secret"), tree_path("tmp/out")), 0);
	assert_refused("tmp/out");
	assert_holds("home/secret", "old");
	ck_assert_int_eq(try("home/secret"), 0);
}

static const char *const pipe_places[] = {"home/pipe", "tmp/pipe"};

TEST_LOOP(test_a_pipe_of_ours_is_written_to, COUNT_OF(pipe_places))
{
	char got[4] = "";

	const char *path = tree_path(pipe_places[_i]);
	ck_assert_int_eq(mkfifo(path, 0666), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	ck_assert_int_ge(reader, 0);
	ck_assert_int_eq(try(pipe_places[_i]), 0);
	ck_assert_int_eq(read(reader, got, 3), 3);
	ck_assert_str_eq(got, "new");
	close(reader);
}

static const char *const descriptor_names[] = {"/dev/fd/%d", "/proc/self/fd/%d",
					       "/proc/thread-self/fd/%d"};

TEST_LOOP(test_descriptors_have_names, COUNT_OF(descriptor_names))
{
	char name[64], got[4] = "";
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	snprintf(name, sizeof(name), descriptor_names[_i], ends[1]);
	int fd = output_open(name, &caller, OUTPUT_WRITTEN, NULL, &err);
	ck_assert_msg(fd >= 0, "%s", err.text);
	ck_assert_int_eq(write(fd, "new", 3), 3);
	ck_assert_int_eq(read(ends[0], got, 3), 3);
	ck_assert_str_eq(got, "new");
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

TEST(test_devices_are_written_to)
{
	int fd = output_open("/dev/null", &caller, OUTPUT_WRITTEN, NULL, &err);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static const struct {
	const char *name;
	int code;
} errors[] = {
	{"home/missing/out", -ENOENT},	{"home", -EISDIR},     {"home/", -EISDIR},
	{"home/file/out", -ENOTDIR},	{"home/loop", -ELOOP}, {"home/loop/out", -ELOOP},
	{"home/dangling/out", -ENOENT},
};

TEST_LOOP(test_other_errors_are_the_kernels, COUNT_OF(errors))
{
	tree_file("home/file", "old");
	tree_link("home/loop", "loop");
	tree_link("home/dangling", "nowhere");
	ck_assert_int_eq(try(errors[_i].name), errors[_i].code);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, "cannot be written");
	assert_contains(err.text, strerror(-errors[_i].code));
	assert_absent("home/nowhere");
}

TEST(test_an_empty_name_is_no_file)
{
	ck_assert_int_eq(output_open("", &caller, OUTPUT_WRITTEN, NULL, &err), -ENOENT);
}
