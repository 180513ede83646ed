/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inventory of a machine, found without writing to a register, with the errors that occurred.
 */
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
	struct once_log log;	/* without warnings; both ways to the units find some of the same */
	struct machine machine; /* parts found before an error; see machine_open() */
	struct error machine_error;	    /* code 0: none, and .machine is complete */
	struct machine kernel;		    /* the machine as its kernel's PMUs show it */
	struct error kernel_error;	    /* code 0: none, and the kernel has uncore PMUs */
	char brand[PROCESSOR_NAME_SIZE];    /* empty if unknown */
	struct core_pmu_info pmu;	    /* general 0: unknown; version 0: AMD's */
	struct error pmu_error;		    /* code 0: none, and .pmu is complete */
	char warnings[PROBE_WARNINGS][512]; /* warnings logged while the machine was probed */
	size_t warning_count;
	size_t register_warning_count; /* warnings about registers; the rest are about the kernel's
					  PMUs */
};

/*
 * Probes a machine. sim and root are as in platform_open(); only if that fails does this fail. log
 * gets messages other than warnings. *out must not be moved before probe_close(), which must also
 * be called after failure.
 */
int probe_open(const char *sim, const char *root, const struct log *log, struct probe *out,
	       struct error *err);
void probe_close(struct probe *probe);

/* Returns the kernel's PMU that counts on a unit; NULL: there is none. */
const struct perf_pmu *probe_perf_pmu(const struct probe *probe, const struct unit *unit);
/* Tells if only the kernel reaches a unit of probe.kernel. */
bool probe_only_perf(const struct probe *probe, const struct unit *unit);

/*
 * Returns the machine that has CXL devices: if registers cannot be reached, the kernel's may have
 * them.
 */
const struct machine *probe_devices(const struct probe *probe);

/* Returns the number of sockets with an online CPU. */
size_t probe_sockets(const struct probe *probe);

#endif
