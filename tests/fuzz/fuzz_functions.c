/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers of the processes that find names of functions, which may be compromised: arbitrary bytes,
 * and answers to questions that nobody asked.
 */
#include "process/symbols_private.h"

#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "linux/run/packet.h"

#define MAPPINGS      4
#define ANSWERS_MOST  64 /* answers that have room in a socket */
#define MAPPING_BYTES 0x1000

static struct kept_mapping mappings[MAPPINGS];

static void make_mappings(struct process_names *names)
{
	for (unsigned i = 0; i < MAPPINGS; i++)
		mappings[i] =
			(struct kept_mapping){.start = (i + 1) * 2 * MAPPING_BYTES,
					      .end = ((i + 1) * 2 + 1) * MAPPING_BYTES,
					      .inode = 5,
					      .since_ns = 2000,
					      .name = process_names_add(names, 0, "/bin/reader")};
}

/* Answers the last question, or another one. */
static void answer(struct input *in, int questions, int answers)
{
	static struct symbol_question question;
	struct symbol_answer sent = {.state = input_u8(in) % 5, .function = "function"};
	struct bytes bytes = {.failed = false};
	struct packet_buffer buffer;
	struct coder c;

	while (packet_receive(questions, &buffer, &c, NULL) > 0) {
		symbol_code_question(&c, &question);
		fuzz_require(!c.bad && !c.left);
	}
	sent.place = (struct symbol_place){question.place.offset, input_u8(in) % 4};
	sent.mapping = question.mapping;
	symbol_code_answer(&(struct coder){.out = &bytes}, &sent);
	input_send(in, input_u8(in) % 2, answers, &bytes, -1);
}

static void find(struct process_functions *functions, struct input *in)
{
	const struct process_entry process = {.pid = 7, .serial = 3, .owner = input_u8(in) % 4};
	const uint8_t which = input_u8(in);
	const struct kept_mapping *mapping = which < 224 ? &mappings[which % MAPPINGS] : NULL;
	const uint64_t ip = (mapping ? mapping->start : 0) + input_u8(in) % 4;
	uint32_t function;

	if (process_functions_find(functions, &process, mapping, ip, &function)) {
		fuzz_require(function < functions->names->count);
		fuzz_require(fuzz_one_line(process_name(functions->names, function)));
	}
}

static void run(struct input *in, struct process_functions *functions, int questions, int answers)
{
	unsigned sent = 0;

	while (in->left) {
		const uint8_t event = input_u8(in);

		if (event == UINT8_MAX) {
			process_functions_give_up(functions);
		} else if (event % 2) {
			find(functions, in);
		} else if (sent++ < ANSWERS_MOST) {
			answer(in, questions, answers);
			process_functions_take(functions, 0);
		}
		fuzz_require(functions->skipped_count <= FUNCTIONS_SKIPPED_MOST);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {.at = data, .left = size};
	struct process_names names;
	struct process_functions functions;
	int asked[2], answered[2];

	fuzz_require(!packet_pair(asked) && !packet_pair(answered));
	struct symbol_process process = {.questions = asked[1], .answers = answered[0]};
	fuzz_require(!process_names_init(&names));
	fuzz_require(!process_functions_init(&functions, &names, &process));
	make_mappings(&names);
	run(&in, &functions, asked[0], answered[1]);
	process_functions_free(&functions);
	process_names_free(&names);
	symbol_process_stop(&process);
	close(asked[0]);
	close(answered[1]);
	return 0;
}
