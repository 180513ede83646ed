/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon selftest: compares the counters with known traffic. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "linux/run/signals.h"
#include "probe/selftest/selftest.h"

#define DEFAULT_SECONDS 20

struct selftest_command {
	const struct options *options;
	struct progress progress;
	struct common_output file; /* output file of -o; .out NULL: not open */
};

static int begin_result(void *context, const struct selftest_result *result, struct error *err)
{
	struct selftest_command *c = context;
	const struct options *options = c->options;
	const size_t steps = STEPS * result->node_count * result->backend_count;
	int rc = 0;

	/* the file keeps its contents until there is a result */
	if (options->output)
		rc = common_open_output(options_output_file(options->output), CONTENTS_KEPT,
					&c->file, err);
	if (!rc && options->verbosity != QUIET)
		traffic_announce(&result->found, result->step_ns * steps);
	return rc;
}

static void show_progress(void *context, const struct selftest_result *result,
			  const struct selftest_node *node, size_t backend, size_t step,
			  uint64_t left_ns)
{
	struct selftest_command *c = context;
	char name[LOAD_NODE_NAME_SIZE];

	progress_show(&c->progress, left_ns, "%s %s: %s (%zu of %d)",
		      result->backends[backend].name, load_node_name(node->at, name),
		      step_names[step_table[step].kind], step + 1, STEPS);
}

static int write_result(const struct common_output *file, bool is_stdout,
			const struct selftest_result *result, struct error *err)
{
	json_t *json = selftest_json(result);
	char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
	int rc = text ? 0 : error_no_memory(err);

	/* standard output may continue a file; EINVAL: a pipe, which cannot be truncated */
	if (!rc && ((!is_stdout && ftruncate(file->fd, 0) && errno != EINVAL) ||
		    fprintf(file->out, "%s\n", text) < 0 || fflush(file->out)))
		rc = output_cannot_write(file->name, -errno, err);
	json_decref(json);
	free(text);
	return rc;
}

/* Prints the result even if the file cannot be written, because it took long to measure. */
static int print_result(const struct selftest_command *c, const struct selftest_result *result,
			struct error *err)
{
	const char *name = c->options->output;
	const bool is_stdout = name && !options_output_file(name);
	const int written = name ? write_result(&c->file, is_stdout, result, err) : 0;
	int rc = 0;

	if (is_stdout)
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

static int run_selftest(struct options *options, struct error *err)
{
	struct selftest_command c = {
		.options = options,
		.file.replaced.directory = -1,
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
	progress_begin(&c.progress, progress_terminal(options->verbosity), &options->log);
	int rc = selftest_run(&wanted, &c.progress.log, &result, &signal_number, err);
	progress_end(&c.progress);
	if (!rc)
		rc = print_result(&c, &result, err);
	rc = common_close_output(&c.file, rc, err);
	options->status = print_conclusion(&result, signal_number);
	selftest_result_free(&result);
	return rc;
}

static const struct option_row rows[] = {
	{OPTION_NODE},
	{OPTION_MEMBER(STRING, device), .name = "device", .argument = "NAME",
	 .valid = option_not_empty, .what = "no device", .expected = "expected a name such as mem0",
	 .help = "use only this memory device, such as mem0"},
	{OPTION_SECONDS, .help = "spend S seconds on the whole test (default 20)"},
	{OPTION_FILE, .help = "write the result to FILE, as JSON with a snapshot of the machine"},
	{OPTION_JSON, .help = "print one JSON object"},
	OPTIONS_COUNTING,
	{.name = NULL},
};

const struct subcommand cmd_selftest = {
	.name = "selftest",
	.purpose = "transfer known traffic, and compare it with the counters",
	.hint = "are the counts right?",
	.run = run_selftest,
	.usage = "Usage: cxlmon selftest [OPTION]...\n"
		 "Is it true? Transfers known numbers of bytes to and from the memory of each NUMA "
		 "node\n"
		 "behind a CXL port, and of DRAM, and compares them with the counters: reads, "
		 "writes and\n"
		 "both, at several rates, and the latency of a pointer chase. Other programs that "
		 "use the\n"
		 "memory slow the test down and are slowed by it.\n"
		 "\n",
	.options = rows,
	.notes =
		"\n"
		"Exit status: 0 if all that could be judged agrees, 1 if not, or nothing could be judged,\n"
		"3 nothing to test, 4 no permission, 5 counters in use.\n",
};
