/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/symbols_private.h"

#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/share.h"
#include "linux/kernel/clock.h"
#include "linux/run/bounded_process.h"
#include "linux/run/packet.h"

/* work in progress, each of another user */
#define FILES_AT_ONCE 4
/* works at once, including overdue ones that do not end */
#define USERS_MOST   64
#define WAITING_MOST 4096 /* questions */
/* questions of one user, whose files one child looks up */
#define BATCH_MOST 64
#define WAIT_NS	   (30 * NS_PER_S) /* longest wait of a question for its user's turn */
/* time limit of a reading, after which cxlmon-symbols has replied */
#define GIVE_UP_NS ((SYMBOL_READ_SECONDS + 2) * NS_PER_S)
#define TICK_MS	   100

struct waiting {
	struct symbol_question question;
	uint64_t since_ns;
	bool identified;
	struct file_identity identity; /* valid if .identified */
	uint32_t file;		       /* number of the file; SYMBOL_NO_FILE: a new file */
};

enum work_stage {
	IDLE,
	COLLECTING, /* gathers questions for the next stage, which follows at once */
	/* its child does not end, although its time is over */
	STUCK,
	IDENTIFYING, /* a child identifies the files of questions */
	OPENING,     /* a child opens the file of one question */
	READING,     /* cxlmon-symbols reads the file */
	/* a child opens the file's debugging information, for which cxlmon-symbols waits */
	OPENING_DEBUG,
};

/* The current work for one user. */
struct work {
	enum work_stage stage;
	bool overdue; /* the time limit has passed */
	struct waiting asked[BATCH_MOST];
	size_t count;
	struct bounded_process child; /* .socket -1: no child */
};

struct opener {
	int questions, symbols;
	struct packet_buffer buffer;
	struct known_files files;
	struct waiting waiting[WAITING_MOST];
	size_t waiting_count;
	struct share share; /* users' shares of .waiting */
	struct work work[USERS_MOST];
	bool failed; /* another process has ended, or sent nonsense */
};

/* Messages to cxlmon-symbols. */

static void deliver_file(struct opener *o, const struct waiting *asked, enum symbol_state state,
			 bool debug, int fd)
{
	struct bytes bytes = {.failed = false};
	struct symbol_delivery delivery = {
		.place = {asked->question.place.offset, asked->file},
		.mapping = asked->question.mapping,
		.state = state,
		.user = asked->question.user,
		.debug = debug,
	};

	symbol_code_delivery(&(struct coder){.out = &bytes}, &delivery);
	o->failed |= packet_send_waiting(o->symbols, &bytes, fd) != 0;
}

/* Passes on a question that needs no file. */
static void answer_question(struct opener *o, const struct waiting *asked, enum symbol_state state)
{
	deliver_file(o, asked, state, false, -1);
}

/* Child processes. */

static bool send_opened(int socket, struct symbol_opened *opened, int fd)
{
	struct bytes bytes = {.failed = false};

	symbol_code_opened(&(struct coder){.out = &bytes}, opened);
	return !packet_send_waiting(socket, &bytes, fd);
}

/*
 * Identifies the files of questions. The child closes each one, because closing may also wait for
 * its file system.
 */
__attribute__((noreturn)) static void identify(const struct work *work)
{
	for (size_t i = 0; i < work->count; i++) {
		struct symbol_opened opened = {.opened = false};
		const int fd = mapped_file_open(&work->asked[i].question, &opened.identity);

		opened.opened = fd >= 0;
		if (!send_opened(work->child.socket, &opened, -1))
			break;
		if (fd >= 0)
			close(fd);
	}
	_exit(EXIT_SUCCESS);
}

__attribute__((noreturn)) static void open_for(int socket, const struct symbol_question *question,
					       const struct elf_build_id *debug)
{
	struct symbol_opened opened = {.opened = false};
	const int fd =
		debug ? debug_file_open(debug) : mapped_file_open(question, &opened.identity);

	opened.opened = fd >= 0;
	if (send_opened(socket, &opened, -1) && opened.opened)
		send_opened(socket, &opened, fd);
	_exit(EXIT_SUCCESS);
}

/*
 * Starts a child for a stage. debug: the build id, for OPENING_DEBUG. Returns false if it failed;
 * the stage is then unchanged.
 */
static bool begin_stage(struct work *work, enum work_stage stage, const struct elf_build_id *debug)
{
	const struct bounded_limits limits = {.seconds = SYMBOL_OPEN_SECONDS};
	const pid_t pid = bounded_fork(&limits, -1, &work->child);

	if (!pid && stage == IDENTIFYING)
		identify(work);
	if (!pid)
		open_for(work->child.socket, &work->asked[0].question, debug);
	if (pid > 0)
		work->stage = stage;
	return pid > 0;
}

/* Questions that wait. */

static void wait_for_turn(struct opener *o, const struct waiting *asked)
{
	if (share_take(&o->share, asked->question.user, 1))
		o->waiting[o->waiting_count++] = *asked;
	else
		answer_question(o, asked, SYMBOLS_NO_ROOM);
}

static struct work *work_of_user(struct opener *o, uint32_t user)
{
	for (size_t i = 0; i < USERS_MOST; i++)
		if (o->work[i].stage && o->work[i].asked[0].question.user == user)
			return &o->work[i];
	return NULL;
}

static struct work *work_of_file(struct opener *o, uint32_t file)
{
	for (size_t i = 0; i < USERS_MOST; i++)
		if (o->work[i].stage >= READING && o->work[i].asked[0].file == file)
			return &o->work[i];
	return NULL;
}

/* Returns a free entry; NULL: too many are at work. */
static struct work *idle_work(struct opener *o)
{
	struct work *found = NULL;
	size_t in_time = 0;

	for (size_t i = 0; i < USERS_MOST; i++) {
		in_time += o->work[i].stage && !o->work[i].overdue;
		if (!o->work[i].stage)
			found = &o->work[i];
	}
	return in_time < FILES_AT_ONCE ? found : NULL;
}

/* Answers a question about an identified file. Returns false while the file is being read. */
static bool answer_identified(struct opener *o, const struct waiting *asked)
{
	const struct work *reading = work_of_file(o, asked->file);

	if (reading && !reading->overdue)
		return false;
	answer_question(o, asked, o->files.at[asked->file].state);
	return true;
}

/*
 * Adds a question to its user's next work: a batch of unknown files, or one new file. Returns
 * false if that has to wait.
 */
static bool collect_work(struct opener *o, struct work *work, const struct waiting *asked)
{
	if (!work) {
		work = idle_work(o);
		if (!work)
			return false;
		work->stage = COLLECTING;
		work->overdue = false;
		work->count = 0;
	}
	if (work->stage != COLLECTING || work->count == BATCH_MOST ||
	    (work->count && (asked->identified || work->asked[0].identified)))
		return false;
	work->asked[work->count++] = *asked;
	return true;
}

/* Answers a question, or begins to. Returns false if it has to wait. */
static bool settle_question(struct opener *o, struct waiting *asked, uint64_t now)
{
	struct work *own = work_of_user(o, asked->question.user);

	if (asked->identified)
		asked->file = known_files_find(&o->files, &asked->identity);
	if (asked->file != SYMBOL_NO_FILE)
		return answer_identified(o, asked);
	if ((own && own->overdue) || now - asked->since_ns > WAIT_NS) {
		answer_question(o, asked, SYMBOLS_NO_ROOM);
		return true;
	}
	return collect_work(o, own, asked);
}

static void begin_work(struct opener *o, struct work *work)
{
	if (begin_stage(work, work->asked[0].identified ? OPENING : IDENTIFYING, NULL))
		return;
	for (size_t i = 0; i < work->count; i++)
		answer_question(o, &work->asked[i], SYMBOLS_NO_ROOM);
	work->stage = IDLE;
}

static void begin_waiting(struct opener *o, uint64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < o->waiting_count; i++) {
		if (settle_question(o, &o->waiting[i], now)) {
			share_give(&o->share, o->waiting[i].question.user, 1);
			continue;
		}
		if (kept != i)
			o->waiting[kept] = o->waiting[i];
		kept++;
	}
	o->waiting_count = kept;
	for (size_t i = 0; i < USERS_MOST; i++)
		if (o->work[i].stage == COLLECTING)
			begin_work(o, &o->work[i]);
}

static void take_question(struct opener *o)
{
	struct waiting asked = {.since_ns = clock_monotonic()};
	struct coder c;

	packet_receive(o->questions, &o->buffer, &c, NULL);
	symbol_code_question(&c, &asked.question);
	if (c.bad || c.left) {
		o->failed = true;
		return;
	}
	asked.file = asked.question.place.file;
	/* numbered file, which was read even if its reply is still on the way */
	if (asked.file < o->files.count) {
		answer_question(o, &asked, SYMBOLS_READ);
		return;
	}
	if (asked.file != SYMBOL_NO_FILE) {
		o->failed = true; /* number that was never given out */
		return;
	}
	wait_for_turn(o, &asked);
}

/* Results of children. */

/* Receives a message of a child. Returns false if there is none, or it is invalid. */
static bool receive_opened(struct opener *o, const struct work *work, struct symbol_opened *out)
{
	struct coder c;

	packet_receive(work->child.socket, &o->buffer, &c, NULL);
	symbol_code_opened(&c, out);
	return !c.bad && !c.left;
}

/* Passes on the socket, which contains the child's file. debug: see struct symbol_delivery. */
static void pass_on(struct opener *o, struct work *work, bool debug)
{
	deliver_file(o, &work->asked[0], SYMBOLS_READ, debug, work->child.socket);
	work->child.socket = -1;
	work->child.deadline_ns = clock_monotonic() + GIVE_UP_NS;
	work->stage = READING;
}

/*
 * Takes identities that a child has found. The first file without one is skipped: the child, or
 * its time, ended there.
 */
static void take_identities(struct opener *o, struct work *work)
{
	struct symbol_opened opened = {.opened = false};
	size_t i = 0;

	for (; i < work->count && receive_opened(o, work, &opened); i++) {
		work->asked[i].identified = true;
		work->asked[i].identity = opened.identity;
		if (opened.opened)
			wait_for_turn(o, &work->asked[i]);
		else
			answer_question(o, &work->asked[i], SYMBOLS_NONE);
	}
	if (i < work->count)
		answer_question(o, &work->asked[i++], SYMBOLS_SKIPPED);
	for (; i < work->count; i++)
		wait_for_turn(o, &work->asked[i]);
}

/* Passes on a new file, unless another user has had it read meanwhile. */
static void take_file(struct opener *o, struct work *work)
{
	struct waiting *asked = &work->asked[0];
	struct symbol_opened opened = {.opened = false};

	if (!receive_opened(o, work, &opened)) {
		answer_question(o, asked, SYMBOLS_SKIPPED);
		return;
	}
	const uint32_t file =
		opened.opened ? known_files_add(&o->files, &opened.identity, asked->question.user)
			      : SYMBOL_NO_FILE;
	if (file == SYMBOL_NO_FILE) {
		answer_question(o, asked, opened.opened ? SYMBOLS_NO_ROOM : SYMBOLS_NONE);
	} else if (o->files.at[file].state == SYMBOLS_NO_ROOM) {
		o->files.at[file].state = SYMBOLS_SKIPPED; /* state during the reading */
		asked->file = file;
		pass_on(o, work, false);
	} else {
		asked->identity = opened.identity;
		wait_for_turn(o, asked);
	}
}

static void take_debug_file(struct opener *o, struct work *work)
{
	struct symbol_opened opened = {.opened = false};

	if (receive_opened(o, work, &opened) && opened.opened)
		pass_on(o, work, true);
	else
		deliver_file(o, &work->asked[0], SYMBOLS_READ, true, -1);
}

/* Takes the results of a child that has ended. */
static void take_child(struct opener *o, struct work *work)
{
	const bool debug = work->stage == OPENING_DEBUG;

	if (work->stage == IDENTIFYING)
		take_identities(o, work);
	else if (work->stage == OPENING)
		take_file(o, work);
	else if (debug && !work->overdue)
		take_debug_file(o, work);
	if (work->child.socket >= 0)
		close(work->child.socket);
	work->child.socket = -1;
	if (work->stage != READING)
		work->stage = debug ? READING : IDLE;
}

/* Takes a reply: a file has been read, or its debugging information is wanted. */
static void take_reply(struct opener *o)
{
	struct symbol_reply reply = {.file = 0};
	struct coder c;

	packet_receive(o->symbols, &o->buffer, &c, NULL);
	symbol_code_reply(&c, &reply);
	struct work *work = c.bad || c.left ? NULL : work_of_file(o, reply.file);
	if (!work || (work->stage != READING && (!work->overdue || reply.wanted.size))) {
		o->failed = true;
		return;
	}
	if (reply.wanted.size) {
		if (work->overdue || !begin_stage(work, OPENING_DEBUG, &reply.wanted))
			deliver_file(o, &work->asked[0], SYMBOLS_READ, true, -1);
		return;
	}
	o->files.at[reply.file].state = reply.state;
	work->stage = work->stage == READING ? IDLE : STUCK;
}

static void end_of_time(struct opener *o, struct work *work)
{
	work->overdue = true;
	switch (work->stage) {
	case IDENTIFYING:
		take_identities(o, work);
		work->stage = STUCK;
		break;
	case OPENING:
		answer_question(o, &work->asked[0], SYMBOLS_SKIPPED);
		work->stage = STUCK;
		break;
	case OPENING_DEBUG:
		deliver_file(o, &work->asked[0], SYMBOLS_READ, true, -1);
		break;
	default: /* READING: cxlmon-symbols answers */
		break;
	}
}

static void check_time(struct opener *o, uint64_t now)
{
	for (size_t i = 0; i < USERS_MOST; i++) {
		struct work *work = &o->work[i];

		if (work->stage && !work->overdue && now >= work->child.deadline_ns)
			end_of_time(o, work);
	}
}

/* Indices of polled descriptors. */
enum { QUESTIONS, REPLIES, CHILDREN, DESCRIPTORS = CHILDREN + USERS_MOST };

static void run_once(struct opener *o)
{
	struct pollfd fds[DESCRIPTORS] = {
		[QUESTIONS] = {.fd = o->questions, .events = POLLIN},
		[REPLIES] = {.fd = o->symbols, .events = POLLIN},
	};
	bool busy = o->waiting_count;

	for (size_t i = 0; i < USERS_MOST; i++) {
		fds[CHILDREN + i].fd = o->work[i].child.socket;
		busy |= o->work[i].stage != IDLE;
	}
	poll(fds, DESCRIPTORS, busy ? TICK_MS : -1);
	for (size_t i = 0; i < USERS_MOST; i++)
		if (fds[CHILDREN + i].revents)
			take_child(o, &o->work[i]);
	if (fds[REPLIES].revents)
		take_reply(o);
	if (fds[QUESTIONS].revents)
		take_question(o);
	const uint64_t now = clock_monotonic();
	check_time(o, now);
	begin_waiting(o, now);
}

void symbol_opener_run(int questions, int symbols)
{
	struct opener *o = calloc(1, sizeof(*o));

	if (!o || share_init(&o->share, WAITING_MOST) || known_files_init(&o->files))
		return;
	o->questions = questions;
	o->symbols = symbols;
	for (size_t i = 0; i < USERS_MOST; i++)
		o->work[i].child.socket = -1;
	while (!o->failed)
		run_once(o);
	for (size_t i = 0; i < USERS_MOST; i++)
		if (o->work[i].child.socket >= 0)
			close(o->work[i].child.socket);
	known_files_free(&o->files);
	share_free(&o->share);
	free(o);
}
