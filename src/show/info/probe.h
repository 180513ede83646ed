/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inventory of a machine, for cxlmon info and doctor. It is found without writing to a
 * register. Errors on the way are part of it.
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

/* A machine as found by registers, and as its kernel shows it. */
struct probe {
	struct platform *platform;
	/* passes on notes and details, each once: both ways find some of the same */
	struct once_log log;
	/*
	 * the machine by registers; after an error, the parts found before it: see machine_open()
	 */
	struct machine machine;
	struct error machine_error;	 /* code 0: .machine is complete */
	struct machine kernel;		 /* the machine by the kernel's PMUs */
	struct error kernel_error;	 /* code 0: the kernel has uncore PMUs */
	char brand[PROCESSOR_NAME_SIZE]; /* name of the processor; "": unknown */
	struct core_pmu_info pmu; /* PMU of the cores; .general 0: unknown; .version 0: AMD's */
	struct error pmu_error;	  /* code 0: .pmu is complete */
	char warnings[PROBE_WARNINGS][512]; /* warnings logged while the machine was probed */
	size_t warning_count;
	/* number of first warnings that are about registers, not the kernel's PMUs */
	size_t register_warning_count;
};

/*
 * Probes a machine. sim and root are as in platform_open(), and only its errors are returned; all
 * others are in *out. log, which is copied, gets notes and details. *out must not be moved before
 * probe_close(), which must also be called after failure.
 */
int probe_open(const char *sim, const char *root, const struct log *log, struct probe *out,
	       struct error *err);
void probe_close(struct probe *probe);

/* Returns the kernel's PMU that counts on a unit of probe.machine; NULL: there is none. */
const struct perf_pmu *probe_perf_pmu(const struct probe *probe, const struct unit *unit);
/* Returns true if a unit of probe.kernel is not in probe.machine: only the kernel reaches it. */
bool probe_only_perf(const struct probe *probe, const struct unit *unit);

/*
 * Returns the machine that has the CXL devices: probe.machine or, if that has none, probe.kernel.
 */
const struct machine *probe_devices(const struct probe *probe);

/* Returns the number of sockets with an online CPU. */
size_t probe_sockets(const struct probe *probe);

#endif
