/* SPDX-License-Identifier: BSD-3-Clause */
/* Replay of the recordings of several hosts, in the order of time. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/hosts_read.h"
#include "cli/playback.h"
#include "cli/replayed.h"
#include "output/diagnostics.h"
#include "probe/hot/hot_block.h"
#include "record/merge.h"
#include "show/hosts/host.h"

/* A recording that is shown; .replayed must not move. */
struct replayed_host {
	struct replayed replayed;
	struct host host;
};

struct replayed_hosts {
	struct replayed_host *opened; /* room for all recordings */
	struct host **hosts;	      /* members of .opened */
	size_t count;
	struct merge merge;
	struct error failure; /* the last failure of a recording; code 0: none */
};

/* Refuses output that is only of one host. */
static int check_hosts(const struct options *options, struct error *err)
{
	const bool replaces = options->format && options->format->replaces;
	const char *surplus = options->screen			   ? "--screen"
			      : options->summary == SUMMARY_ALWAYS ? "--summary"
			      : replaces			   ? options->format->name
								   : NULL;

	return surplus ? error_set(err, ERROR_USAGE, -EINVAL,
				   "replay: several recordings have no %s: expected one FILE, or "
				   "cxlmon report FILE FILE... for a table of hosts",
				   surplus)
		       : 0;
}

static int refuse_hot(const struct recording_file *file, struct error *err)
{
	return recorded_option(&file->recording.info, RECORDED_BY)
		       ? error_set(err, ERROR_USAGE, -EINVAL,
				   "%s: recorded by cxlmon hot: expected no other FILE", file->name)
		       : 0;
}

/*
 * Opens a recording. One that cannot be read is left out; options that it does not have are an
 * error.
 */
static int open_host(struct replayed_hosts *all, const struct options *options, const char *name,
		     struct error *err)
{
	struct replayed_host *next = &all->opened[all->count];
	struct error why;
	int rc = replay_open(options, name, &next->replayed, &why);

	if (!rc)
		rc = refuse_hot(&next->replayed.file, &why);
	if (rc) {
		replay_close(&next->replayed);
		if (rc == -ENOMEM || why.kind == ERROR_USAGE) {
			*err = why;
			return rc;
		}
		messages_keep_last(&all->failure, &why);
		return 0;
	}
	playback_describe(options, &next->replayed.file);
	host_begin(&next->host, &next->replayed.file);
	if (options->session.interval_ns)
		next->host.interval_ns = options->session.interval_ns;
	all->hosts[all->count++] = &next->host;
	return 0;
}

static int open_all(struct replayed_hosts *all, const struct options *options, struct error *err)
{
	int rc = 0;

	all->opened = calloc(options->operand_count, sizeof(*all->opened));
	all->hosts = calloc(options->operand_count, sizeof(struct host *));
	if (!all->opened || !all->hosts)
		return error_no_memory(err);
	for (size_t i = 0; !rc && i < options->operand_count; i++)
		rc = open_host(all, options, options->operands[i], err);
	if (rc)
		return rc;
	if (!all->count)
		return messages_pass_on(&all->failure, err);
	if (hosts_tell_apart(all->hosts, all->count))
		return error_no_memory(err);
	for (size_t i = 0; !rc && i < all->count; i++)
		rc = merge_add(&all->merge, &all->opened[i].replayed.replay, all->hosts[i]->name);
	return rc ? error_no_memory(err) : merge_begin(&all->merge, err);
}

/* A log that names the host in each message. */
struct host_log {
	const struct log *next;
	const char *host;
};

static void write_of_host(void *context, enum log_level level, const char *text)
{
	const struct host_log *log = context;

	log_write(log->next, level, "%s: %s", log->host, text);
}

static void show_sample(struct replayed_hosts *all, struct sink *sink, const struct log *log)
{
	const struct merge *merge = &all->merge;
	struct host *host = all->hosts[merge->last];
	struct host_log named = {log, host->name};
	const struct log of_host = {.write = write_of_host, .context = &named};

	host_add_time(host, merge->sample->wall_ns, host->interval_ns);
	diagnostics_say_marks(&of_host, &merge->table.marks, true);
	sink->format->sample(sink, merge->sample);
}

static int show_rows(struct replayed_hosts *all, const struct options *options,
		     const struct common_output *output, struct error *err)
{
	struct sink sink = {
		.format = common_row_format(options, output->fd),
		.out = output->out,
		.terminal = isatty(output->fd),
		.fd = output->fd,
		.path = options->output,
		.table = &all->merge.table,
	};
	int rc = sink.format->begin(&sink);

	if (rc)
		error_set(err, ERROR_FAILED, rc, "out of memory");
	else
		while ((rc = merge_next(&all->merge, err)) > 0)
			show_sample(all, &sink, &options->log);
	if (sink.format->end)
		sink.format->end(&sink);
	return rc;
}

/* Reports damage of recordings, and differences between them, after the rows. */
static void conclude_hosts(struct replayed_hosts *all, const struct options *options)
{
	struct error why;

	for (size_t i = 0; i < all->count; i++) {
		if (all->merge.hosts[i].flaw.code)
			messages_keep_last(&all->failure, &all->merge.hosts[i].flaw);
		if (playback_check(options, &all->opened[i].replayed.file, &why))
			messages_keep_last(&all->failure, &why);
	}
	hosts_warn(all->hosts, all->count, &options->log);
}

static int show_hosts(struct replayed_hosts *all, const struct options *options, struct error *err)
{
	struct common_output output;
	int rc = common_open_output(options->output, CONTENTS_EMPTIED, &output, err);

	if (rc)
		return rc;
	const int shown = show_rows(all, options, &output, err);
	rc = common_close_output(&output, shown, err);
	if (!shown)
		conclude_hosts(all, options);
	return rc ? rc : messages_pass_on(&all->failure, err);
}

int replay_hosts(struct options *options, struct error *err)
{
	struct replayed_hosts all = {.count = 0};
	int rc = check_hosts(options, err);

	if (!rc)
		rc = open_all(&all, options, err);
	if (!rc)
		rc = show_hosts(&all, options, err);
	merge_free(&all.merge);
	for (size_t i = 0; i < all.count; i++)
		replay_close(&all.opened[i].replayed);
	free(all.opened);
	free(all.hosts);
	return rc;
}
