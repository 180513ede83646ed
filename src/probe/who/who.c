/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/who.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"
#include "linux/kernel/clock.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/rdt.h"
#include "platform/task_groups.h"
#include "probe/who/print.h"
#include "probe/who/who_private.h"
#include "process/cgroup_names.h"
#include "session/session.h"

#define MS 1e6

static int find_devdax(const char *root, struct who_nodes *nodes, struct error *err)
{
	size_t count, kept = 0;

	if (devdax_list(root, &nodes->dax, &count))
		return error_no_memory(err);
	for (size_t i = 0; i < count; i++)
		if (cxl_nodes_contain(&nodes->numa, nodes->dax[i].node))
			nodes->dax[kept++] = nodes->dax[i];
	nodes->dax_count = kept;
	return 0;
}

int who_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct who_nodes *out, struct error *err)
{
	*out = (struct who_nodes){.dax_count = 0};
	int rc = cxl_nodes_find(p, root, choice, &out->numa, err);

	if (!rc && root)
		rc = find_devdax(root, out, err);
	if (rc)
		who_nodes_free(out);
	return rc;
}

void who_nodes_free(struct who_nodes *nodes)
{
	cxl_nodes_free(&nodes->numa);
	free(nodes->dax);
	*nodes = (struct who_nodes){.dax_count = 0};
}

static const char *plural_es(size_t count)
{
	return count == 1 ? "" : "es";
}

static const char *plural_s(size_t count)
{
	return count == 1 ? "" : "s";
}

/* Tells if there are some for the first time in this run. */
static bool is_news(bool *said, size_t count)
{
	const bool news = count && !*said;

	*said |= news;
	return news;
}

/* Reports the largest process that was not read completely. */
static void report_partial(const struct who *run, const struct who_scan *scan)
{
	const struct process_row *process = scan->processes.at;
	char nodes[CXL_NODES_TEXT_SIZE], others[48] = "";
	size_t left = scan->processes.count;

	for (; left && !process->memory.partial; left--)
		process++;
	if (!left)
		return;
	if (scan->partial > 1)
		snprintf(others, sizeof(others), " (and %zu more)", scan->partial - 1);
	log_write(run->log, LEVEL_WARNING,
		  "process %u (%s)%s: the scan ran out of time: it has at least %" PRIu64 " MiB on "
		  "%s",
		  process->is.pid, process->name, others, (uint64_t)process->memory.cxl >> 20,
		  cxl_nodes_text(&run->nodes.numa, nodes));
}

/* Lists names, such as "dax0.0, dax1.0"; a long list is cut off. */
static const char *dax_names(const struct who_nodes *nodes, char text[CXL_NODES_TEXT_SIZE])
{
	text[0] = '\0';
	for (size_t i = 0; i < nodes->dax_count; i++)
		text_list(text, CXL_NODES_TEXT_SIZE, "%s", nodes->dax[i].name);
	return text;
}

/* Reports cgroups and memory missing in the rows of cgroups. */
static void report_cgroups_left_out(struct who *run, const struct who_scan *scan)
{
	char names[CXL_NODES_TEXT_SIZE];

	if (is_news(&run->said_dax, run->nodes.dax_count))
		log_write(run->log, LEVEL_NOTE,
			  "memory in devdax mode (%s) is charged to no cgroup: without --by=%s, "
			  "rows show how much of it processes have mapped",
			  dax_names(&run->nodes, names), row_by_names[run->options->by]);
	if (is_news(&run->said_lacking, scan->cgroup_v1))
		log_write(run->log, LEVEL_NOTE,
			  "cgroup v1 counts anonymous memory, page cache and unevictable pages by "
			  "node: stacks, page tables and slab of the kernel%s are in no row",
			  scan->no_huge ? ", and huge pages of hugetlbfs," : "");
	else if (is_news(&run->said_lacking, scan->no_huge))
		log_write(
			run->log, LEVEL_NOTE,
			"huge pages of hugetlbfs are in no row of a cgroup without the controller "
			"hugetlb, which cgroup.subtree_control of each ancestor enables");
	if (is_news(&run->said_refused, scan->refused))
		log_write(
			run->log, LEVEL_NOTE,
			"%zu cgroup%s, and those below, left out: no permission to read them; " ERROR_RUN_AS_ROOT,
			scan->refused, plural_s(scan->refused));
	if (is_news(&run->said_unclear, scan->unclear))
		log_write(run->log, LEVEL_WARNING,
			  "%zu cgroup%s left out: memory.numa_stat cannot be read or understood",
			  scan->unclear, plural_s(scan->unclear));
	if (is_news(&run->said_late, scan->late))
		log_write(run->log, LEVEL_WARNING,
			  "%zu cgroup%s, and those below, left out: the scan ran out of time "
			  "after %.0f s",
			  scan->late, plural_s(scan->late), (double)WHO_SCAN_MOST_NS / NS_PER_S);
	if (is_news(&run->said_beyond, scan->beyond))
		log_write(
			run->log, LEVEL_WARNING,
			"%zu cgroup%s, and those below, left out: below more than %d others, with "
			"a path that is too long, or more than their owner's share of %d",
			scan->beyond, plural_s(scan->beyond), CGROUPS_DEPTH_MOST, CGROUPS_MOST);
}

/* Reports processes missing in the rows of processes. */
static void report_processes_left_out(struct who *run, const struct who_scan *scan)
{
	if (is_news(&run->said_refused, scan->refused))
		log_write(
			run->log, LEVEL_NOTE, "%zu process%s left out: %s", scan->refused,
			plural_es(scan->refused),
			geteuid()
				? "only root may read the memory maps of others; " ERROR_RUN_AS_ROOT
				: "the kernel refuses access to its memory map, without "
				  "CAP_SYS_PTRACE (in a container?)");
	if (is_news(&run->said_unclear, scan->unclear))
		log_write(run->log, LEVEL_WARNING,
			  "%zu process%s left out: numa_maps cannot be read or understood",
			  scan->unclear, plural_es(scan->unclear));
	if (is_news(&run->said_late, scan->late))
		log_write(run->log, LEVEL_WARNING,
			  "%zu process%s left out, with at most %.0f MiB in memory: the scan ran "
			  "out of time after %.0f s",
			  scan->late, plural_es(scan->late), to_MiB((double)scan->late_resident),
			  (double)WHO_SCAN_MOST_NS / NS_PER_S);
	if (is_news(&run->said_partial, scan->partial))
		report_partial(run, scan);
}

/* Reports once that no row is shown. If nothing was scanned, the reason was reported before. */
static void report_none(const struct who *run, const struct who_scan *scan)
{
	static const char *const nouns[WHO_BYS] = {"process", "cgroup",	 "container",
						   "VM",      "process", "process"};
	const char *noun = nouns[run->options->by];
	const bool all = !(scan->refused + scan->unclear + scan->late + scan->beyond);
	const bool dax = run->nodes.dax_count && !row_by_cgroups(run->options->by);
	char nodes[CXL_NODES_TEXT_SIZE], names[CXL_NODES_TEXT_SIZE];

	if (scan->read)
		log_write(run->log, LEVEL_NOTE, "no %s%s has memory on %s%s%s", noun,
			  all ? "" : " that was scanned", cxl_nodes_text(&run->nodes.numa, nodes),
			  dax ? ", or has mapped " : "", dax ? dax_names(&run->nodes, names) : "");
	else if (all && (run->options->pids || run->options->cgroup))
		log_write(run->log, LEVEL_NOTE, "no chosen %s exists",
			  row_by_cgroups(run->options->by) ? "cgroup" : "process");
	else if (all && row_by_cgroups(run->options->by))
		log_write(run->log, LEVEL_NOTE, "no cgroup is known to be of a %s", noun);
}

/*
 * Explains why guests have no samples. KVM takes pages for a guest as get_user_pages() does, for
 * which mm_account_fault() counts no event.
 */
static const char *why_no_guests(const struct who_options *options)
{
	return options->event ? "the kernel has no event of page faults that it handles for a guest"
			      : "reads of a guest are not sampled by address: PEBS is off while "
				"it runs, and IBS records have the guest's own addresses";
}

static void report_left_out(struct who *run)
{
	const bool by_cgroups = row_by_cgroups(run->options->by);
	const struct who_scan *scan = &run->watch.scan;
	char nodes[CXL_NODES_TEXT_SIZE];

	if (by_cgroups)
		report_cgroups_left_out(run, scan);
	else
		report_processes_left_out(run, scan);
	if (is_news(&run->said_guests, scan->with_guests))
		log_write(run->log, LEVEL_NOTE,
			  "%zu row%s without samples, because they include "
			  "VMs: %s",
			  scan->with_guests, plural_s(scan->with_guests),
			  why_no_guests(run->options));
	if (run->watch.regions)
		diagnostics_report_regions(&run->diagnostics, run->watch.regions);
	if (is_news(&run->said_no_rmid, scan->no_rmid))
		log_write(run->log, LEVEL_NOTE,
			  "bytes by region of %zu resctrl group%s are unknown: the kernel does not "
			  "show their RMIDs: mount resctrl with -o debug",
			  scan->no_rmid, plural_s(scan->no_rmid));
	if (!run->watch.previous.taken && !who_shown(scan, run->options->by)->count)
		report_none(run, scan);
	log_write(run->log, LEVEL_DETAIL, "scanned %zu %s in %.1f ms: %zu with memory on %s",
		  scan->read, by_cgroups ? "cgroups" : "processes", (double)scan->took_ns / MS,
		  by_cgroups ? scan->groups.count : scan->processes.count,
		  cxl_nodes_text(&run->nodes.numa, nodes));
}

static int wait_for_deadline(struct who *run, uint64_t *missed, struct error *err)
{
	struct platform *p = run->watch.platform;
	int rc;

	if (run->counting) {
		rc = who_reads_wait(&run->counted, run->options->wake, &run->watch.signal_number,
				    err);
		*missed = run->counted.sample.missed;
		return rc;
	}
	rc = run->samples.open ? who_samples_wait(&run->samples, run->deadlines.next, err)
			       : who_watch_wait(&run->watch, run->deadlines.next, err);
	if (!rc)
		*missed = deadlines_advance(&run->deadlines, p->ops->clock->now(p));
	return rc;
}

/* Takes a scan, whose CPU time does not count as cost of samples. */
static int take_scan(struct who *run, struct error *err)
{
	const uint64_t cpu_ns = clock_process();
	const int rc = who_watch_scan(&run->watch, err);

	if (rc || !run->samples.open)
		return rc;
	run->samples.loads.other_cpu_ns += clock_process() - cpu_ns;
	return who_samples_give(&run->samples, err);
}

int who_next(struct who *run, struct error *err)
{
	const bool first = !run->watch.scan.taken;
	uint64_t missed = 0;
	int rc = first ? 0 : wait_for_deadline(run, &missed, err);

	if (rc)
		return rc;
	rc = take_scan(run, err);
	if (rc)
		return rc;
	run->watch.scan.missed = missed;
	if (run->counting && !first &&
	    who_estimate(&run->watch.scan, who_reads_of_cpu, &run->counted))
		return error_no_memory(err);
	report_left_out(run);
	return 0;
}

/* Starts counters by region. Few machines have them: if they are missing, no note says so. */
static void count_regions(struct who *run)
{
	struct platform *p = run->watch.platform;
	struct topology topology;
	struct error why;
	size_t sockets;

	if (p->ops->cpus->topology(p, &topology, &why))
		return;
	int rc = region_counters_open(&run->regions, p, &topology, &why);
	if (!rc && p->ops->task_groups->have_node_rmids(p))
		rc = error_set(&why, ERROR_NO_UNIT, -ENOTSUP,
			       "with Sub-NUMA Clustering (mon_sub_L3_* in mon_data) tasks of a "
			       "group are counted by other RMIDs on each node");
	topology_nth_socket(&topology, 0, &sockets);
	run->one_socket = sockets == 1;
	topology_free(&topology);
	if (!rc) {
		run->watch.regions = &run->regions;
		return;
	}
	region_counters_close(&run->regions);
	if (rc != -ENODEV)
		log_write(run->log, LEVEL_NOTE, "bytes by region of groups are not counted: %s",
			  why.text);
}

static void count_groups(struct who *run)
{
	enum mbm_event event;
	const struct mbm *mbm;
	struct error why;

	count_regions(run);
	run->groups_stall = who_mon_groups_stalls(run->watch.platform);
	run->groups_count = !who_mon_groups_reads(run->watch.platform, &mbm, &event, &why);
	if (!run->groups_count && !run->watch.regions)
		log_write(run->log, LEVEL_NOTE, "reads by group are not counted: %s", why.text);
}

/* Starts counting reads; a failure is only noted. */
static void count_reads(struct who *run)
{
	const struct who_options *o = run->options;
	struct platform *p = run->watch.platform;
	struct error why;

	if (o->session.interval_ns && o->by == BY_RESCTRL)
		count_groups(run);
	if (o->session.interval_ns && row_by_cgroups(o->by) && p->ops->task_groups->list &&
	    p->ops->rdt->has_groups(p))
		count_regions(run);
	if (!o->session.interval_ns || o->by != BY_PROCESS || o->sampled)
		return;
	if (o->pids || o->cgroup) {
		log_write(run->log, LEVEL_NOTE,
			  "reads by CPU are not counted: they are split among all processes, and "
			  "only some were chosen (--reads samples loads)");
		return;
	}
	if (!who_reads_open(&run->counted, &o->session, run->log, &why)) {
		run->counting = true;
		/* a virtual clock advances only in its own platform's waits */
		run->watch.platform = run->counted.session.platform;
		run->watch.with_threads = true;
		return;
	}
	/* a session that has not started keeps other sessions from starting */
	who_reads_close(&run->counted, NULL);
	log_write(run->log, LEVEL_NOTE, "reads by CPU are not counted: %s", why.text);
}

int who_open(const struct who_options *options, const struct log *log, struct who *out,
	     struct error *err)
{
	const struct session_options *machine = &options->session;
	const char *root = session_files(machine);

	*out = (struct who){.options = options, .log = log, .diagnostics = {.log = log}};
	int rc = platform_open(machine->sim, machine->root, log, &out->own, err);
	struct platform *p = out->own;
	out->watch = (struct who_watch){.platform = p,
					.root = root,
					.nodes = &out->nodes,
					.by = options->by,
					.pids = options->pids,
					.wake = options->wake};
	if (options->cgroup)
		cgroup_path_of(options->cgroup, out->watch.cgroup, sizeof(out->watch.cgroup));
	if (!rc)
		rc = who_nodes_find(p, root, &options->choice, &out->nodes, err);
	if (rc)
		return rc;
	if (out->nodes.numa.count > SCAN_NODES_MOST)
		log_write(log, LEVEL_NOTE,
			  "sums have the memory of all %zu nodes, but only the first %d nodes have "
			  "numbers of their own",
			  out->nodes.numa.count, SCAN_NODES_MOST);
	count_reads(out);
	if (options->sampled && options->by == BY_VM)
		log_write(log, LEVEL_NOTE, "VMs have no samples: %s", why_no_guests(options));
	else if (options->sampled)
		rc = who_samples_open(&out->samples, &out->watch, options->event, log, err);
	deadlines_start(&out->deadlines, p->ops->clock->now(p), machine->interval_ns);
	return rc;
}

int who_close(struct who *run, struct error *err)
{
	who_samples_close(&run->samples);
	who_watch_free(&run->watch);
	region_counters_close(&run->regions);
	const int rc = run->counting ? who_reads_close(&run->counted, err) : 0;
	who_nodes_free(&run->nodes);
	platform_destroy(run->own);
	return rc;
}
