/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of platform_linux(), the access to a machine through the running kernel: tables and
 * counters of memory regions, and injected loads.
 */
#ifndef CXLMON_LINUX_LINUX_PRIVATE_H
#define CXLMON_LINUX_LINUX_PRIVATE_H

#include "platform/platform.h"
#include "platform/rdt.h"
#include "platform/simulation.h"

/* rdt.c: ACPI tables, x2APIC ids, counters of memory regions, and the check for resctrl. */
extern const struct rdt_ops linux_rdt;

/*
 * load_channel.c: loads injected into a simulated machine that another process publishes as files
 * below root (--root). The socket root/dev/cxlmon-load, of type SOCK_SEQPACKET, takes messages. A
 * message and its answer are each a struct load_message.
 */

#define LOAD_CHANNEL "dev/cxlmon-load"

struct load_message {
	struct injected_load load; /* request; in the answer, the results are set */
	int code;		   /* in the answer: 0 or a negative errno */
};

/*
 * Implements simulation_ops.inject_load. If root is "/" or has no socket, returns -ENOTSUP without
 * setting *err.
 */
int linux_inject_load(struct platform *p, struct injected_load *load, struct error *err);

#endif
