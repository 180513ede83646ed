/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon verify: compares the kernel's counts with the registers that it has programmed. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common.h"
#include "cli/progress.h"
#include "linux/run/signals.h"
#include "output/fields.h"
#include "session/session.h"
#include "session/verify.h"

#define VERIFIED_METRICS "cxl,latency,dram,queue,link" /* unless -m names others */

/* Texts in place of a difference. */
static const char *const states[] = {
	[VERIFY_COMPARED] = "agrees",
	[VERIFY_MULTIPLEXED] = "multiplexed by the kernel",
	[VERIFY_NOT_FOUND] = "not found in the unit's registers",
	[VERIFY_NO_UNIT] = "no such unit in the discovery tables",
	[VERIFY_UNREADABLE] = "cannot be read",
	[VERIFY_CPMU] = "not compared: counted by a CXL device",
	[VERIFY_DELAYED] = "cannot tell: reading was delayed",
};

static const char *row_verdict(const struct verify_row *row)
{
	return verify_differs(row) ? "differs" : states[row->state];
}

static double difference_pct(const struct verify_row *row)
{
	const double perf = (double)row->perf, raw = (double)row->raw;

	return perf + raw > 0 ? 100 * (raw - perf) / (perf > raw ? perf : raw) : 0;
}

static void put_csv(enum field_style style, const struct verify_row *row)
{
	const bool compared = row->state == VERIFY_COMPARED;
	struct fields f = {.out = stdout, .style = style};

	fields_index(&f, "socket", row->unit->socket);
	fields_count(&f, "die", row->unit->die);
	fields_text(&f, "unit", row->unit->pmu_type->name);
	fields_count(&f, "id", row->unit->id);
	fields_text(&f, "event", row->event->name);
	fields_number(&f, "perf", compared ? (double)row->perf : NAN, 0);
	fields_number(&f, "raw", compared ? (double)row->raw : NAN, 0);
	fields_number(&f, "difference_pct", compared ? difference_pct(row) : NAN, 4);
	fields_text(&f, "verdict", row_verdict(row));
	putchar('\n');
}

/* Prints two lines: a name of an event takes up to 57 of 80 columns. */
static void print_row(const struct verify_row *row)
{
	char name[UNIT_NAME_SIZE];

	printf("%s %s\n", unit_name(row->unit, name), row->event->name);
	if (row->state == VERIFY_COMPARED)
		printf("  %20" PRIu64 " %20" PRIu64 " %9.4f %%", row->perf, row->raw,
		       difference_pct(row));
	printf("  %s\n", row_verdict(row));
}

static int print_verdict(const struct verify_row *rows, size_t count, bool csv, struct error *err)
{
	size_t compared = 0, differ = 0, cpmus = 0;
	const struct error *why = NULL;

	for (size_t i = 0; i < count; i++) {
		compared += rows[i].state == VERIFY_COMPARED;
		differ += verify_differs(&rows[i]);
		cpmus += rows[i].state == VERIFY_CPMU;
		if (rows[i].state == VERIFY_UNREADABLE && !why)
			why = &rows[i].why;
	}
	if (differ)
		return error_set(err, ERROR_FAILED, -EBADMSG,
				 "%zu of %zu compared events differ by more than 0.1 %%", differ,
				 compared);
	if (!compared && why)
		return error_set(err, why->kind, why->code, "nothing could be compared: %s",
				 why->text);
	if (!compared)
		return error_set(err, ERROR_FAILED, -ENODATA, "nothing could be compared%s",
				 count && cpmus == count
					 ? ": events of CXL devices (CPMU) cannot be compared, "
					   "because a run with --backend=perf checks their "
					   "registers itself"
					 : "");
	if (!csv)
		printf("All %zu compared events agree.\n", compared);
	return 0;
}

static void print_csv(const struct verify_row *rows, size_t count)
{
	static const struct pmu_type no_type = {.name = ""};
	static const struct unit no_unit = {.pmu_type = &no_type};
	static const struct event no_event = {.name = ""};

	put_csv(FIELDS_NAMES, &(struct verify_row){.unit = &no_unit, .event = &no_event});
	for (size_t i = 0; i < count; i++)
		put_csv(FIELDS_CSV, &rows[i]);
}

/* Prints the rows. all: also rows that agree, which share one line otherwise. */
static void print_table(const struct verify_row *rows, size_t count, bool all)
{
	bool heading = false;

	for (size_t i = 0; i < count; i++) {
		if (!all && rows[i].state == VERIFY_COMPARED && !verify_differs(&rows[i]))
			continue;
		if (!heading)
			printf("unit and event\n  %20s %20s %11s\n", "perf", "raw", "difference");
		heading = true;
		print_row(&rows[i]);
	}
}

static void show_progress(void *context, uint64_t left_ns)
{
	progress_show(context, left_ns, "comparing the kernel's counts with registers");
}

/* Compares, and shows meanwhile how long it still takes. */
static int verify_with_progress(struct session *session, struct machine *machine,
				struct options *options, struct verify_row **rows, size_t *count,
				struct error *err)
{
	struct signals signals;
	int signal_number;
	struct progress progress;
	const struct verify_options wanted = {
		.ns = options->session.interval_ns,
		.wake = &signals.wake,
		.signal_number = &signal_number,
		.progress = show_progress,
		.context = &progress,
	};

	signals_block(&signals);
	progress_begin(&progress, progress_terminal(options->verbosity), &options->log);
	const int rc = verify_run(session, machine, &wanted, rows, count, err);
	progress_end(&progress);
	if (rc == -EINTR)
		options->status = EXIT_SIGNALLED + signal_number;
	return rc;
}

/*
 * Compares the kernel's units with registers of the same platform, which are found by their own
 * tables.
 */
static int compare_backends(struct session *session, struct options *options, struct error *err)
{
	struct verify_row *rows = NULL;
	struct machine machine;
	size_t count;
	int rc = machine_open(session->platform, &machine, err);

	if (!rc && machine.uncore_error.code)
		rc = error_set(err, machine.uncore_error.kind, machine.uncore_error.code,
			       "the registers cannot be read: %s", machine.uncore_error.text);
	if (!rc && machine.model->kernel_counts)
		rc = error_set(
			err, ERROR_NO_UNIT, -ENOTSUP,
			"%s: only the kernel counts here: there are no registers to compare with",
			machine.model->name);
	if (!rc)
		rc = verify_with_progress(session, &machine, options, &rows, &count, err);
	if (!rc && options->csv)
		print_csv(rows, count);
	else if (!rc)
		print_table(rows, count, options->verbosity == VERBOSE);
	if (!rc)
		rc = print_verdict(rows, count, options->csv, err);
	free(rows);
	machine_close(&machine);
	return rc;
}

static int run_verify(struct options *options, struct error *err)
{
	struct session session = {.platform = NULL};

	options->session.interval_ns = NS_PER_S;
	int rc = common_take_interval(options, err);
	struct session_options wanted = options->session;
	if (!rc && wanted.backend == BACKEND_RAW)
		rc = options_usage(err, "--backend", "raw", "verify compares perf with raw");
	wanted.backend = BACKEND_PERF;
	wanted.view.finest = SCOPE_PORT;
	if (!wanted.view.groups)
		wanted.view.groups = VERIFIED_METRICS;
	wanted.interval_ns = NS_PER_S;
	if (!rc)
		rc = session_open(&wanted, &options->log, &session, err);
	if (!rc)
		rc = compare_backends(&session, options, err);
	session_close(&session);
	return rc;
}

static const struct option_row rows[] = {
	{OPTION_METRICS, .argument = "GROUPS",
	 .help = "compare the events of these metric groups\n(default " VERIFIED_METRICS ")"},
	{OPTION_EVENT, .argument = "EVENT", .help = "compare this event; repeatable",
	 .what = "too many -e", .expected = "expected fewer"},
	{OPTION_CSV, .help = "print CSV"},
	OPTIONS_COUNTING,
	{OPTION_JSON},
	{.name = NULL},
};

const struct subcommand cmd_verify = {
	.name = "verify",
	.purpose = "compare the kernel's counts with the registers",
	.hint = "do both ways agree?",
	.run = run_verify,
	.usage = "Usage: cxlmon verify [OPTION]... [SECONDS]\n"
		 "Do two ways agree? Lets the kernel count for SECONDS (1), reads the same "
		 "registers at the\n"
		 "same time, and compares both. Writes no register. Needs the privileges of\n"
		 "--backend=perf and of raw reads.\n"
		 "Prints events that differ or could not be compared; with -v or --csv also those "
		 "that agree.\n"
		 "\n",
	.options = rows,
	.notes = "\n"
		 "Exit status: 0 if all that could be compared agrees, 1 if counts differ by more "
		 "than\n"
		 "0.1 %, or nothing could be compared, 4 without permission.\n",
	.operands = 1,
};
