/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages to cxlmon-symbols, in any order: questions and files that cxlmon-opener passes on, and
 * tables of functions that children leave, each of which may be compromised.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "children.h"
#include "linux/run/packet.h"
#include "process/elf_symbols.h"
#include "process/symbols_private.h"

static struct {
	struct input in;
	int opener, run; /* ends of opener and run */
	unsigned asked, answered;
} world;

static void deliver(bool any_bytes)
{
	const uint8_t kind = input_u8(&world.in);
	struct symbol_delivery delivery = {
		.place = {.offset = input_u8(&world.in), .file = input_u8(&world.in) % 16},
		.mapping = {.serial = 3, .start = 0x7000, .since_ns = 1},
		.state = kind % 8 ? SYMBOLS_READ : SYMBOLS_NONE,
		.user = kind / 8 % 4,
		.debug = kind >= 192,
	};

	struct bytes bytes = {.failed = false};

	world.asked++;
	symbol_code_delivery(&(struct coder){.out = &bytes}, &delivery);
	fuzz_require(input_send(&world.in, any_bytes, world.opener, &bytes,
				kind & 32 ? dup(STDERR_FILENO) : -1));
}

static void next_event(void)
{
	const uint8_t event = input_u8(&world.in);

	switch (event % 4) {
	case 0:
	case 1:
		deliver(event >= 128);
		break;
	case 2:
		children_end_one(&world.in);
		break;
	default:
		children_wait(&world.in, 20);
	}
}

/* Takes at most one answer for each question. */
static void take_answers(void)
{
	struct symbol_answer answer = {.state = 0};
	struct symbol_reply reply = {.state = 0};
	struct packet_buffer buffer;
	struct coder c;

	while (packet_receive(world.run, &buffer, &c, NULL) > 0) {
		world.answered++;
		symbol_code_answer(&c, &answer);
		fuzz_require(!c.bad && !c.left);
		fuzz_require(answer.state == SYMBOLS_READ || !*answer.function);
	}
	fuzz_require(world.answered <= world.asked);
	while (packet_receive(world.opener, &buffer, &c, NULL) > 0) {
		symbol_code_reply(&c, &reply);
		fuzz_require(!c.bad && !c.left);
	}
}

/* Lets something happen at each wait; at the end of the input cxlmon-opener ends. */
int __wrap_poll(struct pollfd *fds, nfds_t count, int wait_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int wait_ms)
{
	const struct timespec now = {0};

	(void)wait_ms;
	take_answers();
	if (world.in.left)
		next_event();
	else
		shutdown(world.opener, SHUT_RDWR);
	return ppoll(fds, count, &now, NULL);
}

/* Replaces a child's table of functions. */
int __real_elf_table_read(const void *room, size_t bytes, struct elf_table *out);
int __wrap_elf_table_read(const void *room, size_t bytes, struct elf_table *out);
int __wrap_elf_table_read(const void *room, size_t bytes, struct elf_table *out)
{
	static struct elf_function functions[] = {{0x40, 0x50, 0}, {0x60, 0x70, 4}};
	static struct elf_segment segments[] = {{.bytes = 0x100}};
	static char names[] = "one\0two";
	const uint8_t kind = input_u8(&world.in);
	const struct elf_symbols symbols = {
		.functions = functions,
		.count = kind % 3,
		.names = names,
		.names_size = sizeof(names),
		.segments = segments,
		.segment_count = 1,
		.stripped = kind & 4,
		.build_id.size = kind & 8 ? 20 : 0,
	};
	char *written = (char *)room;

	fuzz_require(!elf_table_write(&symbols, written, bytes));
	if (kind >= 128)
		input_replace(&world.in, written, 256);
	return __real_elf_table_read(room, bytes, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct elf_library none;
	static char list[] = "40 T kernel_function\n50 t another\n";
	FILE *kernel = fmemopen(list, strlen(list), "r");
	int opener[2], answers[2];

	fuzz_require(kernel);
	fuzz_require(!packet_pair(answers) && !packet_pair(opener));
	memset(&world, 0, sizeof(world));
	world.in = (struct input){.at = data, .left = size};
	world.opener = opener[1];
	world.run = answers[0];
	signal(SIGPIPE, SIG_IGN); /* cxlmon-symbols also blocks it */
	children_begin();
	symbol_reader_run(&none, kernel, opener[0], answers[1]);
	take_answers();
	children_end();
	for (int i = 0; i < 2; i++) {
		close(opener[i]);
		close(answers[i]);
	}
	fclose(kernel);
	return 0;
}
