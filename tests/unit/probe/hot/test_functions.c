/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of symbol processes, and kept of their answers: the test gives these. */
#include "probe/hot/functions.h"

#include <fcntl.h>
#include <unistd.h>

#include "unit.h"

#define INODE 5

static struct hot_names names;
static struct symbol_process process;
static struct hot_functions functions;
static int questions, answers; /* the other ends */
static struct hot_mapping mapping;
static const struct hot_process reader = {.pid = 7};

static void begin(void)
{
	int asked[2], answered[2];

	ck_assert_int_eq(pipe2(asked, O_CLOEXEC | O_NONBLOCK), 0);
	ck_assert_int_eq(pipe2(answered, O_CLOEXEC | O_NONBLOCK), 0);
	questions = asked[0];
	answers = answered[1];
	process = (struct symbol_process){.questions = asked[1], .answers = answered[0]};
	ck_assert_int_eq(hot_names_init(&names), 0);
	ck_assert_int_eq(hot_functions_init(&functions, &names, &process), 0);
	mapping = (struct hot_mapping){.start = 0x7000,
				       .end = 0x9000,
				       .offset = 0x1000,
				       .inode = INODE,
				       .name = hot_names_add(&names, 0, "/usr/bin/reader")};
}

static void end(void)
{
	hot_functions_free(&functions);
	symbol_process_stop(&process);
	hot_names_free(&names);
	close(questions);
	close(answers);
}

FIXTURE(begin, end)

static bool next_question(struct symbol_question *question)
{
	return read(questions, question, sizeof(*question)) == sizeof(*question);
}

static void reply(struct symbol_place place, const char *function)
{
	struct symbol_answer answer = {.place = place};

	strcpy(answer.function, function);
	ck_assert_int_eq(write(answers, &answer, sizeof(answer)), sizeof(answer));
}

/* "": it has none. */
static void assert_function(const struct hot_mapping *of, uint64_t ip, const char *expected)
{
	uint32_t function;

	ck_assert(hot_functions_find(&functions, &reader, of, ip, &function));
	ck_assert_str_eq(hot_name(&names, function), expected);
}

static void assert_unknown_yet(const struct hot_mapping *of, uint64_t ip)
{
	uint32_t function;

	ck_assert(!hot_functions_find(&functions, &reader, of, ip, &function));
}

TEST(test_a_place_is_asked_for_once_and_its_function_is_kept)
{
	struct symbol_question question;

	assert_unknown_yet(&mapping, 0x7010);
	assert_unknown_yet(&mapping, 0x7010);
	ck_assert(next_question(&question));
	ck_assert_uint_eq(question.place.offset, 0x1010);
	ck_assert_uint_eq(question.pid, 7);
	ck_assert_uint_eq(question.inode, INODE);
	ck_assert_str_eq(question.path, "/usr/bin/reader");
	ck_assert(!next_question(&question));
	ck_assert(!hot_functions_take(&functions, 0));
	reply(question.place, "read_pages");
	ck_assert(hot_functions_take(&functions, 0));
	assert_function(&mapping, 0x7010, "read_pages");
	ck_assert(!next_question(&question));
}

TEST(test_a_file_has_a_number_wherever_it_is_mapped)
{
	struct hot_mapping elsewhere = mapping, other = mapping;
	struct symbol_question first, second, third;

	elsewhere.start += 0x100000;
	other.inode++;
	assert_unknown_yet(&mapping, 0x7010);
	assert_unknown_yet(&elsewhere, 0x107020);
	assert_unknown_yet(&other, 0x7010);
	ck_assert(next_question(&first) && next_question(&second) && next_question(&third));
	ck_assert_uint_eq(second.place.offset, 0x1020);
	ck_assert_uint_eq(second.place.file, first.place.file);
	ck_assert_uint_ne(third.place.file, first.place.file);
	reply(third.place, "of_other");
	reply(first.place, "of_both");
	ck_assert(hot_functions_take(&functions, 0));
	assert_function(&elsewhere, 0x107010, "of_both");
	assert_function(&other, 0x7010, "of_other");
}

TEST(test_code_of_the_kernel_is_asked_for_by_address)
{
	const uint64_t ip = 0xffffffff81000010;
	struct symbol_question question;

	assert_unknown_yet(NULL, ip);
	ck_assert(next_question(&question));
	ck_assert_uint_eq(question.place.file, SYMBOL_KERNEL);
	ck_assert_uint_eq(question.place.offset, ip);
	reply(question.place, "copy_page");
	ck_assert(hot_functions_take(&functions, 0));
	assert_function(NULL, ip, "copy_page");
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
	reply((struct symbol_place){.offset = 0x1010, .file = 9}, "read_pages");
	ck_assert(hot_functions_take(&functions, 0));
	assert_unknown_yet(&mapping, 0x7010);
}

/* Nobody waits for answers any more. */
TEST(test_without_processes_nothing_is_known)
{
	assert_unknown_yet(&mapping, 0x7010);
	close(answers);
	answers = -1;
	ck_assert(hot_functions_take(&functions, 0));
	ck_assert(!hot_functions_take(&functions, 0));
	assert_function(&mapping, 0x7010, "");
	assert_function(&mapping, 0x7020, "");
}

TEST(test_what_could_not_be_asked_is_asked_again)
{
	struct symbol_question question;
	uint64_t asked = 0, ip = mapping.start;

	/* until the pipe is full */
	while (functions.place_count == asked) {
		assert_unknown_yet(&mapping, ip++);
		asked++;
	}
	while (next_question(&question))
		;
	assert_unknown_yet(&mapping, ip - 1);
	ck_assert(next_question(&question));
	ck_assert_uint_eq(question.place.offset, mapping.offset + asked - 1);
}

TEST(test_samples_of_too_many_files_are_counted)
{
	struct symbol_question question;
	uint32_t function;

	/* the first is the kernel */
	for (unsigned i = 1; i < SYMBOL_FILES_MOST + 2; i++) {
		mapping.inode = i;
		ck_assert(hot_functions_find(&functions, &reader, &mapping, 0x7010, &function) ==
			  (i >= SYMBOL_FILES_MOST));
		next_question(&question);
	}
	ck_assert_uint_eq(functions.left_out, 2);
}
