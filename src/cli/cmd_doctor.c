/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon doctor: what monitoring needs here, what is missing, and the command that mends it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/subcommands.h"
#include "cli/target.h"
#include "doctor/doctor.h"

static const char *const verdict_names[] = {[VERDICT_PASS] = "pass",
					    [VERDICT_WARN] = "warn",
					    [VERDICT_FAIL] = "fail",
					    [VERDICT_SKIP] = "skip"};

static void help(void)
{
	fputs("Usage: cxlmon doctor [OPTION]...\n"
	      "Checks each thing that monitoring needs, and writes nothing to any register. Below\n"
	      "what is missing stands the command that mends it, or that shows more of it.\n"
	      "\n" TARGET_HELP "  -h, --help             show this help\n"
	      "\n"
	      "Checks:\n",
	      stdout);
	for (const struct check *check = doctor_checks; check->name; check++)
		printf("  %-16s %s\n", check->name, check->purpose);
	fputs("\n"
	      "Exit status: 0 where monitoring would work, else that of the monitor for the first\n"
	      "check that fails: 3 nothing to monitor, 4 no permission, 5 counters in use.\n",
	      stdout);
}

/* How much of a sentence to show where the command that it ends with stands below it. */
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

static void print(const struct finding *findings, enum exit_status status)
{
	for (size_t i = 0; doctor_checks[i].name; i++) {
		const struct finding *f = &findings[i];

		printf("%s  %-16s %.*s\n", verdict_names[f->verdict], doctor_checks[i].name,
		       length_without_command(&f->error), f->error.text);
		if (*f->error.command)
			printf("%22s %s\n", "", f->error.command);
	}
	puts(status ? "Monitoring does not work: see what fails." : "Monitoring works.");
}

static json_t *check_object(const struct check *check, const struct finding *f)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", check->name, "purpose",
			 check->purpose, "verdict", verdict_names[f->verdict], "why", f->error.text,
			 "command",
			 *f->error.command ? json_string(f->error.command) : json_null());
}

static json_t *as_json(const struct finding *findings, enum exit_status status)
{
	json_t *checks = json_array();

	for (size_t i = 0; doctor_checks[i].name; i++)
		json_array_append_new(checks, check_object(&doctor_checks[i], &findings[i]));
	return json_pack("{s:i, s:b, s:i, s:o}", "schema", DOCTOR_SCHEMA, "works",
			 status == EXIT_OK, "exit_status", (int)status, "checks", checks);
}

static struct finding *new_findings(void)
{
	size_t count = 0;

	while (doctor_checks[count].name)
		count++;
	return calloc(count, sizeof(struct finding));
}

static int doctor(const struct target *target, enum exit_status *status, struct error *err)
{
	struct doctor d = {.root = target->root, .simulated = target->sim};
	struct finding *findings = new_findings();
	int rc = findings ? probe_open(target->sim, target->root, &d.probe, err)
			  : error_no_memory(err);

	if (!rc)
		*status = doctor_run(&d, findings);
	if (!rc && target->json)
		rc = target_print_json("doctor", as_json(findings, *status), err);
	else if (!rc)
		print(findings, *status);
	probe_close(&d.probe);
	free(findings);
	return rc;
}

int cmd_doctor(int argc, char **argv)
{
	struct target target;
	struct error err = {0};
	enum exit_status status = EXIT_OK;
	int rc = target_parse(argc, argv, NULL, NULL, 0, &target, &err);

	if (!rc && target.help)
		help();
	else if (!rc)
		rc = doctor(&target, &status, &err);
	rc = target_finish("doctor", rc, &err);
	return rc ? rc : (int)status;
}
