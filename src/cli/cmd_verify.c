/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon verify: the kernel's counts beside those of the registers that it has programmed. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common.h"
#include "cli/subcommands.h"
#include "linux/signals.h"
#include "session/verify.h"
#include "sim/open.h"

/* What stands in the place of a difference. */
static const char *const states[] = {
	[VERIFY_COMPARED] = "agrees",
	[VERIFY_MULTIPLEXED] = "multiplexed by the kernel",
	[VERIFY_NOT_FOUND] = "not found in the unit's registers",
	[VERIFY_NO_UNIT] = "no such unit in the discovery tables",
	[VERIFY_UNREADABLE] = "cannot be read",
	[VERIFY_CPMU] = "not compared: of a CXL device",
	[VERIFY_DELAYED] = "can't tell: reading was delayed",
};

static const char *verdict(const struct verify_row *row)
{
	return verify_differs(row) ? "differs" : states[row->state];
}

static double difference_pct(const struct verify_row *row)
{
	const double perf = (double)row->perf, raw = (double)row->raw;

	return perf + raw > 0 ? 100 * (raw - perf) / (perf > raw ? perf : raw) : 0;
}

static void print_row(const struct verify_row *row, bool csv)
{
	const struct unit *unit = row->unit;
	char name[UNIT_NAME_SIZE], numbers[128] = "";
	const char *const format =
		csv ? "%" PRIu64 ",%" PRIu64 ",%.4f" : "%16" PRIu64 " %16" PRIu64 " %9.4f %%";

	if (row->state == VERIFY_COMPARED)
		snprintf(numbers, sizeof(numbers), format, row->perf, row->raw,
			 difference_pct(row));
	else if (csv)
		snprintf(numbers, sizeof(numbers), ",,");
	if (csv)
		printf("%d,%u,%s,%u,%s,%s,%s\n", unit->socket, unit->die, unit->pmu_type->name,
		       unit->id, row->event->name, numbers, verdict(row));
	else
		printf("%-22s %-44s %44s  %s\n", unit_name(unit, name), row->event->name, numbers,
		       verdict(row));
}

static int conclude(const struct verify_row *rows, size_t count, bool csv, struct error *err)
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
		return error_set(err, EXIT_FAILED, -EBADMSG,
				 "%zu of %zu events that were compared differ by more than one "
				 "part in a thousand",
				 differ, compared);
	if (!compared && why)
		return error_set(err, why->status, why->code, "nothing could be compared: %s",
				 why->text);
	if (!compared)
		return error_set(err, EXIT_FAILED, -ENODATA, "nothing could be compared%s",
				 count && cpmus == count
					 ? ": events of CXL devices (CPMU) are not, as a run with "
					   "--backend=perf looks at their registers itself"
					 : "");
	if (!csv)
		printf("All %zu events that were compared agree.\n", compared);
	return 0;
}

/* all: also those that agree, which have one line together otherwise. CSV has all. */
static int print_rows(const struct verify_row *rows, size_t count, bool csv, bool all,
		      struct error *err)
{
	bool heading = false;

	if (csv)
		puts("socket,die,unit,id,event,perf,raw,difference_pct,verdict");
	for (size_t i = 0; i < count; i++) {
		if (!csv && !all && rows[i].state == VERIFY_COMPARED && !verify_differs(&rows[i]))
			continue;
		if (!csv && !heading)
			printf("%-22s %-44s %16s %16s %11s\n", "unit", "event", "perf", "raw",
			       "difference");
		heading = true;
		print_row(&rows[i], csv);
	}
	return conclude(rows, count, csv, err);
}

/* The registers are those of the same platform, found by their own tables. */
static int compare(struct session *session, uint64_t ns, const struct options *options,
		   struct error *err)
{
	struct verify_row *rows = NULL;
	struct machine machine;
	struct signals signals;
	size_t count;
	int rc = machine_open(session->platform, &machine, err);

	if (!rc && machine.uncore_error.code)
		rc = error_set(err, machine.uncore_error.status, machine.uncore_error.code,
			       "the registers cannot be read: %s", machine.uncore_error.text);
	signals_block(&signals);
	if (!rc)
		rc = verify_run(session, &machine, ns, &signals.wake, &rows, &count, err);
	if (!rc)
		rc = print_rows(rows, count, options->csv, options->verbosity == VERBOSE, err);
	free(rows);
	machine_close(&machine);
	return rc;
}

static int verify(struct options *options, struct error *err)
{
	struct session_options wanted = options->session;
	uint64_t ns = NS_PER_S;
	struct session session = {.platform = NULL};
	int rc = options->operand_count ? interval_parse(options->operands[0], &ns, err) : 0;

	if (!rc && wanted.backend == BACKEND_RAW)
		rc = options_usage(err, "--backend", "raw", "verify compares perf with raw");
	wanted.backend = BACKEND_PERF;
	wanted.view.finest = SCOPE_PORT;
	if (!wanted.view.groups)
		wanted.view.groups = "cxl,latency,dram,queue,link";
	wanted.interval_ns = NS_PER_S;
	if (!rc)
		rc = open_session(&wanted, &options->log, &session, err);
	if (!rc)
		rc = compare(&session, ns, options, err);
	session_close(&session);
	return rc;
}

static const struct option_row rows[] = {
	{OPTION_METRICS, .argument = "GROUPS",
	 .help = "compare the events of these metric groups (all)"},
	{OPTION_EVENT, .argument = "EVENT", .help = "compare this event; may be repeated",
	 .what = "too many -e", .expected = "expected fewer"},
	{OPTION_CSV, .help = "print CSV"},
	OPTIONS_COUNTING,
	{OPTION_JSON},
	{.name = NULL},
};

const struct subcommand cmd_verify = {
	.name = "verify",
	.purpose = "compare the kernel's counts with the registers",
	.run = verify,
	.usage =
		"Usage: cxlmon verify [OPTION]... [SECONDS]\n"
		"Lets the kernel count for SECONDS (1), reads the same registers at the same time, and\n"
		"compares both. Writes no register. Needs the rights of --backend=perf and of raw reads.\n"
		"Prints what differs, or could not be compared; with -v or --csv also what agrees.\n"
		"\n",
	.options = rows,
	.notes =
		"\n"
		"Exit status: 0 if all that could be compared agrees, 1 if counts differ by more than one\n"
		"part in a thousand, or nothing could be compared, 4 if rights are missing.\n",
	.operands = 1,
};
