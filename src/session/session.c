/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "events/event_catalogue.h"
#include "platform/perf.h"
#include "platform/reg.h"
#include "platform/simulation.h"
#include "session/clock_probe.h"
#include "uncore/devices/cpmu.h"
#include "uncore/devices/cpmus.h"
#include "uncore/event.h"

struct held_message {
	enum log_level level;
	char *text;
};

/* Messages of an attempt: shown only if what was tried is what is done. */
struct held_log {
	struct log *log; /* not owned */
	struct log shown;
	struct held_message *messages;
	size_t count;
};

/* Without memory a message is shown at once. */
static void hold(void *context, enum log_level level, const char *text)
{
	struct held_log *held = context;
	int rc = array_room(&held->messages, held->count, 1, sizeof(*held->messages));
	char *copy = rc ? NULL : strdup(text);

	if (copy)
		held->messages[held->count++] = (struct held_message){.level = level, .text = copy};
	else
		log_write(&held->shown, level, "%s", text);
}

/* Holds what is written to *log until held_log_end(). Neither may move until then. */
static void held_log_begin(struct held_log *held, struct log *log)
{
	*held = (struct held_log){.log = log, .shown = *log};
	*log = (struct log){.write = hold, .context = held};
}

/* Makes *log as it was, and writes to it or drops what was held. */
static void held_log_end(struct held_log *held, bool show)
{
	*held->log = held->shown;
	for (size_t i = 0; i < held->count; i++) {
		if (show)
			log_write(held->log, held->messages[i].level, "%s", held->messages[i].text);
		free(held->messages[i].text);
	}
	free(held->messages);
	*held = (struct held_log){.log = NULL};
}

/* What a session measures: events by name, and the view of them and of metrics. */

#define EVENTS_TEXT_SIZE 384

/* Metrics of the user's own, of events that are looked up likewise. */
static int find_metrics(struct session *s, struct error *err)
{
	const struct custom_context context = {&s->catalogue};
	const struct session_options *o = &s->options;
	const char *candidate = s->machine.model->candidate_reads;
	char text[128];
	int rc = 0;

	for (size_t i = 0; !rc && i < o->metric_files.count; i++)
		rc = custom_metrics_load(&s->metrics, &context, o->metric_files.at[i], err);
	for (size_t i = 0; !rc && i < o->metrics.count; i++)
		rc = custom_metrics_add(&s->metrics, &context, o->metrics.at[i], err);
	if (rc || !o->candidates || !candidate)
		return rc;
	snprintf(text, sizeof(text), SESSION_CANDIDATE " = %s * 64 bytes; scope=socket,system",
		 candidate);
	return custom_metrics_add(&s->metrics, &context, text, err);
}

/* After an unknown event: the name of a metric, or its beginning. */
static int hint_at_metric(const char *name, int rc, struct error *err)
{
	struct text_nearest nearest = text_nearest_start(name);
	const struct metric *m;

	for (m = metric_table; m->name; m++)
		text_nearest_add(&nearest, m->name);
	for (m = metric_table; m->name && m->name != nearest.name; m++)
		;
	return m->name && nearest.distance <= 1
		       ? error_set(err, EXIT_USAGE, -EINVAL,
				   "'%s' is not an event: expected -m %s for the metric %s",
				   quoted(name).text, m->group, m->name)
		       : rc;
}

/* Events are looked up by name, in the catalogue of the processor. */
static int find_events(struct session *s, struct error *err)
{
	const struct session_options *o = &s->options;
	int rc = 0;

	catalogue_init(&s->catalogue, s->machine.model);
	s->events = (struct event_list){.count = 0};
	for (size_t i = 0; !rc && i < o->event_files.count; i++) {
		size_t added;

		rc = perfmon_load(&s->catalogue, o->event_files.at[i], &added, err);
		if (!rc)
			log_write(&s->platform->log, LEVEL_DETAIL, "%s: %zu events",
				  o->event_files.at[i], added);
	}
	for (size_t i = 0; !rc && i < o->events.count; i++) {
		rc = event_list_add(&s->events, &s->catalogue, o->events.at[i], err);
		if (rc == -EINVAL)
			rc = hint_at_metric(o->events.at[i], rc, err);
	}
	return rc ? rc : find_metrics(s, err);
}

static int select_rows(struct session *s, struct error *err)
{
	struct view_options options = s->options.view;

	options.events = s->events.items;
	options.event_count = s->events.count;
	options.custom = &s->metrics;
	return view_make(&s->machine, &options, &s->view, err);
}

struct uncounted {
	struct platform *platform;
	char names[EVENTS_TEXT_SIZE];
	size_t more; /* that have no room */
};

static bool is_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
			return true;
	return false;
}

static void add_uncounted(struct uncounted *list, const struct event *event)
{
	if (list->platform->ops->simulation->counts(list->platform, event->type,
						    event_control(event), event->offcore_rsp) ||
	    is_listed(list->names, event->name))
		return;
	if (strlen(list->names) + strlen(event->name) + sizeof(", ") > sizeof(list->names))
		list->more++;
	else
		text_list(list->names, sizeof(list->names), "%s", event->name);
}

/* Warns of the events that were asked for which a simulated machine does not count. */
static void report_uncounted(const struct session *s)
{
	struct uncounted list = {.platform = s->platform};
	char more[40] = "";

	const struct simulation_ops *simulation = s->platform->ops->simulation;

	if (!simulation || !simulation->counts)
		return;
	for (size_t i = 0; i < s->events.count; i++)
		add_uncounted(&list, s->events.items[i].event);
	for (size_t i = 0; i < s->metrics.count; i++) {
		const struct program *program = &s->metrics.items[i]->program;

		for (size_t k = 0; k < program->operand_count; k++)
			add_uncounted(&list, program->operands[k].event);
	}
	if (list.more)
		snprintf(more, sizeof(more), " and %zu others", list.more);
	if (*list.names)
		log_write(&s->platform->log, LEVEL_WARNING,
			  "the simulation does not model these events, whose counts stay 0: %s%s",
			  list.names, more);
}

/* How a session counts: with registers, through the kernel, or without a unit. */

/* With registers: what killed runs left is restored first. */

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

/* Takes the lock that is held until counters run, and restores registers left by killed runs. */
static int claim(struct session *s, struct machine *machine, struct recovery *found,
		 struct error *err)
{
	int rc = run_dir_open(s->options.root, &s->run_dir, err);

	if (!rc)
		rc = recovery_run(machine, s->run_dir, found, err);
	s->others = found->live;
	return rc;
}

/* Saves how registers, and what L3 caches count, are restored. */
static int save_journal(void *context, const struct undo *undo, struct error *err)
{
	const struct session *s = context;
	struct undo all = {.count = 0};
	int rc = undo_append(&all, &s->mbm_setting.undo, err);

	if (!rc)
		rc = undo_append(&all, undo, err);
	if (!rc)
		rc = run_dir_save_journal(s->run_dir, s->machine.model->short_name,
					  s->options.serves, &all, err);
	undo_free(&all);
	return rc;
}

static int init_pmu(struct session *s, struct error *err)
{
	const int rc = pmu_state_init(&s->pmu, &s->plan, err);

	if (rc)
		return rc;
	s->pmu.undo.others = &s->others;
	if (s->run_dir) {
		s->pmu.save_journal = save_journal;
		s->pmu.journal_context = s;
	}
	return 0;
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
			  "units are frozen one by one, because another program counts: %s",
			  use.text);
		rc = plan_with(s, FREEZE_UNITS, err);
	}
	return rc ? rc : init_pmu(s, err);
}

static int not_restored(int rc, const struct error *why, struct error *err)
{
	return error_set(err, why->status, rc,
			 "%s; to try again to restore the registers: sudo cxlmon restore",
			 why->text);
}

static int restore(struct session *session, struct error *err)
{
	struct error why;
	int rc = poller_stop(session->poller, &why);

	if (rc)
		return not_restored(rc, &why, err);
	/* the journal has the setting, too */
	if (session->run_dir && !session->mbm_setting.written)
		rc = run_dir_delete_journal(session->run_dir, err);
	session->started = rc != 0;
	return rc;
}

/* Which units count nothing, before the rest is chosen. */

static int start_clocks(struct session *s, const struct request *clocks, size_t count,
			struct error *err)
{
	const bool perf = s->backend == BACKEND_PERF;
	int rc = plan_make(&s->machine, clocks, count, FREEZE_NEVER, &s->plan, err);

	if (!rc)
		rc = perf ? perf_events_open(&s->perf, &s->plan, err) : init_pmu(s, err);
	if (!rc)
		rc = perf ? poller_new_perf(&s->perf, NS_PER_S, &s->poller, err)
			  : poller_new(&s->pmu, NS_PER_S, &s->poller, err);
	s->started = !rc;
	return rc ? rc : poller_start(s->poller, err);
}

/* Counts nothing but clocks, and restores what that took. */
static int find_still_units(struct session *s, size_t *still, struct error *err)
{
	struct held_log held;
	struct error why;
	struct request *clocks;
	size_t count;
	int rc = plan_with(s, FREEZE_NEVER, err);

	if (rc)
		return rc;
	clocks = clock_probe_requests(&s->plan, &count);
	plan_free(&s->plan);
	if (!clocks || !count) {
		free(clocks);
		return clocks ? 0 : error_no_memory(err);
	}
	/* what is found meanwhile will be found again */
	held_log_begin(&held, &s->platform->log);
	rc = start_clocks(s, clocks, count, err);
	if (!rc)
		rc = clock_probe_find(s->poller, &s->plan, still, err);
	const int left = s->started ? restore(s, &why) : 0;
	held_log_end(&held, false);
	free(clocks);
	if (left) {
		*err = why;
		return left;
	}
	poller_free(s->poller);
	s->poller = NULL;
	perf_events_close(&s->perf);
	pmu_state_free(&s->pmu);
	plan_free(&s->plan);
	return rc;
}

/* Where some unit is found to count nothing, once more without it. */
static int select_counting(struct session *s, struct error *err)
{
	struct held_log held;
	size_t still = 0;

	if (!s->machine.model->chas_may_not_exist && s->backend != BACKEND_PERF)
		return select_rows(s, err);
	held_log_begin(&held, &s->platform->log);
	int rc = select_rows(s, err);
	if (!rc)
		rc = find_still_units(s, &still, err);
	held_log_end(&held, !still);
	if (rc || !still)
		return rc;
	view_free(&s->view);
	machine_close_units(&s->machine);
	return select_rows(s, err);
}

/*
 * Without uncore units, checks before locking whether anything requested can be measured. If so,
 * the view that is made then says the same again.
 */
static int try_view(struct session *s, struct error *err)
{
	struct held_log held;

	held_log_begin(&held, &s->platform->log);
	const int rc = select_rows(s, err);
	held_log_end(&held, rc != 0);
	view_free(&s->view);
	machine_close_units(&s->machine);
	return rc;
}

/* Opens and locks the machine, and selects what is counted on it. */
static int prepare(struct session *s, struct error *err)
{
	struct recovery found = {0};
	int rc = machine_open(s->platform, &s->machine, err);

	if (!rc)
		rc = find_events(s, err);
	if (!rc && s->machine.uncore_error.code)
		rc = try_view(s, err);
	if (!rc && !s->options.sim)
		rc = claim(s, &s->machine, &found, err);
	if (!rc && found.running && s->options.ownership == OWNERSHIP_REFUSE)
		rc = others_run(&found, err);
	machine_set_ownership(&s->machine, s->options.ownership);
	machine_set_others(&s->machine, &s->others);
	return rc ? rc : select_counting(s, err);
}

static int use_registers(struct session *s, struct error *err)
{
	int rc = prepare(s, err);

	if (!rc)
		rc = make_plan(s, err);
	if (rc)
		return rc;
	if (s->options.freeze == FREEZE_ALWAYS && s->machine.model->units_by_cpuid &&
	    s->machine.discovery.unit_count)
		log_write(
			&s->platform->log, LEVEL_WARNING,
			"this processor has no freeze register: --freeze=always has no effect, and "
			"counters are read while they run");
	return poller_new(&s->pmu, s->options.interval_ns, &s->poller, err);
}

/* Whether MSRs may be written, where the plan does, and no other program uses its counters. */
static int check_registers(const struct session *s, struct error *err)
{
	struct platform *p = s->platform;
	const struct unit *msrs = NULL;
	int rc = 0;

	for (size_t u = 0; !msrs && u < s->plan.unit_count; u++)
		if (s->plan.units[u].unit->access == ACCESS_MSR)
			msrs = s->plan.units[u].unit;
	if (msrs && p->ops->registers->msr_may_write)
		rc = p->ops->registers->msr_may_write(p, msrs->cpu);
	if (rc == -EPERM || rc == -EACCES) {
		const struct reg reg = reg_msr(msrs->cpu, msrs->has_pairs ? (uint32_t)msrs->control
									  : IA32_PERF_GLOBAL_CTRL);

		return reg_error(p, &reg, true, rc, err);
	}
	for (size_t u = 0; u < s->plan.unit_count; u++) {
		const struct plan_unit *pu = &s->plan.units[u];

		if (unit_find_use(p, pu->unit, plan_unit_counters(&s->plan, pu), err))
			return -EBUSY;
	}
	return 0;
}

/* Sessions that access no register: nothing is written, claimed or restored. */

/* But --resctrl writes: registers and settings left by killed runs are restored first. */
static int claim_for_mbm(struct session *s, struct error *err)
{
	struct recovery found = {0};
	struct machine machine;
	int rc;

	if (!s->options.view.resctrl || s->options.sim)
		return 0;
	rc = machine_open(s->platform, &machine, err);
	if (!rc)
		rc = claim(s, &machine, &found, err);
	machine_close(&machine);
	return rc;
}

/* Counts through the kernel. */
static int use_perf(struct session *s, struct error *err)
{
	int rc = machine_open_perf(s->platform, &s->machine, err);

	if (!rc)
		rc = claim_for_mbm(s, err);
	if (!rc)
		rc = find_events(s, err);
	if (!rc)
		rc = select_counting(s, err);
	if (!rc)
		rc = plan_make(&s->machine, s->view.requests, s->view.request_count, FREEZE_NEVER,
			       &s->plan, err);
	if (!rc)
		rc = perf_events_open(&s->perf, &s->plan, err);
	return rc ? rc : poller_new_perf(&s->perf, s->options.interval_ns, &s->poller, err);
}

/* What the kernel says of memory: no right is needed, and no counter. */
static int use_no_units(struct session *s, struct error *err)
{
	int rc = machine_open_without_units(s->platform, &s->machine, err);

	if (!rc)
		rc = select_rows(s, err);
	if (!rc)
		rc = plan_make(&s->machine, NULL, 0, FREEZE_NEVER, &s->plan, err);
	if (!rc)
		rc = pmu_state_init(&s->pmu, &s->plan, err);
	return rc ? rc : poller_new(&s->pmu, s->options.interval_ns, &s->poller, err);
}

static const char *how_read(const struct session *s)
{
	const struct plan *plan = &s->plan;
	size_t d = 0;

	if (!plan->unit_count)
		return "read from the kernel's files";
	if (s->backend == BACKEND_PERF)
		return "counted by the kernel";
	while (d < plan->domain_count && !plan->domains[d].freezes)
		d++;
	if (d == plan->domain_count)
		return "read while running";
	return plan->global_freeze ? "frozen per socket" : "frozen per unit";
}

static void describe(const struct session *s)
{
	const struct machine *machine = &s->machine;
	const struct log *log = &s->platform->log;

	log_write(log, LEVEL_DETAIL, "%s%s: %zu socket%s, %zu uncore units, %zu %s%s",
		  s->options.sim ? "simulated " : "", machine_processor(machine),
		  machine->socket_count, machine->socket_count == 1 ? "" : "s",
		  machine->discovery.unit_count, machine->port_count,
		  machine->model->port_name ? machine->model->port_name : "CXL port",
		  machine->port_count == 1 ? "" : "s");
	log_write(log, LEVEL_DETAIL, "%zu events on %zu units, %s", s->plan.counter_count,
		  s->plan.unit_count, how_read(s));
	if (s->plan.max_rounds > 1)
		log_write(log, LEVEL_DETAIL, "up to %zu event groups are multiplexed on a unit",
			  s->plan.max_rounds);
}

/* Before counters are programmed, which takes less long than the next reading of these. */
static int start_mbm(struct session *s, struct error *err)
{
	struct mbm_sources *sources = &s->view.kernel.mbm;
	const struct undo none = {.count = 0};

	if (!sources->platform)
		return 0;
	int rc = mbm_setting_save(&s->mbm_setting, sources, err);
	if (!rc && s->mbm_setting.undo.count && s->run_dir)
		rc = save_journal(s, &none, err);
	if (!rc)
		rc = mbm_setting_write(&s->mbm_setting, s->platform, err);
	if (!rc)
		mbm_sources_begin(sources);
	return rc;
}

int session_start(struct session *session, struct error *err)
{
	session->started = true;
	int rc = start_mbm(session, err);
	if (!rc)
		rc = poller_start(session->poller, err);
	if (session->run_dir)
		run_dir_unlock(session->run_dir);
	return rc;
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

int session_restore_mbm(struct session *session, struct error *err)
{
	struct error why;

	if (!session->mbm_setting.written)
		return 0;
	if (session->run_dir)
		run_dir_lock(session->run_dir);
	int rc = mbm_setting_restore(&session->mbm_setting, session->platform, &why);
	if (rc)
		rc = not_restored(rc, &why, err);
	else if (session->run_dir && !session->started)
		rc = run_dir_delete_journal(session->run_dir, err);
	if (session->run_dir)
		run_dir_unlock(session->run_dir);
	return rc;
}

/* All but the platform. */
static void release(struct session *session)
{
	session_stop(session, NULL);
	session_restore_mbm(session, NULL);
	poller_free(session->poller);
	undo_free(&session->mbm_setting.undo);
	perf_events_close(&session->perf);
	pmu_state_free(&session->pmu);
	plan_free(&session->plan);
	view_free(&session->view);
	custom_metrics_free(&session->metrics);
	event_list_free(&session->events);
	catalogue_free(&session->catalogue);
	undo_free(&session->others);
	run_dir_close(session->run_dir);
	machine_close(&session->machine);
}

static int use(struct session *s, enum session_backend backend, struct error *err)
{
	s->backend = backend;
	return backend == BACKEND_PERF ? use_perf(s, err) : use_registers(s, err);
}

/* Forgets what was opened for one backend, to try another. */
static void begin_again(struct session *s)
{
	const struct session kept = {.options = s->options, .platform = s->platform};

	release(s);
	*s = kept;
}

/*
 * What a run through the kernel does not need: the right to write registers, and free counters. But
 * the kernel would overwrite those of another cxlmon, of which it doesn't know.
 */
static bool perf_may_help(const struct session *s, const struct error *why)
{
	return s->platform->ops->perf && s->options.ownership == OWNERSHIP_REFUSE &&
	       !s->others.count && (why->status == EXIT_PERMISSION || why->status == EXIT_IN_USE);
}

/*
 * Registers where they can be had; else the kernel; if neither, why registers can't. Messages of
 * the attempt that was given up would be untrue of the run.
 */
static int use_either(struct session *s, struct error *err)
{
	struct log *log = &s->platform->log;
	struct held_log raw, perf;
	struct error why_not;

	held_log_begin(&raw, log);
	int rc = use(s, BACKEND_RAW, err);
	/* otherwise it is known that others use counters */
	if (!rc && s->options.ownership == OWNERSHIP_REFUSE)
		rc = check_registers(s, err);
	if (!rc || !perf_may_help(s, err)) {
		held_log_end(&raw, true);
		return rc;
	}
	begin_again(s);
	held_log_begin(&perf, log);
	const bool counts = !use(s, BACKEND_PERF, &why_not);
	held_log_end(&perf, counts);
	held_log_end(&raw, !counts);
	if (!counts) {
		/* a command lets the kernel count, and root alone does not help with registers */
		const bool remedy =
			why_not.command[0] && strcmp(err->command, ERROR_COMMAND_AS_ROOT) != 0;

		log_write(log, remedy ? LEVEL_NOTE : LEVEL_DETAIL,
			  "--backend=perf does not help: %s", why_not.text);
		return rc;
	}
	log_write(log, LEVEL_NOTE, "the kernel counts (--backend=perf), because: %s", err->text);
	/* the reason for it may have said already what the kernel can't count */
	if (strcmp(err->command, CPMU_COMMAND_UNLOAD) != 0)
		cpmus_report_driver(&s->machine);
	return 0;
}

static int use_units(struct session *s, struct error *err)
{
	const enum session_backend backend = s->options.backend;

	return backend == BACKEND_AUTO ? use_either(s, err) : use(s, backend, err);
}

/* What units count is the smaller part of what was asked for: without them, the rest is shown. */
static int use_units_if_any(struct session *s, struct error *err)
{
	struct log *log = &s->platform->log;
	struct held_log held;
	struct error why;

	held_log_begin(&held, log);
	int rc = use_units(s, &why);
	const bool goes_on = rc && why.status != EXIT_USAGE;
	held_log_end(&held, !goes_on);
	if (!goes_on) {
		*err = rc ? why : *err;
		return rc;
	}
	begin_again(s);
	rc = use_no_units(s, err);
	if (!rc)
		log_write(log, LEVEL_NOTE, "how busy links are can't be counted: %s", why.text);
	return rc;
}

/* Source: 33.60 GB/s counted of 17.25 on an EPYC 9754 */
#define FLUSHED "clean lines that programs flush are counted again"

static void report_mbm(const struct session *s)
{
	const struct mbm_sources *sources = &s->view.kernel.mbm;
	const struct log *log = &s->platform->log;
	const char *event = mbm_event_name(sources->event);
	size_t i = 0;

	while (i < s->others.count && s->others.steps[i].reg.space != REG_MBM)
		i++;
	if (sources->set)
		log_write(
			log, LEVEL_NOTE,
			"until this run ends, %s of resctrl counts reads of CXL memory alone; its "
			"counts and those of mbm_total_bytes are cleared, now and at the end; " FLUSHED,
			event);
	else if (sources->platform)
		log_write(log, LEVEL_NOTE,
			  "%s of resctrl counts reads of CXL memory already%s; " FLUSHED, event,
			  i < s->others.count ? ", until another cxlmon ends" : "");
}

int session_open(const struct session_options *options, struct platform *platform,
		 struct session *out, struct error *err)
{
	*out = (struct session){.options = *options, .platform = platform};
	platform->reader_cpus = options->cpus;
	const bool needs_units = options->events.count || options->metrics.count ||
				 options->metric_files.count || view_needs_units(&options->view);
	const int rc = needs_units			  ? use_units(out, err)
		       : view_wants_units(&options->view) ? use_units_if_any(out, err)
							  : use_no_units(out, err);

	if (rc)
		return rc;
	if (options->backend == BACKEND_PERF)
		cpmus_report_driver(&out->machine);
	view_bind(&out->view, &out->plan);
	report_uncounted(out);
	report_mbm(out);
	describe(out);
	if (options->rotation_ns)
		poller_set_rotation(out->poller, options->rotation_ns);
	return 0;
}

void session_close(struct session *session)
{
	release(session);
	platform_destroy(session->platform);
	*session = (struct session){.platform = NULL};
}
