/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of subcommands. Each is in cmd_*.c. */
#ifndef CXLMON_SUBCOMMANDS_H
#define CXLMON_SUBCOMMANDS_H

#include "cli/common.h"
#include "platform/error.h"

extern const struct subcommand cmd_allowlist, cmd_compare, cmd_doctor, cmd_help, cmd_info, cmd_list,
	cmd_mmio, cmd_msr, cmd_pci, cmd_record, cmd_replay, cmd_report, cmd_restore, cmd_selftest,
	cmd_serve, cmd_snapshot, cmd_sweep, cmd_verify, cmd_version, cmd_who;

/* Ends with NULL. */
extern const struct subcommand *const subcommands[];

const struct subcommand *subcommand_named(const char *name); /* NULL: there is none */

/*
 * Finds the subcommand, which may follow options, and moves its name to argv[1], before them. *out
 * is NULL if there is none: the line is the monitor's. EXIT_USAGE if the first operand is neither a
 * subcommand nor begins like an interval, or if a subcommand follows an interval.
 */
int subcommand_find(int argc, char **argv, const struct subcommand **out, struct error *err);

#endif
