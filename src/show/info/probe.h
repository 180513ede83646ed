/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inventory of a machine, for cxlmon info and doctor. It is made without writing registers.
 * Errors are part of it.
 */
#ifndef CXLMON_SHOW_INFO_PROBE_H
#define CXLMON_SHOW_INFO_PROBE_H

#include <stddef.h>

#include "msr/core_pmu.h"
#include "msr/cpuid.h"
#include "platform/cpus.h"
#include "platform/perf.h"
#include "uncore/machine.h"

#define PROBE_WARNINGS 32 /* most warnings that are kept */

/* A machine as registers show it, and as the kernel shows it. */
struct probe {
	struct platform *platform;
	struct once_log log;	    /* receives notes and details, and passes on each once */
	struct machine machine;	    /* by registers; after an error, the parts found before it */
	struct error machine_error; /* .code 0: .machine is complete */
	struct machine kernel;	    /* by the kernel's PMUs */
	struct error kernel_error;  /* .code 0: the kernel has uncore PMUs */
	char brand[PROCESSOR_NAME_SIZE]; /* name of the processor; "": unknown */
	struct core_pmu_info pmu; /* PMU of the cores; .general 0: unknown; .version 0: AMD's */
	struct error pmu_error;	  /* .code 0: .pmu is complete */
	char warnings[PROBE_WARNINGS][512]; /* warnings of probe_open() */
	size_t warning_count;		    /* number of warnings: first those on registers */
	size_t register_warning_count;	    /* number of warnings on registers */
};

/*
 * Probes a machine. sim and root: see platform_open(). Returns 0, or the error of platform_open();
 * other errors are in *out. log (copied) receives notes and details. *out must not be moved. Closed
 * by probe_close(), also after failure.
 */
int probe_open(const char *sim, const char *root, const struct log *log, struct probe *out,
	       struct error *err);
void probe_close(struct probe *probe);

/* Returns the kernel's PMU for a unit of .machine; NULL: there is none. */
const struct perf_pmu *probe_perf_pmu(const struct probe *probe, const struct unit *unit);
/* Returns true if only the kernel reaches a unit of .kernel: .machine does not have it. */
bool probe_only_perf(const struct probe *probe, const struct unit *unit);

/* Returns .machine if it has CXL devices, else .kernel. */
const struct machine *probe_devices(const struct probe *probe);

/* Returns the number of sockets with an online CPU. */
size_t probe_sockets(const struct probe *probe);

#endif
