/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines, one word per line. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/common.h"
#include "cli/options.h"
#include "fuzz.h"

#define MOST_WORDS 200

/* Hints after an error. */
static const char *const hints[] = {
	"expected",
	"cxlmon --help",
	"the number of samples follows the interval",
	"did you mean",
};

static void check_refusal(int rc, const struct error *err)
{
	bool hinted = false;

	fuzz_check_usage(rc, err);
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		hinted = hinted || strstr(err->text, hints[i]);
	fuzz_require(hinted);
}

/* Splits text into words, in place. */
static int split(char *text, char **words)
{
	int count = 0;

	words[count++] = (char *)"cxlmon";
	for (char *word; text && count <= MOST_WORDS && (word = strsep(&text, "\n"));)
		words[count++] = word;
	words[count] = NULL;
	return count;
}

static void check_options(const struct options *o, char **words, int count)
{
	const char *const lists[] = {o->session.view.sockets, o->session.view.ports};

	fuzz_require(o->session.interval_ns >= 100000 && o->session.root && *o->session.root);
	fuzz_require(o->session.view.groups || o->session.events.count ||
		     o->session.metrics.count || o->session.metric_files.count);
	fuzz_require(o->session.events.count <= OPTION_STRINGS_MOST &&
		     o->session.event_files.count <= OPTION_STRINGS_MOST);
	for (size_t i = 0; i < o->session.events.count; i++)
		fuzz_require(o->session.events.at[i]);
	for (size_t i = 0; i < o->session.event_files.count; i++)
		fuzz_require(o->session.event_files.at[i]);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		fuzz_require(!lists[i] || numlist_valid(lists[i]));
	fuzz_require(!o->output || *o->output);
	fuzz_require(o->verbosity <= VERBOSE);
	fuzz_require(o->session.view.finest < SCOPE_COUNT && o->session.freeze <= FREEZE_NEVER);
	if (o->command)
		fuzz_require(o->command > words && o->command < words + count && *o->command);
}

/* Checks that parsing does not depend on earlier parsing. */
static void check_again(const struct options *o, char **words, int count)
{
	struct options again = options_init(&cmd_monitor);

	fuzz_require(!subcommand_parse(count, words, &again, NULL));
	fuzz_require(again.session.interval_ns == o->session.interval_ns &&
		     again.count == o->count);
	fuzz_require(again.command == o->command && again.rotate_ms == o->rotate_ms);
	fuzz_require(again.format == o->format &&
		     again.session.events.count == o->session.events.count);
	options_free(&again);
}

/* Checks that no word is lost: the subcommand comes first, the others keep their order. */
static void check_subcommand(char **words, int count)
{
	char *moved[MOST_WORDS + 2];
	int name = 1;

	memcpy(moved, words, (size_t)(count + 1) * sizeof(*words));
	const struct subcommand *subcommand = subcommand_find(count, moved);
	if (subcommand == &cmd_monitor) {
		fuzz_require(!memcmp(moved, words, (size_t)count * sizeof(*words)));
		return;
	}
	fuzz_require(count > 1 && !strcmp(moved[1], subcommand->name));
	while (words[name] != moved[1])
		name++;
	for (int i = 1; i < count; i++)
		fuzz_require(words[i] == moved[i == name ? 1 : i < name ? i + 1 : i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	char *text = input_text(&in), *words[MOST_WORDS + 2];
	struct options options = options_init(&cmd_monitor);
	struct error err = {0};
	const int count = split(text, words);

	check_subcommand(words, count);
	int rc = subcommand_parse(count, words, &options, &err);

	if (rc) {
		check_refusal(rc, &err);
	} else {
		check_options(&options, words, count);
		check_again(&options, words, count);
	}
	options_free(&options);
	free(text);
	return 0;
}
