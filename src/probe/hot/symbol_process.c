/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/hot/symbol_process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/rights/rights.h"
#include "linux/run/process.h"
#include "probe/hot/elf_symbols.h"

/* The only descriptors of each process, with standard error. */
#define INPUT  STDIN_FILENO
#define OUTPUT STDOUT_FILENO

#define PIPE_BYTES   (1 << 20)		 /* an unprivileged user may have as many: pipe(7) */
#define MEMORY_BYTES (UINT64_C(2) << 30) /* of cxlmon-symbols */

static bool begin(const char *name, int input, int output)
{
	return helper_begin(name, (const int[]){[INPUT] = input, [OUTPUT] = output}, 2);
}

static bool give_up_rights(enum rights_role role, const struct sudo_user *caller)
{
	return !rights_give_up(&(struct rights_use){.role = role, .caller = *caller}, NULL);
}

/* cxlmon-symbols. */

struct file_symbols {
	struct elf_symbols symbols;
	bool known; /* it was asked for */
};

/* *fd: of the file, -1: it was not opened, or had been before. False: the run has ended. */
static bool receive_place(struct symbol_place *place, int *fd)
{
	return helper_receive(INPUT, place, sizeof(*place), fd) && place->file < SYMBOL_FILES_MOST;
}

/* Asks for the debugging information of a file that has none itself. False: the run has ended. */
static bool read_file(const struct elf_library *library, struct elf_symbols *symbols, int fd)
{
	const struct elf_build_id none = {.size = 0};
	const int rc = elf_symbols_read(library, fd, symbols);
	struct symbol_place ignored;

	close(fd);
	if (rc)
		elf_symbols_free(symbols);
	const struct elf_build_id *wanted = symbols->stripped ? &symbols->build_id : &none;
	if (write(INPUT, wanted, sizeof(*wanted)) != sizeof(*wanted))
		return false;
	if (!wanted->size)
		return true;
	if (!receive_place(&ignored, &fd))
		return false;
	if (fd >= 0) {
		elf_symbols_read_debug(library, fd, symbols);
		close(fd);
	}
	return true;
}

static bool answer(const struct elf_library *library, FILE *kernel, struct file_symbols *files)
{
	struct symbol_answer answer = {.function = ""};
	int fd;

	if (!receive_place(&answer.place, &fd))
		return false;
	struct file_symbols *file = &files[answer.place.file];
	if (fd >= 0 && !read_file(library, &file->symbols, fd))
		return false;
	if (answer.place.file == SYMBOL_KERNEL && !file->known && kernel &&
	    elf_symbols_read_kernel(kernel, &file->symbols))
		elf_symbols_free(&file->symbols);
	file->known = true;
	const char *name = elf_symbols_find(&file->symbols, answer.place.offset);
	if (name)
		strncpy(answer.function, name, sizeof(answer.function) - 1);
	/* shorter than PIPE_BUF: whole, or not at all */
	return write(OUTPUT, &answer, sizeof(answer)) == sizeof(answer);
}

__attribute__((noreturn)) static void read_files(const struct elf_library *library, int input,
						 int answers, const struct sudo_user *caller)
{
	const struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES};
	struct file_symbols *files = calloc(SYMBOL_FILES_MOST, sizeof(*files));

	if (!files || !begin("cxlmon-symbols", input, answers))
		_exit(EXIT_FAILED);
	FILE *kernel = fopen("/proc/kallsyms", "re");
	if ((!RIGHTS_INSTRUMENTED && setrlimit(RLIMIT_AS, &memory)) ||
	    !give_up_rights(RIGHTS_SYMBOLS, caller))
		_exit(EXIT_FAILED);
	while (answer(library, kernel, files))
		;
	_exit(EXIT_OK);
}

/* cxlmon-opener. */

/* inode: 0: any. -1: that file is not there, or is no ELF file. */
static int open_file(const char *path, uint64_t inode)
{
	const int fd = open(path, RIGHTS_OPENER_FLAGS);
	char magic[SELFMAG];
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (!inode || st.st_ino == inode) &&
	    pread(fd, magic, sizeof(magic), 0) == sizeof(magic) && !memcmp(magic, ELFMAG, SELFMAG))
		return fd;
	close(fd);
	return -1;
}

/*
 * By its path in the process's root directory, or as the program that the process runs, also where
 * it was removed; where the process has ended, by that path in our root directory.
 */
static int open_mapped(const struct symbol_question *q)
{
	char path[HOT_NAME_SIZE + 32];

	snprintf(path, sizeof(path), "/proc/%u/root/%s", q->pid, q->path);
	int fd = open_file(path, q->inode);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%u/exe", q->pid);
	fd = open_file(path, q->inode);
	return fd < 0 ? open_file(q->path, q->inode) : fd;
}

static bool pass_on(const struct symbol_place *place, int fd)
{
	return helper_send(OUTPUT, place, sizeof(*place), fd);
}

/* As gdb finds it, where distributions install it. -1: it is not there. */
static int open_debug(const struct elf_build_id *id)
{
	char path[sizeof("/usr/lib/debug/.build-id//.debug") + 2 * ELF_BUILD_ID_MOST];
	int end = snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%02x/", id->bytes[0]);

	for (unsigned i = 1; i < id->size; i++)
		end += snprintf(path + end, sizeof(path) - (size_t)end, "%02x", id->bytes[i]);
	snprintf(path + end, sizeof(path) - (size_t)end, ".debug");
	return open_file(path, 0);
}

/* After a file it says which debugging information it wants. */
static bool pass_debug(const struct symbol_place *place)
{
	struct elf_build_id id;

	if (read(OUTPUT, &id, sizeof(id)) != sizeof(id) || id.size > sizeof(id.bytes))
		return false;
	return !id.size || pass_on(place, open_debug(&id));
}

/* A file that can't be opened may be there for another process. */
static bool open_one(bool *opened)
{
	struct symbol_question question;

	if (read(INPUT, &question, sizeof(question)) != sizeof(question) ||
	    question.place.file >= SYMBOL_FILES_MOST)
		return false;
	question.path[sizeof(question.path) - 1] = '\0';
	const bool wanted = question.place.file != SYMBOL_KERNEL && !opened[question.place.file];
	const int fd = wanted && question.inode ? open_mapped(&question) : -1;
	if (fd >= 0)
		opened[question.place.file] = true;
	return pass_on(&question.place, fd) && (fd < 0 || pass_debug(&question.place));
}

__attribute__((noreturn)) static void open_files(const struct elf_library *library, int questions,
						 int answers, const struct sudo_user *caller)
{
	bool *opened = calloc(SYMBOL_FILES_MOST, sizeof(*opened));
	int ends[2];

	if (!opened || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		_exit(EXIT_FAILED);
	const pid_t child = fork();
	if (!child)
		read_files(library, ends[1], answers, caller);
	if (child < 0 || !begin("cxlmon-opener", questions, ends[0]))
		_exit(EXIT_FAILED);
	if (!give_up_rights(RIGHTS_OPENER, caller))
		_exit(EXIT_FAILED);
	while (open_one(opened))
		;
	_exit(EXIT_OK);
}

/* The run. */

static int start(const struct elf_library *library, const struct sudo_user *caller,
		 struct symbol_process *out)
{
	int questions[2], answers[2];

	if (pipe2(questions, O_CLOEXEC))
		return -errno;
	if (pipe2(answers, O_CLOEXEC)) {
		const int code = -errno;

		close(questions[0]);
		close(questions[1]);
		return code;
	}
	fcntl(answers[1], F_SETPIPE_SZ, PIPE_BYTES); /* else it is shorter */
	out->pid = fork();
	if (!out->pid) {
		close(questions[1]);
		close(answers[0]);
		open_files(library, questions[0], answers[1], caller);
	}
	const int code = out->pid < 0 ? -errno : 0;
	close(questions[0]);
	close(answers[1]);
	out->questions = questions[1];
	out->answers = answers[0];
	fcntl(out->questions, F_SETFL, O_NONBLOCK);
	fcntl(out->answers, F_SETFL, O_NONBLOCK);
	return code;
}

int symbol_process_start(const struct sudo_user *caller, struct symbol_process *out,
			 struct error *err)
{
	struct elf_library library;

	*out = (struct symbol_process){.questions = -1, .answers = -1};
	int rc = elf_library_load(&library, err);
	if (rc)
		return rc;
	rc = start(&library, caller, out);
	if (!rc)
		return 0;
	out->pid = 0;
	return error_set(err, EXIT_FAILED, rc,
			 "the process that finds names of functions cannot be started: %s",
			 strerror(-rc));
}

/* Shorter than PIPE_BUF: whole, or not at all. A run ignores SIGPIPE. */
bool symbol_process_ask(struct symbol_process *process, const struct symbol_question *question)
{
	return write(process->questions, question, sizeof(*question)) == sizeof(*question);
}

int symbol_process_next(struct symbol_process *process, int wait_ms, struct symbol_answer *out)
{
	struct pollfd there = {.fd = process->answers, .events = POLLIN};

	if (wait_ms)
		poll(&there, 1, wait_ms);
	const ssize_t got = read(process->answers, out, sizeof(*out));
	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -ECHILD;
	if (got != sizeof(*out))
		return -ECHILD;
	out->function[sizeof(out->function) - 1] = '\0';
	return 1;
}

/* Where a large file is being read, they end later, as nobody's children. */
void symbol_process_stop(struct symbol_process *process)
{
	if (process->questions >= 0)
		close(process->questions);
	if (process->answers >= 0)
		close(process->answers);
	*process = (struct symbol_process){.questions = -1, .answers = -1};
}
