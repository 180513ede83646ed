/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <fnmatch.h>
#include <stddef.h>

#define INTERVAL  "expected the interval without an option, in seconds or such as 500ms: cxlmon 1"
#define COUNT	  "the number of samples follows the interval: cxlmon 1 10"
#define EVENT	  "expected an -e for each event, and quotes around braces: -e '{A,B}'"
#define LIST	  "expected the subcommand list: cxlmon list"
#define SLEEP	  "expected a subcommand, an interval, or -- COMMAND as in: cxlmon -- sleep"
#define GROUP	  "expected -m before a group of metrics, as in: cxlmon -m cxl,latency,link 1"
#define RECORDED  "expected -m for record, which measures groups, or for replay, which shows some"
#define MONITOR	  "expected an interval as in: cxlmon 1, or with a command: cxlmon 1 -- COMMAND"
#define CHECK	  "expected doctor, which says what works here, or explain, which says what limits CXL"
#define SCRAPED	  "expected serve, for Prometheus: cxlmon serve"
#define NAMES	  "expected list for metrics and events, or info for what this machine has"
#define PROCESSES "expected top for processes that use CXL memory, live; who or hot for scripts"
#define USERS	  "expected --by=user for rows of users, or -p for only some processes"
#define THREADS	  "expected no such option: the row of a process has all of its threads"
#define REGISTER  "expected the subcommand register: cxlmon register --help"
#define PROGRAM	  "expected a number, or -- before a program to measure: cxlmon 1 -- PROGRAM"

/* Table of habits: the first row that matches holds. */
static const struct habit {
	enum habit_place place;
	const char *pattern; /* pattern of fnmatch() */
	const char *hint;
} habits[] = {
	/* pcm */
	{HABIT_TIME, "-i=*", COUNT},
	{HABIT_OPTION, "-csv*", "expected --csv, and -o FILE for a file"},
	{HABIT_OPTION, "-silent", "expected -q"},
	/* perf stat -I MS -a -x, */
	{HABIT_TIME, "-I", INTERVAL},
	{HABIT_TIME, "-I[0-9]*", INTERVAL},
	{HABIT_OPTION, "-a", "expected no such option: the whole machine is always measured"},
	{HABIT_OPTION, "-x*", "expected --csv"},
	{HABIT_OPTION, "-l", LIST},
	{HABIT_OPTION, "--list", LIST},
	/* turbostat -i S -n N, top -d S -n N */
	{HABIT_TIME, "-i", INTERVAL},
	{HABIT_TIME, "-i[0-9.]*", INTERVAL},
	{HABIT_TIME, "--interval*", INTERVAL},
	{HABIT_TIME, "-d", INTERVAL},
	{HABIT_TIME, "-d[0-9.]*", INTERVAL},
	{HABIT_TIME, "--delay*", INTERVAL},
	{HABIT_TIME, "-n", COUNT},
	{HABIT_TIME, "-n[0-9]*", COUNT},
	{HABIT_TIME, "--num_iterations*", COUNT},
	{HABIT_TIME, "--iterations*", COUNT},
	{HABIT_TIME, "-c", COUNT},
	{HABIT_TIME, "-c[0-9]*", COUNT},
	{HABIT_TIME, "--count*", COUNT},
	{HABIT_SUBCOMMAND, "-m*", RECORDED},
	{HABIT_SUBCOMMAND, "--metrics*", RECORDED},
	/* top -u USER -H, htop -u USER */
	{HABIT_PROCESSES, "-[uU]*", USERS},
	{HABIT_PROCESSES, "--user*", USERS},
	{HABIT_PROCESSES, "-H", THREADS},
	{HABIT_PROCESSES, "--threads*", THREADS},
	{HABIT_OPTION, "--prometheus", "expected the subcommand serve: cxlmon serve"},

	{HABIT_OPERAND, "*event=*", EVENT},
	{HABIT_OPERAND, "*[{}]*", EVENT},
	{HABIT_OPERAND, "[Uu][Nn][Cc]_*", EVENT},
	{HABIT_OPERAND, "OCR.*", EVENT},
	{HABIT_OPERAND, "cycles", EVENT},
	{HABIT_OPERAND, "cpu-cycles", EVENT},
	{HABIT_OPERAND, "instructions", EVENT},
	{HABIT_NUMBER, "[A-Za-z~/]*", PROGRAM},
	{HABIT_NUMBER, "./*", PROGRAM},
	{HABIT_OPERAND, "stat", MONITOR},
	{HABIT_OPERAND, "monitor", MONITOR},
	{HABIT_OPERAND, "watch", MONITOR},
	{HABIT_OPERAND, "*[bhvn]top", PROCESSES},
	{HABIT_OPERAND, "ps", PROCESSES},
	{HABIT_OPERAND, "process*", PROCESSES},
	{HABIT_OPERAND, "numastat", PROCESSES},
	{HABIT_OPERAND, "ls", NAMES},
	{HABIT_OPERAND, "events", NAMES},
	{HABIT_OPERAND, "metrics", NAMES},
	{HABIT_OPERAND, "check", CHECK},
	{HABIT_OPERAND, "status", CHECK},
	{HABIT_OPERAND, "prometheus", SCRAPED},
	{HABIT_OPERAND, "exporter", SCRAPED},
	{HABIT_OPERAND, "*msr", REGISTER},
	{HABIT_OPERAND, "setpci", REGISTER},
	{HABIT_OPERAND, "allowlist", REGISTER},
	{HABIT_OPERAND, "diff", "expected compare, of two recordings"},
	{HABIT_OPERAND, "log", "expected record, and then replay"},
	{HABIT_OPERAND, "bandwidth", GROUP},
	{HABIT_OPERAND, "bw", GROUP},
	{HABIT_OPERAND, "cxl", GROUP},
	{HABIT_OPERAND, "core", GROUP},
	{HABIT_OPERAND, "queue", GROUP},
	{HABIT_OPERAND, "latency", GROUP},
	{HABIT_OPERAND, "dram", GROUP},
	{HABIT_OPERAND, "link", GROUP},
	{HABIT_OPERAND, "csv", "expected --csv"},
	{HABIT_OPERAND, "plot", "expected record, and then report, which draws charts of it"},
	/* perf stat sleep S: not a misspelt "sweep" */
	{HABIT_OPERAND, "sleep", SLEEP},
};

const char *habit_hint(enum habit_place place, const char *word)
{
	for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++)
		if ((habits[i].place == place ||
		     (habits[i].place == HABIT_TIME && place == HABIT_OPTION) ||
		     (habits[i].place == HABIT_SUBCOMMAND && place == HABIT_PROCESSES) ||
		     (habits[i].place == HABIT_OPERAND && place == HABIT_NUMBER)) &&
		    !fnmatch(habits[i].pattern, word, 0))
			return habits[i].hint;
	return NULL;
}
