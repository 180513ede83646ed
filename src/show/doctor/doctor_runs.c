/* SPDX-License-Identifier: BSD-3-Clause */
/* Other runs of cxlmon on this machine. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "output/fields.h"
#include "show/doctor/doctor.h"

#define STALE_S 60 /* longer than the intervals that a watchdog of 30 s allows */

const char *doctor_run_name(const struct journal_entry *run, char name[DOCTOR_RUN_NAME_SIZE])
{
	if (run->running_pid)
		snprintf(name, DOCTOR_RUN_NAME_SIZE, "cxlmon (pid %d)", (int)run->running_pid);
	else
		snprintf(name, DOCTOR_RUN_NAME_SIZE, "cxlmon (in another container?)");
	return name;
}

static void fail_running(const struct journal_entry *run, struct check_result *out)
{
	char name[DOCTOR_RUN_NAME_SIZE], command[64];
	struct error why;

	error_set(&why, ERROR_IN_USE, -EBUSY, "another %s is measuring",
		  doctor_run_name(run, name));
	if (run->running_pid) {
		snprintf(command, sizeof(command), "sudo kill %d", (int)run->running_pid);
		error_hint(&why, command);
	}
	doctor_fail(out, &why);
}

void doctor_report_service(const struct journal_entry *run, uint64_t now_ns,
			   struct check_result *out)
{
	const double age = (double)(int64_t)(now_ns - run->beat_ns) / NS_PER_S;
	const struct process *process = &run->journal.process;
	const uint64_t booted = clock_utc() - clock_monotonic() - clock_suspended();
	const uint64_t ticks_per_s = (uint64_t)sysconf(_SC_CLK_TCK);
	char since[FIELD_TIME_SIZE], start[96];

	field_time_text(since, booted + process->started * (NS_PER_S / ticks_per_s));
	snprintf(start, sizeof(start), "pid %d, since %s", (int)process->pid, since);
	if (age > STALE_S)
		doctor_warn(out, "sudo systemctl restart cxlmon",
			    "cxlmon serve hangs: %s, its last sample %.0f s ago", start, age);
	else if (out->verdict == VERDICT_PASS)
		doctor_pass(out, "cxlmon serve is running: %s, its last sample %.1f s ago", start,
			    age);
}

static void check_run(struct doctor *d, const struct journal_entry *run, struct check_result *out)
{
	if (run->state == JOURNAL_RUNNING && run->journal.serves) {
		doctor_report_service(run, clock_utc(), out);
	} else if (run->state == JOURNAL_RUNNING) {
		fail_running(run, out);
	} else if (run->state == JOURNAL_STALE) {
		d->stale_run = true;
		doctor_warn(out, "sudo cxlmon restore",
			    "cxlmon (pid %d) was killed and left registers programmed; the "
			    "next run restores them first",
			    (int)run->journal.process.pid);
	} else if (run->state == JOURNAL_INVALID) {
		doctor_warn(out, "sudo cxlmon restore",
			    "the journal of another run cannot be used: %.300s", run->why);
	}
}

static void check_runs(struct doctor *d, struct check_result *out)
{
	struct error why;
	const int rc = run_dir_list_unlocked(d->root, &d->runs, &d->run_count, &why);

	/* the directory is closed to users, who cannot run cxlmon there either */
	if (rc == -EACCES)
		doctor_skip(out, "%s", why.text);
	else if (rc)
		doctor_fail(out, &why);
	if (rc)
		return;
	doctor_pass(out, "no other cxlmon is running, and none left registers to restore");
	for (size_t i = 0; i < d->run_count && out->verdict != VERDICT_FAIL; i++)
		check_run(d, &d->runs[i], out);
}

const struct check doctor_runs = {
	.name = "other-runs",
	.purpose = "two runs would program the same units",
	.run = check_runs,
	.host_only = true,
};
