/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

EACH_IN_A_PROCESS

/* Text written to standard error from now on. */
static FILE *said;

static void set_up(void)
{
	said = tmpfile();
	ck_assert_ptr_nonnull(said);
	ck_assert_int_eq(dup2(fileno(said), STDERR_FILENO), STDERR_FILENO);
	unsetenv("JOURNAL_STREAM");
}

FIXTURE(set_up, NULL)

static void assert_said(const char *expected)
{
	char text[256];

	rewind(said);
	text[fread(text, 1, sizeof(text) - 1, said)] = '\0';
	ck_assert_str_eq(text, expected);
}

static void say_all(enum verbosity verbosity)
{
	const struct log log = messages_log(verbosity);

	log_write(&log, LEVEL_WARNING, "%s", "a warning");
	log_write(&log, LEVEL_NOTE, "%s", "a note");
	log_write(&log, LEVEL_DETAIL, "%s", "a detail");
}

static const struct {
	enum verbosity verbosity;
	const char *said;
} loudness[] = {
	{QUIET, ""},
	{NOT_VERBOSE, "cxlmon: a warning\ncxlmon: a note\n"},
	{VERBOSE, "cxlmon: a warning\ncxlmon: a note\ncxlmon: a detail\n"},
};

TEST_LOOP(test_details_are_for_the_verbose_and_nothing_for_the_quiet, COUNT(loudness))
{
	say_all(loudness[_i].verbosity);
	assert_said(loudness[_i].said);
}

TEST(test_errors_are_said_always)
{
	messages_error(&(const struct error){.text = "it broke"});
	assert_said("cxlmon: it broke\n");
}

/* JOURNAL_STREAM names the file of standard error at the start of the service. */
TEST_LOOP(test_lines_in_the_journal_have_priorities, 2)
{
	const bool elsewhere = _i;
	char stream[64];
	struct stat st;

	ck_assert_int_eq(fstat(STDERR_FILENO, &st), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev,
		 (uintmax_t)st.st_ino + elsewhere);
	setenv("JOURNAL_STREAM", stream, 1);
	say_all(VERBOSE);
	messages_error(&(const struct error){.text = "it broke"});
	assert_said(elsewhere ? "cxlmon: a warning\ncxlmon: a note\ncxlmon: a detail\n"
				"cxlmon: it broke\n"
			      : "<4>cxlmon: a warning\n<6>cxlmon: a note\n<7>cxlmon: a detail\n"
				"<3>cxlmon: it broke\n");
}
