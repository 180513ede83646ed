/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Replaces the child; on failure the errno goes up the pipe, which exec itself closes. */
__attribute__((noreturn)) static void run(char **argv, const sigset_t *mask, int pipe_end)
{
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	/* libpci opens configuration space without O_CLOEXEC; COMMAND must not be given it */
	close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	execvp(argv[0], argv);

	int code = errno;
	ssize_t ignored = write(pipe_end, &code, sizeof(code));
	(void)ignored;
	_exit(code == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

int command_start(struct command *command, char **argv, const sigset_t *mask, struct error *err)
{
	int ends[2], code = 0;
	ssize_t got;

	*command = (struct command){0};
	if (pipe2(ends, O_CLOEXEC))
		return error_set(err, EXIT_FAILED, -errno, "pipe: %s", strerror(errno));
	command->pid = fork();
	if (command->pid == 0)
		run(argv, mask, ends[1]);

	int fork_errno = errno;
	close(ends[1]);
	if (command->pid < 0) {
		close(ends[0]);
		command->pid = 0;
		return error_set(err, EXIT_FAILED, -fork_errno, "fork: %s", strerror(fork_errno));
	}
	do
		got = read(ends[0], &code, sizeof(code));
	while (got < 0 && errno == EINTR);
	close(ends[0]);
	if (got != sizeof(code))
		return 0;
	waitpid(command->pid, NULL, 0);
	command->pid = 0;
	return error_set(err, code == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN, -code,
			 "%s: can't be run: %s", argv[0], strerror(code));
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

void command_signal(const struct command *command, int signal_number)
{
	if (command->pid && !command->ended)
		kill(command->pid, signal_number);
}

/* Whether a Ctrl-C reached COMMAND as well, since both are in the terminal's foreground. */
static bool terminal_has_sent(int signal_number)
{
	bool foreground = false;
	int fd = signal_number == SIGINT || signal_number == SIGQUIT
			 ? open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
			 : -1;

	if (fd >= 0) {
		foreground = tcgetpgrp(fd) == getpgrp();
		close(fd);
	}
	return foreground;
}

void command_pass_on(const struct command *command, int signal_number)
{
	if (!terminal_has_sent(signal_number))
		command_signal(command, signal_number);
}
