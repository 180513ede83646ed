/* SPDX-License-Identifier: BSD-3-Clause */
/* The inventory of a machine, found without writing to a register, and the errors on the way. */
#ifndef CXLMON_SHOW_INFO_PROBE_H
#define CXLMON_SHOW_INFO_PROBE_H

#include <stddef.h>

#include "msr/core_pmu.h"
#include "msr/cpuid.h"
#include "platform/cpus.h"
#include "platform/perf.h"
#include "uncore/machine.h"

#define PROBE_WARNINGS 32 /* further ones are dropped */

struct probe {
	struct platform *platform;
	struct once_log log;	/* no warnings; both ways to the units find some of the same */
	struct machine machine; /* as far as it was found before the error; see machine_open() */
	struct error machine_error;	    /* code 0: none, the machine is complete */
	struct machine kernel;		    /* the same as its kernel's PMUs show it */
	struct error kernel_error;	    /* code 0: none, the kernel has PMUs of its uncore */
	char brand[PROCESSOR_NAME_SIZE];    /* empty where not known */
	struct core_pmu_info pmu;	    /* general 0 where not known; version 0: AMD's */
	struct error pmu_error;		    /* code 0: none, pmu is complete */
	char warnings[PROBE_WARNINGS][512]; /* logged while the machine was probed */
	size_t warning_count;
	size_t register_warning_count; /* the first of them; the rest is of the kernel's PMUs */
};

/*
 * sim and root are those of platform_open(); log gets what is no warning. Fails only where that
 * fails. *out must not be moved before probe_close(), which is called after failures, too.
 */
int probe_open(const char *sim, const char *root, const struct log *log, struct probe *out,
	       struct error *err);
void probe_close(struct probe *probe);

/* The kernel's PMU that counts on a unit; NULL: it has none. */
const struct perf_pmu *probe_perf_pmu(const struct probe *probe, const struct unit *unit);
/* Whether only the kernel reaches a unit of probe.kernel. */
bool probe_only_perf(const struct probe *probe, const struct unit *unit);

/* The machine that has CXL devices: where the registers are not reached, the kernel may. */
const struct machine *probe_devices(const struct probe *probe);

/* How many sockets have a CPU that is online. */
size_t probe_sockets(const struct probe *probe);

#endif
