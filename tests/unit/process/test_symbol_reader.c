/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon-symbols, with a cxlmon-opener under a stranger's control, which the test plays. */
#include "process/symbols_private.h"

#include <sys/socket.h>
#include <unistd.h>

#include "linux/run/packet.h"
#include "unit.h"

static void assert_that_it_ends(const struct symbol_delivery *delivery, bool with_file)
{
	static const struct elf_library none;
	struct bytes bytes = {.failed = false};
	struct symbol_delivery copy = *delivery;
	int opener[2], answers[2];
	char byte;

	ck_assert_int_eq(packet_pair(opener), 0);
	ck_assert_int_eq(packet_pair(answers), 0);
	symbol_code_delivery(&(struct coder){.out = &bytes}, &copy);
	ck_assert_int_eq(packet_send_waiting(opener[1], &bytes, with_file ? dup(0) : -1), 0);
	/* ends the reader even if it fails to refuse the message */
	shutdown(opener[1], SHUT_WR);
	symbol_reader_run(&none, NULL, opener[0], answers[1]);
	close(answers[1]);
	ck_assert_int_eq(read(answers[0], &byte, 1), 0);
	close(answers[0]);
	close(opener[0]);
	close(opener[1]);
}

TEST(test_a_number_that_no_file_has_is_no_place_in_memory)
{
	struct symbol_delivery delivery = {.place.file = 11862030};

	for (int state = SYMBOLS_READ; state <= SYMBOLS_NO_ROOM; state++) {
		delivery.state = (enum symbol_state)state;
		assert_that_it_ends(&delivery, true);
		delivery.debug = true;
		assert_that_it_ends(&delivery, false);
		delivery.debug = false;
	}
}

TEST(test_the_kernel_and_files_that_nobody_sent_are_no_files_to_read)
{
	assert_that_it_ends(&(struct symbol_delivery){.place.file = SYMBOL_KERNEL}, true);
	assert_that_it_ends(&(struct symbol_delivery){.place.file = 1, .debug = true}, false);
}

TEST(test_a_question_with_an_unknown_state_is_none)
{
	assert_that_it_ends(&(struct symbol_delivery){.state = SYMBOLS_NO_ROOM + 1}, false);
}
