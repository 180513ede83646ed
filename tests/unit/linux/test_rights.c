/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "suites.h"
#include "support.h"

static const struct log silent = {.write = NULL};
static const struct sudo_user nobody = {.known = true, .uid = 65534, .gid = 65534};

/* What a process found out about itself, for the test to see. */
struct finding {
	char status[4096]; /* /proc/self/status, or that of a thread */
	long value;
	int error; /* errno */
};

/* In memory that the test and its child share. */
static struct finding *found;

static void share(void)
{
	found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	ck_assert_ptr_ne(found, MAP_FAILED);
}

static void read_status(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = read(fd, found->status, sizeof(found->status) - 1);

	found->status[got > 0 ? got : 0] = '\0';
	close(fd);
}

/* Does it in a child, since what is given up stays so. 0: it ended well. */
static int in_child(void (*what)(int), int argument)
{
	int status;
	pid_t child = fork();

	if (!child) {
		what(argument);
		_exit(0);
	}
	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

static void must(int rc)
{
	if (rc)
		_exit(99);
}

static void assert_line(const char *name, const char *value)
{
	char line[128];

	snprintf(line, sizeof(line), "\n%s:\t%s\n", name, value);
	assert_contains(found->status, line);
}

static void drop_and_look(int with_caller)
{
	must(rights_drop(with_caller ? &nobody : NULL, NULL));
	read_status("/proc/self/status");
	found->value = prctl(PR_GET_DUMPABLE);
}

static const char *const capability_sets[] = {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"};

START_TEST(test_no_capability_is_left)
{
	/* the bounding set is another's business where one may not change it */
	const size_t sets = geteuid() ? 3 : COUNT_OF(capability_sets);

	ck_assert_int_eq(in_child(drop_and_look, false), 0);
	for (size_t i = 0; i < sets; i++)
		assert_line(capability_sets[i], "0000000000000000");
}
END_TEST

START_TEST(test_no_program_can_give_new_rights)
{
	ck_assert_int_eq(in_child(drop_and_look, false), 0);
	assert_line("NoNewPrivs", "1");
}
END_TEST

START_TEST(test_nobody_looks_into_its_memory)
{
	ck_assert_int_eq(in_child(drop_and_look, false), 0);
	ck_assert_int_eq(found->value, 0);
}
END_TEST

START_TEST(test_supplementary_groups_are_given_up)
{
	if (geteuid())
		return;
	ck_assert_int_eq(in_child(drop_and_look, false), 0);
	assert_line("Groups", " ");
}
END_TEST

START_TEST(test_the_real_user_becomes_the_caller_and_no_other)
{
	if (geteuid())
		return;
	ck_assert_int_eq(in_child(drop_and_look, true), 0);
	assert_line("Uid", "65534\t0\t0\t0");
	ck_assert_int_eq(in_child(drop_and_look, false), 0);
	assert_line("Uid", "0\t0\t0\t0");
}
END_TEST

/* Sends SIGKILL to a child of its own that has become nobody. */
static void kill_nobody(int with_caller)
{
	int ends[2];
	char byte;

	must(pipe(ends));
	pid_t child = fork();
	if (!child) {
		must(sudo_user_become(&nobody));
		must(write(ends[1], "x", 1) != 1);
		pause();
	}
	must(read(ends[0], &byte, 1) != 1);
	must(rights_drop(with_caller ? &nobody : NULL, NULL));
	found->value = kill(child, SIGKILL);
	found->error = errno;
	kill(child, SIGKILL);
	if (!found->value)
		waitpid(child, NULL, 0);
}

START_TEST(test_a_command_of_the_callers_can_still_be_ended)
{
	if (geteuid())
		return;
	ck_assert_int_eq(in_child(kill_nobody, true), 0);
	ck_assert_int_eq(found->value, 0);
}
END_TEST

/* As a debugger of the caller's would. */
static void trace_as_caller(int unused)
{
	int ends[2], status;
	char byte;

	(void)unused;
	must(pipe(ends));
	pid_t monitor = fork();
	if (!monitor) {
		must(rights_drop(&nobody, NULL));
		must(write(ends[1], "x", 1) != 1);
		pause();
	}
	must(read(ends[0], &byte, 1) != 1);
	pid_t tracer = fork();
	if (!tracer) {
		char path[64];

		must(sudo_user_become(&nobody));
		snprintf(path, sizeof(path), "/proc/%d/mem", monitor);
		_exit(open(path, O_RDONLY) >= 0);
	}
	must(waitpid(tracer, &status, 0) != tracer);
	found->value = status;
	kill(monitor, SIGKILL);
	waitpid(monitor, NULL, 0);
}

START_TEST(test_the_caller_can_not_look_into_it)
{
	if (geteuid())
		return;
	ck_assert_int_eq(in_child(trace_as_caller, 0), 0);
	ck_assert_int_eq(found->value, 0);
}
END_TEST

static void rehearse_and_look(int unused)
{
	(void)unused;
	must(rights_drop_rawio(NULL));
	found->value = linux_capable(CAP_SYS_RAWIO);
	read_status("/proc/self/status");
}

/* CAP_SYS_RAWIO is bit 17: linux/capability.h */
START_TEST(test_registers_are_programmed_without_the_right_that_is_dropped_later)
{
	const char *line;

	ck_assert_int_eq(in_child(rehearse_and_look, 0), 0);
	line = strstr(found->status, "CapEff:\t");
	ck_assert_ptr_nonnull(line);
	ck_assert_uint_eq(strtoull(line + 8, NULL, 16) >> 17 & 1, 0);
	ck_assert_int_eq(found->value, false);
	if (geteuid())
		return;
	/* what starts COMMAND is still there: CAP_SETGID and CAP_SETUID */
	ck_assert_uint_eq(strtoull(line + 8, NULL, 16) >> 6 & 3, 3);
}
END_TEST

START_TEST(test_capabilities_are_told_by_their_numbers)
{
	read_status("/proc/self/status");
	const uint64_t set = strtoull(strstr(found->status, "CapEff:\t") + 8, NULL, 16);

	for (unsigned i = 0; i <= CAP_LAST_CAP; i++)
		ck_assert_int_eq(linux_capable(i), set >> i & 1);
	ck_assert(!linux_capable(64));
	ck_assert(!linux_capable(1000));
}
END_TEST

/* The filter. */

static void filter_for(enum rights_use use)
{
	must(rights_drop(NULL, NULL));
	must(rights_filter(use, 0, &silent, NULL));
}

static void filter(void)
{
	filter_for(RIGHTS_MONITOR);
}

static char path[PATH_MAX]; /* of a file, "file" in the test's directory */

static long make_process(void)
{
	return syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static long open_to_write(void)
{
	return open(path, O_WRONLY);
}

static long open_to_read_and_write(void)
{
	return open(path, O_RDWR);
}

static long create(void)
{
	return open("/tmp/cxlmon-never-created", O_RDONLY | O_CREAT, 0600);
}

static long empty(void)
{
	return open(path, O_RDONLY | O_TRUNC);
}

static long run_program(void)
{
	char *const none[] = {NULL};

	return execve("/bin/true", none, none);
}

static long make_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static long map_to_execute(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
			       MAP_FAILED
		       ? -1
		       : 0;
}

static long change_mode(void)
{
	return chmod(path, 0777);
}

static long kill_parent(void)
{
	return kill(getppid(), 0);
}

static long kill_group(void)
{
	return kill(0, 0);
}

static long kill_all(void)
{
	return kill(-1, 0);
}

static long kill_init_thread(void)
{
	return syscall(SYS_tgkill, 1, 1, 0);
}

static long trace(void)
{
	return syscall(SYS_ptrace, 0, 0, 0, 0);
}

static long push_into_terminal(void)
{
	return ioctl(STDIN_FILENO, TIOCSTI, "x");
}

static long become_root(void)
{
	return setuid(0);
}

static long move_to_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static long show_memory(void)
{
	return prctl(PR_SET_DUMPABLE, 1);
}

static long (*const forbidden[])(void) = {
	make_process,	  open_to_write,  open_to_read_and_write,
	create,		  empty,	  run_program,
	make_socket,	  map_to_execute, change_mode,
	kill_parent,	  kill_group,	  kill_all,
	kill_init_thread, trace,	  push_into_terminal,
	become_root,	  move_to_cpu,	  show_memory,
};

static void try_forbidden(int which)
{
	filter();
	errno = 0;
	found->value = forbidden[which]();
	found->error = errno;
}

START_TEST(test_what_is_not_needed_is_refused_and_kills_nobody)
{
	if (!rights_can_filter())
		return;
	tree_file("file", "text");
	tree_path(path, sizeof(path), "file");
	ck_assert_int_eq(in_child(try_forbidden, _i), 0);
	ck_assert_int_eq(found->value, -1);
	ck_assert_int_eq(found->error, EPERM);
}
END_TEST

/* As rootfs_line() and a sink do. */
static void use_what_is_allowed(int fd)
{
	char text[8] = "";
	struct stat st;
	const struct timespec soon = {.tv_nsec = 1};
	int file;

	filter();
	file = open(path, O_RDONLY | O_CLOEXEC);
	must(file < 0 || read(file, text, sizeof(text)) != 4 || strcmp(text, "text"));
	must(fstat(file, &st) || lseek(file, 0, SEEK_SET) || close(file));
	must(pwrite(fd, "TEXT", 4, 0) != 4 || pread(fd, text, 4, 0) != 4 || fsync(fd));
	must(ftruncate(fd, 2) || rename(path, path) || unlink(path));
	must(nanosleep(&soon, NULL));
	free(malloc(1 << 20));
	must(isatty(fd) || errno != ENOTTY);
	must(raise(0));
}

START_TEST(test_what_ends_a_run_is_allowed)
{
	tree_file("file", "text");
	tree_path(path, sizeof(path), "file");
	int fd = open(path, O_RDWR | O_CLOEXEC);

	ck_assert_int_eq(in_child(use_what_is_allowed, fd), 0);
	close(fd);
	ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

/* Takes a connection that waits on the listener, if it may. */
static void take_connection(int listener)
{
	filter_for(listener < 0 ? RIGHTS_MONITOR : RIGHTS_SERVE);
	errno = 0;
	const int fd = accept4(abs(listener), NULL, NULL, SOCK_CLOEXEC);
	found->value = fd >= 0 && send(fd, "x", 1, MSG_NOSIGNAL) == 1 && !shutdown(fd, SHUT_WR);
	found->error = errno;
}

START_TEST(test_connections_are_taken_only_by_who_serves)
{
	const struct sockaddr_un address = {.sun_family = AF_UNIX}; /* the kernel names it */
	struct sockaddr_un name;
	socklen_t size = sizeof(name);
	const int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	if (!rights_can_filter())
		return;
	ck_assert_int_eq(bind(listener, (const struct sockaddr *)&address, sizeof(sa_family_t)), 0);
	ck_assert_int_eq(listen(listener, 2), 0);
	getsockname(listener, (struct sockaddr *)&name, &size);
	const int client = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert_int_eq(connect(client, (struct sockaddr *)&name, size), 0);
	ck_assert_int_eq(in_child(take_connection, -listener), 0);
	ck_assert_int_eq(found->value, false);
	ck_assert_int_eq(found->error, EPERM);
	ck_assert_int_eq(in_child(take_connection, listener), 0);
	ck_assert_int_eq(found->value, true);
	close(client);
	close(listener);
}
END_TEST

static void serve_and_try(int which)
{
	filter_for(RIGHTS_SERVE);
	errno = 0;
	found->value = forbidden[which]();
	found->error = errno;
}

/* A datagram to somebody whom the socket isn't connected to. */
static void send_to_stranger(int fd)
{
	const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/stranger"};

	filter_for(RIGHTS_SERVE);
	errno = 0;
	found->value = sendto(fd, "x", 1, 0, (const struct sockaddr *)&address, sizeof(address));
	found->error = errno;
}

START_TEST(test_who_serves_has_no_more_rights_than_that)
{
	if (!rights_can_filter())
		return;
	tree_file("file", "text");
	tree_path(path, sizeof(path), "file");
	ck_assert_int_eq(in_child(serve_and_try, _i), 0);
	ck_assert_int_eq(found->value, -1);
	ck_assert_int_eq(found->error, EPERM);
	const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	ck_assert_int_eq(in_child(send_to_stranger, fd), 0);
	ck_assert_int_eq(found->error, EPERM);
	close(fd);
}
END_TEST

static void end_command(int unused)
{
	int status = 0;

	(void)unused;
	pid_t child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	must(rights_drop(NULL, NULL));
	must(rights_filter(RIGHTS_MONITOR, child, &silent, NULL));
	found->value = kill(child, SIGKILL);
	must(waitpid(child, &status, 0) != child);
	found->error = status;
}

START_TEST(test_command_and_no_other_process_gets_signals)
{
	ck_assert_int_eq(in_child(end_command, 0), 0);
	ck_assert_int_eq(found->value, 0);
	ck_assert_int_eq(found->error, SIGKILL);
}
END_TEST

static int thread_pipe[2];

static void *wait_in_thread(void *unused)
{
	char byte;

	(void)unused;
	found->value = gettid();
	must(read(thread_pipe[0], &byte, 1) != 1);
	read_status("/proc/thread-self/status");
	return NULL;
}

static void filter_all_threads(int unused)
{
	pthread_t thread;

	(void)unused;
	must(rights_drop(NULL, NULL));
	must(pipe(thread_pipe));
	must(pthread_create(&thread, NULL, wait_in_thread, NULL));
	must(rights_filter(RIGHTS_MONITOR, 0, &silent, NULL));
	must(write(thread_pipe[1], "x", 1) != 1);
	must(pthread_join(thread, NULL));
}

START_TEST(test_threads_that_run_already_are_filtered_too)
{
	if (!rights_can_filter())
		return;
	ck_assert_int_eq(in_child(filter_all_threads, 0), 0);
	assert_line("Seccomp", "2");
	assert_line("CapEff", "0000000000000000");
}
END_TEST

/* Who called sudo. */

static const struct {
	const char *uid, *gid;
	bool known, refused;
} environments[] = {
	{NULL, NULL, false, false},
	{NULL, "1000", false, false},
	{"1000", "1001", true, false},
	{"4294967294", "0", true, false},
	{"0", "0", false, false}, /* root called it */
	{"1000", NULL, false, true},
	{"", "1000", false, true},
	{"1000", "", false, true},
	{" 1000", "1000", false, true},
	{"1000 ", "1000", false, true},
	{"+1000", "1000", false, true},
	{"-1", "1000", false, true},
	{"0x10", "1000", false, true},
	{"root", "root", false, true},
	{"4294967295", "1000", false, true}, /* (uid_t)-1: "leave it as it is" */
	{"4294967296", "1000", false, true}, /* 0, cut to 32 bits */
	{"1000", "4294967296", false, true},
	{"18446744073709551616", "1000", false, true},
	{"1000\n0", "1000", false, true},
};

static void put(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

START_TEST(test_numbers_of_the_caller_are_taken_strictly)
{
	struct sudo_user caller;
	struct error err = {0};

	if (geteuid())
		return;
	put("SUDO_UID", environments[_i].uid);
	put("SUDO_GID", environments[_i].gid);
	int rc = sudo_user_find(&caller, &err);
	ck_assert_int_eq(rc, environments[_i].refused ? -EINVAL : 0);
	if (rc) {
		ck_assert_int_eq(err.status, EXIT_USAGE);
		assert_contains(err.text, "unset SUDO_UID SUDO_GID");
		return;
	}
	ck_assert_int_eq(caller.known, environments[_i].known);
	ck_assert_uint_eq(caller.uid, caller.known ? strtoul(environments[_i].uid, NULL, 10) : 0);
	ck_assert_uint_eq(caller.gid, caller.known ? strtoul(environments[_i].gid, NULL, 10) : 0);
}
END_TEST

static void find_as_user(int unused)
{
	struct sudo_user caller;

	(void)unused;
	must(setresuid(65534, 65534, 65534));
	must(sudo_user_find(&caller, NULL));
	found->value = caller.known;
}

START_TEST(test_who_is_not_root_was_called_by_nobody)
{
	if (geteuid())
		return;
	put("SUDO_UID", "hostile");
	ck_assert_int_eq(in_child(find_as_user, 0), 0);
	ck_assert_int_eq(found->value, false);
}
END_TEST

static void become_and_look(int known)
{
	const struct sudo_user caller = {.known = known, .uid = 4242, .gid = 4343};

	must(sudo_user_become(&caller));
	read_status("/proc/self/status");
}

START_TEST(test_a_caller_is_become_for_good_with_the_groups)
{
	if (geteuid())
		return;
	ck_assert_int_eq(in_child(become_and_look, true), 0);
	assert_line("Uid", "4242\t4242\t4242\t4242");
	assert_line("Gid", "4343\t4343\t4343\t4343");
	assert_line("Groups", "4343 ");
	assert_line("CapPrm", "0000000000000000");
	ck_assert_int_eq(in_child(become_and_look, false), 0);
	assert_line("Uid", "0\t0\t0\t0");
}
END_TEST

static TCase *caller_tests(void)
{
	TCase *tc = tcase_create("caller");

	tcase_add_checked_fixture(tc, share, NULL);
	tcase_add_loop_test(tc, test_numbers_of_the_caller_are_taken_strictly, 0,
			    COUNT_OF(environments));
	tcase_add_test(tc, test_who_is_not_root_was_called_by_nobody);
	tcase_add_test(tc, test_a_caller_is_become_for_good_with_the_groups);
	return tc;
}

static TCase *drop_tests(void)
{
	TCase *tc = tcase_create("drop");

	tcase_add_checked_fixture(tc, share, NULL);
	tcase_add_test(tc, test_capabilities_are_told_by_their_numbers);
	tcase_add_test(tc, test_no_capability_is_left);
	tcase_add_test(tc, test_no_program_can_give_new_rights);
	tcase_add_test(tc, test_nobody_looks_into_its_memory);
	tcase_add_test(tc, test_supplementary_groups_are_given_up);
	tcase_add_test(tc, test_the_real_user_becomes_the_caller_and_no_other);
	tcase_add_test(tc, test_a_command_of_the_callers_can_still_be_ended);
	tcase_add_test(tc, test_the_caller_can_not_look_into_it);
	tcase_add_test(tc, test_registers_are_programmed_without_the_right_that_is_dropped_later);
	return tc;
}

static TCase *filter_tests(void)
{
	TCase *tc = tcase_create("filter");

	tree_fixture(tc);
	tcase_add_checked_fixture(tc, share, NULL);
	tcase_add_loop_test(tc, test_what_is_not_needed_is_refused_and_kills_nobody, 0,
			    COUNT_OF(forbidden));
	tcase_add_test(tc, test_what_ends_a_run_is_allowed);
	tcase_add_test(tc, test_connections_are_taken_only_by_who_serves);
	tcase_add_loop_test(tc, test_who_serves_has_no_more_rights_than_that, 0,
			    COUNT_OF(forbidden));
	tcase_add_test(tc, test_command_and_no_other_process_gets_signals);
	tcase_add_test(tc, test_threads_that_run_already_are_filtered_too);
	return tc;
}

Suite *suite_rights(void)
{
	Suite *suite = suite_create("rights");

	suite_add_tcase(suite, caller_tests());
	suite_add_tcase(suite, drop_tests());
	suite_add_tcase(suite, filter_tests());
	return suite;
}
