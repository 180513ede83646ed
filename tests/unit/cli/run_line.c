/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_line.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "unit.h"

#define MOST_BYTES (1 << 20)

__attribute__((noreturn)) static void run(const struct subcommand *subcommand, struct line *line,
					  const int files[3])
{
	const struct rlimit bytes = {MOST_BYTES, MOST_BYTES};

	for (int fd = 0; fd < 3; fd++)
		dup2(files[fd], fd);
	if (isatty(STDIN_FILENO)) {
		setsid();
		ioctl(STDIN_FILENO, TIOCSCTTY, 0);
	}
	setrlimit(RLIMIT_FSIZE, &bytes);
	exit(subcommand_main(subcommand, line->argc - 1, line->argv + 1));
}

pid_t run_line_start(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
		     const int files[3])
{
	struct line line = line_of(words);

	fflush(NULL);
	const pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (!child)
		run(subcommand, &line, files);
	return child;
}

int run_line_wait(pid_t child)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_SIGNALLED + WTERMSIG(status);
}

static void take(FILE *file, char *text, size_t size)
{
	rewind(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

void run_line(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
	      struct outcome *outcome)
{
	FILE *out = tmpfile(), *said = tmpfile();
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert(out && said && nothing >= 0);
	const int files[] = {nothing, fileno(out), fileno(said)};
	outcome->status = run_line_wait(run_line_start(subcommand, words, files));
	close(nothing);
	take(out, outcome->out, sizeof(outcome->out));
	take(said, outcome->said, sizeof(outcome->said));
}

int open_terminal(int *side_of_user)
{
	struct termios modes;

	*side_of_user = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert_int_ge(*side_of_user, 0);
	ck_assert(!grantpt(*side_of_user) && !unlockpt(*side_of_user));
	const int terminal = open(ptsname(*side_of_user), O_RDWR | O_NOCTTY | O_CLOEXEC);
	ck_assert_int_ge(terminal, 0);
	tcgetattr(terminal, &modes);
	modes.c_oflag &= ~(tcflag_t)OPOST;
	tcsetattr(terminal, TCSANOW, &modes);
	return terminal;
}

void read_terminal(int side_of_user, char *text, size_t size)
{
	char part[256];
	size_t length = 0;
	ssize_t got;

	while ((got = read(side_of_user, part, sizeof(part))) > 0) {
		const size_t room = size - 1 - length;
		const size_t taken = (size_t)got < room ? (size_t)got : room;

		memcpy(text + length, part, taken);
		length += taken;
	}
	text[length] = '\0';
}

static void run_on(const char *term, const char *keys, const struct subcommand *subcommand,
		   const char *const words[MAX_WORDS], struct outcome *outcome)
{
	int user;

	*outcome = (struct outcome){.said = ""};
	setenv("TERM", term, 1);
	const int terminal = open_terminal(&user);
	ck_assert_int_eq(write(user, keys, strlen(keys)), (ssize_t)strlen(keys));
	const int files[] = {terminal, terminal, terminal};
	const pid_t child = run_line_start(subcommand, words, files);
	close(terminal);
	read_terminal(user, outcome->out, sizeof(outcome->out));
	close(user);
	outcome->status = run_line_wait(child);
}

void run_line_on_terminal(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
			  struct outcome *outcome)
{
	run_on("dumb", "", subcommand, words, outcome);
}

void run_line_on_screen(const struct subcommand *subcommand, const char *const words[MAX_WORDS],
			const char *keys, struct outcome *outcome)
{
	run_on("vt220", keys, subcommand, words, outcome);
}
