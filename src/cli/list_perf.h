/* SPDX-License-Identifier: BSD-3-Clause */
/* Events as perf stat -e takes them on this machine's kernel. */
#ifndef CXLMON_LIST_PERF_H
#define CXLMON_LIST_PERF_H

#include "uncore/machine.h"
#include "uncore/perf_unit.h"

struct list_perf {
	struct platform *platform;
	struct machine machine; /* as the kernel's PMUs show it */
	struct error error;	/* why there are none; code 0: there are */
};

/* sim and root are those of platform_open(). */
void list_perf_open(struct list_perf *out, const char *sim, const char *root);
void list_perf_close(struct list_perf *perf);

/*
 * "uncore_cxlcm_2/event=0x41,umask=0x10/": on the first unit that has the event. NULL: this kernel
 * can't count it, and *why says what is missing.
 */
const char *list_perf_text(const struct list_perf *perf, const struct event *event,
			   char text[PERF_EVENT_TEXT_SIZE], struct error *why);

#endif
