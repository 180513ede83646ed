/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "cli/cli_private.h"
#include "cli/job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "linux/run/process.h"

/* Reason why a child could not become COMMAND. */
struct failure {
	int code; /* an errno */
	bool user;
};

__attribute__((noreturn)) static void fail(struct failure failure, int pipe_end)
{
	ssize_t ignored = write(pipe_end, &failure, sizeof(failure));

	(void)ignored;
	_exit(failure.code == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

/* Returns the descriptor that PMI_FD names, as mpiexec and srun --mpi=pmi2 set it; -1: none. */
static int pmi_socket(void)
{
	const char *text = getenv("PMI_FD");
	struct stat st;
	uint64_t fd;

	if (!text || !text_number(text, &fd) || fd <= STDERR_FILENO || fd > INT_MAX)
		return -1;
	return !fstat((int)fd, &st) && S_ISSOCK(st.st_mode) ? (int)fd : -1;
}

void command_check_pmi(void)
{
	if (pmi_socket() < 0)
		unsetenv("PMI_FD");
}

/*
 * Becomes COMMAND, in the child. On failure, writes the reason to the pipe, which exec would close.
 */
__attribute__((noreturn)) static void run(char **argv, const struct sudo_user *caller,
					  const struct command_inherits *inherits, int pipe_end)
{
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &inherits->mask, NULL);
	/* libpci opens configuration space without O_CLOEXEC */
	close_files(STDERR_FILENO + 1, true);
	if (pmi_socket() >= 0)
		fcntl(pmi_socket(), F_SETFD, 0);
	setrlimit(RLIMIT_NOFILE, &inherits->files);
	int rc = sudo_user_become(caller);
	if (rc)
		fail((struct failure){.code = -rc, .user = true}, pipe_end);
	execvp(argv[0], argv);
	fail((struct failure){.code = errno}, pipe_end);
}

/* Waits in the child until it may run COMMAND. */
__attribute__((noreturn)) static void wait_and_run(char **argv, const struct sudo_user *caller,
						   const struct command_inherits *inherits,
						   int begin, int why)
{
	ssize_t got;
	char word;

	do
		got = read(begin, &word, sizeof(word));
	while (got < 0 && errno == EINTR);
	if (got != sizeof(word))
		_exit(EXIT_OK);
	run(argv, caller, inherits, why);
}

static int pipe_failed(struct error *err)
{
	return error_set(err, ERROR_FAILED, -errno, "pipe: %s", strerror(errno));
}

int command_fork(struct command *command, char **argv, const struct sudo_user *caller,
		 const struct command_inherits *inherits, struct error *err)
{
	int begin[2], why[2];

	*command = (struct command){.terminal = -1};
	if (pipe2(begin, O_CLOEXEC))
		return pipe_failed(err);
	if (pipe2(why, O_CLOEXEC)) {
		pipe_failed(err);
		close(begin[0]);
		close(begin[1]);
		return err->code;
	}
	command->pid = fork();
	if (command->pid == 0) {
		close(begin[1]);
		wait_and_run(argv, caller, inherits, begin[0], why[1]);
	}

	int fork_errno = errno;
	close(begin[0]);
	close(why[1]);
	command->begin = begin[1];
	command->why = why[0];
	if (command->pid > 0)
		return 0;
	command->pid = 0;
	command_abandon(command);
	return error_set(err, ERROR_FAILED, -fork_errno, "fork: %s", strerror(fork_errno));
}

void command_abandon(struct command *command)
{
	if (!command->begin)
		return;
	close(command->begin);
	close(command->why);
	command->begin = 0;
	/* other children may also hold an end of the pipe */
	if (command->pid) {
		kill(command->pid, SIGKILL);
		waitpid(command->pid, NULL, 0);
	}
	command->pid = 0;
}

/* Lets COMMAND begin. Returns whether it could; *failure: the reason if not. */
static bool begin_running(struct command *command, struct failure *failure)
{
	ssize_t got = write(command->begin, "", 1);

	close(command->begin);
	command->begin = 0;
	do
		got = read(command->why, failure, sizeof(*failure));
	while (got < 0 && errno == EINTR);
	close(command->why);
	return got != sizeof(*failure);
}

int command_begin(struct command *command, const char *name, const struct sudo_user *caller,
		  struct error *err)
{
	struct failure failure;

	if (begin_running(command, &failure)) {
		/* opened while files may be opened; COMMAND does not inherit it */
		command->terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
		return 0;
	}
	waitpid(command->pid, NULL, 0);
	command->pid = 0;
	if (failure.user)
		return error_set(err, ERROR_CANNOT_RUN, -failure.code,
				 "%s: cannot be run as user %u, who called sudo: %s", name,
				 (unsigned)caller->uid, strerror(failure.code));
	return error_set(err, failure.code == ENOENT ? ERROR_NOT_FOUND : ERROR_CANNOT_RUN,
			 -failure.code, "%s: cannot be run: %s", name, strerror(failure.code));
}

int command_start(struct command *command, char **argv, const struct sudo_user *caller,
		  const struct command_inherits *inherits, struct error *err)
{
	const int rc = command_fork(command, argv, caller, inherits, err);

	return rc ? rc : command_begin(command, argv[0], caller, err);
}

bool command_poll(struct command *command)
{
	int status;

	if (!command->pid || command->ended)
		return command->ended;
	if (waitpid(command->pid, &status, WNOHANG) != command->pid)
		return false;
	command->ended = true;
	command->status =
		WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNALLED + WTERMSIG(status);
	return true;
}

static bool is_stopped(const struct command *command)
{
	return command->pid && !command->ended && process_is_stopped(command->pid);
}

void command_signal(const struct command *command, int signal_number)
{
	if (command->pid && !command->ended)
		kill(command->pid, signal_number);
}

void command_forward(const struct command *command, int signal_number)
{
	/* Ctrl-C in a terminal also reaches COMMAND, of the same foreground process group */
	const bool sent = (signal_number == SIGINT || signal_number == SIGQUIT) &&
			  command->terminal >= 0 && tcgetpgrp(command->terminal) == getpgrp();

	if (!sent)
		command_signal(command, signal_number);
	/* sent also if COMMAND is not stopped yet: cancels a SIGSTOP on its way */
	command_signal(command, SIGCONT);
}

bool command_survives(const struct command *command, int signal_number, int ended_by)
{
	if (command->pid && (signal_number == SIGUSR1 || signal_number == SIGUSR2)) {
		command_signal(command, signal_number);
		return true;
	}
	return signal_number == SIGTERM && ended_by == SIGTERM && job_is_slurm();
}

int command_wait(const struct command *command, const sigset_t *signals, bool asked,
		 const struct log *log)
{
	if (!asked || !is_stopped(command))
		return sigwaitinfo(signals, NULL); /* also returns SIGCHLD if it is stopped now */
	log_write(log, LEVEL_WARNING,
		  "COMMAND (pid %d) is stopped, and is not waited for: kill -CONT %d continues it",
		  (int)command->pid, (int)command->pid);
	return 0;
}
