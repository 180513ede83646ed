/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon selftest: known traffic against the counters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "linux/run/signals.h"
#include "probe/selftest/selftest.h"
#include "probe/selftest/share.h"

#define DEFAULT_SECONDS 20

/* A file with the result, in one form. */
struct result_file {
	const char *name; /* NULL: none; "-": standard output, alone */
	json_t *(*contents)(const struct selftest_result *result);
	struct common_output opened; /* .out NULL: not open */
};

enum { FILE_WHOLE, FILE_SHARED, FILES }; /* of -o, of --share */

struct selftest_command {
	const struct options *options;
	bool shows_progress;
	struct result_file files[FILES];
};

static bool is_stdout(const struct result_file *file)
{
	return file->name && !options_output_file(file->name);
}

static int begin_result(void *context, const struct selftest_result *result, struct error *err)
{
	struct selftest_command *c = context;
	const size_t steps = STEPS * result->node_count * result->backend_count;
	int rc = 0;

	/* what is in a file stays there until there is a result */
	for (size_t i = 0; !rc && i < FILES; i++) {
		struct result_file *file = &c->files[i];

		if (!file->name)
			continue;
		rc = common_open_output(options_output_file(file->name), CONTENTS_KEPT,
					&file->opened, err);
		file->opened.name = file->name;
	}
	if (!rc && c->options->verbosity != QUIET)
		traffic_announce(&result->found, result->step_ns * steps);
	return rc;
}

static void show_progress(void *context, const struct selftest_result *result,
			  const struct selftest_node *node, size_t backend, size_t step)
{
	const struct selftest_command *c = context;
	char name[LOAD_NODE_NAME_SIZE];

	if (!c->shows_progress)
		return;
	fprintf(stderr, CLEAR_LINE "%s %s: %s (%zu of %d)", result->backends[backend].name,
		load_node_name(node->at, name), step_names[step_table[step].kind], step + 1, STEPS);
	fflush(stderr);
}

static int write_result(const struct result_file *file, const struct selftest_result *result,
			struct error *err)
{
	json_t *json = file->contents(result);
	char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
	int rc = text ? 0 : error_no_memory(err);

	/* standard output may continue a file; EINVAL: a pipe, which can't be truncated */
	if (!rc && ((!is_stdout(file) && ftruncate(file->opened.fd, 0) && errno != EINVAL) ||
		    fprintf(file->opened.out, "%s\n", text) < 0 || fflush(file->opened.out)))
		rc = common_cannot_write(file->name, errno, err);
	json_decref(json);
	free(text);
	return rc;
}

/* Printed even if a file can't be written: it took its time. */
static int print_result(const struct selftest_command *c, const struct selftest_result *result,
			struct error *err)
{
	bool printed = false;
	int written = 0, rc = 0;

	for (size_t i = 0; i < FILES; i++) {
		const struct result_file *file = &c->files[i];

		if (file->name && !written)
			written = write_result(file, result, err);
		printed |= is_stdout(file);
	}
	if (printed)
		return written;
	if (c->options->json)
		rc = common_print_json(c->options, selftest_json(result), written ? NULL : err);
	else
		selftest_print(result, stdout);
	return written ? written : rc;
}

static int print_conclusion(const struct selftest_result *result, int signal_number)
{
	const struct selftest_sum sum = selftest_sum(result);

	if (signal_number)
		return EXIT_SIGNALLED + signal_number;
	return sum.agree && !sum.differ && !result->counters.count ? EXIT_OK : EXIT_FAILED;
}

static int run_steps(struct options *options, struct error *err)
{
	struct selftest_command c = {
		.options = options,
		.shows_progress = options->verbosity != QUIET && isatty(STDERR_FILENO),
		.files =
			{
				[FILE_WHOLE] = {options->output, selftest_json,
						.opened.replaced.directory = -1},
				[FILE_SHARED] = {options->share, share_json,
						 .opened.replaced.directory = -1},
			},
	};
	struct signals signals;
	struct selftest_result result;
	int signal_number;
	const struct selftest_options wanted = {
		.sim = options->session.sim,
		.root = options->session.root,
		.backend = options->session.backend,
		.choice = {.node = options->node, .device = options->device},
		.total_ns = options->total_ns ? options->total_ns : DEFAULT_SECONDS * NS_PER_S,
		.snapshot = options->output,
		.wake = &signals.wake,
		.begin = begin_result,
		.progress = show_progress,
		.context = &c,
	};

	signals_block(&signals);
	int rc = selftest_run(&wanted, &options->log, &result, &signal_number, err);
	if (c.shows_progress)
		fputs(CLEAR_LINE, stderr);
	if (!rc)
		rc = print_result(&c, &result, err);
	for (size_t i = 0; i < FILES; i++)
		rc = common_close_output(&c.files[i].opened, rc, err);
	options->status = print_conclusion(&result, signal_number);
	selftest_result_free(&result);
	return rc;
}

static int run_selftest(struct options *options, struct error *err)
{
	if (options->merge && !options->operand_count)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--merge: no file, expected files of --share");
	if (options->merge)
		return share_merge(options->operands, options->operand_count, stdout, err);
	if (options->operand_count)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "unexpected argument '%s' (see cxlmon selftest --help)",
				 quoted(options->operands[0]).text);
	return run_steps(options, err);
}

static const struct option_row rows[] = {
	{OPTION_NODE},
	{OPTION_MEMBER(STRING, device), .name = "device", .argument = "NAME",
	 .valid = option_not_empty, .what = "no device", .expected = "expected a name such as mem0",
	 .help = "only this memory device, such as mem0"},
	{OPTION_SECONDS, .help = "time for all of it (20)"},
	{OPTION_FILE, .help = "write the result to FILE, as JSON with a snapshot, to be sent with "
			      "a report"},
	{OPTION_MEMBER(STRING, share), .name = "share", .argument = "FILE",
	 .valid = option_not_empty, .what = "no file", .expected = "expected a file name",
	 .help = "write an anonymous result to FILE, for others to merge"},
	{OPTION_MEMBER(FLAG, merge), .name = "merge",
	 .help = "test nothing: say what the files of --share that are named say together"},
	{OPTION_JSON, .help = "print one JSON object"},
	OPTIONS_COUNTING,
	{.name = NULL},
};

const struct subcommand cmd_selftest = {
	.name = "selftest",
	.purpose = "move known traffic, and compare it with the counters",
	.hint = "are the counts right?",
	.run = run_selftest,
	.usage =
		"Usage: cxlmon selftest [OPTION]...\n"
		"       cxlmon selftest --merge FILE...\n"
		"Is it true? Moves known numbers of bytes to and from the memory of each NUMA node behind\n"
		"a CXL port, and of DRAM, and compares them with what the counters say: reads, writes and\n"
		"both, at several rates, and the latency of dependent reads. Other programs that use the\n"
		"memory make it wait, and are made to wait.\n"
		"\n",
	.options = rows,
	.operands = SIZE_MAX,
	.operand = "FILE",
	.notes =
		"\n"
		"Exit status: 0 if all that could be judged agrees, 1 if not, or nothing could be judged,\n"
		"3 nothing to test, 4 no permission, 5 counters in use.\n",
};
