/* SPDX-License-Identifier: BSD-3-Clause */
/* All that can be found out about a machine without writing to it, and what kept the rest hidden.
 */
#ifndef CXLMON_PROBE_H
#define CXLMON_PROBE_H

#include <stddef.h>

#include "msr/core_pmu.h"
#include "msr/cpuid.h"
#include "uncore/machine.h"

#define PROBE_REMARKS 32 /* further ones are dropped */

struct probe {
	struct platform *platform;
	struct log log;
	struct machine machine;	      /* as far as it was found; see machine_open() */
	struct error machine_error;   /* why no further; code 0: all of it was found */
	char brand[CPUID_BRAND_SIZE]; /* empty where not known */
	struct core_pmu_info pmu;     /* version 0 where not known */
	struct error pmu_error;	      /* code 0: nothing is missing */
	/* warnings about what was left out, in the words of whoever did it */
	char remarks[PROBE_REMARKS][512];
	size_t remark_count;
};

/*
 * sim and root are those of platform_open(); log gets what is no warning. Fails only where that
 * does. *out must stay where it is until probe_close(), which is for after failures, too.
 */
int probe_open(const char *sim, const char *root, const struct log *log, struct probe *out,
	       struct error *err);
void probe_close(struct probe *probe);

/* How many sockets have a CPU that is online. */
size_t probe_sockets(const struct probe *probe);

#endif
