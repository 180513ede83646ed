/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of the monitor on simulated machines, and parts of the monitor. */
#include "cli/monitor.h"

#include <signal.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "record/recording_file.h"
#include "run_line.h"
#include "unit.h"

EACH_IN_A_PROCESS
TREE_FIXTURE(NULL, NULL)

#define SIM	"--sim=spr,ports=1,clock=virtual"
#define ENDLESS "--sim=spr,ports=1,clock=real"
#define LONG	"1000" /* seconds: no sample before the run ends */

static struct outcome outcome;

/* COUNT samples are printed, so that TERM's abilities do not matter. */
TEST(test_count_prints_a_table_and_says_nothing_of_the_screen)
{
	run_line_on_terminal(
		&cmd_monitor,
		(const char *const[MAX_WORDS]){"cxlmon", "-v", SIM, "--no-summary", "1", "2"},
		&outcome);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	assert_contains(outcome.out, "\n00:00:02.000 s0 p0 mem0 ");
	assert_lacks(outcome.out, "no screen");
	assert_lacks(outcome.out, "\033");
}

TEST(test_output_that_nobody_reads_ends_the_run_as_sigpipe_would)
{
	const char *const words[MAX_WORDS] = {"cxlmon", "-q", SIM, "1", "--csv"};
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	const int files[] = {ends[1], ends[1], STDERR_FILENO};
	ck_assert_int_eq(run_line_wait(run_line_start(&cmd_monitor, words, files)),
			 EXIT_SIGNALLED + SIGPIPE);
	close(ends[1]);
}

static const struct {
	const char *node, *asked, *host, *job, *step, *rank;
} jobs[] = {
	/* in no job; "": the host's own name */
	{NULL, NULL, NULL, NULL, NULL, NULL},
	{NULL, "--host", "", NULL, NULL, NULL},
	/* in a job */
	{"n2", NULL, "n2", "1234", "0", "1"},
	{"n2", "--host", "", "1234", "0", "1"},
	{"../n2", NULL, NULL, NULL, NULL, NULL},
};

TEST_LOOP(test_a_recording_names_the_host_if_asked_for_and_node_job_step_and_rank_of_slurm,
	  COUNT_OF(jobs))
{
	const char *name = tree_path("recording.cxl");
	char host[HOST_NAME_MAX + 1] = "";
	struct recording_file file;
	struct error err;

	if (jobs[_i].node) {
		setenv("SLURMD_NODENAME", jobs[_i].node, 1);
		setenv("SLURM_JOB_ID", jobs[_i].job ? jobs[_i].job : "12\n34", 1);
		setenv("SLURM_STEP_ID", jobs[_i].step ? jobs[_i].step : "", 1);
		setenv("SLURM_PROCID", jobs[_i].rank ? jobs[_i].rank : "-1", 1);
	}
	run_line(&cmd_record,
		 (const char *const[MAX_WORDS]){"record", name, SIM, "1", "1", jobs[_i].asked},
		 &outcome);
	ck_assert_msg(outcome.status == EXIT_OK, "%s", outcome.said);
	ck_assert_int_eq(gethostname(host, sizeof(host) - 1), 0);
	ck_assert_int_eq(recording_file_open(name, NULL, &file, &err), 0);
	const struct recording_info *info = &file.recording.info;
	ck_assert_pstr_eq(recorded_option(info, "host"), jobs[_i].asked ? host : jobs[_i].host);
	ck_assert_pstr_eq(recorded_option(info, "job"), jobs[_i].job);
	ck_assert_pstr_eq(recorded_option(info, "step"), jobs[_i].step);
	ck_assert_pstr_eq(recorded_option(info, "rank"), jobs[_i].rank);
	recording_file_close(&file);
}

/* A key that quits or changes the interval does not wait for the next sample. */
TEST(test_requests_of_the_screen_wake_the_thread_that_samples)
{
	static struct options options;
	static struct monitor m;
	sigset_t pending;

	m.options = &options;
	signals_block(&m.signals);
	monitor_prepare_screen(&m, "Sapphire Rapids");
	signals_kick(m.screen.requests->sampler);
	sigpending(&pending);
	ck_assert(sigismember(&pending, SIGNAL_KICK));
}

/*
 * A user who stops cxlmon also stops its program. Slurm sends USR1 before a time limit, so that
 * programs save their state.
 */
static const struct {
	const char *signal, *expected; /* a signal, and COMMAND's status; its file */
	int status;
} passed_on[] = {{"TERM", "TERM\n", EXIT_SIGNALLED + SIGTERM}, {"USR1 7", "USR1\n", 7}};

TEST_LOOP(test_command_gets_a_signal_and_the_run_goes_on_after_one_of_users, COUNT(passed_on))
{
	const char *got = tree_path("got");
	char text[16];

	run_line(&cmd_monitor,
		 (const char *const[MAX_WORDS]){
			 "cxlmon", "-q", ENDLESS, LONG, "--", "sh", "-c",
			 "ulimit -t 5; set -- $1; trap \"echo $1 >'$0'; exit $2\" $1; "
			 "kill -$1 $PPID; while :; do :; done",
			 got, passed_on[_i].signal},
		 &outcome);
	ck_assert_str_eq(outcome.said, "");
	ck_assert_int_eq(outcome.status, passed_on[_i].status);
	rootfs_read(text, sizeof(text), tree_root(), "got");
	ck_assert_str_eq(text, passed_on[_i].expected);
}

/* The clock is in real time, so that samples do not fill the disk at once. */
TEST(test_a_recording_without_count_goes_on_until_a_signal)
{
	const char *const words[MAX_WORDS] = {"record", tree_path("recording.cxl"), ENDLESS, LONG};
	char said[1024] = "";
	size_t length = 0;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	const int files[] = {ends[1], ends[1], ends[1]};
	const pid_t child = run_line_start(&cmd_record, words, files);
	close(ends[1]);
	for (ssize_t got = 1; got > 0 && !strstr(said, "recording to "); length += (size_t)got)
		got = read(ends[0], said + length, sizeof(said) - 1 - length);
	kill(child, SIGTERM);
	ck_assert_int_eq(run_line_wait(child), EXIT_SIGNALLED + SIGTERM);
	close(ends[0]);
	assert_contains(said, "recording to ");
}

/* The screen is shown until the key, typed before, is read. */
TEST(test_the_screen_shows_the_processor_until_q)
{
	setenv("XDG_CONFIG_HOME", tree_root(), 1);
	run_line_on_screen(&cmd_monitor,
			   (const char *const[MAX_WORDS]){"cxlmon", "-q", ENDLESS, LONG}, "q",
			   &outcome);
	ck_assert_int_eq(outcome.status, EXIT_OK);
	assert_contains(outcome.out, "simulated Sapphire Rapids");
}

/* Only cxlmon top has something to show without counters: processes. */
TEST(test_the_monitor_fails_where_nothing_can_be_counted_on_a_terminal_too)
{
	setenv("XDG_CONFIG_HOME", tree_root(), 1);
	run_line_on_screen(&cmd_monitor,
			   (const char *const[MAX_WORDS]){"cxlmon", "--backend=raw",
							  "--sim=spr,lockdown=confidentiality"},
			   "q", &outcome);
	assert_contains(outcome.out, "kernel lockdown forbids /dev/mem");
	ck_assert_int_eq(outcome.status, EXIT_PERMISSION);
}
