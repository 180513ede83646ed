/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes that find names of functions, asked by this program about its own code. */
#include "process/symbols_private.h"

#include <inttypes.h>
#include <libgen.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "unit.h"

#define NO_PID 4194304 /* the kernel's PID_MAX_LIMIT, which no process has */

static struct symbol_process process;
static struct symbol_question question;
static struct symbol_answer answer;

/* Finds the mapping with the code of this function. */
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
	question.place = (struct symbol_place){here - start + offset, SYMBOL_NO_FILE};
	question.mapping = (struct symbol_mapping){1, start, clock_monotonic()};
	question.end = end;
	question.pid = (unsigned)getpid();
	question.pid_since_ns = question.mapping.since_ns;
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

TREE_FIXTURE(begin, end)

static const char *next_answer(void)
{
	int rc;

	do
		rc = symbol_process_next(&process, 10000, &answer);
	while (!rc);
	return rc < 0 ? "it has ended" : answer.function;
}

static const char *ask(void)
{
	ck_assert(symbol_process_ask(&process, &question));
	return next_answer();
}

TEST(test_the_function_of_an_offset_is_answered)
{
	ck_assert_str_eq(ask(), "find_mapping");
	ck_assert_int_eq(answer.state, SYMBOLS_READ);
	ck_assert_uint_eq(answer.place.offset, question.place.offset);
	ck_assert_uint_eq(answer.mapping.serial, question.mapping.serial);
	ck_assert_uint_eq(answer.mapping.start, question.mapping.start);
	ck_assert_uint_eq(answer.mapping.since_ns, question.mapping.since_ns);
	/* a numbered file needs only the place of the question */
	question = (struct symbol_question){.place = answer.place};
	ck_assert_str_eq(ask(), "find_mapping");
	question.place.offset = 0;
	ck_assert_str_eq(ask(), "");
}

TEST(test_a_file_has_a_number_whoever_has_mapped_it)
{
	ck_assert_str_eq(ask(), "find_mapping");
	const uint32_t file = answer.place.file;
	question.mapping.serial = 2;
	ck_assert_str_eq(ask(), "find_mapping");
	ck_assert_uint_eq(answer.mapping.serial, 2);
	ck_assert_uint_eq(answer.place.file, file);
}

/* The files of two users are opened at the same time. */
TEST(test_each_user_is_answered)
{
	for (question.user = 1; question.user <= 2; question.user++)
		ck_assert(symbol_process_ask(&process, &question));
	for (unsigned i = 0; i < 2; i++)
		ck_assert_str_eq(next_answer(), "find_mapping");
}

TEST(test_a_program_is_known_whatever_its_path)
{
	strcpy(question.path, "/no/such/program (deleted)");
	ck_assert_str_eq(ask(), "find_mapping");
}

TEST(test_another_file_in_its_place_is_not_taken)
{
	question.inode++;
	ck_assert_str_eq(ask(), "");
	ck_assert_int_eq(answer.state, SYMBOLS_NONE);
	/* a wrong inode is not remembered: the file is found again */
	question.inode--;
	ck_assert_str_eq(ask(), "find_mapping");
}

/*
 * Puts a copy of the program in place of the file of a process that has ended; the file was mapped
 * this long after its last change.
 */
static void leave_copy(int64_t mapped_after_ms)
{
	struct stat st;

	ck_assert_int_eq(
		system(tree_name("cp /proc/%d/exe %s", (int)getpid(), tree_path("program"))), 0);
	snprintf(question.path, sizeof(question.path), "%s", tree_path("program"));
	/* cxlmon-opener may run as nobody */
	ck_assert_int_eq(chmod(tree_root(), 0755), 0);
	ck_assert_int_eq(chmod(dirname(strdupa(tree_root())), 0755), 0);
	ck_assert_int_eq(stat(question.path, &st), 0);
	question.inode = st.st_ino;
	question.pid = NO_PID;
	question.mapping.since_ns = (uint64_t)st.st_ctim.tv_sec * NS_PER_S +
				    (uint64_t)st.st_ctim.tv_nsec - clock_utc() + clock_monotonic() +
				    (uint64_t)(mapped_after_ms * 1000000);
}

TEST(test_a_process_that_has_ended_is_known_by_its_file)
{
	leave_copy(50);
	ck_assert_str_eq(ask(), "find_mapping");
}

/* The time of a change may be rounded down to the previous tick. */
TEST(test_a_file_that_has_changed_since_it_was_mapped_is_not_taken)
{
	static const int64_t after_ms[] = {-1000, -1, 5};

	for (size_t i = 0; i < COUNT_OF(after_ms); i++) {
		leave_copy(after_ms[i]);
		ck_assert_str_eq(ask(), "");
		ck_assert_int_eq(answer.state, SYMBOLS_NONE);
	}
}

/* The pid belongs to a process that began later than the one in question. */
TEST(test_a_process_that_has_the_pid_of_another_is_not_taken)
{
	question.pid_since_ns = 1;
	strcpy(question.path, "/no/such/program");
	ck_assert_str_eq(ask(), "");
}

TEST(test_only_ELF_files_are_opened)
{
	static const char *const paths[] = {"/etc/passwd", "/", "/dev/zero", "/no/such", "", "x"};

	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		struct stat st = {.st_ino = 1};

		ck_assert(!stat(paths[i], &st) || errno == ENOENT);
		question = (struct symbol_question){.place = {0, SYMBOL_NO_FILE},
						    .mapping = {.since_ns = clock_monotonic()},
						    .pid = NO_PID,
						    .inode = st.st_ino};
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
	question.place.file = 7; /* number that no file has */
	ck_assert_str_eq(ask(), "it has ended");
	ck_assert_int_eq(symbol_process_next(&process, 0, &answer), -ECHILD);
}

/* The last of the processes has the other end of the answers. */
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
