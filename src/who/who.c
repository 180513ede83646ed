/* SPDX-License-Identifier: BSD-3-Clause */
#include "who/who.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "poller/timetable.h"
#include "sim/sim.h"
#include "who/cgroups.h"
#include "who/groups.h"
#include "who/reads.h"
#include "who/samples.h"

#define MIB (1024.0 * 1024)
#define MS  1e6

#define SAMPLES_NS (NS_PER_S / 10) /* between readings of samples */

struct run {
	const struct who_options *options;
	const struct log *log;
	struct who_nodes nodes;
	struct who_watch watch;
	struct who_reads reads;
	bool counting;		    /* .reads is open */
	struct who_samples samples; /* .sampler NULL: nothing is sampled */
	bool groups_count;	    /* those of resctrl count reads */
	struct deadlines deadlines; /* unless counting: the poller has its own */
	uint64_t missed;	    /* before the next scan */
	bool said_refused, said_unclear, said_late, said_partial, said_beyond;
};

static const char *plural(size_t count)
{
	return count == 1 ? "" : "es";
}

static void say_once(bool *said, size_t count)
{
	*said |= count > 0;
}

/* Names the largest. */
static void report_partial(struct run *run, const struct who_scan *scan)
{
	const struct who_process *process = scan->processes;
	char nodes[WHO_NODES_TEXT_SIZE], others[48] = "";
	size_t left = scan->count;

	while (left && !process->use.partial) {
		process++;
		left--;
	}
	if (!left)
		return;
	if (scan->partial > 1)
		snprintf(others, sizeof(others), " (and %zu more)", scan->partial - 1);
	log_write(run->log, LEVEL_WARNING,
		  "process %u (%s)%s: the scan ran out of time: it has at least %" PRIu64 " MiB on "
		  "%s",
		  process->pid, process->command, others, process->use.sum.bytes >> 20,
		  who_nodes_text(&run->nodes, nodes));
}

static const char *plural_s(size_t count)
{
	return count == 1 ? "" : "s";
}

/* What is not in the rows of cgroups. */
static void report_cgroups_left_out(struct run *run, const struct who_scan *scan)
{
	if (scan->refused && !run->said_refused)
		log_write(
			run->log, LEVEL_NOTE,
			"%zu cgroup%s, and what is below, left out: they may not be read; " ERROR_RUN_AS_ROOT,
			scan->refused, plural_s(scan->refused));
	if (scan->unclear && !run->said_unclear)
		log_write(run->log, LEVEL_WARNING,
			  "%zu cgroup%s left out: memory.numa_stat can't be read, or is not "
			  "understood",
			  scan->unclear, plural_s(scan->unclear));
	if (scan->late && !run->said_late)
		log_write(run->log, LEVEL_WARNING,
			  "%zu cgroup%s, and what is below, left out: the scan ran out of time "
			  "after %.0f s",
			  scan->late, plural_s(scan->late), (double)WHO_SCAN_MOST_NS / NS_PER_S);
	if (scan->beyond && !run->said_beyond)
		log_write(
			run->log, LEVEL_WARNING,
			"%zu cgroup%s, and what is below, left out: below more than %d others, with "
			"a path that is too long, or after %d others",
			scan->beyond, plural_s(scan->beyond), CGROUPS_DEPTH_MOST, CGROUPS_MOST);
}

/* What is not in the rows of processes. */
static void report_processes_left_out(struct run *run, const struct who_scan *scan)
{
	if (scan->refused && !run->said_refused)
		log_write(
			run->log, LEVEL_NOTE, "%zu process%s left out: %s", scan->refused,
			plural(scan->refused),
			geteuid()
				? "only root may read the memory maps of others; " ERROR_RUN_AS_ROOT
				: "the kernel refuses access to its memory map, without "
				  "CAP_SYS_PTRACE (in a container?)");
	if (scan->unclear && !run->said_unclear)
		log_write(run->log, LEVEL_WARNING,
			  "%zu process%s left out: numa_maps can't be read, or is not understood",
			  scan->unclear, plural(scan->unclear));
	if (scan->late && !run->said_late)
		log_write(run->log, LEVEL_WARNING,
			  "%zu process%s left out, with %.0f MiB in memory at most: the scan ran "
			  "out of time after %.0f s",
			  scan->late, plural(scan->late), (double)scan->late_resident / MIB,
			  (double)WHO_SCAN_MOST_NS / NS_PER_S);
	if (scan->partial && !run->said_partial)
		report_partial(run, scan);
}

static void report_left_out(struct run *run, const struct who_scan *scan)
{
	if (who_by_cgroups(run->options->by))
		report_cgroups_left_out(run, scan);
	else
		report_processes_left_out(run, scan);
	say_once(&run->said_refused, scan->refused);
	say_once(&run->said_unclear, scan->unclear);
	say_once(&run->said_late, scan->late);
	say_once(&run->said_partial, scan->partial);
	say_once(&run->said_beyond, scan->beyond);
}

/* Once, that there is no row; where nothing was scanned, it is said above why. */
static void report_none(const struct run *run, const struct who_scan *scan)
{
	static const char *const nouns[WHO_BYS] = {"process", "cgroup",	 "container",
						   "VM",      "process", "process"};
	const char *noun = nouns[run->options->by];
	const bool all = !(scan->refused + scan->unclear + scan->late + scan->beyond);
	char nodes[WHO_NODES_TEXT_SIZE];

	if (scan->read)
		log_write(run->log, LEVEL_NOTE, "no %s%s has memory on %s", noun,
			  all ? "" : " that was scanned", who_nodes_text(&run->nodes, nodes));
	else if (all && who_by_cgroups(run->options->by))
		log_write(run->log, LEVEL_NOTE, "no cgroup is known to be a %s's", noun);
}

static void report(struct run *run, bool first)
{
	const bool by_cgroups = who_by_cgroups(run->options->by);
	const struct who_scan *scan = &run->watch.scan;
	char nodes[WHO_NODES_TEXT_SIZE];

	report_left_out(run, scan);
	if (first && !scan->count && !scan->group_count)
		report_none(run, scan);
	log_write(run->log, LEVEL_DETAIL, "scanned %zu %s in %.1f ms: %zu with memory on %s",
		  scan->read, by_cgroups ? "cgroups" : "processes", (double)scan->took_ns / MS,
		  by_cgroups ? scan->group_count : scan->count, who_nodes_text(&run->nodes, nodes));
}

static int scan_once(struct run *run, bool first, struct error *err)
{
	const struct who_options *o = run->options;
	struct who_scan *taken = &run->watch.scan;

	if (run->samples.sampler)
		who_samples_read(&run->samples);
	int rc = who_watch_scan(&run->watch, err);
	if (!rc && run->samples.sampler)
		rc = who_samples_give(&run->samples, &run->watch, err);
	if (rc)
		return rc;
	taken->missed = run->missed;
	if (run->counting && !first && who_estimate(taken, who_reads_of_cpu, &run->reads))
		return error_no_memory(err);
	report(run, first);
	rc = first ? o->begin(o->context, &run->nodes, run->counting || run->groups_count, err) : 0;
	return rc ? rc : o->scan(o->context, taken, err);
}

static int wait_and_sample(struct run *run, struct error *err)
{
	struct platform *p = run->watch.platform;
	int rc = 0;

	while (!rc && run->samples.sampler && p->ops->now(p) + SAMPLES_NS < run->deadlines.next) {
		rc = who_watch_wait(&run->watch, p->ops->now(p) + SAMPLES_NS, err);
		who_samples_read(&run->samples);
	}
	return rc ? rc : who_watch_wait(&run->watch, run->deadlines.next, err);
}

static int wait_for_deadline(struct run *run, struct error *err)
{
	struct platform *p = run->watch.platform;
	int rc;

	if (run->counting) {
		rc = who_reads_wait(&run->reads, run->options->wake, &run->watch.signal_number,
				    err);
		run->missed = run->reads.sample.missed;
		return rc;
	}
	rc = wait_and_sample(run, err);
	if (!rc)
		run->missed = deadlines_advance(&run->deadlines, p->ops->now(p));
	return rc;
}

static int scan_again(struct run *run, struct error *err)
{
	struct platform *p = run->watch.platform;
	const struct who_options *o = run->options;
	uint64_t scans = 0;
	int rc;

	deadlines_start(&run->deadlines, p->ops->now(p), o->interval_ns);
	do {
		rc = scans ? wait_for_deadline(run, err) : 0;
		if (!rc)
			rc = scan_once(run, !scans, err);
	} while (!rc && ++scans != o->count && o->interval_ns);
	return rc;
}

static void find_group_reads(struct run *run)
{
	enum mbm_event event;
	const struct mbm *mbm;
	struct error why;

	run->groups_count = !who_mon_groups_reads(run->watch.platform, &mbm, &event, &why);
	if (!run->groups_count)
		log_write(run->log, LEVEL_NOTE, "reads by group are not counted: %s", why.text);
}

/* It is no error that reads can't be counted. */
static void count_reads(struct run *run)
{
	const struct who_options *o = run->options;
	struct error why;

	if (o->interval_ns && o->by == WHO_BY_RESCTRL)
		find_group_reads(run);
	if (!o->interval_ns || o->by != WHO_BY_PROCESS || o->sampled)
		return;
	if (!who_reads_open(&run->reads, o->root, o->backend, o->interval_ns, run->log, &why)) {
		run->counting = true;
		run->watch.with_threads = true;
		return;
	}
	/* a session that is not started keeps others from starting theirs */
	who_reads_close(&run->reads, NULL);
	log_write(run->log, LEVEL_NOTE, "reads by CPU are not counted: %s", why.text);
}

/* What is not in the rows of reads. */
static void report_samples(const struct run *run)
{
	const struct who_samples *samples = &run->samples;
	const uint64_t lost = samples->sampler ? samples->sampler->lost : 0;

	if (lost + samples->left_out)
		log_write(run->log, LEVEL_NOTE,
			  "%" PRIu64 " samples of reads were lost, and %" PRIu64 " left out, as "
			  "there was no room",
			  lost, samples->left_out);
}

static int run_all(struct run *run, struct error *err)
{
	struct error why;

	count_reads(run);
	int rc = run->options->sampled ? who_samples_open(&run->samples, run->watch.platform,
							  &run->nodes, run->options->event, err)
				       : 0;
	if (!rc)
		rc = scan_again(run, err);
	report_samples(run);
	who_samples_close(&run->samples);
	who_watch_free(&run->watch);
	/* registers that were not restored are more than a signal */
	const int closed = run->counting ? who_reads_close(&run->reads, &why) : 0;
	if (closed)
		*err = why;
	return closed ? closed : rc;
}

int who_run(const struct who_options *options, const struct log *log, int *signal_number,
	    struct error *err)
{
	struct run run = {.options = options, .log = log};
	struct platform *p = NULL;
	int rc = platform_open(NULL, options->root, log, &p, err);

	*signal_number = 0;
	if (!rc)
		rc = who_nodes_find(p, options->root, &options->choice, &run.nodes, err);
	if (!rc) {
		run.watch = (struct who_watch){.platform = p,
					       .root = options->root,
					       .nodes = &run.nodes,
					       .by = options->by,
					       .wake = options->wake};
		rc = run_all(&run, err);
		*signal_number = run.watch.signal_number;
	}
	who_nodes_free(&run.nodes);
	platform_destroy(p);
	return rc;
}
