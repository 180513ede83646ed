/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/symbols_private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "linux/rights/rights.h"
#include "linux/run/packet.h"
#include "linux/run/process.h"

/* Descriptors of each process, which otherwise has only standard error. */
#define INPUT  STDIN_FILENO
#define OUTPUT STDOUT_FILENO

/* address space of cxlmon-symbols, whose tables take at most 2 GiB */
#define MEMORY_BYTES (UINT64_C(3) << 30)

/* Sets up a process whose children are not waited for: they end by themselves. */
static bool begin_process(const char *name, int input, int output)
{
	signal(SIGCHLD, SIG_IGN);
	return helper_begin(name, (const int[]){[INPUT] = input, [OUTPUT] = output}, 2);
}

static bool give_up_rights(enum rights_role role, const struct sudo_user *caller)
{
	return !rights_give_up(&(struct rights_use){.role = role, .caller = *caller}, NULL);
}

__attribute__((noreturn)) static void read_files(const struct elf_library *library, int opener,
						 int answers, const struct sudo_user *caller)
{
	const struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES};

	if (!begin_process("cxlmon-symbols", opener, answers))
		_exit(EXIT_FAILURE);
	FILE *kernel = fopen("/proc/kallsyms", "re");
	if ((!RIGHTS_INSTRUMENTED && setrlimit(RLIMIT_AS, &memory)) ||
	    !give_up_rights(RIGHTS_SYMBOLS, caller))
		_exit(EXIT_FAILURE);
	symbol_reader_run(library, kernel, INPUT, OUTPUT);
	_exit(EXIT_SUCCESS);
}

__attribute__((noreturn)) static void open_files(const struct elf_library *library, int questions,
						 int answers, const struct sudo_user *caller)
{
	int socket;
	const pid_t child = helper_fork(&socket);

	if (!child)
		read_files(library, socket, answers, caller);
	if (child < 0 || !begin_process("cxlmon-opener", questions, socket) ||
	    !give_up_rights(RIGHTS_OPENER, caller))
		_exit(EXIT_FAILURE);
	symbol_opener_run(INPUT, OUTPUT);
	_exit(EXIT_SUCCESS);
}

/* The run. */

static int start_process(const struct elf_library *library, const struct sudo_user *caller,
			 struct symbol_process *out)
{
	int answers[2];
	const int rc = packet_pair(answers);

	if (rc)
		return rc;
	out->answers = answers[0];
	out->pid = helper_fork(&out->questions);
	if (!out->pid)
		open_files(library, out->questions, answers[1], caller);
	close(answers[1]);
	return out->pid < 0 ? out->pid : 0;
}

int symbol_process_start(const struct sudo_user *caller, struct symbol_process *out,
			 struct error *err)
{
	struct elf_library library;

	*out = (struct symbol_process){.questions = -1, .answers = -1};
	int rc = elf_library_load(&library, err);
	if (rc)
		return rc;
	rc = start_process(&library, caller, out);
	if (!rc)
		return 0;
	out->pid = 0;
	return error_set(err, ERROR_FAILED, rc,
			 "the process that finds names of functions cannot be started: %s",
			 strerror(-rc));
}

bool symbol_process_ask(struct symbol_process *process, const struct symbol_question *question)
{
	struct bytes bytes = {.failed = false};
	struct symbol_question copy = *question;

	symbol_code_question(&(struct coder){.out = &bytes}, &copy);
	const int rc = packet_send(process->questions, &bytes);
	bytes_free(&bytes);
	return !rc;
}

int symbol_process_next(struct symbol_process *process, int wait_ms, struct symbol_answer *out)
{
	struct pollfd there = {.fd = process->answers, .events = POLLIN};
	struct packet_buffer buffer;
	struct coder c;

	if (wait_ms)
		poll(&there, 1, wait_ms);
	const int got = packet_receive(process->answers, &buffer, &c, NULL);
	if (!got)
		return 0;
	symbol_code_answer(&c, out);
	return c.bad || c.left ? -ECHILD : 1;
}

void symbol_process_stop(struct symbol_process *process)
{
	if (process->questions >= 0)
		close(process->questions);
	if (process->answers >= 0)
		close(process->answers);
	*process = (struct symbol_process){.questions = -1, .answers = -1};
}
