/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/subcommands.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli/options.h"
#include "platform/habits.h"
#include "platform/text.h"

const struct subcommand subcommands[] = {
	{"info", cmd_info, "show this machine's processor, uncore units and CXL ports"},
	{"doctor", cmd_doctor,
	 "check what monitoring needs here, and show how to fix what is missing"},
	{"list", cmd_list, "list the metrics and events of this processor"},
	{"serve", cmd_serve, "serve OpenMetrics over HTTP, for Prometheus"},
	{"snapshot", cmd_snapshot, "save what is needed to simulate this machine elsewhere"},
	{"record", cmd_record, "record samples in a file"},
	{"replay", cmd_replay, "print the samples of a recording, in any format"},
	{"report", cmd_report, "draw a recording as an HTML page"},
	{"compare", cmd_compare, "compare two recordings, and say what differs"},
	{"verify", cmd_verify, "compare the kernel's counts with the registers"},
	{"selftest", cmd_selftest, "move known traffic, and compare it with the counters"},
	{"sweep", cmd_sweep, "measure latency from no load to the most, as a recording"},
	{"who", cmd_who, "show which processes have memory on CXL nodes"},
	{"restore", cmd_restore, "restore registers that a killed run left programmed"},
	{"allowlist", cmd_allowlist, "print the MSR allowlist for the msr-safe module"},
	{"msr", cmd_msr, "read or write a model-specific register"},
	{"pci", cmd_pci, "read or write a register in PCI configuration space"},
	{"mmio", cmd_mmio, "read or write a memory-mapped register"},
	{"help", NULL, "explain the options of a topic, or a subcommand"},
	{"version", cmd_version, "show the version"},
	{.name = NULL},
};

#define INTERVAL "an interval such as 1, 0.5, 500ms or 100us"

/* Options with a value that subcommands have and the monitor does not. */
static const char *const valued_options[] = {"listen", "cpu", "bytes",	 "seconds",
					     "from",   "to",  "fail-if", NULL};

const struct subcommand *subcommand_named(const char *name)
{
	const struct subcommand *s = subcommands;

	while (s->name && strcmp(s->name, name) != 0)
		s++;
	return s->name ? s : NULL;
}

static bool begins_like_an_interval(const char *word)
{
	return isdigit((unsigned char)word[word[0] == '.']);
}

static int refuse_word(const char *word, struct error *err)
{
	struct text_nearest nearest = text_nearest_start(word);
	const char *hint = habit_hint(HABIT_OPERAND, word);

	for (const struct subcommand *s = subcommands; s->name; s++)
		text_nearest_add(&nearest, s->name);
	if (hint)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "'%s' is neither a subcommand nor an interval: %s",
				 quoted(word).text, hint);
	if (nearest.name)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "'%s' is neither a subcommand nor " INTERVAL
				 ": did you mean '%s'?",
				 quoted(word).text, nearest.name);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "'%s' is neither a subcommand nor an interval: expected a subcommand (see "
			 "cxlmon --help), " INTERVAL ", or -- COMMAND as in: cxlmon -- %s",
			 quoted(word).text, quoted(word).text);
}

/* `cxlmon 1 list`: the monitor would only say that COUNT is a number. */
static int refuse_late_subcommand(const char *name, struct error *err)
{
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "'%s' after an interval is not a count of samples: expected a whole "
			 "number from 1, or the subcommand without an interval: cxlmon %s",
			 name, name);
}

int subcommand_find(int argc, char **argv, const struct subcommand **out, struct error *err)
{
	const int first = options_operand(argc, argv, 0, valued_options);
	const int second = options_operand(argc, argv, 1, valued_options);
	char *word = argv[first];

	*out = first < argc ? subcommand_named(word) : NULL;
	if (*out) {
		memmove(argv + 2, argv + 1, (size_t)(first - 1) * sizeof(*argv));
		argv[1] = word;
		return 0;
	}
	if (first < argc && !begins_like_an_interval(word))
		return refuse_word(word, err);
	if (second < argc && subcommand_named(argv[second]))
		return refuse_late_subcommand(argv[second], err);
	return 0;
}
