/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon doctor: checks whether monitoring can work here, and names the commands that fix problems.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/terminal.h"
#include "cli/cli_private.h"
#include "cli/common.h"
#include "linux/rights/sudo_user.h"
#include "show/doctor/doctor.h"

#define CHECK_INDENT 19 /* indentation of a check's purpose in the help */

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
	static const char statuses[] =
		"\n"
		"Exit status: 0 if nothing was found that prevents monitoring, else that of the "
		"monitor for the first check that fails: 1 a check failed while running, 3 nothing "
		"to monitor, 4 no permission, 5 counters in use.\n";

	fputs("\n"
	      "Checks:\n",
	      out);
	for (const struct check *const *check = doctor_checks; *check; check++)
		wrapped_print(out, (*check)->purpose, fprintf(out, "  %-16s ", (*check)->name),
			      CHECK_INDENT, HELP_WIDTH);
	help_text(out, statuses, strlen(statuses));
}

/*
 * Returns the length of a message without the command at its end, which is printed on its own line.
 */
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

static const char *colour_of(enum check_verdict verdict)
{
	return verdict == VERDICT_FAIL	 ? "\033[31m"
	       : verdict == VERDICT_WARN ? "\033[33m"
	       : verdict == VERDICT_PASS ? "\033[32m"
					 : "\033[2m";
}

/* Prints a finding, with its command below, so that it can be copied. */
static void print_finding(const char *name, const struct check_result *f, bool colours, FILE *out)
{
	const int indent = 4 + 2 + 16 + 1;
	char text[sizeof(f->error.text)];

	fprintf(out, "%s%s%s  %-16s ", colours ? colour_of(f->verdict) : "",
		verdict_names[f->verdict], colours ? "\033[0m" : "", name);
	snprintf(text, sizeof(text), "%.*s", length_without_command(&f->error), f->error.text);
	wrapped_print(out, text, indent, indent, wrapped_width());
	if (*f->error.command)
		wrapped_command(out, f->error.command, indent, wrapped_width());
}

/* Prints the conclusion of all findings, and the commands that work if monitoring does not. */
static void print_conclusion(const struct doctor_verdict *v, const char *works, FILE *out)
{
	const int width = wrapped_width();

	wrapped_print(out, verdict_text(v), 0, 0, width);
	if (v->supports_processor && !v->kernel_alone)
		wrapped_print(out, perf_text(v), 0, 0, width);
	if (*works)
		wrapped_print(out, works, fprintf(out, "Works here: "), 2, width);
}

static void print_all(const struct check_result *findings, const struct doctor_verdict *v,
		      const char *works)
{
	for (size_t i = 0; doctor_checks[i]; i++)
		if (findings[i].verdict != VERDICT_NOT_RUN)
			print_finding(doctor_checks[i]->name, &findings[i], false, stdout);
	print_conclusion(v, works, stdout);
}

/* Output on a terminal. */

#define ROWS 23 /* smallest terminal, without the line of the next prompt */

static size_t lines_in(const char *text)
{
	size_t lines = 0;

	for (; text && *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Prints the findings of a verdict while there is room. Returns how many findings had no room. */
static size_t print_verdict(const struct check_result *findings, enum check_verdict verdict,
			    size_t *room, FILE *out)
{
	size_t omitted = 0;

	for (size_t i = 0; doctor_checks[i]; i++) {
		char *text = NULL;
		size_t size;
		FILE *part = findings[i].verdict == verdict ? open_memstream(&text, &size) : NULL;

		if (!part)
			continue;
		print_finding(doctor_checks[i]->name, &findings[i], terminal_has_colours(), part);
		fclose(part);
		if (lines_in(text) <= *room) {
			*room -= lines_in(text);
			fputs(text, out);
		} else {
			omitted++;
		}
		free(text);
	}
	return omitted;
}

static size_t count_verdict(const struct check_result *findings, enum check_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; doctor_checks[i]; i++)
		count += findings[i].verdict == verdict;
	return count;
}

/*
 * Prints the most important findings last, because a terminal shows the end of an output. Without
 * -v everything fits.
 */
static void print_by_verdict(const struct check_result *findings, const struct doctor_verdict *v,
			     const char *works, bool verbose)
{
	size_t size, all = SIZE_MAX, omitted;
	char *end = NULL;
	FILE *out = open_memstream(&end, &size);

	if (!out)
		return;
	print_verdict(findings, VERDICT_FAIL, &all, out);
	print_conclusion(v, works, out);
	fclose(out);
	if (verbose) {
		print_verdict(findings, VERDICT_SKIP, &all, stdout);
		print_verdict(findings, VERDICT_BLOCKED, &all, stdout);
		print_verdict(findings, VERDICT_PASS, &all, stdout);
		print_verdict(findings, VERDICT_WARN, &all, stdout);
	} else {
		size_t room = lines_in(end) + 1 < ROWS ? ROWS - 1 - lines_in(end) : 0;

		omitted = print_verdict(findings, VERDICT_WARN, &room, stdout);
		printf("%zu checks passed, %zu do not apply", count_verdict(findings, VERDICT_PASS),
		       count_verdict(findings, VERDICT_SKIP) +
			       count_verdict(findings, VERDICT_BLOCKED));
		if (omitted)
			printf(", %zu more warning%s", omitted, omitted == 1 ? "" : "s");
		puts(": cxlmon doctor -v");
	}
	fputs(end ? end : "", stdout);
	free(end);
}
/* Encodes whether monitoring works; null while writes are untested. */
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

static void print_findings(const struct options *options, struct doctor *d,
			   const struct check_result *findings, const struct doctor_verdict *v)
{
	char works[DOCTOR_WORKS_SIZE] = "";

	if (v->kind && !v->uses_perf)
		doctor_find_works(d, v, works);
	if (isatty(STDOUT_FILENO))
		print_by_verdict(findings, v, works, options->verbosity == VERBOSE);
	else
		print_all(findings, v, works);
}

static struct check_result *new_findings(void)
{
	size_t count = 0;

	while (doctor_checks[count])
		count++;
	return calloc(count, sizeof(struct check_result));
}

struct examined {
	struct doctor doctor;
	struct check_result *findings;
	struct doctor_verdict verdict;
};

/* Examines the machine. *out is freed by examined_free(), also after an error. */
static int examine_machine(const struct options *options, const struct log *log,
			   struct examined *out, struct error *err)
{
	struct sudo_user caller;
	/* invalid ids matter only to a run that becomes that user */
	const bool by_sudo = !sudo_user_find(&caller, NULL) && caller.known;

	*out = (struct examined){.doctor = {.root = options->session.root,
					    .sim = options->session.sim,
					    .as_root = !geteuid(),
					    .by_sudo = by_sudo},
				 .findings = new_findings()};
	const int rc = out->findings ? probe_open(options->session.sim, options->session.root, log,
						  &out->doctor.probe, err)
				     : error_no_memory(err);
	if (!rc)
		out->verdict = doctor_run(&out->doctor, out->findings);
	return rc;
}

static void examined_free(struct examined *e)
{
	run_dir_free(e->doctor.runs, e->doctor.run_count);
	probe_close(&e->doctor.probe);
	free(e->findings);
}

void doctor_suggest(const struct options *options)
{
	const struct log silent = {.write = NULL};
	struct examined e;
	struct error why;
	char works[DOCTOR_WORKS_SIZE] = "";

	if (!examine_machine(options, &silent, &e, &why))
		doctor_find_works(&e.doctor, &e.verdict, works);
	if (*works)
		log_write(&options->log, LEVEL_NOTE, "works here: %s; why: cxlmon doctor", works);
	examined_free(&e);
}

static int run_doctor(struct options *options, struct error *err)
{
	struct examined e;
	int rc = examine_machine(options, &options->log, &e, err);

	if (!rc) {
		const struct doctor_verdict *v = &e.verdict;

		options->status = v->uses_perf ? EXIT_OK : (int)exit_status_of(v->kind);
		if (options->json)
			rc = common_print_json(options, as_json(e.findings, v), err);
		else
			print_findings(options, &e.doctor, e.findings, v);
	}
	examined_free(&e);
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
