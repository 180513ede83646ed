/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of subcommands, each of which is in cmd_*.c, and help on them and on topics. */
#ifndef CXLMON_SUBCOMMANDS_H
#define CXLMON_SUBCOMMANDS_H

#include "cli/common.h"
#include "platform/error.h"

extern const struct subcommand cmd_allowlist, cmd_compare, cmd_doctor, cmd_explain, cmd_help,
	cmd_hot, cmd_info, cmd_list, cmd_mmio, cmd_msr, cmd_pci, cmd_record, cmd_replay, cmd_report,
	cmd_restore, cmd_selftest, cmd_serve, cmd_snapshot, cmd_sweep, cmd_verify, cmd_version,
	cmd_who;

/* Without a subcommand: not in the list. Its run is also that of record and serve. */
extern const struct subcommand cmd_monitor;
int monitor_run(struct options *options, struct error *err);

/* Ends with NULL. */
extern const struct subcommand *const subcommands[];

/*
 * Finds the subcommand, which may follow options, and moves its name to argv[1], before them. *out
 * is NULL if there is none: the line is the monitor's. EXIT_USAGE if the first operand is neither a
 * subcommand nor begins like an interval, or if a subcommand follows an interval.
 */
int subcommand_find(int argc, char **argv, const struct subcommand **out, struct error *err);

/* Parses the line, of which argv[0] is the subcommand's name, and runs it. Returns its exit status.
 */
int subcommand_main(const struct subcommand *subcommand, int argc, char **argv);

/* The usage and the most common options (topic NULL), or a topic. EXIT_USAGE: there is none such.
 */
int help_print(const char *topic, FILE *out, struct error *err);

/* The name of a topic; NULL: there are no more. */
const char *help_topic(size_t i);

#endif
