/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"

#include <string.h>

#include "session/session_private.h"
#include "uncore/cpmu.h"
#include "uncore/cpmus_perf.h"

static bool freezes(const struct plan *plan)
{
	for (size_t d = 0; d < plan->domain_count; d++)
		if (plan->domains[d].freezes)
			return true;
	return false;
}

static const char *how_read(const struct session *s)
{
	if (!s->plan.unit_count)
		return "read from the kernel's files";
	if (s->backend == BACKEND_PERF)
		return "counted by the kernel";
	if (!freezes(&s->plan))
		return "read while running";
	return s->plan.global_freeze ? "frozen per socket" : "frozen per unit";
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
	if (s->plan.max_groups > 1)
		log_write(log, LEVEL_DETAIL, "up to %zu event groups are multiplexed on a unit",
			  s->plan.max_groups);
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

/* All but the platform. */
static void release(struct session *session)
{
	session_stop(session, NULL);
	poller_free(session->poller);
	perf_events_close(&session->perf);
	programming_free(&session->programming);
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
	return backend == BACKEND_PERF ? session_use_perf(s, err) : session_use_registers(s, err);
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
	return s->platform->ops->perf_pmus && s->options.ownership == OWNERSHIP_REFUSE &&
	       !s->others.count && (why->status == EXIT_PERMISSION || why->status == EXIT_IN_USE);
}

static int try_registers(struct session *s, struct error *err)
{
	const int rc = use(s, BACKEND_RAW, err);

	/* otherwise it is known that others use counters */
	return !rc && s->options.ownership == OWNERSHIP_REFUSE ? session_check_registers(s, err)
							       : rc;
}

/* The reason for it may have said already what the kernel can't count. */
static void say_that_kernel_counts(const struct session *s, const struct error *why)
{
	log_write(&s->platform->log, LEVEL_NOTE, "the kernel counts (--backend=perf), as: %s",
		  why->text);
	if (strcmp(why->command, CPMU_COMMAND_UNLOAD) != 0)
		cpmus_report_driver(&s->machine);
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
	const int rc = try_registers(s, err);
	if (!rc || !perf_may_help(s, err)) {
		held_log_end(&raw, true);
		return rc;
	}
	begin_again(s);
	held_log_begin(&perf, log);
	const bool counts = !use(s, BACKEND_PERF, &why_not);
	held_log_end(&perf, counts);
	held_log_end(&raw, !counts);
	if (counts)
		say_that_kernel_counts(s, err);
	else
		log_write(log, LEVEL_DETAIL, "--backend=perf does not help: %s", why_not.text);
	return counts ? 0 : rc;
}

static bool needs_units(const struct session_options *options)
{
	return options->event_count || options->metric_count || options->metric_file_count ||
	       view_needs_units(&options->view);
}

int session_open(const struct session_options *options, struct platform *platform,
		 struct session *out, struct error *err)
{
	*out = (struct session){.options = *options, .platform = platform};
	const int rc = !needs_units(options)		  ? session_use_no_units(out, err)
		       : options->backend == BACKEND_AUTO ? use_either(out, err)
							  : use(out, options->backend, err);

	if (rc)
		return rc;
	if (options->backend == BACKEND_PERF)
		cpmus_report_driver(&out->machine);
	view_bind(&out->view, &out->plan);
	session_report_uncounted(out);
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
