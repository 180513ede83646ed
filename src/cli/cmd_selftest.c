/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon selftest: known traffic against the counters. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/options_table.h"
#include "cli/subcommands.h"
#include "linux/signals.h"
#include "output/output_file.h"
#include "platform/text.h"
#include "selftest/result_json.h"
#include "selftest/result_text.h"
#include "selftest/selftest.h"

#define DEFAULT_SECONDS 20
#define MIB		(UINT64_C(1) << 20)

struct selftest_command {
	struct selftest_choice choice;
	uint64_t total_ns;
	const char *output;
	bool quiet, shows_progress;
};

static void help(void)
{
	fputs("Usage: cxlmon selftest [OPTION]...\n"
	      "Moves known numbers of bytes to and from the memory of each NUMA node behind a CXL port,\n"
	      "and of DRAM, and compares them with what the counters say: reads, writes and both, at\n"
	      "several rates, and the latency of dependent reads. Other programs that use the memory\n"
	      "make it wait, and are made to wait.\n"
	      "\n"
	      "      --node=N           only this NUMA node\n"
	      "      --device=NAME      only this memory device, such as mem0\n"
	      "      --seconds=S        time for all of it (20)\n"
	      "  -o, --output=FILE      write the result to FILE, as JSON with a snapshot: to be sent\n" HELP_JSON
		      HELP_COMMON "\n"
	      "Exit status: 0 if all that could be judged agrees, 1 if not, or nothing could be judged,\n"
	      "3 nothing to test, 4 no permission, 5 counters in use.\n",
	      stdout);
}

static int set_node(void *context, const char *value, struct error *err)
{
	struct selftest_command *c = context;
	uint64_t number;

	if (!text_number(value, &number) || number > INT16_MAX)
		return options_usage(err, "invalid node", value, "expected the number of a node");
	c->choice.node = (int)number;
	return 0;
}

static int set_device(void *context, const char *value, struct error *err)
{
	struct selftest_command *c = context;

	if (!*value)
		return options_usage(err, "no device", value, "expected a name such as mem0");
	c->choice.device = value;
	return 0;
}

static int set_seconds(void *context, const char *value, struct error *err)
{
	return options_interval(value, &((struct selftest_command *)context)->total_ns, err);
}

static int set_output(void *context, const char *value, struct error *err)
{
	((struct selftest_command *)context)->output = value;
	return *value ? 0 : options_usage(err, "no file", value, "expected -o FILE");
}

static const struct extra_option extra_options[] = {
	{"node", 0, true, set_node},
	{"device", 0, true, set_device},
	{"seconds", 0, true, set_seconds},
	{"output", 'o', true, set_output},
	{.name = NULL},
};

static double seconds_of(const struct selftest_result *result)
{
	return (double)result->step_ns * (double)(STEPS * result->node_count) *
	       (double)result->backend_count / (double)NS_PER_S;
}

/* What will be done, before it is. */
static void announce(void *context, const struct selftest_result *result)
{
	const struct selftest_command *c = context;
	char name[SELFTEST_NAME_SIZE];
	uint64_t most = 0;

	if (c->quiet)
		return;
	for (size_t i = 0; i < result->node_count; i++)
		if (result->nodes[i].memory_bytes > most)
			most = result->nodes[i].memory_bytes;
	fprintf(stderr,
		"cxlmon: moves data to and from the memory of %zu node%s, one after the other, for "
		"about %.0f s; Ctrl-C stops it\n",
		result->node_count, result->node_count == 1 ? "" : "s", seconds_of(result));
	if (most)
		fprintf(stderr,
			"cxlmon: takes up to %" PRIu64
			" MiB of a node's free memory, and up to %d threads\n",
			most / MIB, SELFTEST_CPUS);
	else
		fputs("cxlmon: takes no memory: a simulated machine is told of the traffic\n",
		      stderr);
	for (size_t i = 0; i < result->node_count; i++)
		if (result->nodes[i].skipped.code)
			fprintf(stderr, "cxlmon: not tested: %s: %s\n",
				selftest_node_name(&result->nodes[i], name),
				result->nodes[i].skipped.text);
}

#define CLEAR_LINE "\r\033[K"

static void show_progress(void *context, const struct selftest_result *result,
			  const struct selftest_node *node, size_t backend, size_t step)
{
	const struct selftest_command *c = context;
	char name[SELFTEST_NAME_SIZE];

	if (!c->shows_progress)
		return;
	fprintf(stderr, CLEAR_LINE "%s %s: %s (%zu of %d)", result->backends[backend].name,
		selftest_node_name(node, name), step_names[step_table[step].kind], step + 1, STEPS);
	fflush(stderr);
}

static int write_text(const char *name, const char *text, struct error *err)
{
	struct sudo_user caller;
	int rc = sudo_user_find(&caller, err);

	if (rc)
		return rc;
	const int fd = output_open(name, &caller, err);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd < 0)
		return fd;
	/* EINVAL: a pipe, which can't be truncated */
	if (!file || (ftruncate(fd, 0) && errno != EINVAL) || fprintf(file, "%s\n", text) < 0)
		rc = -errno;
	if ((file ? fclose(file) : close(fd)) && !rc)
		rc = -errno;
	return rc ? error_set(err, EXIT_FAILED, rc, "%s: cannot be written: %s", name,
			      strerror(-rc))
		  : 0;
}

static int write_result(const char *name, const struct selftest_result *result, struct error *err)
{
	json_t *json = selftest_json(result);
	char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
	const int rc = text ? write_text(name, text, err) : error_no_memory(err);

	json_decref(json);
	free(text);
	return rc;
}

static int print_result(const struct common_options *common, const struct selftest_command *c,
			const struct selftest_result *result, struct error *err)
{
	int rc = c->output ? write_result(c->output, result, err) : 0;

	if (!rc && common->json)
		rc = common_print_json("selftest", selftest_json(result), err);
	else if (!rc)
		selftest_print(result, stdout);
	return rc;
}

static int conclude(const struct selftest_result *result, int signal_number)
{
	const struct selftest_sum sum = selftest_sum(result);

	if (signal_number)
		return EXIT_SIGNALLED + signal_number;
	return sum.agree && !sum.differ ? EXIT_OK : EXIT_FAILED;
}

static int selftest(const struct common_options *common, struct selftest_command *c, int *status,
		    struct error *err)
{
	const struct log log = messages_log(common->quiet, common->verbose);
	struct signals signals;
	struct selftest_result result;
	int signal_number;
	const struct selftest_options options = {
		.sim = common->sim,
		.root = common->root,
		.backend = common->backend,
		.choice = c->choice,
		.total_ns = c->total_ns,
		.snapshot = c->output,
		.wake = &signals.wake,
		.begin = announce,
		.progress = show_progress,
		.context = c,
	};

	c->quiet = common->quiet;
	c->shows_progress = !common->quiet && isatty(STDERR_FILENO);
	signals_block(&signals);
	int rc = selftest_run(&options, &log, &result, &signal_number, err);
	if (c->shows_progress)
		fputs(CLEAR_LINE, stderr);
	if (!rc)
		rc = print_result(common, c, &result, err);
	*status = conclude(&result, signal_number);
	selftest_result_free(&result);
	return rc;
}

int cmd_selftest(int argc, char **argv)
{
	struct selftest_command command = {.choice = {.node = -1},
					   .total_ns = DEFAULT_SECONDS * NS_PER_S};
	struct common_options common;
	struct error err = {0};
	int status = EXIT_OK;
	int rc = common_parse(argc, argv, extra_options, &command, 0, &common, &err);

	if (!rc && common.help)
		help();
	else if (!rc)
		rc = selftest(&common, &command, &status, &err);
	if (rc == -EINTR && status >= EXIT_SIGNALLED)
		return status;
	rc = common_finish("selftest", rc, &err);
	return rc ? rc : status;
}
