/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of checks, and their execution. */
#include "show/doctor/doctor.h"

#define LIST_CHECK(name) &doctor_##name,
const struct check *const doctor_checks[] = {FOR_EACH_CHECK(LIST_CHECK) NULL};

static const struct check_result *finding_of(const struct check_result *findings,
					     const struct check *check)
{
	size_t i = 0;

	while (doctor_checks[i] != check)
		i++;
	return &findings[i];
}

/* Returns the first need that failed or was blocked; NULL: none. */
static const char *unmet_need(const struct check *check, const struct check_result *findings)
{
	for (size_t i = 0; i < DOCTOR_NEEDS && check->needs[i]; i++) {
		const enum check_verdict needed = finding_of(findings, check->needs[i])->verdict;

		if (needed == VERDICT_FAIL || needed == VERDICT_BLOCKED)
			return check->needs[i]->name;
	}
	return NULL;
}

static bool has_finding(const struct check_result *findings, const struct check *check,
			enum check_verdict verdict)
{
	return finding_of(findings, check)->verdict == verdict;
}

static struct doctor_verdict sum_up(const struct doctor *d, const struct check_result *findings,
				    enum error_kind kind)
{
	const struct check_result *processor = finding_of(findings, &doctor_processor);
	const bool refused = has_finding(findings, &doctor_lockdown, VERDICT_FAIL) ||
			     has_finding(findings, &doctor_allow_writes, VERDICT_FAIL) ||
			     has_finding(findings, &doctor_msr_writes, VERDICT_FAIL);
	const bool perf = has_finding(findings, &doctor_perf_events, VERDICT_PASS);

	return (struct doctor_verdict){
		.kind = kind,
		.supports_processor = processor->verdict != VERDICT_FAIL ||
				      processor->error.kind != ERROR_NO_UNIT,
		.kernel_alone = doctor_kernel_alone(d),
		.perf_works = perf,
		.perf_is_complete = perf && has_finding(findings, &doctor_perf_units, VERDICT_PASS),
		.uses_perf = perf && (kind == ERROR_PERMISSION || kind == ERROR_IN_USE) &&
			     !has_finding(findings, &doctor_runs, VERDICT_FAIL),
		.core_works = has_finding(findings, &doctor_core_counters, VERDICT_PASS) ||
			      has_finding(findings, &doctor_core_events, VERDICT_PASS),
		.writes = refused ? DOCTOR_WRITES_REFUSED
			  : has_finding(findings, &doctor_msr_writes, VERDICT_PASS)
				  ? DOCTOR_WRITES_PERMITTED
				  : DOCTOR_WRITES_UNTESTED,
	};
}

struct doctor_verdict doctor_run(struct doctor *d, struct check_result *findings)
{
	enum error_kind kind = ERROR_NONE;
	bool stopped = false;

	for (size_t i = 0; doctor_checks[i]; i++) {
		const struct check *check = doctor_checks[i];
		const char *need = unmet_need(check, findings);

		if (stopped)
			findings[i] = (struct check_result){.verdict = VERDICT_NOT_RUN};
		else if (check->of_registers && doctor_kernel_alone(d))
			doctor_skip(&findings[i],
				    "not needed: only the kernel counts on this processor");
		else if (check->host_only && d->sim)
			doctor_skip(&findings[i], "simulated");
		else if (need)
			doctor_block(&findings[i], "needs %s", need);
		else
			check->run(d, &findings[i]);
		if (d->as_root)
			doctor_advise_root(&findings[i], d->by_sudo);
		if (kind == ERROR_NONE && findings[i].verdict == VERDICT_FAIL)
			kind = findings[i].error.kind;
		stopped |= check->decides && kind == ERROR_NO_UNIT;
	}
	return sum_up(d, findings, kind);
}
