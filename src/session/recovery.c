/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/journal.h"
#include "session/session.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void refuse_recovery(struct machine *machine, const struct run_dir *dir,
			    const struct journal_entry *found, const char *why,
			    struct recovery *out)
{
	out->refused++;
	log_write(&machine->platform->log, LEVEL_WARNING,
		  "%s/%s is not applied: %s; no register was written from it; after checking it: "
		  "sudo rm %s/%s",
		  run_dir_path(dir), found->name, why, run_dir_path(dir), found->name);
}

/* Checks and maps all registers before any is written. */
static int check_journal(struct machine *machine, struct journal *journal, struct error *err)
{
	char name[REG_NAME_SIZE];
	int rc = 0;

	if (strcmp(journal->processor, machine->model->short_name))
		return error_set(err, ERROR_FAILED, -EBADMSG,
				 "it was written on another processor");
	for (size_t i = 0; !rc && i < journal->undo.count; i++) {
		struct reg *reg = &journal->undo.steps[i].reg;
		const struct guard_rule *rule = guard_find(&machine->platform->guard, reg);

		if (!rule || !rule->mask)
			return error_set(err, ERROR_FAILED, -EBADMSG,
					 "it contains %s, which cxlmon never writes",
					 reg_name(reg, name));
		rc = machine_map_register(machine, reg, err);
	}
	return rc;
}

static void report_recovery(struct machine *machine, const struct journal *journal,
			    const struct undo_left *left)
{
	const struct log *log = &machine->platform->log;
	char name[REG_NAME_SIZE];

	log_write(log, LEVEL_WARNING,
		  "restored %zu registers that cxlmon (pid %d) left programmed when it was "
		  "killed",
		  journal->undo.count - left->steps, (int)journal->process.pid);
	if (left->count)
		log_write(log, LEVEL_WARNING,
			  "%zu of its control registers were not restored, because another "
			  "program has set them since; first: %s, which holds 0x%" PRIx64,
			  left->count, reg_name(&left->first, name), left->value);
}

/* Keeps the journal: the next run tries again. */
static void postpone_recovery(struct machine *machine, const struct run_dir *dir,
			      const struct journal_entry *found, const struct error *why,
			      struct recovery *out)
{
	out->pending++;
	log_write(&machine->platform->log, LEVEL_WARNING,
		  "not all registers that cxlmon (pid %d) left programmed could be restored: %s; "
		  "%s/%s is kept, and the next run tries again",
		  (int)found->journal.process.pid, why->text, run_dir_path(dir), found->name);
}

static int replay_journal(struct machine *machine, struct run_dir *dir, struct journal_entry *found,
			  struct recovery *out, struct error *err)
{
	struct undo *undo = &found->journal.undo;
	struct undo_left left = {0};
	struct error why = machine->uncore_error;
	int rc = why.kind == ERROR_PERMISSION ? why.code
					      : check_journal(machine, &found->journal, &why);

	if (rc == -EBADMSG) {
		refuse_recovery(machine, dir, found, why.text, out);
		return 0;
	}
	undo->others = &out->live;
	if (!rc)
		rc = undo_apply(machine->platform, undo, 0, undo->count, &machine->topology, &left,
				&why);
	if (rc == -ENXIO || rc == -ENOENT) {
		postpone_recovery(machine, dir, found, &why, out);
		return 0;
	}
	if (rc)
		return error_set(
			err, why.kind, rc,
			"cannot restore all registers that cxlmon (pid %d) left programmed: "
			"%s; to try again: sudo cxlmon restore",
			(int)found->journal.process.pid, why.text);
	out->restored++;
	out->steps += undo->count - left.steps;
	report_recovery(machine, &found->journal, &left);
	return run_dir_remove(dir, found->name, err);
}

static int recover_machine(struct machine *machine, struct run_dir *dir,
			   struct journal_entry *found, struct recovery *out, struct error *err)
{
	switch (found->state) {
	case JOURNAL_RUNNING:
		return 0;
	case JOURNAL_STALE:
		return replay_journal(machine, dir, found, out, err);
	case JOURNAL_RESTORED:
		return run_dir_remove(dir, found->name, err);
	case JOURNAL_OTHER_BOOT:
		log_write(&machine->platform->log, LEVEL_DETAIL,
			  "%s/%s: journal of an earlier boot, removed", run_dir_path(dir),
			  found->name);
		return run_dir_remove(dir, found->name, err);
	case JOURNAL_INVALID:
		break;
	}
	refuse_recovery(machine, dir, found, found->why, out);
	return 0;
}

/* Finds the registers that may be written, and those left to runs in progress. */
static int prepare_recovery(struct machine *machine, const struct journal_entry *found,
			    size_t count, struct recovery *out, struct error *err)
{
	int rc = machine_allow_all(machine, err);

	if (!rc)
		rc = mbm_allow(machine->platform, err);
	for (size_t i = 0; !rc && i < count; i++) {
		if (found[i].state != JOURNAL_RUNNING)
			continue;
		out->running++;
		out->running_pid = found[i].running_pid;
		rc = undo_append(&out->live, &found[i].journal.undo, err);
	}
	return rc;
}

/*
 * Replays all journals; one that cannot be replayed does not keep others from it. Returns the first
 * error.
 */
static int recover_all(struct machine *machine, struct run_dir *dir, struct journal_entry *found,
		       size_t count, struct recovery *out, struct error *err)
{
	int first = 0;

	for (size_t i = 0; i < count; i++) {
		const int rc = recover_machine(machine, dir, &found[i], out, first ? NULL : err);

		first = first ? first : rc;
	}
	return first;
}

int recovery_run(struct machine *machine, struct run_dir *dir, struct recovery *out,
		 struct error *err)
{
	struct journal_entry *found;
	size_t count;
	int rc = run_dir_list(dir, &found, &count, err);

	*out = (struct recovery){0};
	if (!rc && count)
		rc = prepare_recovery(machine, found, count, out, err);
	if (!rc)
		rc = recover_all(machine, dir, found, count, out, err);
	run_dir_free(found, count);
	machine_close_units(machine);
	guard_free(&machine->platform->guard);
	return rc;
}
