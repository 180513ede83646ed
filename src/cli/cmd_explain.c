/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon explain: finds what limits CXL, in a recording or by measuring for a while. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/playback.h"
#include "probe/sweep/calibration.h"
#include "probe/sweep/sweep_point.h"
#include "show/explain/explain.h"
#include "show/explain/what_if.h"

#define SAMPLES 10 /* default of COUNT */

/* Chooses the format of findings. ERROR_USAGE: no such format. */
static int choose_format(struct options *options, struct error *err)
{
	const struct format *format = options->format;

	if (format && format != &format_table && format != &format_json)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: no findings as %s: expected table or json",
				 format->name);
	if (options->append || options->no_header)
		return error_set(err, ERROR_USAGE, -EINVAL, "explain takes no option --%s",
				 options->append ? "append" : "no-header");
	options->format = format == &format_json ? &format_explain_json : &format_explain;
	return 0;
}

static int measure_run(struct options *options, struct error *err)
{
	if (options->from.kind != TIME_NOT_GIVEN || options->to.kind != TIME_NOT_GIVEN)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: --from and --to choose a part of a recording: expected "
				 "FILE");
	if (!options->groups_chosen && options->session.view.groups)
		options->session.view.groups = options->what_if ? WHAT_IF_METRICS : EXPLAIN_METRICS;
	if (!options->count && !options->command)
		options->count = SAMPLES;
	if (options->summary == SUMMARY_AUTO)
		options->summary = SUMMARY_NEVER;
	return monitor_run(options, err);
}

/* Notes that a recording is of cxlmon's own load, not of a program to be explained. */
static void report_load(const struct options *options, const struct recording_file *file)
{
	const char *load = recorded_option(&file->recording.info, RECORDED_LOAD);

	if (load && !strcmp(load, RECORDED_CALIBRATION))
		log_write(&options->log, LEVEL_NOTE,
			  "%s: a calibration, which has only programs "
			  "of known behaviour",
			  file->name);
	else if (load)
		log_write(&options->log, LEVEL_NOTE,
			  "%s: a sweep, whose load rose from idle to the maximum: cxlmon report "
			  "shows its results",
			  file->name);
}

static int print_findings(const struct options *options, struct recording_file *file,
			  const struct common_output *output, struct error *err)
{
	struct sink sink = {
		.format = options->format,
		.out = output->out,
		.terminal = isatty(output->fd),
		.fd = output->fd,
		.table = &file->recording.table,
		.target = options->target ? options->target : &file->recording,
		.info = &file->recording.info,
	};
	struct playback_progress progress;
	int rc = sink.format->begin(&sink) ? error_no_memory(err) : 1;

	playback_progress_begin(&progress, options, file);
	while (rc > 0 && (rc = recording_file_next(file, err)) > 0)
		sink.format->sample(&sink, &file->recording.sample);
	playback_progress_end(&progress);
	report_load(options, file);
	if (rc != -ENOMEM)
		sink.format->finish(&sink);
	sink.format->end(&sink);
	return rc ? rc : playback_check(options, file, err);
}

/* Explains a recording, and reports damage after the findings of its complete samples. */
static int explain_file(struct options *options, struct error *err)
{
	struct recording_file file;
	struct common_output output;
	struct error why;

	options->session.interval_ns = 0; /* every sample */
	int rc = playback_open(options, options->recorded, &file, err);
	if (!rc && options->what_if)
		rc = playback_check_program(&file, err);
	if (!rc)
		rc = common_open_output(options->output, CONTENTS_EMPTIED, &output, err);
	if (!rc) {
		playback_describe(options, &file);
		rc = print_findings(options, &file, &output, err);
		const int closed = common_close_output(&output, 0, &why);
		if (closed)
			*err = why;
		rc = closed ? closed : rc;
	}
	recording_file_close(&file);
	return rc;
}

/* Refuses operands and options of a measurement. */
static int check_recorded(const struct options *options, struct error *err)
{
	if (options->interval_text || options->command)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: expected FILE, or INTERVAL and COUNT, but not both");
	const char *unused = options->measured	    ? options->measured
			     : options->link_GBps   ? "link-GBps"
			     : options->session.sim ? "sim"
						    : NULL;
	if (unused)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: FILE is already recorded, and nothing is measured: "
				 "expected no --%s",
				 unused);
	return 0;
}

/* Explains a recording or a measurement, by findings, weights or a prediction. */
static int explain_run(struct options *options, struct error *err)
{
	if (options->weights && !options->recorded)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: --weights needs the recording of a program: expected "
				 "FILE");
	if (!options->recorded)
		return measure_run(options, err);
	if (check_recorded(options, err))
		return err->code;
	return options->weights ? explain_weights(options, err) : explain_file(options, err);
}

/*
 * Predicts the slowdown of samples, by the calibration in options->calibration. ERROR_USAGE: no
 * calibration was given.
 */
static int predict_runs(struct options *options, struct error *err)
{
	struct what_if what_if;
	int rc;

	if (!options->calibration)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: a prediction needs a calibration of this machine: "
				 "expected --calibration=FILE, of: sudo cxlmon sweep --calibrate "
				 "FILE");
	rc = calibration_read(options, &what_if, err);
	if (rc)
		return rc;
	what_if.json = options->format == &format_explain_json;
	options->format = &format_what_if;
	options->target = &what_if;
	rc = explain_run(options, err);
	options->target = NULL;
	return rc ? rc : messages_pass_on(&what_if.why, err);
}

static int run_explain(struct options *options, struct error *err)
{
	const int rc = choose_format(options, err);

	if (rc)
		return rc;
	if (options->what_if && options->weights)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: --weights and --what-if: expected one of them");
	if (options->calibration && !options->what_if)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "explain: --calibration is for a prediction: expected --what-if");
	if (playback_check_output(options, err) || playback_check_twice(options, err))
		return err->code;
	if (options->operand_count > 1)
		return check_recorded(options, err) ? err->code : explain_hosts(options, err);
	return options->what_if ? predict_runs(options, err) : explain_run(options, err);
}

static const struct option_row rows[] = {
	{OPTION_FORMAT_JSON, .help = "print one JSON object"},
	{OPTION_OUTPUT, .help = "write to FILE instead of standard output"},
	OPTIONS_OF_TIME,
	{OPTION_MEMBER(STRING, weights), .name = "weights", .argument = "SWEEP",
	 .help = "find the best weights of weighted interleave for the traffic of FILE,\n"
		 "by a sweep of this machine (cxlmon sweep SWEEP)"},
	{OPTION_MEMBER(FLAG, what_if), .name = "what-if",
	 .help = "predict how much longer the run would take with its memory in CXL"},
	{OPTION_CALIBRATION, .help = "use this calibration of the machine for --what-if\n"
				     "(cxlmon sweep --calibrate FILE)"},
	OPTION_SHOW_HELP,
	{.name = NULL},
};

const struct subcommand cmd_explain = {
	.name = "explain",
	.purpose = "say in sentences what limits CXL, with numbers and what to do",
	.hint = "what limits CXL?",
	.run = run_explain,
	.usage = "Usage: cxlmon explain FILE... [OPTION]...\n"
		 "       cxlmon explain FILE --weights=SWEEP\n"
		 "       cxlmon explain [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"
		 "Says what limits CXL here, from a recording or by measuring (default: 10 samples "
		 "of 1 s):\n"
		 "at most ten sentences, each with its numbers and what to do.\n"
		 "Rules that cannot be judged are listed with the reason.\n"
		 "For several files, one per host of a job, it first says which hosts stand out.\n"
		 "\n",
	.options = rows,
	.operand = "FILE",
	.monitor = OPTION_NOT_EXPLAIN,
	.notes =
		"\n"
		"Other options are those of the monitor: see cxlmon help all. Without -m these groups are\n"
		"measured: " EXPLAIN_METRICS ".\n\nExit status: as of cxlmon; 1 also if the "
		"recording is damaged or incomplete: its\ncomplete "
		"samples were judged.\n",
};
