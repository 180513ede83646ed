/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon sweep: loaded latency, as a recording and as CSV. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/options_table.h"
#include "cli/subcommands.h"
#include "linux/signals.h"
#include "output/output_file.h"
#include "platform/text.h"
#include "record/recording.h"
#include "selftest/result_text.h"
#include "sweep/sweep.h"
#include "sweep/sweep_text.h"

#define DEFAULT_SECONDS 60
#define MIB		(UINT64_C(1) << 20)
#define CLEAR_LINE	"\r\033[K"

struct sweep_command {
	const struct common_options *common;
	struct selftest_choice choice;
	uint64_t total_ns;
	const char *output, *node;
	bool csv, shows_progress;
	FILE *file; /* the recording; NULL: none */
	struct bytes bytes;
	uint64_t samples;
	struct sweep_points points;
};

static void help(void)
{
	fputs("Usage: cxlmon sweep [OPTION]... -o FILE\n"
	      "Measures the latency of each NUMA node behind a CXL port, and of DRAM, from no load to\n"
	      "the most that can be had, in steps, with 100, 75, 67 and 50 % of reads: by dependent\n"
	      "reads and by the counters. Records that in FILE, which must be new or empty: cxlmon\n"
	      "report FILE draws the curves. Other programs that use the memory make it wait, and are\n"
	      "made to wait.\n"
	      "\n"
	      "      --node=N           only this NUMA node\n"
	      "      --seconds=S        time for all of it (60)\n"
	      "  -o, --output=FILE      record in FILE\n"
	      "      --csv              print a row for each step; then -o may be left out\n" HELP_COMMON
	      "\n"
	      "  sudo cxlmon sweep -o sweep.cxl && cxlmon report sweep.cxl -o sweep.html\n",
	      stdout);
}

static int set_node(void *context, const char *value, struct error *err)
{
	struct sweep_command *c = context;
	uint64_t number;

	if (!text_number(value, &number) || number > INT16_MAX)
		return options_usage(err, "invalid node", value, "expected the number of a node");
	c->choice.node = (int)number;
	c->node = value;
	return 0;
}

static int set_seconds(void *context, const char *value, struct error *err)
{
	return options_interval(value, &((struct sweep_command *)context)->total_ns, err);
}

static int set_output(void *context, const char *value, struct error *err)
{
	((struct sweep_command *)context)->output = value;
	return *value ? 0 : options_usage(err, "no file", value, "expected -o FILE");
}

static int set_csv(void *context, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	((struct sweep_command *)context)->csv = true;
	return 0;
}

static const struct extra_option extra_options[] = {
	{"node", 0, true, set_node},
	{"seconds", 0, true, set_seconds},
	{"output", 'o', true, set_output},
	{"csv", 0, false, set_csv},
	{.name = NULL},
};

static int cannot_write(const struct sweep_command *c, int code, struct error *err)
{
	return error_set(err, EXIT_FAILED, -code, "%s: cannot be written: %s", c->output,
			 strerror(code));
}

static int check_file(const struct sweep_command *c, int fd, struct error *err)
{
	struct stat st;

	if (isatty(fd))
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "can't write a recording to a terminal: expected -o FILE");
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size)
		return error_set(err, EXIT_FAILED, -EEXIST,
				 "%s: is not empty, and cxlmon sweep does not overwrite: remove "
				 "it, or choose another name",
				 c->output);
	return 0;
}

static int open_file(struct sweep_command *c, struct error *err)
{
	struct sudo_user caller;
	int rc = sudo_user_find(&caller, err);

	if (rc)
		return rc;
	const int fd = output_open(c->output, &caller, err);
	if (fd < 0)
		return fd;
	rc = check_file(c, fd, err);
	c->file = rc ? NULL : fdopen(fd, "w");
	if (!c->file)
		close(fd);
	return rc || c->file ? rc : cannot_write(c, ENOMEM, err);
}

/* Each block at once: what was measured is kept, whatever comes. */
static int write_bytes(struct sweep_command *c, struct error *err)
{
	const bool complete = !c->bytes.failed;
	const size_t size = c->bytes.size;

	c->bytes.size = 0;
	c->bytes.failed = false;
	if (!complete)
		return error_no_memory(err);
	if (fwrite(c->bytes.data, 1, size, c->file) != size || fflush(c->file))
		return cannot_write(c, errno, err);
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static void put_header(struct sweep_command *c, const struct sweep *sweep)
{
	struct platform *p = sweep->session.platform;
	struct recording_info about = {
		.program = CXLMON_VERSION,
		.processor = sweep->session.machine.model->name,
		.interval_ns = sweep->step_ns,
		.started_ns = p->ops->wall(p),
		.options = {{"metrics", SESSION_METRICS}, {"per", scope_names[SCOPE_PORT]}},
		.option_count = 2,
	};

	if (c->common->sim)
		about.options[about.option_count++] =
			(struct recording_option){"sim", base_name(c->common->sim)};
	if (c->node)
		about.options[about.option_count++] = (struct recording_option){"node", c->node};
	recording_put_header(&c->bytes, &about, &sweep->session.view);
}

static double seconds_of(const struct sweep *sweep)
{
	const size_t steps = sweep->found.node_count * SWEEP_MIXES * (SWEEP_STEPS + 1);

	return (double)sweep->step_ns * (double)steps / (double)NS_PER_S;
}

/* What will be done, before it is. */
static void announce(const struct sweep *sweep)
{
	const struct selftest_result *found = &sweep->found;
	char name[SELFTEST_NAME_SIZE];
	uint64_t most = 0;

	for (size_t i = 0; i < found->node_count; i++)
		if (found->nodes[i].memory_bytes > most)
			most = found->nodes[i].memory_bytes;
	fprintf(stderr,
		"cxlmon: moves data to and from the memory of %zu node%s, one after the other, for "
		"about %.0f s; Ctrl-C stops it\n",
		found->node_count, found->node_count == 1 ? "" : "s", seconds_of(sweep));
	if (most)
		fprintf(stderr,
			"cxlmon: takes up to %" PRIu64
			" MiB of a node's free memory, and up to %d threads\n",
			most / MIB, SELFTEST_CPUS);
	else
		fputs("cxlmon: takes no memory: a simulated machine is told of the traffic\n",
		      stderr);
	for (size_t i = 0; i < found->node_count; i++)
		if (found->nodes[i].skipped.code)
			fprintf(stderr, "cxlmon: left out: %s: %s\n",
				selftest_node_name(&found->nodes[i], name),
				found->nodes[i].skipped.text);
}

static int begin(void *context, const struct sweep *sweep, struct error *err)
{
	struct sweep_command *c = context;
	int rc = c->output ? open_file(c, err) : 0;

	if (!rc && c->output && recording_check_size(&sweep->session.view))
		rc = error_set(err, EXIT_FAILED, -E2BIG, "%s: too many rows for a recording",
			       c->output);
	if (!rc && c->file) {
		put_header(c, sweep);
		rc = write_bytes(c, err);
	}
	if (!rc && !c->common->quiet)
		announce(sweep);
	if (!rc && c->csv)
		sweep_csv_header(stdout);
	return rc;
}

static void show_progress(void *context, const struct selftest_node *node, double read_share,
			  double part)
{
	const struct sweep_command *c = context;
	char name[SELFTEST_NAME_SIZE];

	if (!c->shows_progress)
		return;
	fprintf(stderr, CLEAR_LINE "%s: %.0f %% reads, at %.0f %% of the most",
		selftest_node_name(node, name), 100 * read_share, 100 * part);
	fflush(stderr);
}

static int take_point(struct sweep_command *c, const struct sweep *sweep,
		      const struct sweep_point *point, struct error *err)
{
	const struct sweep_counted counted = sweep_counted(&sweep->session.view, point);

	if (c->csv) {
		sweep_csv_row(point, &counted, stdout);
		fflush(stdout);
	}
	return sweep_points_add(&c->points, point, &counted) ? error_no_memory(err) : 0;
}

static int take_sample(void *context, const struct sweep *sweep, const struct sample *sample,
		       const struct sweep_point *point, struct error *err)
{
	struct sweep_command *c = context;
	int rc = point ? take_point(c, sweep, point, err) : 0;

	if (rc || !c->file)
		return rc;
	if (point)
		recording_put_point(&c->bytes, point);
	recording_put_sample(&c->bytes, &sweep->session.view, sample);
	c->samples++;
	return write_bytes(c, err);
}

/* A sweep that was interrupted is kept, too. */
static int close_file(struct sweep_command *c, bool complete, struct error *err)
{
	int rc = 0;

	if (!c->file)
		return 0;
	if (complete) {
		recording_put_end(&c->bytes, c->samples);
		rc = write_bytes(c, err);
	}
	if (fclose(c->file) && !rc)
		rc = cannot_write(c, errno, err);
	return rc;
}

/* Nodes that were to be measured and could not. */
static int report_skipped(const struct sweep_command *c, const struct sweep *sweep,
			  struct error *err)
{
	const struct selftest_result *found = &sweep->found;

	for (size_t i = 0; !c->points.count && i < found->node_count; i++)
		if (found->nodes[i].skipped.code)
			return error_set(err, EXIT_FAILED, found->nodes[i].skipped.code,
					 "no node could be measured: %s",
					 found->nodes[i].skipped.text);
	return 0;
}

static int sweep(struct sweep_command *c, int *signal_number, struct error *err)
{
	const struct common_options *common = c->common;
	const struct log log = messages_log(common->quiet, common->verbose);
	struct signals signals;
	struct sweep run;
	const struct sweep_options options = {
		.sim = common->sim,
		.root = common->root,
		.backend = common->backend,
		.choice = c->choice,
		.total_ns = c->total_ns,
		.wake = &signals.wake,
		.begin = begin,
		.progress = show_progress,
		.sample = take_sample,
		.context = c,
	};

	c->shows_progress = !common->quiet && isatty(STDERR_FILENO);
	signals_block(&signals);
	int rc = sweep_run(&options, &log, &run, err);
	if (c->shows_progress)
		fputs(CLEAR_LINE, stderr);
	const int closed = close_file(c, !rc || rc == -EINTR, rc ? NULL : err);
	rc = rc ? rc : closed;
	if (!rc)
		rc = report_skipped(c, &run, err);
	if (!rc && !c->csv)
		sweep_summary(&c->points, stdout);
	*signal_number = run.signal_number;
	sweep_free(&run);
	return rc;
}

static int check(const struct sweep_command *c, struct error *err)
{
	if (c->common->json)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "sweep: it prints no JSON: expected --csv, or -o FILE");
	if (!c->output && !c->csv)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "sweep: no file: expected -o FILE, or --csv");
	return 0;
}

int cmd_sweep(int argc, char **argv)
{
	struct common_options common;
	struct sweep_command command = {
		.common = &common, .choice = {.node = -1}, .total_ns = DEFAULT_SECONDS * NS_PER_S};
	struct error err = {0};
	int signal_number = 0;
	int rc = common_parse(argc, argv, extra_options, &command, 0, &common, &err);

	if (!rc && common.help)
		help();
	else if (!rc)
		rc = check(&command, &err);
	if (!rc && !common.help)
		rc = sweep(&command, &signal_number, &err);
	bytes_free(&command.bytes);
	sweep_points_free(&command.points);
	if (rc == -EINTR && signal_number)
		return EXIT_SIGNALLED + signal_number;
	return common_finish("sweep", rc, &err);
}
