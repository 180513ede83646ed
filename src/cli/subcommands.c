/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/subcommands.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli/options.h"
#include "platform/text.h"

static const struct subcommand subcommands[] = {
	{"info", cmd_info, "show this machine's processor, uncore units and CXL ports"},
	{"doctor", cmd_doctor,
	 "check what monitoring needs here, and show how to fix what is missing"},
	{"list", cmd_list, "list the metrics and events of this processor"},
	{"serve", cmd_serve, "serve OpenMetrics over HTTP, for Prometheus"},
	{"snapshot", cmd_snapshot, "save what is needed to simulate this machine elsewhere"},
	{"record", cmd_record, "record samples in a file"},
	{"replay", cmd_replay, "print the samples of a recording, in any format"},
	{"report", cmd_report, "draw a recording as an HTML page"},
	{"verify", cmd_verify, "compare the kernel's counts with the registers"},
	{"restore", cmd_restore, "restore registers that a killed run left programmed"},
	{"allowlist", cmd_allowlist, "print the MSR allowlist for the msr-safe module"},
	{"msr", cmd_msr, "read or write a model-specific register"},
	{"pci", cmd_pci, "read or write a register in PCI configuration space"},
	{"mmio", cmd_mmio, "read or write a memory-mapped register"},
	{.name = NULL},
};

#define INTERVAL "an interval such as 1, 0.5, 500ms or 100us"

/* Options with a value that subcommands have and the monitor does not. */
static const char *const valued_options[] = {"listen", "cpu", "bytes", "from", "to", NULL};

static const struct subcommand *named(const char *name)
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

	for (const struct subcommand *s = subcommands; s->name; s++)
		text_nearest_add(&nearest, s->name);
	if (nearest.name)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "'%s' is neither a subcommand nor " INTERVAL
				 ": did you mean '%s'?",
				 quoted(word).text, nearest.name);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "'%s' is neither a subcommand nor an interval: expected a subcommand (see "
			 "cxlmon --help), " INTERVAL ", or -- COMMAND",
			 quoted(word).text);
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

	*out = first < argc ? named(word) : NULL;
	if (*out) {
		memmove(argv + 2, argv + 1, (size_t)(first - 1) * sizeof(*argv));
		argv[1] = word;
		return 0;
	}
	if (first < argc && !begins_like_an_interval(word))
		return refuse_word(word, err);
	if (second < argc && named(argv[second]))
		return refuse_late_subcommand(argv[second], err);
	return 0;
}

void subcommands_help(FILE *out)
{
	fputs("Usage: cxlmon [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"
	      "       cxlmon [OPTION]... SUBCOMMAND [OPTION]...\n"
	      "Monitors the CXL ports of this machine: bandwidth, latency, queues and link errors.\n"
	      "\n"
	      "INTERVAL is the time between samples: seconds, or such as 500ms or 100us (default 1).\n"
	      "COUNT is the number of samples (default: until Ctrl-C, or until COMMAND ends).\n"
	      "\n",
	      out);
	options_help(out);
	fputs("\n"
	      "Subcommands (options may stand before or after; SUBCOMMAND --help lists them):\n",
	      out);
	for (const struct subcommand *s = subcommands; s->name; s++)
		fprintf(out, "      %-18s %s\n", s->name, s->help);
	fputs("\n"
	      "Exit status: 0 success (or COMMAND's own), 1 failed while running, 2 wrong usage,\n"
	      "3 nothing to monitor on this machine, 4 no permission, 5 counters in use,\n"
	      "128+n ended by signal n (but 0 for Ctrl-C after a sample).\n"
	      "\n"
	      "  sudo cxlmon 1                      a live screen; q quits\n"
	      "  sudo cxlmon 0.1 100 --csv > t.csv  100 samples at 10 Hz, for a script\n"
	      "  sudo cxlmon 1 --csv -- ./work      samples until ./work ends\n"
	      "  cxlmon --sim=spr 1                 simulated: no hardware, no root\n",
	      out);
}
