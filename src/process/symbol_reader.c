/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/symbols_private.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/share.h"
#include "linux/kernel/clock.h"
#include "linux/rights/rights.h"
#include "linux/run/bounded_process.h"
#include "linux/run/packet.h"

/* files that cxlmon-opener may pass on at once */
#define READINGS_MOST 64
#define ROOM_BYTES    (UINT64_C(128) << 20) /* limit of one file's functions */
#define TABLES_BYTES  (UINT64_C(2) << 30)   /* limit of all files' tables */
#define TICK_MS	      100

struct file {
	struct elf_symbols symbols; /* points into the tables */
	struct elf_table own, debug;
};

/* A file that is being read. */
struct reading {
	bool used;
	/* waiting until the debugging information has been opened */
	bool waits;
	/* the child reads the debugging information */
	bool debug;
	bool overdue;
	struct symbol_delivery asked;
	struct bounded_process child; /* .socket -1: no child */
	void *room;		      /* shared with the child; NULL: none */
};

struct reader {
	const struct elf_library *library;
	FILE *kernel;
	int opener, answers;
	struct packet_buffer buffer;
	struct file files[SYMBOL_FILES_MOST];
	struct share share; /* users' shares of TABLES_BYTES */
	bool kernel_is_read;
	struct reading readings[READINGS_MOST];
	bool failed; /* another process has ended, or sent nonsense */
};

/* Answers. */

static void read_kernel(struct reader *r)
{
	struct elf_symbols *symbols = &r->files[SYMBOL_KERNEL].symbols;

	if (!r->kernel_is_read && r->kernel && elf_symbols_read_kernel(r->kernel, symbols))
		elf_symbols_free(symbols);
	r->kernel_is_read = true;
}

static void send_answer(struct reader *r, const struct symbol_delivery *asked,
			enum symbol_state state)
{
	struct bytes bytes = {.failed = false};
	struct symbol_answer answer = {
		.place = asked->place, .mapping = asked->mapping, .state = state};

	if (state == SYMBOLS_READ) {
		if (asked->place.file == SYMBOL_KERNEL)
			read_kernel(r);
		const char *name =
			elf_symbols_find(&r->files[asked->place.file].symbols, asked->place.offset);
		if (name)
			strncpy(answer.function, name, sizeof(answer.function) - 1);
	}
	symbol_code_answer(&(struct coder){.out = &bytes}, &answer);
	r->failed |= packet_send_waiting(r->answers, &bytes, -1) != 0;
}

static void reply_to_delivery(struct reader *r, const struct reading *reading,
			      enum symbol_state state, const struct elf_build_id *wanted)
{
	struct bytes bytes = {.failed = false};
	struct symbol_reply reply = {.file = reading->asked.place.file, .state = state};

	if (wanted)
		reply.wanted = *wanted;
	symbol_code_reply(&(struct coder){.out = &bytes}, &reply);
	r->failed |= packet_send_waiting(r->opener, &bytes, -1) != 0;
}

/*
 * Returns the state of an overdue file. Without debugging information it still has its own
 * functions.
 */
static enum symbol_state state_when_late(const struct reading *reading)
{
	return reading->debug ? SYMBOLS_READ : SYMBOLS_SKIPPED;
}

static void finish_reading(struct reader *r, struct reading *reading, enum symbol_state state)
{
	if (!reading->overdue)
		send_answer(r, &reading->asked, state);
	reply_to_delivery(r, reading, state, NULL);
	reading->used = false;
}

/* Reading, in a child process. */

/*
 * Reads a file's functions into room. base: build id of the file, whose debugging information is
 * read; NULL: the file itself is read.
 */
__attribute__((noreturn)) static void read_for(const struct elf_library *library, int envelope,
					       const struct elf_build_id *base, void *room)
{
	struct elf_symbols symbols = {.functions = NULL};
	struct packet_buffer buffer;
	struct coder ignored;
	int fd, rc = -EIO;

	if (packet_receive(envelope, &buffer, &ignored, &fd) > 0 && fd >= 0) {
		if (base)
			symbols.build_id = *base;
		rc = base ? elf_symbols_read_debug(library, fd, &symbols)
			  : elf_symbols_read(library, fd, &symbols);
	}
	/* a file that is not ELF has no functions */
	if (rc == -ENOEXEC && !base)
		elf_symbols_free(&symbols);
	if (!rc || (rc == -ENOEXEC && !base))
		elf_table_write(&symbols, room, ROOM_BYTES);
	_exit(EXIT_SUCCESS);
}

static void drop_room(struct reading *reading)
{
	if (reading->room)
		munmap(reading->room, ROOM_BYTES);
	reading->room = NULL;
}

/* Starts a child, and closes the envelope. Returns false on failure. */
static bool begin_reading(struct reader *r, struct reading *reading, int envelope)
{
	const struct bounded_limits limits = {
		.seconds = SYMBOL_READ_SECONDS,
		.cpu_seconds = SYMBOL_CPU_SECONDS,
		.memory_bytes = RIGHTS_INSTRUMENTED ? 0 : SYMBOL_READ_BYTES,
	};
	const struct elf_build_id *base =
		reading->debug ? &r->files[reading->asked.place.file].symbols.build_id : NULL;
	void *room = mmap(NULL, ROOM_BYTES, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	pid_t pid = -1;

	if (room != MAP_FAILED) {
		reading->room = room;
		pid = bounded_fork(&limits, envelope, &reading->child);
	}
	if (!pid)
		read_for(r->library, envelope, base, room);
	close(envelope);
	if (pid < 0)
		drop_room(reading);
	return pid > 0;
}

/* Tables of functions. */

/* Reads a table as elf_table_read() does. -ENOSPC: its user's share is used up. */
static int read_table(struct reader *r, const struct reading *reading, struct elf_table *out)
{
	int rc = elf_table_read(reading->room, ROOM_BYTES, out);

	if (!rc && !share_take(&r->share, reading->asked.user, out->bytes))
		rc = -ENOSPC;
	if (rc)
		elf_table_free(out);
	return rc;
}

/* Replaces a file's functions by those in its debugging information, which has no segments. */
static void take_debug(struct reader *r, struct reading *reading)
{
	struct file *file = &r->files[reading->asked.place.file];
	const struct elf_symbols *found = &file->debug.symbols;

	if (!read_table(r, reading, &file->debug)) {
		file->symbols.functions = found->functions;
		file->symbols.count = found->count;
		file->symbols.names = found->names;
		file->symbols.names_size = found->names_size;
	}
	finish_reading(r, reading, SYMBOLS_READ);
}

static void take_table(struct reader *r, struct reading *reading)
{
	struct file *file = &r->files[reading->asked.place.file];
	const int rc = read_table(r, reading, &file->own);

	if (rc) {
		finish_reading(r, reading,
			       rc == -ENOMEM || rc == -ENOSPC ? SYMBOLS_NO_ROOM : SYMBOLS_SKIPPED);
		return;
	}
	file->symbols = file->own.symbols;
	reading->waits = file->symbols.stripped && file->symbols.build_id.size;
	if (reading->waits)
		reply_to_delivery(r, reading, SYMBOLS_READ, &file->symbols.build_id);
	else
		finish_reading(r, reading, SYMBOLS_READ);
}

/* Takes the results of a child that has ended. */
static void take_child(struct reader *r, struct reading *reading)
{
	close(reading->child.socket);
	reading->child.socket = -1;
	if (reading->overdue)
		finish_reading(r, reading, state_when_late(reading));
	else if (reading->debug)
		take_debug(r, reading);
	else
		take_table(r, reading);
	drop_room(reading);
}

/* Messages from cxlmon-opener. */

static struct reading *reading_of_file(struct reader *r, uint32_t file)
{
	for (size_t i = 0; i < READINGS_MOST; i++)
		if (r->readings[i].used && r->readings[i].asked.place.file == file)
			return &r->readings[i];
	return NULL;
}

static struct reading *free_reading(struct reader *r)
{
	for (size_t i = 0; i < READINGS_MOST; i++)
		if (!r->readings[i].used)
			return &r->readings[i];
	return NULL;
}

/* Takes a file's debugging information. envelope -1: none exists. False: it was not wanted. */
static bool take_debug_file(struct reader *r, uint32_t file, int envelope)
{
	struct reading *reading = reading_of_file(r, file);

	if (!reading || !reading->waits)
		return false;
	reading->waits = false;
	reading->debug = true;
	if (envelope < 0 || !begin_reading(r, reading, envelope))
		finish_reading(r, reading, SYMBOLS_READ);
	return true;
}

/* Begins to read a file. Returns false if it was read already, is being read, or too many are. */
static bool take_file(struct reader *r, const struct symbol_delivery *asked, int envelope)
{
	struct reading *reading = free_reading(r);

	if (!reading || asked->place.file == SYMBOL_KERNEL ||
	    r->files[asked->place.file].own.memory || reading_of_file(r, asked->place.file))
		return false;
	*reading = (struct reading){.used = true, .asked = *asked, .child.socket = -1};
	if (!begin_reading(r, reading, envelope))
		finish_reading(r, reading, SYMBOLS_NO_ROOM);
	return true;
}

/* Returns false for a message that cxlmon-opener never sends. */
static bool handle_delivery(struct reader *r, const struct symbol_delivery *asked, int envelope)
{
	const bool no_file = asked->place.file >= SYMBOL_FILES_MOST;

	if (no_file && (asked->state == SYMBOLS_READ || asked->debug || envelope >= 0))
		return false;
	if (asked->debug)
		return take_debug_file(r, asked->place.file, envelope);
	if (envelope >= 0)
		return take_file(r, asked, envelope);
	send_answer(r, asked, asked->state);
	return true;
}

static void take_delivery(struct reader *r)
{
	struct symbol_delivery asked = {.state = 0};
	struct coder c;
	int envelope;

	packet_receive(r->opener, &r->buffer, &c, &envelope);
	symbol_code_delivery(&c, &asked);
	if (!c.bad && !c.left && handle_delivery(r, &asked, envelope))
		return;
	if (envelope >= 0)
		close(envelope);
	r->failed = true;
}

static void check_time(struct reader *r, uint64_t now)
{
	for (size_t i = 0; i < READINGS_MOST; i++) {
		struct reading *reading = &r->readings[i];

		if (!reading->used || reading->overdue || reading->child.socket < 0 ||
		    now < reading->child.deadline_ns)
			continue;
		send_answer(r, &reading->asked, state_when_late(reading));
		reading->overdue = true;
		drop_room(reading);
	}
}

static void run_once(struct reader *r)
{
	struct pollfd fds[READINGS_MOST + 1];
	bool busy = false;

	for (size_t i = 0; i < READINGS_MOST; i++) {
		fds[i] = (struct pollfd){.fd = r->readings[i].used ? r->readings[i].child.socket
								   : -1};
		busy |= fds[i].fd >= 0;
	}
	fds[READINGS_MOST] = (struct pollfd){.fd = r->opener, .events = POLLIN};
	poll(fds, READINGS_MOST + 1, busy ? TICK_MS : -1);
	for (size_t i = 0; i < READINGS_MOST; i++)
		if (fds[i].revents)
			take_child(r, &r->readings[i]);
	if (fds[READINGS_MOST].revents)
		take_delivery(r);
	check_time(r, clock_monotonic());
}

static void free_reader(struct reader *r)
{
	for (size_t i = 0; i < READINGS_MOST; i++) {
		if (r->readings[i].used && r->readings[i].child.socket >= 0)
			close(r->readings[i].child.socket);
		drop_room(&r->readings[i]);
	}
	elf_symbols_free(&r->files[SYMBOL_KERNEL].symbols);
	for (size_t i = 0; i < SYMBOL_FILES_MOST; i++) {
		elf_table_free(&r->files[i].own);
		elf_table_free(&r->files[i].debug);
	}
	share_free(&r->share);
	free(r);
}

void symbol_reader_run(const struct elf_library *library, FILE *kernel, int opener, int answers)
{
	struct reader *r = calloc(1, sizeof(*r));

	if (!r || share_init(&r->share, TABLES_BYTES))
		return;
	r->library = library;
	r->kernel = kernel;
	r->opener = opener;
	r->answers = answers;
	while (!r->failed)
		run_once(r);
	free_reader(r);
}
