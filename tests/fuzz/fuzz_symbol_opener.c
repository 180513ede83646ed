/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages to cxlmon-opener, in any order: questions of a run, replies of cxlmon-symbols, and files
 * of its children, each of which may be compromised.
 */
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "children.h"
#include "linux/run/packet.h"
#include "process/symbols_private.h"

#define QUESTIONS_MOST 128 /* questions whose answers have room in a socket */

static struct {
	struct input in;
	int run, symbols; /* ends of run and symbols */
	unsigned asked, answered;
} world;

static void ask(bool any_bytes)
{
	struct symbol_question question = {
		.place = {input_u8(&world.in), SYMBOL_NO_FILE},
		.mapping = {.serial = 3, .start = 0x7000, .since_ns = 1},
		.pid = 7,
		.user = input_u8(&world.in) % 8,
		.path = "/usr/bin/reader",
	};
	struct bytes bytes = {.failed = false};

	if (world.asked == QUESTIONS_MOST)
		return;
	world.asked++;
	symbol_code_question(&(struct coder){.out = &bytes}, &question);
	fuzz_require(input_send(&world.in, any_bytes, world.run, &bytes, -1));
}

static void reply(bool any_bytes)
{
	struct symbol_reply message = {.file = input_u8(&world.in) % 16,
				       .state = input_u8(&world.in) % 4,
				       .wanted.size = input_u8(&world.in) % 2 * 20};

	struct bytes bytes = {.failed = false};

	symbol_code_reply(&(struct coder){.out = &bytes}, &message);
	fuzz_require(input_send(&world.in, any_bytes, world.symbols, &bytes, -1));
}

/* Sends a file's identity and, unless it is missing, an equal message with the file. */
static void send_file(bool any_bytes)
{
	struct symbol_opened opened = {.identity.inode = input_u8(&world.in) % 16, .opened = true};
	struct bytes bytes = {.failed = false};
	const int child = children_choose(&world.in);

	if (child < 0)
		return;
	symbol_code_opened(&(struct coder){.out = &bytes}, &opened);
	input_send(&world.in, any_bytes, child, &bytes, -1);
	if (input_u8(&world.in) % 2) {
		symbol_code_opened(&(struct coder){.out = &bytes}, &opened);
		input_send(&world.in, false, child, &bytes, dup(STDERR_FILENO));
	}
}

static void next_event(void)
{
	const uint8_t event = input_u8(&world.in);
	const bool any_bytes = event >= 128;

	switch (event % 8) {
	case 0:
	case 1:
	case 2:
		ask(any_bytes);
		break;
	case 3:
	case 4:
		send_file(any_bytes);
		break;
	case 5:
		children_end_one(&world.in);
		break;
	case 6:
		reply(any_bytes);
		break;
	default:
		children_wait(&world.in, 40);
	}
}

/* Takes at most one delivery for each question, and none with impossible files. */
static void take_deliveries(void)
{
	struct symbol_delivery delivery = {.state = 0};
	struct packet_buffer buffer;
	struct coder c;
	int fd;

	while (packet_receive(world.symbols, &buffer, &c, &fd) > 0) {
		symbol_code_delivery(&c, &delivery);
		fuzz_require(!c.bad && !c.left);
		world.answered += !delivery.debug;
		if (delivery.state == SYMBOLS_READ || fd >= 0)
			fuzz_require(delivery.place.file < SYMBOL_FILES_MOST);
		if (fd >= 0)
			close(fd);
	}
	fuzz_require(world.answered <= world.asked);
}

/* Lets something happen at each wait; at the end of the input the run ends. */
int __wrap_poll(struct pollfd *fds, nfds_t count, int wait_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int wait_ms)
{
	const struct timespec now = {0};

	(void)wait_ms;
	take_deliveries();
	if (world.in.left) {
		next_event();
	} else if (world.run >= 0) {
		close(world.run);
		world.run = -1;
	}
	return ppoll(fds, count, &now, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int questions[2], symbols[2];

	fuzz_require(!packet_pair(questions) && !packet_pair(symbols));
	memset(&world, 0, sizeof(world));
	world.in = (struct input){.at = data, .left = size};
	world.run = questions[1];
	world.symbols = symbols[1];
	children_begin();
	symbol_opener_run(questions[0], symbols[0]);
	take_deliveries();
	children_end();
	close(questions[0]);
	close(symbols[0]);
	close(symbols[1]);
	if (world.run >= 0)
		close(world.run);
	return 0;
}
