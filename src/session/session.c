/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"

#include <errno.h>
#include <inttypes.h>

#include "events/perfmon_json.h"
#include "linux/linux.h"
#include "session/recovery.h"
#include "sim/sim.h"
#include "uncore/global_control.h"

int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err)
{
	return sim ? platform_sim(sim, log, out, err) : platform_linux(root, log, out, err);
}

static void describe(const struct session *s)
{
	const struct machine *machine = &s->machine;
	const struct log *log = &s->platform->log;
	const char *freeze = s->plan.global_freeze ? "frozen per socket" : "frozen per unit";

	log_write(log, LEVEL_DETAIL, "%s%s: %zu socket%s, %zu uncore units, %zu CXL port%s",
		  s->options.sim ? "simulated " : "", machine->model->name, machine->socket_count,
		  machine->socket_count == 1 ? "" : "s", machine->discovery.unit_count,
		  machine->port_count, machine->port_count == 1 ? "" : "s");
	log_write(log, LEVEL_DETAIL, "%zu events on %zu units, %s", s->plan.slot_count,
		  s->plan.unit_count,
		  s->options.freeze == FREEZE_NEVER ? "read while running" : freeze);
	if (s->plan.max_groups > 1)
		log_write(log, LEVEL_DETAIL, "up to %zu event groups are multiplexed on a unit",
			  s->plan.max_groups);
}

/* Events are looked up by name, in the catalogue of the processor. */
static int find_events(struct session *s, struct error *err)
{
	const struct session_options *o = &s->options;
	int rc = 0;

	catalogue_init(&s->catalogue, s->machine.model);
	event_list_init(&s->events);
	for (size_t i = 0; !rc && i < o->event_file_count; i++) {
		size_t added;

		rc = perfmon_load(&s->catalogue, o->event_files[i], &added, err);
		if (!rc)
			log_write(&s->platform->log, LEVEL_DETAIL, "%s: %zu events",
				  o->event_files[i], added);
	}
	for (size_t i = 0; !rc && i < o->event_count; i++)
		rc = event_list_add(&s->events, &s->catalogue, o->events[i], err);
	return rc;
}

static int others_run(const struct recovery *found, struct error *err)
{
	if (!found->running_pid)
		return error_set(err, EXIT_IN_USE, -EBUSY,
				 "another cxlmon is running on this machine, with no process id "
				 "here (in another container?): wait until it ends, or stop it; "
				 "--share uses only free counters, --force takes over those that "
				 "it uses");
	return error_set(
		err, EXIT_IN_USE, -EBUSY,
		"another cxlmon (pid %d) is running on this machine: wait until it ends, or "
		"stop it (sudo kill %d); --share uses only free counters, --force takes over "
		"those that it uses",
		(int)found->running_pid, (int)found->running_pid);
}

/*
 * Takes the lock that is held until counters run, and restores registers left by killed runs.
 */
static int claim_machine(struct session *s, struct error *err)
{
	struct recovery found = {0};
	int rc;

	if (s->options.sim)
		return 0;
	rc = run_dir_open(s->options.root, &s->run_dir, err);
	if (!rc)
		rc = recovery_run(&s->machine, s->run_dir, &found, err);
	s->others = found.live;
	if (!rc && found.running && s->options.ownership == OWNERSHIP_REFUSE)
		rc = others_run(&found, err);
	return rc;
}

static int save_journal(void *context, const struct undo *undo, struct error *err)
{
	const struct session *s = context;

	return run_dir_save_journal(s->run_dir, s->machine.model->short_name, undo, err);
}

static int plan_with(struct session *s, enum freeze_policy policy, struct error *err)
{
	plan_free(&s->plan);
	return plan_make(&s->machine, s->view.requests, s->view.request_count, policy, &s->plan,
			 err);
}

/*
 * A whole socket is frozen only if no other program counts on any unit of it: it would stop that
 * program's counters too. With --share, such a program may come at any time.
 */
static int make_plan(struct session *s, struct error *err)
{
	const struct session_options *o = &s->options;
	const bool per_unit = o->ownership == OWNERSHIP_SHARE && o->freeze != FREEZE_NEVER;
	struct error use;
	int rc = plan_with(s, per_unit ? FREEZE_UNITS : o->freeze, err);

	if (!rc && s->plan.global_freeze && machine_find_use(&s->machine, &use)) {
		log_write(&s->platform->log, LEVEL_DETAIL,
			  "units are frozen one by one, as another program counts: %s", use.text);
		rc = plan_with(s, FREEZE_UNITS, err);
	}
	if (!rc)
		rc = programming_init(&s->programming, &s->plan, err);
	if (!rc)
		s->programming.undo.others = &s->others;
	if (!rc && s->run_dir) {
		s->programming.save_journal = save_journal;
		s->programming.journal_context = s;
	}
	return rc;
}

/*
 * Where one register freezes a socket, plan/programming.h lets it run. What the others do to it is
 * not published, so that they are only read.
 */
static void report_frozen(struct session *s)
{
	const struct log *log = &s->platform->log;
	char name[REG_NAME_SIZE], command[ERROR_COMMAND_SIZE];
	struct frozen_control frozen;
	struct error unread;

	if (s->machine.model->global_freeze_msr)
		return;
	if (global_control_find_frozen(&s->machine, &frozen, 1, &unread))
		log_write(log, LEVEL_WARNING,
			  "socket %d: another program has left the uncore frozen (%s is 0x%" PRIx64
			  "), so that its counters stand still; to let them run: %s",
			  frozen.socket, reg_name(&frozen.reg, name), frozen.value,
			  global_control_thaw_command(&frozen, command));
	else if (unread.code)
		log_write(log, LEVEL_DETAIL, "whether the uncore was left frozen is not known: %s",
			  unread.text);
}

static int make_view(struct session *s, struct error *err)
{
	struct view_options options = s->options.view;

	options.events = s->events.items;
	options.event_count = s->events.count;
	return view_make(&s->machine, &options, &s->view, err);
}

/* Without uncore units, checks before locking whether anything requested can be measured. */
static int try_view(struct session *s, struct error *err)
{
	int rc = make_view(s, err);

	view_free(&s->view);
	machine_close_units(&s->machine);
	return rc;
}

/* Opens and locks the machine, and selects what is counted on it. */
static int prepare(struct session *s, struct error *err)
{
	int rc = machine_open(s->platform, &s->machine, err);

	if (!rc)
		rc = find_events(s, err);
	if (!rc && s->machine.uncore_error.code)
		rc = try_view(s, err);
	if (!rc)
		rc = claim_machine(s, err);
	machine_set_ownership(&s->machine, s->options.ownership);
	return rc ? rc : make_view(s, err);
}

int session_open(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err)
{
	*out = (struct session){.options = *options};
	int rc = platform_open(options->sim, options->root, log, &out->platform, err);

	if (!rc)
		rc = prepare(out, err);
	if (!rc)
		rc = make_plan(out, err);
	if (rc)
		return rc;
	view_bind(&out->view, &out->plan);
	describe(out);
	report_frozen(out);
	rc = poller_new(&out->programming, options->interval_ns, &out->poller, err);
	if (!rc && options->rotation_ns)
		poller_set_rotation(out->poller, options->rotation_ns);
	return rc;
}

int session_start(struct session *session, struct error *err)
{
	session->started = true;
	const int rc = poller_start(session->poller, err);
	if (session->run_dir)
		run_dir_unlock(session->run_dir);
	return rc;
}

static int restore(struct session *session, struct error *err)
{
	struct error why;
	int rc = poller_stop(session->poller, &why);

	if (!rc) {
		rc = session->run_dir ? run_dir_delete_journal(session->run_dir, err) : 0;
		session->started = rc != 0;
		return rc;
	}
	return error_set(err, why.status, rc,
			 "%s; to try again to restore the registers: sudo cxlmon restore",
			 why.text);
}

int session_stop(struct session *session, struct error *err)
{
	if (!session->started)
		return 0;
	if (session->run_dir)
		run_dir_lock(session->run_dir);
	const int rc = restore(session, err);
	if (session->run_dir)
		run_dir_unlock(session->run_dir);
	return rc;
}

void session_close(struct session *session)
{
	session_stop(session, NULL);
	poller_free(session->poller);
	programming_free(&session->programming);
	plan_free(&session->plan);
	view_free(&session->view);
	event_list_free(&session->events);
	catalogue_free(&session->catalogue);
	undo_free(&session->others);
	run_dir_close(session->run_dir);
	machine_close(&session->machine);
	platform_destroy(session->platform);
	*session = (struct session){.platform = NULL};
}
