/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon report: draws a recording as an HTML page. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/hosts_read.h"
#include "cli/playback.h"
#include "show/report/report_page.h"

static int write_page(const struct playback_series *series, const char *name, struct error *err)
{
	struct common_output output;
	int rc = common_open_output(name, CONTENTS_EMPTIED, &output, err);

	if (rc)
		return rc;
	if (report_page(&series->report, &series->flaw, output.out))
		rc = error_no_memory(err);
	return common_close_output(&output, rc, err);
}

/* Predicts the slowdown by --calibration. */
static int predict_series(const struct options *options, struct playback_series *series,
			  struct what_if *what_if, struct what_if_result *out, struct error *err)
{
	struct report *report = &series->report;
	int rc = playback_check_program(&series->file, err);

	if (!rc)
		rc = calibration_read(options, what_if, err);
	if (!rc)
		rc = what_if_predict(&report->what_if, what_if, report->info, out, err);
	if (!rc)
		report->predicted = out;
	return rc;
}

/* Draws all samples, and then returns an error of the recording. */
static int draw_curves(const struct options *options, struct error *err)
{
	struct playback_series series = {.report = {.samples = 0}};
	struct what_if_result predicted;
	struct what_if what_if;
	int rc = playback_series_read(options, options->operands[0], &series, err);

	if (!rc && options->calibration)
		rc = predict_series(options, &series, &what_if, &predicted, err);
	if (!rc)
		rc = write_page(&series, options->output, err);
	if (!rc)
		rc = messages_pass_on(&series.flaw, err);
	playback_series_close(&series);
	return rc;
}

static int write_hosts(const struct hosts *hosts, const char *name, struct error *err)
{
	struct common_output output;
	int rc = common_open_output(name, CONTENTS_EMPTIED, &output, err);

	if (rc)
		return rc;
	if (hosts_page(hosts, output.out))
		rc = error_no_memory(err);
	return common_close_output(&output, rc, err);
}

/* Draws the recordings of several hosts, and then returns an error of one of them. */
static int draw_hosts(const struct options *options, struct error *err)
{
	struct hosts hosts = {.count = 0};
	struct error failure;
	int rc;

	if (options->calibration)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "report: --calibration is of one machine: expected one FILE");
	rc = hosts_read(options, NULL, &hosts, &failure, err);
	if (!rc)
		rc = write_hosts(&hosts, options->output, err);
	if (!rc) {
		hosts_warn(hosts.all, hosts.count, &options->log);
		rc = messages_pass_on(&failure, err);
	}
	hosts_free(&hosts);
	return rc;
}

static int run_report(struct options *options, struct error *err)
{
	static const struct playback_operands operands = {
		1, false, "no recording: expected cxlmon report FILE",
		"expected -o FILE for the page", true};
	int rc = playback_begin(options, &operands, err);

	if (!rc && !options->output && isatty(STDOUT_FILENO))
		rc = error_set(err, ERROR_USAGE, -EINVAL,
			       "cannot write a page to a terminal: expected -o FILE, or a pipe");
	if (rc)
		return rc;
	return options->operand_count > 1 ? draw_hosts(options, err) : draw_curves(options, err);
}

static const struct option_row rows[] = {
	OPTIONS_OF_TIME,
	{OPTION_OUTPUT, .help = "write to FILE instead of standard output, which must not be\n"
				"a terminal"},
	{OPTION_CALIBRATION,
	 .help = "predict how much longer the run would take with its memory in CXL, by\n"
		 "a calibration of this machine (cxlmon sweep --calibrate FILE)"},
	OPTIONS_MESSAGES,
	{.name = NULL},
};

const struct subcommand cmd_report = {
	.name = "report",
	.purpose = "draw a recording as an HTML page",
	.run = run_report,
	.usage =
		"Usage: cxlmon report FILE... -o report.html\n"
		"Draws a recording of cxlmon record as one HTML page: bandwidth and latency over time,\n"
		"latency against bandwidth, and a table of statistics. The page is a single file that\n"
		"needs no network. FILE - is standard input.\n"
		"Several files, one per host of a job: a table of hosts, which marks what stands out,\n"
		"lines by host, and the sum of the job. Each host's own charts are in its own report.\n"
		"\n",
	.options = rows,
	.operand = "FILE",
	.notes =
		"\n"
		"Exit status 1: a recording is damaged or incomplete; its complete samples were drawn.\n",
	.operands = SIZE_MAX,
};
