/* SPDX-License-Identifier: BSD-3-Clause */
/* The run of a session: claims the machine, runs its counters, and restores registers. */
#include "session/session_private.h"

/* Takes the lock that is held until counters run, and restores registers left by killed runs. */
int session_claim(struct session *s, struct machine *machine, struct recovery *found,
		  struct error *err)
{
	int rc = run_dir_open(s->options.root, &s->run_dir, err);

	if (!rc)
		rc = recovery_run(machine, s->run_dir, found, err);
	s->others = found->live;
	return rc;
}

/* Saves the undo steps of registers and of the L3 caches' setting. */
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

int session_init_pmu(struct session *s, struct error *err)
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

static int not_restored(int rc, const struct error *why, struct error *err)
{
	return error_set(err, why->kind, rc,
			 "%s; to try again to restore the registers: sudo cxlmon restore",
			 why->text);
}

int session_restore(struct session *session, struct error *err)
{
	struct error why;
	int rc = poller_stop(session->poller, &why);

	if (rc)
		return not_restored(rc, &why, err);
	/* the journal also has the setting */
	if (session->run_dir && !session->mbm_setting.written)
		rc = run_dir_delete_journal(session->run_dir, err);
	session->started = rc != 0;
	return rc;
}

/*
 * Begins counting in L3 caches. Counters are programmed after this, which takes less time than the
 * next reading of the caches.
 */
static int start_mbm(struct session *s, struct error *err)
{
	struct resctrl_source *resctrl = &s->view.sources.resctrl;
	const struct undo none = {.count = 0};

	if (!resctrl->base.kind)
		return 0;
	int rc = mbm_setting_save(&s->mbm_setting, resctrl, err);
	if (!rc && s->mbm_setting.undo.count && s->run_dir)
		rc = save_journal(s, &none, err);
	if (!rc)
		rc = mbm_setting_write(&s->mbm_setting, s->platform, err);
	if (!rc)
		resctrl_source_begin(resctrl);
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
	const int rc = session_restore(session, err);
	if (session->run_dir)
		run_dir_unlock(session->run_dir);
	return rc;
}

int session_stop_after(struct session *session, int rc, struct error *err)
{
	struct error why;
	const int stopped = session_stop(session, &why);

	if (stopped)
		*err = why;
	return stopped ? stopped : rc;
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

/* Frees all except the platform. */
void session_release(struct session *session)
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
