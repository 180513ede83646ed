/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/recovery.h"

#include <errno.h>
#include <string.h>

static void refuse(struct machine *machine, const struct run_dir *dir,
		   const struct journal_entry *found, const char *why, struct recovery *out)
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
		return error_set(err, EXIT_FAILED, -EBADMSG, "it was written on another processor");
	for (size_t i = 0; !rc && i < journal->undo.count; i++) {
		struct reg *reg = &journal->undo.steps[i].reg;
		const struct guard_rule *rule = guard_find(&machine->platform->guard, reg);

		if (!rule || !rule->mask)
			return error_set(err, EXIT_FAILED, -EBADMSG,
					 "it contains %s, which cxlmon never writes",
					 reg_name(reg, name));
		rc = machine_map_register(machine, reg, err);
	}
	return rc;
}

static int replay(struct machine *machine, struct run_dir *dir, struct journal_entry *found,
		  struct recovery *out, struct error *err)
{
	const struct undo *undo = &found->journal.undo;
	struct error why = machine->uncore_error;
	int rc = why.status == EXIT_PERMISSION ? why.code
					       : check_journal(machine, &found->journal, &why);

	if (rc == -EBADMSG) {
		refuse(machine, dir, found, why.text, out);
		return 0;
	}
	if (!rc)
		rc = undo_apply(machine->platform, undo->steps, undo->count, &machine->topology,
				&why);
	if (rc)
		return error_set(
			err, why.status, rc,
			"cannot restore all registers that cxlmon (pid %d) left programmed: "
			"%s; to try again: sudo cxlmon restore",
			(int)found->journal.pid, why.text);
	out->restored++;
	out->steps += undo->count;
	log_write(&machine->platform->log, LEVEL_WARNING,
		  "restored %zu registers that cxlmon (pid %d) left programmed when it was "
		  "killed",
		  undo->count, (int)found->journal.pid);
	return run_dir_remove(dir, found->name, err);
}

static int recover(struct machine *machine, struct run_dir *dir, struct journal_entry *found,
		   struct recovery *out, struct error *err)
{
	switch (found->state) {
	case JOURNAL_RUNNING:
		out->running++;
		out->running_pid = found->journal.pid;
		return 0;
	case JOURNAL_STALE:
		return replay(machine, dir, found, out, err);
	case JOURNAL_OTHER_BOOT:
		log_write(&machine->platform->log, LEVEL_DETAIL,
			  "%s/%s: journal of an earlier boot, removed", run_dir_path(dir),
			  found->name);
		return run_dir_remove(dir, found->name, err);
	case JOURNAL_INVALID:
		break;
	}
	refuse(machine, dir, found, found->why, out);
	return 0;
}

int recovery_run(struct machine *machine, struct run_dir *dir, struct recovery *out,
		 struct error *err)
{
	struct journal_entry *found;
	size_t count;
	int first = run_dir_list(dir, &found, &count, err);

	*out = (struct recovery){0};
	if (!first && count)
		first = machine_allow_all(machine, err);
	for (size_t i = 0; i < count; i++) {
		int rc = recover(machine, dir, &found[i], out, first ? NULL : err);

		first = first ? first : rc;
	}
	run_dir_free(found, count);
	machine_close_units(machine);
	guard_free(&machine->platform->guard);
	return first;
}
