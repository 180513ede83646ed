/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/playback.h"

#include "unit.h"

TREE_FIXTURE(NULL, NULL)

#define MOST_WORDS 5

static const struct playback_operands replayed = {1, true, "FILE is missing", "FILE [INTERVAL]"},
				      of_hosts = {1, true, "FILE is missing", "FILE... [INTERVAL]",
						  true},
				      drawn = {1, false, "FILE is missing", "FILE...", true},
				      compared = {2, false, "A and B are missing", "A B"};

static const struct {
	const struct playback_operands *operands;
	const char *words[MOST_WORDS];
	uint64_t interval_ns;
	const char *refused; /* refusal; NULL: accepted */
} lines[] = {
	{&replayed, {"a"}, 0, NULL},
	{&replayed, {"a", "2"}, 2000000000, NULL},
	{&replayed, {"a", "b"}, 0, "interval 'b'"},
	{&replayed, {"a", "2", "3"}, 0, "try: unexpected argument '3': FILE [INTERVAL]"},
	{&replayed, {NULL}, 0, "try: FILE is missing"},
	{&replayed, {"", "2"}, 0, "try: FILE is missing"},
	{&of_hosts, {"a", "b", "c", "2"}, 2000000000, NULL},
	{&of_hosts, {"a", "b", "c"}, 0, NULL},
	{&of_hosts, {"1"}, 0, NULL},
	{&of_hosts, {"a", "1", "2"}, 0, "try: unexpected argument '2': FILE... [INTERVAL]"},
	{&of_hosts, {"a", "1", "b"}, 0, "try: unexpected argument 'b': FILE... [INTERVAL]"},
	{&of_hosts, {"a", "b", "a"}, 0, "try: 'a' is given twice"},
	{&of_hosts, {"a", "b", ""}, 0, "try: FILE is missing"},
	{&of_hosts, {"a", "b", "1us"}, 0, "interval out of range '1us'"},
	{&drawn, {"a", "b", "2"}, 0, NULL},
	{&drawn, {"a.html", "b"}, 0, NULL},
	{&drawn, {"a", "b.html", "c.html"}, 0, "try: unexpected argument 'b.html': FILE..."},
	{&of_hosts,
	 {"a", "b.html", "1"},
	 0,
	 "try: unexpected argument 'b.html': FILE... [INTERVAL]"},
	{&compared, {"a", "b"}, 0, NULL},
	{&compared, {"a"}, 0, "try: A and B are missing"},
	{&compared, {"a", ""}, 0, "try: A and B are missing"},
	{&compared, {"a", "b", "2"}, 0, "try: unexpected argument '2': A B"},
};

TEST_LOOP(test_operands_are_recordings_and_then_an_interval, COUNT_OF(lines))
{
	const struct subcommand try = {.name = "try"};
	struct options options = {.subcommand = &try, .operands = (char **)lines[_i].words};
	struct error err = {0};
	size_t count = 0;

	while (lines[_i].words[count])
		count++;
	options.operand_count = count;
	const int rc = playback_begin(&options, lines[_i].operands, &err);
	if (lines[_i].refused) {
		ck_assert_int_eq(rc, -EINVAL);
		ck_assert_int_eq(err.kind, ERROR_USAGE);
		assert_contains(err.text, lines[_i].refused);
		return;
	}
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(options.session.interval_ns, lines[_i].interval_ns);
}

/* Applies to each of the recordings. */
TEST_LOOP(test_no_recording_is_overwritten_by_what_is_made_of_it, 2)
{
	const struct subcommand try = {.name = "try"};
	char *words[] = {(char *)tree_path("a"), (char *)tree_path("b")};
	struct options options = {.subcommand = &try,
				  .operands = words,
				  .operand_count = COUNT_OF(words),
				  .output = words[_i]};
	struct error err = {0};

	tree_file("a", "%s", "");
	tree_file("b", "%s", "");
	ck_assert_int_eq(playback_begin(&options, &compared, &err), -EINVAL);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	assert_contains(err.text, "is the recording that is being read");
	options.output = (char *)tree_path("c");
	ck_assert_int_eq(playback_begin(&options, &compared, &err), 0);
}
