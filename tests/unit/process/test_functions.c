/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to symbol processes, and kept answers. The test gives the answers. */
#include "process/symbols_private.h"

#include <unistd.h>

#include "linux/run/packet.h"
#include "unit.h"

#define INODE 5
#define OWNER 1000

static struct process_names names;
static struct symbol_process process;
static struct process_functions functions;
static int questions, answers; /* the test's ends of the sockets */
static struct kept_mapping mapping;
static const struct process_entry reader = {
	.pid = 7, .serial = 3, .owner = OWNER, .since_ns = 1000};

static void begin(void)
{
	int asked[2], answered[2];

	ck_assert_int_eq(packet_pair(asked), 0);
	ck_assert_int_eq(packet_pair(answered), 0);
	questions = asked[0];
	answers = answered[1];
	process = (struct symbol_process){.questions = asked[1], .answers = answered[0]};
	ck_assert_int_eq(process_names_init(&names), 0);
	ck_assert_int_eq(process_functions_init(&functions, &names, &process), 0);
	mapping =
		(struct kept_mapping){.start = 0x7000,
				      .end = 0x9000,
				      .offset = 0x1000,
				      .inode = INODE,
				      .since_ns = 2000,
				      .name = process_names_add(&names, OWNER, "/usr/bin/reader")};
}

static void end(void)
{
	process_functions_free(&functions);
	symbol_process_stop(&process);
	process_names_free(&names);
	close(questions);
	close(answers);
}

FIXTURE(begin, end)

static bool next_question(struct symbol_question *question)
{
	struct packet_buffer buffer;
	struct coder c;

	if (packet_receive(questions, &buffer, &c, NULL) <= 0)
		return false;
	*question = (struct symbol_question){.pid = 0};
	symbol_code_question(&c, question);
	ck_assert(!c.bad && !c.left);
	return true;
}

static void send_answer(const struct symbol_question *question, uint32_t file,
			enum symbol_state state, const char *function)
{
	struct symbol_answer answer = {.place = {question->place.offset, file},
				       .mapping = question->mapping,
				       .state = state};
	struct bytes bytes = {.failed = false};

	strcpy(answer.function, function);
	symbol_code_answer(&(struct coder){.out = &bytes}, &answer);
	ck_assert_int_eq(packet_send(answers, &bytes), 0);
	bytes_free(&bytes);
	ck_assert(process_functions_take(&functions, 0));
}

/* Answers with a file number and a function. */
static void reply(const struct symbol_question *question, uint32_t file, const char *function)
{
	send_answer(question, file, SYMBOLS_READ, function);
}

/* Asserts the name of a function; "": the code has none. */
static void assert_function(const struct kept_mapping *of, uint64_t ip, const char *expected)
{
	uint32_t function;

	ck_assert(process_functions_find(&functions, &reader, of, ip, &function));
	ck_assert_str_eq(process_name(&names, function), expected);
}

static void assert_unknown_yet(const struct kept_mapping *of, uint64_t ip)
{
	uint32_t function;

	ck_assert(!process_functions_find(&functions, &reader, of, ip, &function));
}

TEST(test_a_place_is_asked_for_once_and_its_function_is_kept)
{
	struct symbol_question question;

	assert_unknown_yet(&mapping, 0x7010);
	assert_unknown_yet(&mapping, 0x7010);
	ck_assert(next_question(&question));
	ck_assert_uint_eq(question.place.offset, 0x1010);
	ck_assert_uint_eq(question.place.file, SYMBOL_NO_FILE);
	ck_assert_uint_eq(question.mapping.serial, 3);
	ck_assert_uint_eq(question.mapping.start, 0x7000);
	ck_assert_uint_eq(question.mapping.since_ns, 2000);
	ck_assert_uint_eq(question.end, 0x9000);
	ck_assert_uint_eq(question.pid, 7);
	ck_assert_uint_eq(question.pid_since_ns, 1000);
	ck_assert_uint_eq(question.user, OWNER);
	ck_assert_uint_eq(question.inode, INODE);
	ck_assert_str_eq(question.path, "/usr/bin/reader");
	ck_assert(!next_question(&question));
	ck_assert(!process_functions_take(&functions, 0));
	reply(&question, 4, "read_pages");
	assert_function(&mapping, 0x7010, "read_pages");
	ck_assert(!next_question(&question));
}

TEST(test_a_mapping_whose_file_is_known_asks_by_its_number)
{
	struct symbol_question question;

	assert_unknown_yet(&mapping, 0x7010);
	assert_unknown_yet(&mapping, 0x7020); /* the place is asked for once its file is numbered */
	ck_assert(next_question(&question) && !next_question(&question));
	reply(&question, 4, "read_pages");
	assert_unknown_yet(&mapping, 0x7020);
	assert_unknown_yet(&mapping, 0x7020);
	ck_assert(next_question(&question));
	ck_assert_uint_eq(question.place.file, 4);
	ck_assert_uint_eq(question.place.offset, 0x1020);
	ck_assert(!next_question(&question));
	reply(&question, 4, "write_pages");
	assert_function(&mapping, 0x7020, "write_pages");
}

/* A user can choose the name and the inode of a mapping. */
TEST(test_which_file_it_is_is_asked_for_each_mapping_of_each_process)
{
	const struct process_entry other = {.pid = 8, .serial = 4};
	struct kept_mapping later = mapping;
	struct symbol_question question;
	uint32_t function;

	later.since_ns++;
	assert_unknown_yet(&mapping, 0x7010);
	ck_assert(next_question(&question));
	reply(&question, 4, "read_pages");
	assert_unknown_yet(&later, 0x7010);
	ck_assert(next_question(&question));
	reply(&question, 5, "other_pages");
	ck_assert(!process_functions_find(&functions, &other, &mapping, 0x7010, &function));
	ck_assert(next_question(&question));
	ck_assert_uint_eq(question.pid, 8);
	reply(&question, 4, "read_pages");
	ck_assert(process_functions_find(&functions, &other, &mapping, 0x7010, &function));
	assert_function(&mapping, 0x7010, "read_pages");
	assert_function(&later, 0x7010, "other_pages");
}

TEST(test_code_of_the_kernel_is_asked_for_by_address)
{
	const uint64_t ip = 0xffffffff81000010;
	struct symbol_question question;

	assert_unknown_yet(NULL, ip);
	ck_assert(next_question(&question));
	ck_assert_uint_eq(question.place.file, SYMBOL_KERNEL);
	ck_assert_uint_eq(question.place.offset, ip);
	reply(&question, SYMBOL_KERNEL, "copy_page");
	assert_function(NULL, ip, "copy_page");
}

TEST(test_a_file_that_can_not_be_opened_has_no_functions)
{
	struct symbol_question question;

	assert_unknown_yet(&mapping, 0x7010);
	ck_assert(next_question(&question));
	send_answer(&question, SYMBOL_NO_FILE, SYMBOLS_NONE, "");
	assert_function(&mapping, 0x7010, "");
	assert_function(&mapping, 0x7020, "");
	ck_assert(!next_question(&question));
	ck_assert_uint_eq(functions.skipped_count, 0);
}

TEST(test_files_that_take_too_long_to_read_are_named_once)
{
	static const char *const files[] = {"/a", "/b", "/b", "/c", "/d"};
	struct symbol_question question;

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		mapping.name = process_names_add(&names, OWNER, files[i]);
		mapping.since_ns++;
		assert_unknown_yet(&mapping, 0x7010);
		ck_assert(next_question(&question));
		send_answer(&question, SYMBOL_NO_FILE, SYMBOLS_SKIPPED, "");
		assert_function(&mapping, 0x7010, "");
	}
	ck_assert_uint_eq(functions.skipped_count, FUNCTIONS_SKIPPED_MOST);
	ck_assert_str_eq(process_name(&names, functions.skipped[0]), "/a");
	ck_assert_str_eq(process_name(&names, functions.skipped[1]), "/b");
	ck_assert_str_eq(process_name(&names, functions.skipped[2]), "/c");
}

TEST(test_files_that_are_not_read_at_the_end_are_named)
{
	struct symbol_question question;
	struct kept_mapping read = mapping;

	read.start = 0x6000;
	assert_unknown_yet(&read, 0x7010);
	ck_assert(next_question(&question));
	reply(&question, 4, "read_pages");
	assert_unknown_yet(&mapping, 0x7010);
	process_functions_give_up(&functions);
	assert_function(&mapping, 0x7010, "");
	assert_function(&read, 0x7010, "read_pages");
	ck_assert_uint_eq(functions.skipped_count, 1);
	ck_assert_str_eq(process_name(&names, functions.skipped[0]), "/usr/bin/reader");
}

TEST(test_code_without_a_file_has_no_function)
{
	struct symbol_question question;

	mapping.inode = 0;
	assert_function(&mapping, 0x7010, "");
	ck_assert(!next_question(&question));
}

TEST(test_an_answer_that_nobody_has_asked_for_is_left_out)
{
	const struct symbol_question none = {.place = {.offset = 0x1010},
					     .mapping = {3, 0x7000, 2000}};
	struct symbol_question question;

	reply(&none, 4, "wrong_pages");
	assert_unknown_yet(&mapping, 0x7010);
	ck_assert(next_question(&question));
	reply(&question, 4, "read_pages");
	reply(&question, 4, "wrong_pages");
	assert_function(&mapping, 0x7010, "read_pages");
}

/* Answers end all waiting if their socket is closed, or one of them is wrong. */
static void assert_that_nothing_is_known(void)
{
	ck_assert(process_functions_take(&functions, 0));
	ck_assert(!process_functions_take(&functions, 0));
	assert_function(&mapping, 0x7010, "");
	assert_function(&mapping, 0x7020, "");
}

TEST(test_without_processes_nothing_is_known)
{
	assert_unknown_yet(&mapping, 0x7010);
	close(answers);
	answers = -1;
	assert_that_nothing_is_known();
}

/* An answer of an unknown state, and one that goes on after its end. */
TEST_LOOP(test_after_a_wrong_answer_nothing_is_known, 2)
{
	struct symbol_answer answer = {.state = SYMBOLS_NO_ROOM + (_i == 0)};
	struct bytes bytes = {.failed = false};

	assert_unknown_yet(&mapping, 0x7010);
	symbol_code_answer(&(struct coder){.out = &bytes}, &answer);
	bytes_put(&bytes, "more", _i ? 4 : 0);
	ck_assert_int_eq(packet_send(answers, &bytes), 0);
	bytes_free(&bytes);
	assert_that_nothing_is_known();
}

TEST(test_what_could_not_be_asked_is_asked_again)
{
	struct symbol_question question;
	uint64_t asked = 0;

	/* fills the queue with questions */
	while (functions.mapping_count == asked) {
		mapping.since_ns++;
		assert_unknown_yet(&mapping, 0x7010);
		asked++;
	}
	while (next_question(&question))
		;
	assert_unknown_yet(&mapping, 0x7010);
	ck_assert(next_question(&question));
	ck_assert_uint_eq(question.mapping.since_ns, mapping.since_ns);
}

TEST(test_samples_of_files_without_room_are_counted)
{
	struct symbol_question question;

	assert_unknown_yet(&mapping, 0x7010);
	ck_assert(next_question(&question));
	send_answer(&question, SYMBOL_NO_FILE, SYMBOLS_NO_ROOM, "");
	assert_function(&mapping, 0x7010, "");
	assert_function(&mapping, 0x7010, "");
	ck_assert_uint_eq(functions.left_out, 2);
}

/* Memory is bounded. */
TEST(test_mappings_are_forgotten_where_there_are_too_many)
{
	struct symbol_question question;

	for (unsigned i = 0; i < 100000; i++) {
		mapping.since_ns++;
		assert_unknown_yet(&mapping, 0x7010);
		ck_assert(next_question(&question));
	}
	reply(&question, 4, "read_pages");
	assert_function(&mapping, 0x7010, "read_pages");
	ck_assert_uint_le(functions.mapping_count, 65536);
}

TEST(test_places_are_forgotten_where_there_are_too_many)
{
	struct symbol_question question;

	for (uint64_t ip = 0; ip < 100000; ip++) {
		assert_unknown_yet(NULL, ip);
		ck_assert(next_question(&question));
	}
	assert_unknown_yet(NULL, 0);
	ck_assert(next_question(&question));
	assert_unknown_yet(NULL, 99999);
	ck_assert(!next_question(&question));
}
