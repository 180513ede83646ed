/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets up a run: from the platform to the poller. */
#include <errno.h>
#include <unistd.h>

#include "cli/monitor_parts.h"
#include "cli/recovery.h"
#include "cli/target.h"
#include "linux/run_dir.h"
#include "uncore/perfmon_json.h"

static void describe(const struct monitor *m)
{
	const struct machine *machine = &m->machine;
	const char *freeze = m->plan.global ? "frozen by socket" : "frozen one by one";

	log_write(&m->log, LEVEL_DETAIL, "%s%s: %zu socket%s, %zu uncore units, %zu CXL port%s",
		  m->options->sim ? "simulated " : "", machine->model->name, machine->socket_count,
		  machine->socket_count == 1 ? "" : "s", machine->discovery.unit_count,
		  machine->port_count, machine->port_count == 1 ? "" : "s");
	log_write(&m->log, LEVEL_DETAIL, "%zu events on %zu units, %s", m->plan.slot_count,
		  m->plan.unit_count,
		  m->options->freeze == FREEZE_NEVER ? "read while they run" : freeze);
	if (m->plan.most_groups > 1)
		log_write(&m->log, LEVEL_DETAIL, "up to %zu groups of events take turns on a unit",
			  m->plan.most_groups);
}

/* What was typed behind -e is known once the processor is. */
static int find_events(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	int rc = 0;

	catalogue_init(&m->catalogue, m->machine.model);
	event_list_init(&m->events);
	for (size_t i = 0; !rc && i < o->event_file_count; i++) {
		size_t taken;

		rc = perfmon_load(&m->catalogue, o->event_files[i], &taken, err);
		if (!rc)
			log_write(&m->log, LEVEL_DETAIL, "%s: %zu events", o->event_files[i],
				  taken);
	}
	for (size_t i = 0; !rc && i < o->event_count; i++)
		rc = event_list_add(&m->events, &m->catalogue, o->events[i], err);
	return rc;
}

static int others_run(const struct recovery *found, struct error *err)
{
	return error_set(
		err, EXIT_IN_USE, -EBUSY,
		"another cxlmon (pid %d) is measuring on this machine: wait until it ends, "
		"or end it (sudo kill %d); --share measures beside it with what is free, "
		"--force takes what it uses",
		(int)found->running_pid, (int)found->running_pid);
}

/*
 * From here on, until the counters run, nobody else looks at registers or programs them. What
 * killed runs have left is put back first.
 */
static int claim_machine(struct monitor *m, struct error *err)
{
	struct recovery found;
	int rc;

	if (m->options->sim)
		return 0;
	rc = run_dir_open(m->options->root, &m->run_dir, err);
	if (!rc)
		rc = recovery_run(&m->machine, m->run_dir, &found, err);
	if (!rc && found.running && m->options->ownership == OWNERSHIP_REFUSE)
		rc = others_run(&found, err);
	return rc;
}

static int keep_undo(void *context, const struct undo *undo, struct error *err)
{
	const struct monitor *m = context;

	return run_dir_keep(m->run_dir, m->machine.model->short_name, undo, err);
}

/* A socket that others count on is not frozen as a whole. */
static int make_plan(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	const bool apart = o->ownership == OWNERSHIP_SHARE && o->freeze != FREEZE_NEVER;
	int rc = plan_make(&m->machine, m->view.requests, m->view.request_count,
			   apart ? FREEZE_UNITS : o->freeze, &m->plan, err);

	if (m->run_dir) {
		m->plan.keep = keep_undo;
		m->plan.keep_context = m;
	}
	return rc;
}

static int make_view(struct monitor *m, struct error *err)
{
	struct view_options options = m->options->view;

	options.events = m->events.items;
	options.event_count = m->events.count;
	return view_make(&m->machine, &options, &m->view, err);
}

/* Without an uncore, whether anything that was asked for can be measured: else nothing is claimed.
 */
static int try_view(struct monitor *m, struct error *err)
{
	int rc = make_view(m, err);

	view_free(&m->view);
	machine_close_units(&m->machine);
	return rc;
}

int monitor_set_up(struct monitor *m, struct error *err)
{
	const struct options *o = m->options;
	int rc = caller_find(&m->caller, err);

	if (!rc)
		rc = target_open(o->sim, o->root, &m->log, &m->platform, err);
	if (!rc)
		rc = machine_open(m->platform, &m->machine, err);
	if (!rc)
		rc = find_events(m, err);
	if (!rc && m->machine.uncore.code)
		rc = try_view(m, err);
	if (!rc)
		rc = claim_machine(m, err);
	machine_set_ownership(&m->machine, o->ownership);
	if (!rc)
		rc = make_view(m, err);
	if (!rc)
		rc = make_plan(m, err);
	if (rc)
		return rc;
	view_bind(&m->view, &m->plan);
	describe(m);
	rc = monitor_open_output(m, err);
	if (!rc)
		rc = poller_new(&m->plan, o->interval_ns, &m->poller, err);
	if (!rc && o->turn_ns)
		poller_set_turn(m->poller, o->turn_ns);
	return rc;
}

void monitor_release(struct monitor *m)
{
	poller_free(m->poller);
	if (m->options->output && m->fd >= 0)
		close(m->fd);
	plan_free(&m->plan);
	view_free(&m->view);
	event_list_free(&m->events);
	catalogue_free(&m->catalogue);
	run_dir_close(m->run_dir);
	machine_close(&m->machine);
	platform_destroy(m->platform);
}
