/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon doctor: what monitoring needs here, what is missing, and the command that fixes it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "linux/rights/sudo_user.h"
#include "show/doctor/doctor.h"

static const char *const verdict_names[] = {[VERDICT_PASS] = "pass",
					    [VERDICT_WARN] = "warn",
					    [VERDICT_FAIL] = "fail",
					    [VERDICT_SKIP] = "skip",
					    [VERDICT_BLOCKED] = "skip"};

static const char *const writes_names[] = {[DOCTOR_WRITES_UNTESTED] = "untested",
					   [DOCTOR_WRITES_REFUSED] = "refused",
					   [DOCTOR_WRITES_PERMITTED] = "permitted"};

static void print_notes(FILE *out)
{
	fputs("\n"
	      "Checks:\n",
	      out);
	for (const struct check *const *check = doctor_checks; *check; check++)
		fprintf(out, "  %-16s %s\n", (*check)->name, (*check)->purpose);
	fputs("\n"
	      "Exit status: 0 if nothing was found that prevents monitoring, else that of the monitor for the first check\n"
	      "that fails: 1 a check failed while running, 3 nothing to monitor, 4 no permission,\n"
	      "5 counters in use.\n",
	      out);
}

/* The length of a message without the command at its end, which is printed on its own line. */
static int length_without_command(const struct error *e)
{
	const size_t text = strlen(e->text), command = strlen(e->command);
	size_t end = text - command;

	if (!command || command > text || strcmp(e->text + end, e->command))
		return (int)text;
	while (end && e->text[end] != ';')
		end--;
	return (int)(end ? end : text);
}

static const char *verdict_text(const struct doctor_verdict *v)
{
	if (!v->supports_processor)
		return "Bandwidth and latency cannot be measured: this processor is not supported.";
	if (v->kernel_alone)
		return v->kind ? "Monitoring does not work: see the failed checks."
			       : "Monitoring works: the kernel counts.";
	if (v->uses_perf)
		return "Monitoring works through the kernel (--backend=perf), but not with "
		       "registers: see the failed checks.";
	if (v->kind && v->writes == DOCTOR_WRITES_REFUSED)
		return "Monitoring does not work: register writes are refused; see the failed "
		       "checks.";
	if (v->kind && v->writes == DOCTOR_WRITES_UNTESTED)
		return "Monitoring does not work: see the failed checks. Register writes are "
		       "untested.";
	if (v->kind)
		return "Monitoring does not work: see the failed checks.";
	return v->writes == DOCTOR_WRITES_PERMITTED
		       ? "Monitoring works."
		       : "Nothing that prevents monitoring was found, but register writes are untested.";
}

static const char *perf_text(const struct doctor_verdict *v)
{
	if (!v->perf_works)
		return "Counting through the kernel (--backend=perf) does not work.";
	return v->perf_is_complete
		       ? "Counting through the kernel (--backend=perf) works."
		       : "Counting through the kernel (--backend=perf) works in part: see perf-units.";
}

/* A command is not wrapped, so that it can be copied. */
static void print_finding(const char *name, const struct check_result *f)
{
	char text[sizeof(f->error.text)];
	const int indent = printf("%s  %-16s ", verdict_names[f->verdict], name);

	snprintf(text, sizeof(text), "%.*s", length_without_command(&f->error), f->error.text);
	wrapped_print(stdout, text, indent, indent, wrapped_width());
	if (*f->error.command)
		printf("%*s%s\n", indent, "", f->error.command);
}

static void print_findings(const struct check_result *findings, const struct doctor_verdict *v)
{
	for (size_t i = 0; doctor_checks[i]; i++)
		if (findings[i].verdict != VERDICT_NOT_RUN)
			print_finding(doctor_checks[i]->name, &findings[i]);
	wrapped_print(stdout, verdict_text(v), 0, 0, wrapped_width());
	if (v->supports_processor && !v->kernel_alone)
		wrapped_print(stdout, perf_text(v), 0, 0, wrapped_width());
	if (v->kind && !v->uses_perf && v->core_works)
		wrapped_print(stdout, "Metrics of CPUs can be measured: cxlmon -m core.", 0, 0,
			      wrapped_width());
}

/* Not known while writes are untested. */
static json_t *encode_works(const struct doctor_verdict *v)
{
	if (v->kind || v->kernel_alone)
		return json_false();
	return v->writes == DOCTOR_WRITES_PERMITTED ? json_true() : json_null();
}

static json_t *as_json(const struct check_result *findings, const struct doctor_verdict *v)
{
	const bool counts = v->uses_perf || (v->kernel_alone && !v->kind);
	json_t *checks = json_array();

	for (size_t i = 0; doctor_checks[i]; i++) {
		const struct check *check = doctor_checks[i];
		const struct check_result *f = &findings[i];

		if (f->verdict != VERDICT_NOT_RUN)
			json_array_append_new(
				checks,
				json_pack("{s:s, s:s, s:s, s:s, s:s?}", "name", check->name,
					  "purpose", check->purpose, "verdict",
					  verdict_names[f->verdict], "why", f->error.text,
					  "command", *f->error.command ? f->error.command : NULL));
	}
	return json_pack("{s:i, s:o, s:o, s:b, s:s, s:i, s:o}", "schema", DOCTOR_SCHEMA, "works",
			 counts ? json_true() : encode_works(v), "works_raw", encode_works(v),
			 "works_perf", v->perf_works, "writes", writes_names[v->writes],
			 "exit_status", v->uses_perf ? EXIT_OK : (int)exit_status_of(v->kind),
			 "checks", checks);
}

static struct check_result *new_findings(void)
{
	size_t count = 0;

	while (doctor_checks[count])
		count++;
	return calloc(count, sizeof(struct check_result));
}

static int run_doctor(struct options *options, struct error *err)
{
	struct sudo_user caller;
	/* ids that are not valid only matter to a run that becomes that user */
	const bool by_sudo = !sudo_user_find(&caller, NULL) && caller.known;
	struct doctor d = {.root = options->session.root,
			   .sim = options->session.sim,
			   .as_root = !geteuid(),
			   .by_sudo = by_sudo};
	struct check_result *findings = new_findings();
	int rc = findings ? probe_open(options->session.sim, options->session.root, &options->log,
				       &d.probe, err)
			  : error_no_memory(err);

	if (!rc) {
		const struct doctor_verdict verdict = doctor_run(&d, findings);

		options->status = verdict.uses_perf ? EXIT_OK : (int)exit_status_of(verdict.kind);
		if (options->json)
			rc = common_print_json(options, as_json(findings, &verdict), err);
		else
			print_findings(findings, &verdict);
	}
	run_dir_free(d.runs, d.run_count);
	probe_close(&d.probe);
	free(findings);
	return rc;
}

static const struct option_row rows[] = {
	{OPTION_JSON, .help = "print one JSON object"}, OPTIONS_COUNTING, {.name = NULL}};

const struct subcommand cmd_doctor = {
	.name = "doctor",
	.purpose = "check what monitoring needs here, and show how to fix what is missing",
	.hint = "can it work?",
	.run = run_doctor,
	.usage =
		"Usage: cxlmon doctor [OPTION]...\n"
		"Can it work? Checks everything that monitoring needs. A check that fails is followed by\n"
		"the command that fixes it or shows more about it. No register is written.\n"
		"\n",
	.options = rows,
	.print_notes = print_notes,
};
