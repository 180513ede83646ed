/* SPDX-License-Identifier: BSD-3-Clause */
/* Two interfaces of the running kernel's platform that have no folder of their own. */
#ifndef CXLMON_LINUX_LINUX_PRIVATE_H
#define CXLMON_LINUX_LINUX_PRIVATE_H

#include "platform/platform.h"
#include "platform/rdt.h"
#include "platform/simulation.h"

/*
 * rdt.c
 *
 * Reads tables of ACPI, x2APIC ids and counters of L3 domains for src/uncore/rdt, and checks if
 * resctrl is mounted.
 */

extern const struct rdt_ops linux_rdt;

/*
 * load_channel.c
 *
 * Loads on a machine made of files (--root), which has no memory to transfer bytes to and from.
 * They are injected through the socket dev/cxlmon-load below root, a SOCK_SEQPACKET socket. Each
 * message and its answer are a struct load_message.
 */

#define LOAD_CHANNEL "dev/cxlmon-load"

struct load_message {
	struct injected_load load;
	int code; /* in the answer: 0 or a negative errno */
};

/* Implements simulation_ops.inject_load. -ENOTSUP, without *err: root is "/", or has no socket. */
int linux_inject_load(struct platform *p, struct injected_load *load, struct error *err);

#endif
