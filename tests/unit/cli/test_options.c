/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common.h"

#include "line.h"
#include "unit.h"

#define S UINT64_C(1000000000) /* ns */

static struct error err;
static struct options o;

static void tear_down(void)
{
	options_free(&o);
}

static int parse_line(struct line *line)
{
	return subcommand_parse(line->argc, line->argv, &o, &err);
}

static void parse(struct line *line)
{
	options_free(&o);
	o = options_init(&cmd_monitor);
	ck_assert_msg(!parse_line(line), "%s", err.text);
}

/* Asserts the options; members that are 0 in expected have their default. */
static void assert_options(const struct options *expected)
{
	const char *groups = expected->session.view.groups, *root = expected->session.root;

	ck_assert_uint_eq(o.session.interval_ns,
			  expected->session.interval_ns ? expected->session.interval_ns : S);
	ck_assert_uint_eq(o.count, expected->count);
	ck_assert_ptr_eq(o.format, expected->format);
	ck_assert_pstr_eq(o.output, expected->output);
	ck_assert_str_eq(o.session.view.groups, groups ? groups : "cxl,latency,dram");
	ck_assert_int_eq(o.session.view.finest, expected->session.view.finest
							? expected->session.view.finest
							: SCOPE_PORT);
	ck_assert_int_eq(o.session.view.latency, expected->session.view.latency);
	ck_assert_pstr_eq(o.session.view.sockets, expected->session.view.sockets);
	ck_assert_pstr_eq(o.session.view.ports, expected->session.view.ports);
	ck_assert_pstr_eq(o.session.view.devices, expected->session.view.devices);
	ck_assert_pstr_eq(o.session.view.nodes, expected->session.view.nodes);
	ck_assert_pstr_eq(o.session.sim, expected->session.sim);
	ck_assert_str_eq(o.session.root, root ? root : "/");
	ck_assert_int_eq(o.session.freeze, expected->session.freeze);
	ck_assert_int_eq(o.append, expected->append);
	ck_assert_int_eq(o.no_header, expected->no_header);
	ck_assert_int_eq(o.plain, expected->plain);
	ck_assert_double_eq(o.link_GBps, expected->link_GBps);
	ck_assert_int_eq(o.groups_chosen, groups != NULL);
	ck_assert_int_eq(o.verbosity, expected->verbosity);
	ck_assert_int_eq(o.help, expected->help);
	ck_assert_pstr_eq(o.help_topic, expected->help_topic);
	ck_assert_int_eq(o.version, expected->version);
}

static const struct {
	const char *words[MAX_WORDS];
	struct options expected;
} accepted[] = {
	{{NULL}, {.count = 0}},
	/* every option, in each of its forms */
	{{"-f", "csv"}, {.format = &format_csv}},
	{{"-fcsv"}, {.format = &format_csv}},
	{{"--format", "csv"}, {.format = &format_csv}},
	{{"--format=table"}, {.format = &format_table}},
	{{"--csv"}, {.format = &format_csv}},
	{{"--json"}, {.format = &format_json}},
	{{"-fjson"}, {.format = &format_json}},
	{{"--format=openmetrics"}, {.format = &format_openmetrics}},
	{{"-o", "x.csv"}, {.output = "x.csv"}},
	{{"--output=x.csv"}, {.output = "x.csv"}},
	{{"--append", "-o", "f"}, {.output = "f", .append = true}},
	{{"--no-header"}, {.no_header = true}},
	{{"--no-header", "--csv"}, {.format = &format_csv, .no_header = true}},
	{{"-m", "all"}, {.session.view = {.groups = "all"}}},
	{{"--metrics=cxl,all"}, {.session.view = {.groups = "cxl,all"}}},
	{{"-p", "port"}, {.session.view = {.finest = SCOPE_PORT}}},
	{{"-p", "socket"}, {.session.view = {.finest = SCOPE_SOCKET}}},
	{{"--per=system"}, {.session.view = {.finest = SCOPE_SYSTEM}}},
	{{"--per=unit"}, {.session.view = {.finest = SCOPE_PORT}}},
	{{"--latency=rotate"}, {.session.view = {.latency = LATENCY_ROTATE}}},
	{{"-s", "0"}, {.session.view = {.sockets = "0"}}},
	{{"--socket=0,2-3"}, {.session.view = {.sockets = "0,2-3"}}},
	{{"--port=1"}, {.session.view = {.ports = "1"}}},
	{{"--port", "0-1,7"}, {.session.view = {.ports = "0-1,7"}}},
	{{"--device=mem0"}, {.session.view = {.devices = "mem0"}}},
	{{"--device", "mem0,mem12"}, {.session.view = {.devices = "mem0,mem12"}}},
	{{"--device=/dev/cxl/mem0"}, {.session.view = {.devices = "/dev/cxl/mem0"}}},
	{{"--device=mem1,/dev/cxl/mem0"}, {.session.view = {.devices = "mem1,/dev/cxl/mem0"}}},
	{{"--node=2"}, {.session.view = {.nodes = "2"}}},
	{{"--node", "2,4-5"}, {.session.view = {.nodes = "2,4-5"}}},
	{{"--sim=spr,ports=4"}, {.session.sim = "spr,ports=4"}},
	{{"--sim", "gnr"}, {.session.sim = "gnr"}},
	{{"--root=/tmp/x"}, {.session.root = "/tmp/x"}},
	{{"--freeze=auto"}, {.session.freeze = FREEZE_AUTO}},
	{{"--freeze=always"}, {.session.freeze = FREEZE_ALWAYS}},
	{{"--freeze", "never"}, {.session.freeze = FREEZE_NEVER}},
	{{"-q"}, {.verbosity = QUIET}},
	{{"--quiet"}, {.verbosity = QUIET}},
	{{"-v"}, {.verbosity = VERBOSE}},
	{{"--verbose"}, {.verbosity = VERBOSE}},
	{{"-h"}, {.help = true}},
	{{"--help"}, {.help = true}},
	{{"--help=sim"}, {.help = true, .help_topic = "sim"}},
	{{"-V"}, {.version = true}},
	{{"--version"}, {.version = true}},
	/* the last option holds */
	{{"-q", "-v"}, {.verbosity = VERBOSE}},
	{{"-v", "-q"}, {.verbosity = QUIET}},
	{{"--csv", "-f", "table"}, {.format = &format_table}},
	/* options and operands in any order */
	{{"2", "3", "--csv"}, {.session.interval_ns = 2 * S, .count = 3, .format = &format_csv}},
	{{"--csv", "2", "3"}, {.session.interval_ns = 2 * S, .count = 3, .format = &format_csv}},
	{{"2", "--csv", "3"}, {.session.interval_ns = 2 * S, .count = 3, .format = &format_csv}},
	{{"1", "18446744073709551615"}, {.count = UINT64_MAX}},
	{{"2", "-o", "f", "3"}, {.session.interval_ns = 2 * S, .count = 3, .output = "f"}},
	/* letters in one word; the last has its value after it or in the next word */
	{{"-qp", "system"}, {.verbosity = QUIET, .session.view = {.finest = SCOPE_SYSTEM}}},
	{{"-vfcsv"}, {.verbosity = VERBOSE, .format = &format_csv}},
	{{"-hV"}, {.help = true, .version = true}},
	/* a value may look like an option */
	{{"-o", "-q"}, {.output = "-q"}},
	{{"--output", "--csv"}, {.output = "--csv"}},
	{{"--plain"}, {.plain = true}},
	{{"--link-GBps=63.5"}, {.link_GBps = 63.5}},
	/* examples of the help */
	{{"0.1", "100", "--csv"},
	 {.session.interval_ns = S / 10, .count = 100, .format = &format_csv}},
	{{"--sim=spr", "1"}, {.session.sim = "spr"}},
};

FIXTURE(NULL, tear_down)

TEST_LOOP(test_option_is_understood_wherever_it_stands, COUNT(accepted))
{
	struct line line = line_of(accepted[_i].words);

	parse(&line);
	assert_options(&accepted[_i].expected);
	ck_assert_ptr_null(o.command);
}

static const struct {
	const char *words[MAX_WORDS];
	int command; /* index in argv; 0: none */
	struct options expected;
} commands[] = {
	{{"--", "ls"}, 2, {.count = 0}},
	{{"2", "--", "ls", "-l", "--csv"}, 3, {.session.interval_ns = 2 * S}},
	{{"--csv", "--", "ls", "-q", "5"}, 3, {.format = &format_csv}},
	{{"1", "5", "--", "-weird", "-i=10", "-csv"}, 4, {.count = 5}},
	{{"--", "env", "--", "ls"}, 2, {.count = 0}},
	{{"--", "--"}, 2, {.count = 0}},
	{{"--", ""}, 2, {.count = 0}},
	{{"-o", "--", "1"}, 0, {.output = "--"}},
	{{"1", "-o", "--"}, 0, {.output = "--"}},
};

TEST_LOOP(test_everything_behind_the_dashes_is_the_command, COUNT(commands))
{
	struct line line = line_of(commands[_i].words);
	char **expected = commands[_i].command ? &line.argv[commands[_i].command] : NULL;
	const char *first = expected ? *expected : NULL;

	parse(&line);
	assert_options(&commands[_i].expected);
	ck_assert_ptr_eq(o.command, expected);
	if (expected)
		ck_assert_str_eq(o.command[0], first);
}

static const struct {
	const char *words[MAX_WORDS];
	const char *expected;
} refused[] = {
	{{"--what"}, "unknown option '--what'"},
	{{"1", "--what=3"}, "unknown option '--what=3'"},
	{{"-x"}, "not an option here '-x': expected --csv"},
	{{"-qx"}, "unknown option '-qx'"},
	{{"--"}, "nothing after '--': expected a command"},
	{{"1", "-q", "--"}, "nothing after '--': expected a command"},
	{{"-m", "cxl,bogus"}, "'bogus' is not a metric group: expected cxl, latency, dram"},
	{{"--link-GBps=fast"}, "not a link bandwidth 'fast': expected GB/s"},
	{{"--link-GBps=0"}, "expected GB/s from 0.001 to 10000"},
	{{"--link-GBps=inf"}, "expected GB/s from 0.001 to 10000"},
	{{"--note=x", "1"}, "only a recording has '--note': expected cxlmon record FILE"},
	{{"--append"}, "no file for option '--append': expected -o FILE"},
	{{"--append", "-o", "f", "-fopenmetrics"}, "expected table, csv or json"},
	{{"--no-header", "--json"}, "expected csv: only CSV has a header row"},
	{{"--share", "--force"}, "conflicting options '--share --force': expected one of them"},
	{{"--force", "--share"}, "conflicting options '--share --force': expected one of them"},
	{{"--latency=both"}, "expected spatial or rotate"},
	{{"--rotate=0"}, "expected milliseconds from 0.1"},
	{{"--xml"}, "unknown option '--xml'"},
	{{"--csv=1"}, "'--csv=1'"},
	{{"--quiet=yes"}, "'--quiet=yes'"},
	{{"-f"}, "no value for option '-f'"},
	{{"1", "-qf"}, "no value for option '-qf'"},
	{{"--format"}, "no value for option '--format'"},
	{{"-q", "--sim"}, "no value for option '--sim'"},
	{{"-f", "xml"}, "unknown format 'xml': expected table, csv, json or openmetrics"},
	{{"--format="}, "unknown format ''"},
	{{"-f=csv"}, "unknown format '=csv'"},
	{{"--output="}, "expected a file name"},
	{{"--root="}, "expected a directory"},
	{{"-p", "core"}, "unknown scope 'core': expected unit, cpu, port, socket or system"},
	{{"--per="}, "expected unit, cpu, port, socket or system"},
	{{"--freeze=sometimes"}, "expected auto, always or never"},
	{{"--backend=msr"}, "unknown backend 'msr': expected raw, perf or auto"},
	{{"--backend=perf", "--force"}, "--force: with --backend=perf the kernel assigns counters"},
	{{"--freeze=always", "--backend=perf"},
	 "--freeze=always: with --backend=perf counters cannot be frozen"},
	{{"--freeze="}, "expected auto, always or never"},
	{{"--pid=0"}, "not a process '0': expected a PID, or 'command'"},
	{{"--pid=12a"}, "not a process '12a'"},
	{{"--pid=-1"}, "not a process '-1'"},
	{{"--pid=2147483648"}, "not a process '2147483648'"},
	{{"--pid="}, "not a process ''"},
	{{"--pid=command"}, "no command for '--pid=command': expected -- COMMAND"},
	{{"--pid=12", "--backend=raw"}, "'--backend=raw': expected --backend=perf"},
	{{"--pid=12", "-m", "core,cxl"}, "expected -m core, -m stall or both"},
	{{"--pid=12", "-m", "all"}, "expected -m core, -m stall or both"},
	{{"--pid=12", "-e", "cycles"}, "expected -m core, -m stall or both"},
	{{"--pid=12", "--per=cpu"}, "expected no other selection"},
	{{"--pid=12", "-s", "0"}, "expected no other selection"},
	{{"-s", ""}, "expected such as 0 or 0,2-3"},
	{{"--socket=a"}, "expected such as 0 or 0,2-3"},
	{{"--socket=-1"}, "expected such as 0 or 0,2-3"},
	{{"--socket=0,"}, "expected such as 0 or 0,2-3"},
	{{"--port=3-1"}, "expected such as 0 or 0,2-3"},
	{{"--port="}, "expected such as 0 or 0,2-3"},
	{{"--port=1 "}, "expected such as 0 or 0,2-3"},
	{{"--node=x"}, "expected such as 0 or 0,2-3"},
	{{"--device="}, "expected such as mem0 or mem0,mem2"},
	{{"--device=mem0 mem1"}, "expected such as mem0 or mem0,mem2"},
	{{"--device=/dev/mem0"}, "expected such as mem0 or mem0,mem2"},
	{{"--device=mem0/dev/cxl/mem1"}, "expected such as mem0 or mem0,mem2"},
	/* words of PCM's users */
	{{"-i=10"}, "cxlmon 1 10"},
	{{"1", "-i=10"}, "cxlmon 1 10"},
	{{"-csv"}, "expected --csv"},
	{{"1", "-csv=f"}, "expected --csv"},
	{{"-csv=f", "1"}, "-o FILE for a file"},
	/* words of perf's, turbostat's and top's users */
	{{"-I", "1000"}, "not an option here '-I': expected the interval without an option"},
	{{"-I1000"}, "expected the interval without an option"},
	{{"-n", "5"}, "not an option here '-n': the number of samples follows the interval"},
	{{"-n5"}, "the number of samples follows the interval"},
	{{"-d"}, "expected the interval without an option"},
	{{"-d5"}, "expected the interval without an option"},
	{{"-i", "1", "-c", "5"},
	 "not an option here '-i': expected the interval without an option"},
	{{"1", "-c", "5"}, "the number of samples follows the interval: cxlmon 1 10"},
	{{"--interval=5"}, "expected the interval without an option"},
	{{"--count", "5"}, "the number of samples follows the interval"},
	{{"-a"}, "expected no such option: the whole machine is always measured"},
	{{"-x,"}, "expected --csv"},
	{{"-x", ","}, "not an option here '-x': expected --csv"},
	{{"-a", "sleep", "1"}, "not an option here '-a'"},
	{{"-silent"}, "not an option here '-silent': expected -q"},
	{{"-l"}, "not an option here '-l': expected the subcommand list"},
	{{"--list"}, "not an option here '--list': expected the subcommand list"},
	{{"--prometheus"}, "expected the subcommand serve: cxlmon serve"},
	{{"-f", "prometheus"}, "expected openmetrics, which Prometheus reads"},
	{{"--quite"}, "unknown option '--quite': did you mean --quiet? see cxlmon --help"},
	{{"--metric=cxl,bogus"},
	 "'cxl,bogus' is not a metric: expected NAME = FORMULA; -m chooses"},
	{{"--metric=A = cycles"}, "'A' cannot be the name of a metric"},
	{{"--metric=a = cycles; units=ns"}, "unexpected 'units' after its formula"},
	{{"--metr=cxl"}, "unknown option '--metr=cxl'"},
	{{"--fromat=csv"}, "did you mean --format?"},
	{{"-device=mem0"}, "unknown option '-device=mem0': see cxlmon --help"},
	/* a program without --, and braces that the shell has expanded */
	{{"1", "sleep", "5"}, "expected a number, or -- before a program to measure: cxlmon 1 -- "},
	{{"1", "./work"}, "or -- before a program to measure"},
	{{"1", "/bin/true"}, "or -- before a program to measure"},
	{{"-e", "cha/event=0x35/", "cha/event=0x36/"}, "expected an -e for each event"},
	{{"1", "-e", "cha/event=0x35/", "cha/event=0x36/"}, "and quotes around braces"},
	{{"1", "-e", "cycles", "instructions"}, "quotes around braces: -e '{A,B}'"},
	{{"1", "UNC_CXLCM_CLOCKTICKS"}, "expected an -e for each event"},
	/* operands */
	{{"."}, "'.' is neither a subcommand nor an interval"},
	{{"rdmsr", "0x10"}, "expected the subcommand register: cxlmon register --help"},
	{{"allowlist"}, "expected the subcommand register"},
	{{"1min"}, "not an interval '1min'"},
	{{"-1"}, "not an interval '-1'"},
	{{"-.5"}, "not an interval '-.5'"},
	{{"1", "0"}, "not a count of samples '0': expected a whole number from 1"},
	{{"1", "2", "3"}, "unexpected argument '3'"},
	{{"1", "2", "ls"}, "a command follows --"},
	{{"99us"}, "expected 100us to 1 year"},
};

TEST_LOOP(test_wrong_usage_is_refused_in_one_line_that_says_what_was_expected, COUNT(refused))
{
	struct line line = line_of(refused[_i].words);

	o = options_init(&cmd_monitor);
	assert_refusal(parse_line(&line), &err, refused[_i].expected);
}

TEST(test_events_stand_alone_unless_metrics_are_asked_for)
{
	struct line alone = line_of((const char *const[MAX_WORDS]){"-e", "cycles", NULL}),
		    both = line_of(
			    (const char *const[MAX_WORDS]){"-e", "cycles", "-m", "cxl", NULL});

	parse(&alone);
	ck_assert_ptr_null(o.session.view.groups);
	parse(&both);
	ck_assert_str_eq(o.session.view.groups, "cxl");
	ck_assert_uint_eq(o.session.events.count, 1);
}

static const struct {
	const char *before, *expected;
} endless[] = {
	{"", "expected a subcommand (see cxlmon --help)"},
	{"", "or -- COMMAND"},
	{"0.", "expected 100us to 1 year"},
	{"--format=", "expected table, csv"},
	{"--metrics=", "expected cxl, "},
	{"--metrics=cxl,", "expected cxl, "},
	{"--rotate=", "expected milliseconds"},
	{"--socket=", "expected such as 0 or 0,2-3"},
	{"--no-such-option", "see cxlmon --help"},
	{"-csv", "expected --csv"},
};

static const struct {
	const char *words[MAX_WORDS];
	struct options expected;
} recorded[] = {
	{{"f"}, {.output = "f"}},
	{{"-"}, {.count = 0}},
	{{"f", "2", "3"}, {.output = "f", .session.interval_ns = 2 * S, .count = 3}},
	{{"2", "3", "f"}, {.output = "f", .session.interval_ns = 2 * S, .count = 3}},
	{{"2", "f", "3"}, {.output = "f", .session.interval_ns = 2 * S, .count = 3}},
	{{"500ms", "f"}, {.output = "f", .session.interval_ns = S / 2}},
	{{"-o", "f", "2", "3"}, {.output = "f", .session.interval_ns = 2 * S, .count = 3}},
	{{"2", "--output=f"}, {.output = "f", .session.interval_ns = 2 * S}},
	{{"-o", "-", "2"}, {.session.interval_ns = 2 * S}},
	/* words that are explicitly files */
	{{"./1", "2"}, {.output = "./1", .session.interval_ns = 2 * S}},
	{{"-o", "1", "2"}, {.output = "1", .session.interval_ns = 2 * S}},
	/* words that are not numbers */
	{{"1.2.3"}, {.output = "1.2.3"}},
	{{"2026-11-22"}, {.output = "2026-11-22"}},
	{{"1.cxl", "2"}, {.output = "1.cxl", .session.interval_ns = 2 * S}},
	{{"nan"}, {.output = "nan"}},
	{{"..."}, {.output = "..."}},
	/* parts that stand for a job of Slurm */
	{{"-o", "100%%.cxl"}, {.output = "100%.cxl"}},
};

static void begin_recording(void)
{
	o = options_init(&cmd_record);
}

TEST_LOOP(test_recording_file_may_stand_anywhere_unless_it_reads_as_a_number, COUNT(recorded))
{
	struct line line = line_of(recorded[_i].words);

	begin_recording();
	ck_assert_msg(!parse_line(&line), "%s", err.text);
	ck_assert_ptr_eq(o.format, &format_recording);
	o.format = NULL;
	assert_options(&recorded[_i].expected);
}

static const struct {
	const char *words[MAX_WORDS];
	const char *expected;
} refused_for_record[] = {
	{{NULL}, "no recording file: expected cxlmon record FILE"},
	{{"1", "1"}, "no recording file: '1' is an interval: expected cxlmon record FILE"},
	{{"1"}, "./1 for a file of that name"},
	{{"1s", "5"}, "./1s for a file of that name"},
	{{".5"}, "./.5 for a file of that name"},
	{{"1min", "5"}, "not an interval '1min'"},
	{{"1e3"}, "not an interval '1e3'"},
	{{"f", "soon"}, "not an interval 'soon'"},
	{{"f", "1", "g"}, "not a count of samples 'g'"},
	{{"1", "2", "3"}, "unexpected argument '3'"},
	{{"f", "-o", "g"}, "more than one recording file 'g': expected one FILE"},
	{{"-o", "f", "g"}, "not an interval 'g'"},
	{{""}, "no file ''"},
	{{"-o", ""}, "no file ''"},
	{{"f", "--append"}, "record takes no option '--append'"},
	{{"f", "--no-header"}, "no option for this format '--no-header'"},
	{{"f", "--csv"}, "cxlmon replay FILE prints it in any format"},
};

TEST_LOOP(test_record_is_refused_without_a_file_that_cannot_be_a_number, COUNT(refused_for_record))
{
	struct line line = line_of(refused_for_record[_i].words);

	begin_recording();
	assert_refusal(parse_line(&line), &err, refused_for_record[_i].expected);
}

TEST_LOOP(test_endless_word_leaves_room_for_what_was_expected, COUNT(endless))
{
	char word[1024], *argv[] = {(char *)"cxlmon", word, NULL};
	const size_t used = strlen(endless[_i].before);

	o = options_init(&cmd_monitor);
	strcpy(word, endless[_i].before);
	memset(word + used, used && word[used - 1] == '.' ? '0' : 'x', sizeof(word) - 1 - used);
	word[sizeof(word) - 1] = '\0';
	assert_refusal(subcommand_parse(2, argv, &o, &err), &err, endless[_i].expected);
}

TEST(test_refused_line_does_not_disturb_the_next_one)
{
	struct line bad = line_of((const char *const[MAX_WORDS]){"-qqqx", "--what", "1", NULL}),
		    good = line_of((const char *const[MAX_WORDS]){"-v", "2", "--", "ls", NULL});

	o = options_init(&cmd_monitor);
	assert_refusal(parse_line(&bad), &err, "-qqqx");
	parse(&good);
	assert_options(&(struct options){.session.interval_ns = 2 * S, .verbosity = VERBOSE});
	ck_assert_str_eq(o.command[0], "ls");
}

static const struct {
	const char *text;
	uint64_t ns;
} intervals[] = {
	{"1", S},
	{"0.5", S / 2},
	{"500ms", S / 2},
	{"100us", 100000},
	{"0.0001", 100000},
	{"0.1ms", 100000},
	{"1s", S},
	{".5", S / 2},
	{"1.", S},
	{"1.5s", 3 * S / 2},
	{"0.1", S / 10},
	{"0.3", 3 * S / 10},
	{"00010", 10 * S},
	{"60", 60 * S},
	{"123456.789us", 123456789},
	{"31536000", 31536000 * S},
	{"1m", 60 * S},
	{"1.5m", 90 * S},
};

TEST_LOOP(test_interval_is_exact_in_nanoseconds, COUNT(intervals))
{
	uint64_t ns = 0;

	ck_assert_msg(!interval_parse(intervals[_i].text, &ns, &err), "%s", err.text);
	ck_assert_uint_eq(ns, intervals[_i].ns);
}

#define FORM  "expected seconds such as 1 or 0.5, or 500ms, 100us or 1m"
#define RANGE "expected 100us to 1 year"

static const struct {
	const char *text, *expected;
} no_intervals[] = {
	{"99us", RANGE},       {"99.9us", RANGE},
	{"0.0000999", RANGE},  {"0", RANGE},
	{"0ms", RANGE},	       {"31536001", RANGE},
	{"1000000000", RANGE}, {"99999999999999999999999", RANGE},
	{"-1", FORM},	       {"+1", FORM},
	{"abc", FORM},	       {"", FORM},
	{".", FORM},	       {"1e3", FORM},
	{"1E3", FORM},	       {"inf", FORM},
	{"nan", FORM},	       {"0x10", FORM},
	{"1 ", FORM},	       {" 1", FORM},
	{"1 s", FORM},	       {"1min", FORM},
	{"1h", FORM},	       {"1ns", FORM},
	{"1S", FORM},	       {"1sec", FORM},
	{"s", FORM},	       {"ms", FORM},
	{"1.2.3", FORM},       {"1,5", FORM},
	{"1_000", FORM},       {"1s1", FORM},
};

TEST_LOOP(test_what_is_no_interval_is_refused, COUNT(no_intervals))
{
	uint64_t ns = 7;

	assert_refusal(interval_parse(no_intervals[_i].text, &ns, &err), &err,
		       no_intervals[_i].expected);
	ck_assert_ptr_nonnull(strstr(err.text, no_intervals[_i].text));
	ck_assert_uint_eq(ns, 7);
}

static const char *const no_counts[] = {
	"0", "1.5", "ten", "", "10s", "12 ", " 1", "+1", "-1", "0x10", "18446744073709551616"};

TEST_LOOP(test_a_count_that_is_refused_changes_nothing, COUNT(no_counts))
{
	uint64_t count = 7;

	assert_refusal(count_parse(no_counts[_i], &count, &err), &err, "not a count of samples");
	ck_assert_uint_eq(count, 7);
}
