/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes that find names of functions, asked by this program about itself. */
#include "probe/hot/symbol_process.h"

#include <inttypes.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#define FILE_NUMBER 7

static struct symbol_process process;
static struct symbol_question question;
static struct symbol_answer answer;

/* The mapping that has this very function. */
static void find_mapping(void)
{
	const uintptr_t here = (uintptr_t)find_mapping;
	FILE *in = fopen("/proc/self/maps", "re");
	uint64_t start = 0, end, offset = 0;
	char line[512];

	ck_assert_ptr_nonnull(in);
	while (fgets(line, sizeof(line), in))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %" SCNu64 " %255s",
			   &start, &end, &offset, &question.inode, question.path) == 5 &&
		    here - start < end - start)
			break;
	fclose(in);
	question.place = (struct symbol_place){here - start + offset, FILE_NUMBER};
	question.pid = (unsigned)getpid();
}

static void begin(void)
{
	const struct sudo_user nobody = {.known = false};
	struct error err;

	find_mapping();
	ck_assert_int_eq(symbol_process_start(&nobody, &process, &err), 0);
}

static void end(void)
{
	symbol_process_stop(&process);
}

FIXTURE(begin, end)

static const char *ask(void)
{
	ck_assert(symbol_process_ask(&process, &question));
	int rc;

	do
		rc = symbol_process_next(&process, 10000, &answer);
	while (!rc);
	return rc < 0 ? "it has ended" : answer.function;
}

TEST(test_the_function_of_an_offset_is_answered)
{
	ck_assert_str_eq(ask(), "find_mapping");
	ck_assert_uint_eq(answer.place.file, FILE_NUMBER);
	ck_assert_uint_eq(answer.place.offset, question.place.offset);
	/* the file is known: nobody looks at the rest of the question */
	question.pid = 0;
	question.path[0] = '\0';
	ck_assert_str_eq(ask(), "find_mapping");
	question.place.offset = 0;
	ck_assert_str_eq(ask(), "");
}

TEST(test_a_process_that_has_ended_is_known_by_its_file)
{
	question.pid = 4194304; /* the kernel's PID_MAX_LIMIT, which no process has */
	ck_assert_str_eq(ask(), "find_mapping");
}

TEST(test_a_program_is_known_whatever_its_path)
{
	strcpy(question.path, "/no/such/program (deleted)");
	ck_assert_str_eq(ask(), "find_mapping");
}

TEST(test_another_file_of_that_name_is_not_taken)
{
	question.inode++;
	ck_assert_str_eq(ask(), "");
	/* it is looked for again */
	question.inode--;
	ck_assert_str_eq(ask(), "find_mapping");
}

TEST(test_only_ELF_files_are_opened)
{
	static const char *const paths[] = {"/etc/passwd", "/", "/dev/zero", "/no/such", "", "x"};

	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		struct stat st = {.st_ino = 1};

		ck_assert(!stat(paths[i], &st) || errno == ENOENT);
		question =
			(struct symbol_question){.place = {0, (uint32_t)i + 1}, .inode = st.st_ino};
		strcpy(question.path, paths[i]);
		ck_assert_str_eq(ask(), "");
	}
}

TEST(test_the_kernel_has_functions_where_its_list_is_readable)
{
	question = (struct symbol_question){.place = {0, SYMBOL_KERNEL}};
	ck_assert_str_eq(ask(), "");
}

TEST(test_questions_do_not_wait)
{
	size_t asked = 0, answered = 0;
	int rc;

	while (symbol_process_ask(&process, &question))
		asked++;
	ck_assert_uint_gt(asked, 10);
	while (answered < asked && (rc = symbol_process_next(&process, 10000, &answer)) >= 0)
		answered += rc > 0;
	ck_assert_uint_eq(answered, asked);
}

TEST(test_after_a_question_that_is_none_there_is_no_answer)
{
	question.place.file = SYMBOL_FILES_MOST;
	ck_assert_str_eq(ask(), "it has ended");
	ck_assert_int_eq(symbol_process_next(&process, 0, &answer), -ECHILD);
}

/* The last of them has the other end of the answers. */
TEST(test_they_end_when_they_are_stopped)
{
	struct pollfd ended = {.fd = dup(process.answers), .events = POLLIN};
	char byte;

	ck_assert_int_ge(ended.fd, 0);
	symbol_process_stop(&process);
	ck_assert_int_eq(poll(&ended, 1, 10000), 1);
	ck_assert_int_eq(read(ended.fd, &byte, 1), 0);
	close(ended.fd);
}
