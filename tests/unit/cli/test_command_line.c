/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common.h"

#include "line.h"
#include "unit.h"

static struct error err;

static const struct {
	const char *words[MAX_WORDS];
	const char *expected[MAX_WORDS]; /* the subcommand's words, name first */
} found[] = {
	{{"info"}, {"info"}},
	{{"info", "--sim=spr"}, {"info", "--sim=spr"}},
	{{"--sim=spr", "info"}, {"info", "--sim=spr"}},
	{{"--sim", "spr", "info", "--json"}, {"info", "--sim", "spr", "--json"}},
	{{"-v", "doctor"}, {"doctor", "-v"}},
	{{"-qv", "doctor"}, {"doctor", "-qv"}},
	{{"--root", "doctor", "list"}, {"list", "--root", "doctor"}},
	{{"--backend=raw", "-q", "list", "-v", "p"}, {"list", "--backend=raw", "-q", "-v", "p"}},
	{{"-m", "all", "record", "f", "1", "2"}, {"record", "-m", "all", "f", "1", "2"}},
	{{"-vm", "all", "record", "f", "--", "list"}, {"record", "-vm", "all", "f", "--", "list"}},
	{{"-o", "page", "report", "f"}, {"report", "-o", "page", "f"}},
	/* only the subcommand's word is removed */
	{{"record", "record"}, {"record", "record"}},
	{{"-h", "list", "list"}, {"list", "-h", "list"}},
	/* options of the subcommand that the monitor does not have */
	{{"--listen", "[::]:80", "serve"}, {"serve", "--listen", "[::]:80"}},
	{{"--cpu", "3", "register", "read", "1"}, {"register", "--cpu", "3", "read", "1"}},
	{{"--unsafe", "--bytes", "4", "register"}, {"register", "--unsafe", "--bytes", "4"}},
	/* options of another subcommand, or of none, which the subcommand refuses */
	{{"--listen=1", "info"}, {"info", "--listen=1"}},
	{{"--bogus", "-x", "info"}, {"info", "--bogus", "-x"}},
	{{"-i=10", "info"}, {"info", "-i=10"}},
	/* beginnings of names, which getopt_long() also takes */
	{{"--soc", "0", "serve"}, {"serve", "--soc", "0"}},
	{{"help"}, {"help"}},
	{{"help", "list"}, {"help", "list"}},
	{{"-q", "version"}, {"version", "-q"}},
};

TEST_LOOP(test_options_before_a_subcommand_are_passed_to_it, COUNT_OF(found))
{
	struct line line = line_of(found[_i].words);
	const struct subcommand *subcommand = subcommand_find(line.argc, line.argv);

	ck_assert_str_eq(subcommand->name, found[_i].expected[0]);
	for (int i = 1; i < line.argc; i++)
		ck_assert_str_eq(line.argv[i], found[_i].expected[i - 1]);
	ck_assert_ptr_null(line.argv[line.argc]);
}

static const struct {
	const char *words[MAX_WORDS];
} monitor[] = {
	{{NULL}},
	{{"1", "10"}},
	{{".5"}},
	{{"500ms"}},
	{{"1m"}}, /* the monitor explains what an interval is */
	{{"--sim=spr", "1"}},
	{{"--sim", "info", "1"}}, /* a value that reads like a subcommand's name */
	{{"-o", "list", "1"}},
	{{"-qo", "list"}},
	{{"--output", "list"}},
	{{"1", "-o", "list"}},
	{{"1", "--", "list"}},
	{{"--", "list"}},
	{{"-q", "--", "info"}},
	{{"--help"}},
	{{"--sim"}},
	{{"-1"}},
	/* the monitor refuses the option before the words after it */
	{{"-x", ","}},
	{{"-a", "sleep", "1"}},
};

TEST_LOOP(test_without_a_subcommand_the_monitor_gets_the_line_unchanged, COUNT_OF(monitor))
{
	struct line line = line_of(monitor[_i].words);

	ck_assert_ptr_eq(subcommand_find(line.argc, line.argv), &cmd_monitor);
	for (int i = 1; i < line.argc; i++)
		ck_assert_ptr_eq(line.argv[i], monitor[_i].words[i - 1]);
}

static const struct {
	const char *words[MAX_WORDS];
	const char *expected;
} refused[] = {
	{{"frobnicate"}, "'frobnicate' is neither a subcommand nor an interval: expected"},
	{{"frobnicate"}, "a subcommand (see cxlmon --help)"},
	{{"frobnicate"}, "an interval such as 1, 0.5, 500ms or 100us"},
	{{"work", "-l"}, "or -- COMMAND as in: cxlmon -- work"},
	{{"stat"}, "expected an interval as in: cxlmon 1, or with a command: cxlmon 1 -- COMMAND"},
	{{"watch"}, "expected an interval as in: cxlmon 1, or with a command: cxlmon 1 -- COMMAND"},
	{{"ps"}, "expected top for processes that use CXL memory, live; who or hot for scripts"},
	{{"htop"}, "expected top for processes"},
	{{"processes"}, "expected top for processes"},
	{{"ls"}, "expected list for metrics and events, or info for what this machine has"},
	{{"status"}, "expected doctor"},
	{{"exporter"}, "expected serve"},
	{{"diff"}, "expected compare"},
	{{"log"}, "expected record"},
	{{"bw"}, "expected -m before a group of metrics"},
	{{"latency"}, "expected -m before a group of metrics"},
	{{"link", "--json"}, "expected -m before a group of metrics"},
	{{"plot"}, "expected record, and then report"},
	{{"sleep", "5"}, "or -- COMMAND as in: cxlmon -- sleep"},
	{{"-e", "cycles", "instructions", "1"}, "expected an -e for each event"},
	{{"unc_cha_clockticks"}, "expected an -e for each event"},
	{{"docter"}, "'docter' is neither a subcommand nor an interval"},
	{{"docter"}, "did you mean 'doctor'?"},
	{{"docter"}, "500ms or 100us"},
	{{"--sim", "spr", "inf"}, "did you mean 'info'?"},
	{{"Doctor"}, "did you mean 'doctor'?"},
	{{"./work"}, "or -- COMMAND"},
	{{""}, "'' is neither"},
	{{"-"}, "'-' is neither"},
	{{"1", "list"}, "'list' after an interval is not a count of samples"},
	{{"1", "--sim=spr", "list"}, "cxlmon list"},
	/* the subcommand explains an option that the monitor does not have, or a wrong value */
	{{"1", "--listen=:9", "serve"}, "'serve' after an interval is not a count of samples"},
	{{"1", "--listen", ":9", "serve"}, "'serve' after an interval is not a count of samples"},
	{{"1", "-m", "bogus", "list"}, "'list' after an interval is not a count of samples"},
	{{"--listen=:9", "1", "serve"}, "'serve' after an interval is not a count of samples"},
	{{"1x", "list"}, "'list' after an interval is not a count of samples"},
	{{"-m", "bogus", "lst"}, "did you mean 'list'?"},
	/* the subcommand does not explain another mistake */
	{{"1", "x", "list"}, "not a count of samples 'x'"},
	{{"--quite", "lst"}, "did you mean --quiet?"},
	{{"--quite", "lst", "list"}, "did you mean --quiet?"},
	{{"--quite", "1", "2", "list"}, "did you mean --quiet?"},
	{{"frobnicate", "list"}, "'frobnicate' is neither"},
	/* options that a subcommand does not take */
	{{"replay", "--sim=spr", "run"}, "replay: unknown option '--sim=spr'"},
	{{"info", "--csv"}, "info: unknown option '--csv'"},
	{{"info", "-n", "1"}, "info: unknown option '-n'"},
	{{"info", "--sin=spr"}, "info: unknown option '--sin=spr': did you mean --sim?"},
	{{"list", "--bogus", "--nonsense"}, "list: unknown option '--bogus'"},
	{{"serve", "--host"}, "only a recording has '--host'"},
	{{"snapshot", "--backend=perf", "-"}, "snapshot: unknown option '--backend=perf'"},
	{{"top", "-b", "-n", "1"},
	 "top: not an option here '-n': the number of samples follows the interval: cxlmon top 1 10"},
	{{"who", "-d", "1"},
	 "who: not an option here '-d': expected the interval without an option, in seconds or such as 500ms: cxlmon who 1"},
	{{"top", "-u", "root"},
	 "top: not an option here '-u': expected --by=user for rows of users, or -p for only some processes"},
	{{"top", "-H"},
	 "top: not an option here '-H': expected no such option: the row of a process has all of its threads"},
	{{"info", "-u", "root"}, "info: unknown option '-u'"},
	{{"list", "-m", "all"},
	 "list: not an option here '-m': expected -m for record, which measures groups, or for replay, which shows some"},
};

static int parse(int argc, char **argv)
{
	const struct subcommand *subcommand = subcommand_find(argc, argv);
	const int named = subcommand != &cmd_monitor;
	struct options options = options_init(subcommand);
	const int rc = subcommand_parse(argc - named, argv + named, &options, &err);

	options_free(&options);
	return rc;
}

TEST_LOOP(test_a_word_that_is_neither_subcommand_nor_interval_is_refused, COUNT_OF(refused))
{
	struct line line = line_of(refused[_i].words);

	assert_refusal(parse(line.argc, line.argv), &err, refused[_i].expected);
}
