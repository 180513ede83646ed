/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#define MAX_WORDS  4
#define SOFT_LIMIT 77 /* limit of open files for COMMAND */

static sigset_t set_of(int signal_number)
{
	sigset_t set;

	sigemptyset(&set);
	if (signal_number)
		sigaddset(&set, signal_number);
	return set;
}

static int start(struct command *command, const char *const words[MAX_WORDS], int blocked,
		 struct error *err)
{
	const sigset_t child = set_of(SIGCHLD);
	struct command_inherits inherits = {.mask = set_of(blocked)};
	char *argv[MAX_WORDS + 1] = {0};

	for (unsigned i = 0; i < MAX_WORDS && words[i]; i++)
		argv[i] = (char *)words[i];
	getrlimit(RLIMIT_NOFILE, &inherits.files);
	inherits.files.rlim_cur = SOFT_LIMIT;
	sigprocmask(SIG_BLOCK, &child, NULL); /* blocked, so that wait_for() cannot miss it */
	return command_start(command, argv, &(struct sudo_user){.known = false}, &inherits, err);
}

static void wait_for(struct command *command)
{
	const sigset_t child = set_of(SIGCHLD);
	int signal_number;

	while (!command_poll(command))
		ck_assert_int_eq(sigwait(&child, &signal_number), 0);
}

static const struct {
	const char *words[MAX_WORDS];
	int blocked, status;
} runs[] = {
	{{"true"}, 0, 0},
	{{"false"}, 0, 1},
	{{"/bin/true", "--", "-x"}, 0, 0},
	{{"sh", "-c", "exit 77"}, 0, 77},
	{{"sh", "-c", "exit 255"}, 0, 255},
	{{"sh", "-c", "test \"$0\" = 'a b'", "a b"}, 0, 0},
	/* ended by a signal */
	{{"sh", "-c", "kill -KILL $$"}, 0, 128 + SIGKILL},
	{{"sh", "-c", "kill -TERM $$"}, 0, 128 + SIGTERM},
	{{"sh", "-c", "kill -USR1 $$; exit 3"}, 0, 128 + SIGUSR1},
	/* ended by a signal, unless the given mask blocks it */
	{{"sh", "-c", "kill -USR1 $$; exit 3"}, SIGUSR1, 3},
	/* runs with the given limit of open files */
	{{"sh", "-c", "exit $(ulimit -Sn)"}, 0, SOFT_LIMIT},
	/* an error of COMMAND's own */
	{{"sh", "-c", "/nonexistent/x 2>/dev/null"}, 0, 127},
};

TEST_LOOP(test_status_is_that_of_the_command, COUNT(runs))
{
	struct command command;
	struct error err = {0};

	ck_assert_msg(!start(&command, runs[_i].words, runs[_i].blocked, &err), "%s", err.text);
	ck_assert_int_gt(command.pid, 0);
	ck_assert(!command.ended);
	wait_for(&command);
	ck_assert_int_eq(command.status, runs[_i].status);
	ck_assert(command_poll(&command));
	ck_assert_int_eq(command.status, runs[_i].status);
}

TEST_LOOP(test_a_command_that_waits_begins_or_is_abandoned, 2)
{
	const size_t descriptors = count_descriptors();
	char *argv[] = {"sh", "-c", "exit 5", NULL};
	const sigset_t child = set_of(SIGCHLD);
	struct command_inherits inherits = {.mask = set_of(0)};
	const struct sudo_user caller = {.known = false};
	struct command command;
	struct error err = {0};

	getrlimit(RLIMIT_NOFILE, &inherits.files);
	sigprocmask(SIG_BLOCK, &child, NULL);
	ck_assert_int_eq(command_fork(&command, argv, &caller, &inherits, &err), 0);
	ck_assert_int_gt(command.pid, 0);
	ck_assert(!command_poll(&command));
	if (_i) {
		errno = EINTR; /* left by an earlier call */
		ck_assert_int_eq(command_begin(&command, argv[0], &caller, &err), 0);
		wait_for(&command);
		ck_assert_int_eq(command.status, 5);
	}
	command_abandon(&command);
	ck_assert_int_eq(command.pid != 0, _i);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
	if (command.terminal >= 0)
		close(command.terminal);
	ck_assert_uint_eq(count_descriptors(), descriptors); /* no pipe is left open */
}

static const struct {
	const char *word;
	int code;
	enum error_kind kind;
} failures[] = {
	{"no-such-program-anywhere", -ENOENT, ERROR_NOT_FOUND},
	{"/nonexistent/program", -ENOENT, ERROR_NOT_FOUND},
	{"", -ENOENT, ERROR_NOT_FOUND},
	{"/dev/null", -EACCES, ERROR_CANNOT_RUN},
	{"/", -EACCES, ERROR_CANNOT_RUN},
	{"/dev/null/program", -ENOTDIR, ERROR_CANNOT_RUN},
};

TEST_LOOP(test_command_that_can_not_be_run_fails_as_a_shell_says, COUNT(failures))
{
	const char *const words[MAX_WORDS] = {failures[_i].word, NULL};
	struct command command;
	struct error err = {0};

	/* PATH without directories that this user may not search, which would be the reason */
	setenv("PATH", "/usr/bin:/bin", 1);
	ck_assert_int_eq(start(&command, words, 0, &err), failures[_i].code);
	ck_assert_int_eq(err.code, failures[_i].code);
	ck_assert_int_eq(err.kind, failures[_i].kind);
	ck_assert_ptr_nonnull(strstr(err.text, "cannot be run"));
	ck_assert_ptr_null(strchr(err.text, '\n'));
	ck_assert_int_eq(command.pid, 0);
	ck_assert(!command_poll(&command));
}

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGKILL};

TEST_LOOP(test_signal_is_passed_on_to_the_running_command, COUNT(passed_on))
{
	struct command command;
	struct error err = {0};

	ck_assert_int_eq(start(&command, (const char *const[MAX_WORDS]){"sleep", "1000"}, 0, &err),
			 0);
	ck_assert(!command_poll(&command));
	command_signal(&command, passed_on[_i]);
	wait_for(&command);
	ck_assert_int_eq(command.status, 128 + passed_on[_i]);
	command_signal(&command, SIGKILL); /* no process is left to get it */
	ck_assert_int_eq(command.status, 128 + passed_on[_i]);
}

/* Starts a COMMAND that shows that it runs by stopping itself. */
static void start_stopped(struct command *command, const char *script)
{
	struct error err = {0};
	siginfo_t info;

	ck_assert_int_eq(
		start(command, (const char *const[MAX_WORDS]){"sh", "-c", script}, 0, &err), 0);
	ck_assert_int_eq(waitid(P_PID, (id_t)command->pid, &info, WSTOPPED | WNOWAIT), 0);
}

TEST(test_a_command_that_is_stopped_is_continued_when_it_gets_a_signal)
{
	const sigset_t child = set_of(SIGCHLD);
	struct command command;

	start_stopped(&command, "kill -STOP $$; exit 3");
	ck_assert_int_eq(command_wait(&command, &child, false, &silent_log), SIGCHLD);
	command_forward(&command, SIGTERM);
	wait_for(&command);
	ck_assert_int_eq(command.status, 128 + SIGTERM);
}

static void keep_warning(void *context, enum log_level level, const char *text)
{
	ck_assert_int_eq(level, LEVEL_WARNING);
	snprintf(context, 128, "%s", text);
}

TEST(test_a_command_that_stops_itself_again_is_not_waited_for)
{
	const sigset_t child = set_of(SIGCHLD);
	char warning[128] = "";
	const struct log log = {keep_warning, warning};
	struct command command;
	int signal_number = SIGCHLD;

	start_stopped(&command, "trap 'kill -STOP $$' TERM; kill -STOP $$");
	command_forward(&command, SIGTERM);
	while (signal_number == SIGCHLD)
		signal_number = command_wait(&command, &child, true, &log);
	ck_assert_int_eq(signal_number, 0);
	assert_contains(warning, "is stopped, and is not waited for: kill -CONT ");
	ck_assert(!command_poll(&command));
	command_signal(&command, SIGKILL);
	wait_for(&command);
}

TEST(test_command_dies_of_a_broken_pipe_even_where_we_ignore_it)
{
	struct command command;
	struct error err = {0};

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(start(&command,
			       (const char *const[MAX_WORDS]){"sh", "-c", "kill -PIPE $$; exit 3"},
			       0, &err),
			 0);
	wait_for(&command);
	ck_assert_int_eq(command.status, 128 + SIGPIPE);
}

TEST(test_no_command_never_ends_and_takes_no_signal)
{
	struct command none = {0};

	ck_assert(!command_poll(&none));
	command_signal(&none, SIGKILL); /* pid 0 would mean the test's own process group */
	ck_assert(!none.ended);
}

static const struct {
	const char *job;
	int signal_number, ended_by;
	bool survived;
} repeated[] = {
	/* Slurm sends SIGTERM twice at a time limit */
	{"77", SIGTERM, SIGTERM, true},
	{"77", SIGTERM, 0, false},
	{"77", SIGTERM, SIGINT, false},
	{"77", SIGINT, SIGINT, false},
	/* elsewhere somebody is impatient */
	{NULL, SIGTERM, SIGTERM, false},
	{"", SIGTERM, SIGTERM, false},
	/* without COMMAND */
	{"77", SIGUSR1, 0, false},
	{NULL, SIGUSR2, 0, false},
};

TEST_LOOP(test_only_in_a_job_of_slurm_a_second_sigterm_changes_nothing, COUNT(repeated))
{
	const struct command none = {0};

	unsetenv("SLURM_JOB_ID");
	if (repeated[_i].job)
		setenv("SLURM_JOB_ID", repeated[_i].job, 1);
	ck_assert_int_eq(command_survives(&none, repeated[_i].signal_number, repeated[_i].ended_by),
			 repeated[_i].survived);
}

TEST_LOOP(test_signals_of_users_are_passed_to_the_command, 2)
{
	const int signal_number = _i ? SIGUSR2 : SIGUSR1;
	struct command command;
	struct error err = {0};

	ck_assert_int_eq(start(&command, (const char *const[MAX_WORDS]){"sleep", "1000"}, 0, &err),
			 0);
	ck_assert(command_survives(&command, signal_number, 0));
	wait_for(&command);
	ck_assert_int_eq(command.status, 128 + signal_number);
}

/* Opens a socket, or something else, as descriptor 9. */
static void open_nine(bool socket)
{
	int ends[2];

	ck_assert_int_eq(socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)
				: pipe2(ends, O_CLOEXEC),
			 0);
	ck_assert_int_eq(dup3(ends[0], 9, O_CLOEXEC), 9);
	close(ends[0]);
	close(ends[1]);
}

static const struct {
	const char *named;
	bool socket, kept;
} pmi[] = {
	{"9", true, true},  {"9", false, false}, {NULL, true, false},
	{"8", true, false}, {"", true, false},	 {"-1", true, false},
	{"2", true, false}, {"9x", true, false}, {"4294967305", true, false},
};

TEST_LOOP(test_of_other_files_a_command_inherits_only_the_socket_of_mpi, COUNT(pmi))
{
	struct command command;
	struct error err = {0};

	close(8);
	open_nine(pmi[_i].socket);
	unsetenv("PMI_FD");
	if (pmi[_i].named)
		setenv("PMI_FD", pmi[_i].named, 1);
	command_check_pmi();
	ck_assert_int_eq(getenv("PMI_FD") != NULL, pmi[_i].kept);
	ck_assert_int_eq(start(&command,
			       (const char *const[MAX_WORDS]){"sh", "-c", "test -e /proc/$$/fd/9"},
			       0, &err),
			 0);
	wait_for(&command);
	ck_assert_int_eq(command.status, !pmi[_i].kept);
	close(9);
}
