/* SPDX-License-Identifier: BSD-3-Clause */
/* Output and last messages of subcommands on simulated machines: whole runs, each a process. */
#include "cli/common.h"
#include "run_line.h"
#include "unit.h"

EACH_IN_A_PROCESS
TREE_FIXTURE(NULL, NULL)

static struct outcome outcome;

#define TOO_LARGE(what, number, most)                                                              \
	"cxlmon: " what " '" number "': expected a number up to " most "\n"

static const struct {
	const struct subcommand *subcommand;
	const char *words[MAX_WORDS];
	int status;
	const char *out, *said;
} runs[] = {
	{&cmd_list,
	 {"list", "--sim=spr", "UNC_CXLCM_CLOKTICKS"},
	 EXIT_FAILED,
	 "",
	 "cxlmon: nothing on Sapphire Rapids matches 'UNC_CXLCM_CLOKTICKS': did you mean "
	 "'UNC_CXLCM_CLOCKTICKS'?\n"},
	{&cmd_list,
	 {"list", "--sim=spr", "UNC_CXLCM_CLOKTICKS", "dram"},
	 EXIT_FAILED,
	 "",
	 "cxlmon: nothing on Sapphire Rapids matches: expected words of names or descriptions; "
	 "cxlmon list without a word shows all\n"},
	{&cmd_monitor,
	 {"cxlmon", "--sim=spr", "-e", "cxl_mem_read", "1", "1"},
	 EXIT_USAGE,
	 "",
	 "cxlmon: 'cxl_mem_read' is not an event: expected -m cxl for the metric "
	 "cxl_mem_read_MBps\n"},
	/* the process that is counted exists before it runs COMMAND */
	{&cmd_monitor,
	 {"cxlmon", "-q", "--sim=spr,clock=virtual", "-m", "core", "--pid=command", "1", "--",
	  "/nonexistent/program", "word"},
	 EXIT_NOT_FOUND,
	 "",
	 "cxlmon: /nonexistent/program: cannot be run: No such file or directory\n"},
	/* a device, unlike a disk, never has room again, so that the message proposes no retry */
	{&cmd_monitor,
	 {"cxlmon", "--sim=spr,clock=virtual", "--csv", "--no-summary", "-o", "/dev/full", "1",
	  "1"},
	 EXIT_FAILED,
	 "",
	 "cxlmon: /dev/full: cannot be written: No space left on device; 1 sample is missing\n"},
	/* numbers of registers, up to the last one */
	{&cmd_register,
	 {"register", "msr", "read", "0x2FF0", "--sim=spr", "--cpu=1"},
	 EXIT_OK,
	 "0x0000000000000000\n",
	 ""},
	{&cmd_register,
	 {"register", "msr", "read", "0x100000000", "--sim=spr"},
	 EXIT_USAGE,
	 "",
	 TOO_LARGE("address", "0x100000000", "0xffffffff")},
	{&cmd_register,
	 {"register", "msr", "read", "0x2FF0", "--sim=spr", "--cpu=65536"},
	 EXIT_USAGE,
	 "",
	 TOO_LARGE("--cpu", "65536", "0xffff")},
	/* a domain above FFFFh, as Intel's VMD has */
	{&cmd_register,
	 {"register", "pci", "read", "10000:1f:00.0", "0", "--sim=spr"},
	 EXIT_FAILED,
	 "",
	 "cxlmon: pci 10000:1f:00.0 offset 0x0: read failed: No such device (simulated)\n"},
	/* the last register of a function */
	{&cmd_register,
	 {"register", "pci", "read", "1f:0.0", "4092", "--sim=spr"},
	 EXIT_OK,
	 "0x00000000\n",
	 ""},
	{&cmd_register,
	 {"register", "pci", "read", "1f:0.0", "4096", "--sim=spr"},
	 EXIT_USAGE,
	 "",
	 TOO_LARGE("address", "4096", "0xffc")},
	/* the largest value that four bytes hold */
	{&cmd_register,
	 {"register", "mmio", "write", "0x2001000010", "0x100000000", "--bytes=4", "--sim=spr"},
	 EXIT_USAGE,
	 "",
	 TOO_LARGE("value", "0x100000000", "0xffffffff")},
	{&cmd_register,
	 {"register", "mmio", "read", "0x2001000004", "--bytes=8", "--sim=spr"},
	 EXIT_USAGE,
	 "",
	 "cxlmon: mmio 0x2001000004: expected a multiple of 8\n"},
};

TEST_LOOP(test_a_run_prints_its_result_or_says_why_there_is_none, COUNT_OF(runs))
{
	run_line(runs[_i].subcommand, runs[_i].words, &outcome);
	ck_assert_str_eq(outcome.said, runs[_i].said);
	ck_assert_str_eq(outcome.out, runs[_i].out);
	ck_assert_int_eq(outcome.status, runs[_i].status);
}

TEST_RANGE(test_hot_ends_after_count_reports, 1, 4)
{
	const char count[] = {(char)('0' + _i), '\0'};

	run_line(&cmd_hot,
		 (const char *const[MAX_WORDS]){"hot", "--sim=spr,clock=virtual", "1", count,
						"--csv"},
		 &outcome);
	ck_assert_str_eq(outcome.said, "");
	ck_assert_int_eq(outcome.status, EXIT_OK);
	ck_assert_uint_eq(occurrences(outcome.out, ",system,"), (size_t)_i);
}

/* COMMAND ends by a signal that is passed on to it after the last report. */
TEST(test_the_status_of_hot_is_that_of_a_command_that_ends_after_the_last_report)
{
	run_line(&cmd_hot,
		 (const char *const[MAX_WORDS]){
			 "hot", "-q", "--sim=spr,clock=virtual", "1", "1", "--csv", "--", "sh",
			 "-c",
			 "ulimit -t 5; trap 'exit 7' USR1; until grep -q ,system, /proc/$$/fd/1; "
			 "do :; done; kill -USR1 $PPID; while :; do :; done"},
		 &outcome);
	ck_assert_int_eq(outcome.status, 7);
}

TEST(test_a_recording_is_replayed_with_metrics_of_the_users_own)
{
	const char *name = tree_path("recording.cxl");

	run_line(&cmd_record,
		 (const char *const[MAX_WORDS]){
			 "record", "-q", name,
			 "--sim=spr,ports=1,read=24,write=8,wave=0,clock=virtual", "-m", "cxl", "1",
			 "1"},
		 &outcome);
	ck_assert_str_eq(outcome.said, "");
	run_line(&cmd_replay,
		 (const char *const[MAX_WORDS]){
			 "replay", name, "--csv", "--per=system",
			 "--metric=moved_MBps = cxl_mem_read_MBps + cxl_mem_write_MBps"},
		 &outcome);
	ck_assert_str_eq(outcome.said, "");
	assert_contains(outcome.out, ",cxl_mem_read_source,moved_MBps,counted_pct\n");
	assert_contains(outcome.out, ",24000.000,8000.000,,0.000,m2s_req,32000.000,100\n");
}

/* Counters that can count an event, which a user who chooses one must know. */
static const struct {
	const char *event, *text, *json; /* counters in the text, and in JSON */
} counters[] = {
	{"UNC_CXLCM_RxC_MISC.RETRY", "umask=0x02/ on counters 4,5,6,7\n",
	 "\"counters\": [\n    4,\n    5,\n    6,\n    7\n   ],\n"},
	{"UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA", "umask=0x20/ on counters 0,1,2,3\n",
	 "\"counters\": [\n    0,\n    1,\n    2,\n    3\n   ],\n"},
	{"ref-cycles", "umask=0x01/ on counters fixed 2\n", "\"counters\": [],\n"},
	{"tsc", "umask=0x00/ on counters tsc\n", "\"counters\": [],\n"},
};

TEST_LOOP(test_list_says_on_which_counters_an_event_is_counted, COUNT_OF(counters))
{
	const char *event = counters[_i].event;

	run_line(&cmd_list, (const char *const[MAX_WORDS]){"list", "-v", "--sim=spr", event},
		 &outcome);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	assert_contains(outcome.out, counters[_i].text);
	run_line(&cmd_list, (const char *const[MAX_WORDS]){"list", "--json", "--sim=spr", event},
		 &outcome);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	assert_contains(outcome.out, counters[_i].json);
}

/* Kernel lockdown: registers cannot be read, but the kernel counts. */
static const struct {
	const char *backend;
	int status;
} backends[] = {
	{NULL, EXIT_OK},
	{"--backend=perf", EXIT_OK},
	{"--backend=raw", EXIT_PERMISSION},
};

TEST_LOOP(test_info_succeeds_where_the_backend_reaches_units, COUNT_OF(backends))
{
	run_line(&cmd_info,
		 (const char *const[MAX_WORDS]){"info", "--sim=spr,lockdown=confidentiality",
						backends[_i].backend},
		 &outcome);
	ck_assert_int_eq(outcome.status, backends[_i].status);
	assert_contains(outcome.out, "kernel lockdown forbids /dev/mem");
}

TEST(test_a_recording_of_hot_is_replayed_as_it_was_shown)
{
	static struct outcome replayed;
	const char *name = tree_path("hot.cxl");

	run_line(&cmd_hot,
		 (const char *const[MAX_WORDS]){"hot", "-q", "--csv", "--record", name,
						"--sim=spr,clock=virtual", "1", "2"},
		 &outcome);
	ck_assert_str_eq(outcome.said, "");
	ck_assert_int_eq(outcome.status, EXIT_OK);
	ck_assert_uint_eq(occurrences(outcome.out, ",system,"), 2);
	run_line(&cmd_replay, (const char *const[MAX_WORDS]){"replay", name, "--csv"}, &replayed);
	ck_assert_str_eq(replayed.said, "");
	ck_assert_str_eq(replayed.out, outcome.out);
}

#define MACHINE "--sim=gnr,sockets=1,ports=1,limit=30,ddr_latency=400,dram_read=100,clock=virtual"

TEST(test_weights_are_advised_by_a_sweep)
{
	const char *run = tree_path("run.cxl"), *sweep = tree_path("sweep.cxl");
	char weights[256];

	snprintf(weights, sizeof(weights), "--weights=%s", sweep);
	run_line(&cmd_sweep, (const char *const[MAX_WORDS]){"sweep", "-q", MACHINE, sweep},
		 &outcome);
	ck_assert_msg(outcome.status == EXIT_OK, "%s", outcome.said);
	assert_contains(outcome.out, " unloaded      knee      peak ");
	run_line(&cmd_record,
		 (const char *const[MAX_WORDS]){"record", "-q", MACHINE, "-m", "cxl,dram", run, "1",
						"5"},
		 &outcome);
	ck_assert_msg(outcome.status == EXIT_OK, "%s", outcome.said);
	run_line(&cmd_explain, (const char *const[MAX_WORDS]){"explain", run, weights}, &outcome);
	ck_assert_str_eq(outcome.said, "");
	ck_assert_int_eq(outcome.status, EXIT_OK);
	assert_contains(outcome.out, "\nWith weights 1:5 of nodes 1,0 (");
}

/* Registers that are only read have no writable bit. */
TEST(test_the_allowlist_has_msrs_that_are_only_read)
{
	run_line(&cmd_register,
		 (const char *const[MAX_WORDS]){"register", "allowlist", "--sim=spr,clock=virtual"},
		 &outcome);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	assert_contains(outcome.out, " on Sapphire Rapids\n0x00000010 0x0000000000000000 # IA32_");
	assert_contains(outcome.out, "\n0x00002ffe 0x0000000000000000 # number of CHAs\n");
	assert_contains(outcome.out, "\n0x00002ff0 0x0000000000000001 # uncore global control\n");
}
