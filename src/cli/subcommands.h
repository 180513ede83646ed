/* SPDX-License-Identifier: BSD-3-Clause */
/* What cxlmon does besides monitoring: a word, a function in cmd_*.c, and what it is for. */
#ifndef CXLMON_SUBCOMMANDS_H
#define CXLMON_SUBCOMMANDS_H

struct subcommand {
	const char *name;
	/* Takes the words from its own name on, and returns the exit status. */
	int (*run)(int argc, char **argv);
	const char *help;
};

/* In the order of --help; ends with a row without a name. */
extern const struct subcommand subcommands[];

int cmd_allowlist(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_mmio(int argc, char **argv);
int cmd_msr(int argc, char **argv);
int cmd_pci(int argc, char **argv);
int cmd_restore(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);

#endif
