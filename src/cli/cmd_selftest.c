/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon selftest: known traffic against the counters. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/options_table.h"
#include "cli/subcommands.h"
#include "cli/traffic_command.h"
#include "linux/signals.h"
#include "output/output_file.h"
#include "selftest/result_json.h"
#include "selftest/result_text.h"
#include "selftest/selftest.h"

#define DEFAULT_SECONDS 20

struct selftest_command {
	const struct common_options *common;
	struct selftest_choice choice;
	uint64_t total_ns;
	const char *output; /* NULL: none; "-": standard output, with nothing else */
	bool shows_progress;
	FILE *file; /* of output; NULL: not open */
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
	return options_node(value, &((struct selftest_command *)context)->choice.node, err);
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

static int cannot_write(const struct selftest_command *c, int code, struct error *err)
{
	return error_set(err, EXIT_FAILED, -code, "%s: cannot be written: %s", c->output,
			 strerror(code));
}

static bool is_stdout(const struct selftest_command *c)
{
	return c->output && !options_output_file(c->output);
}

/* What is in the file stays there until there is a result. */
static int open_file(struct selftest_command *c, struct error *err)
{
	struct sudo_user caller;
	const int rc = sudo_user_find(&caller, err);

	if (rc)
		return rc;
	const int fd = is_stdout(c) ? dup(STDOUT_FILENO) : output_open(c->output, &caller, err);
	if (fd < 0)
		return is_stdout(c) ? cannot_write(c, errno, err) : fd;
	c->file = fdopen(fd, "w");
	if (c->file)
		return 0;
	close(fd);
	return cannot_write(c, ENOMEM, err);
}

static int begin(void *context, const struct selftest_result *result, struct error *err)
{
	struct selftest_command *c = context;
	const size_t steps = STEPS * result->node_count * result->backend_count;
	const int rc = c->output ? open_file(c, err) : 0;

	if (!rc && !c->common->quiet)
		traffic_announce(result, result->step_ns * steps);
	return rc;
}

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

static int write_text(const struct selftest_command *c, const char *text, struct error *err)
{
	/* standard output may continue a file; EINVAL: a pipe, which can't be truncated */
	if ((!is_stdout(c) && ftruncate(fileno(c->file), 0) && errno != EINVAL) ||
	    fprintf(c->file, "%s\n", text) < 0 || fflush(c->file))
		return cannot_write(c, errno, err);
	return 0;
}

static int write_result(const struct selftest_command *c, const struct selftest_result *result,
			struct error *err)
{
	json_t *json = selftest_json(result);
	char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : NULL;
	const int rc = text ? write_text(c, text, err) : error_no_memory(err);

	json_decref(json);
	free(text);
	return rc;
}

/* Printed even if the file can't be written: it took its time. */
static int print_result(const struct selftest_command *c, const struct selftest_result *result,
			struct error *err)
{
	const int written = c->output ? write_result(c, result, err) : 0;
	int rc = 0;

	if (is_stdout(c))
		return written;
	if (c->common->json)
		rc = common_print_json("selftest", selftest_json(result), written ? NULL : err);
	else
		selftest_print(result, stdout);
	return written ? written : rc;
}

static int conclude(const struct selftest_result *result, int signal_number)
{
	const struct selftest_sum sum = selftest_sum(result);

	if (signal_number)
		return EXIT_SIGNALLED + signal_number;
	return sum.agree && !sum.differ ? EXIT_OK : EXIT_FAILED;
}

static int selftest(struct selftest_command *c, int *status, struct error *err)
{
	const struct common_options *common = c->common;
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
		.begin = begin,
		.progress = show_progress,
		.context = c,
	};

	c->shows_progress = !common->quiet && isatty(STDERR_FILENO);
	signals_block(&signals);
	int rc = selftest_run(&options, &log, &result, &signal_number, err);
	if (c->shows_progress)
		fputs(CLEAR_LINE, stderr);
	if (!rc)
		rc = print_result(c, &result, err);
	if (c->file && fclose(c->file) && !rc)
		rc = cannot_write(c, errno, err);
	*status = conclude(&result, signal_number);
	selftest_result_free(&result);
	return rc;
}

int cmd_selftest(int argc, char **argv)
{
	struct common_options common;
	struct selftest_command command = {
		.common = &common, .choice = {.node = -1}, .total_ns = DEFAULT_SECONDS * NS_PER_S};
	struct error err = {0};
	int status = EXIT_OK;
	int rc = common_parse(argc, argv, extra_options, &command, 0, &common, &err);

	if (!rc && common.help)
		help();
	else if (!rc)
		rc = selftest(&command, &status, &err);
	if (rc == -EINTR && status >= EXIT_SIGNALLED)
		return status;
	rc = common_finish("selftest", rc, &err);
	return rc ? rc : status;
}
