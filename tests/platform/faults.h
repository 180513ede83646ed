/* SPDX-License-Identifier: BSD-3-Clause */
/* Fault injection on a published machine, by lines of text. */
#ifndef CXLMON_TEST_FAULTS_H
#define CXLMON_TEST_FAULTS_H

#include "fusefs.h"
#include "mirror.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"

struct published {
	const char *root;
	struct platform *platform;
	struct fusefs *msrs;
	struct fusefs *registers; /* NULL: no access is trapped */
	struct fusefs *resctrl;	  /* NULL: there is none */
	struct mirror *mirror;
};

/* clang-format off */
/*
 * Carries out one line and writes the answer to out: "ok", "ok VALUE", or "error: WHY".
 *   cpu N offline | online | dead      its node disappears; comes back; is left and gives ENXIO
 *   msr REGISTER ERRNO | ok            such as: msr 0x38f EIO; on every CPU
 *   module absent | hidden | loaded    no msr node; hidden: though sysfs shows the module
 *   driver loaded                      the kernel's uncore driver: it resets all units, and from
 *                                      then on those of a die whose first CPU comes online
 *   safe on | off                      msr-safe is loaded: cpu/N/msr_safe, cpu/msr_allowlist
 *   writes refused | allowed           EPERM, as under lockdown
 *   lockdown none | integrity | confidentiality    the same, and sysfs says why
 *   allow_writes on | off | default    likewise
 *   unit SOCKET TYPE ID dead | alive   its registers read as all ones; TYPE is a number
 *   counter SOCKET TYPE ID N VALUE     as if it had counted that far
 *   hypervisor NAME | none             as in a virtual machine
 *   resctrl STATE                      see resctrlfs_set()
 *   watchdog on | off                  the kernel's NMI watchdog, in its file alone
 *   slow MILLISECONDS                  each access to an MSR
 *   pass SECONDS                       these have passed then
 *   state                              a number that changes when any control or counter does
 *   save FILE                          what that number is made of, by name, a line each
 *   staleness                          the oldest that a value in memory was since last asked, ns
 */
/* clang-format on */
void faults_command(const struct published *machine, const char *line, FILE *out);

#endif
