/* SPDX-License-Identifier: BSD-3-Clause */
/* Two interfaces of the platform that have no folder of their own. */
#ifndef CXLMON_LINUX_LINUX_PRIVATE_H
#define CXLMON_LINUX_LINUX_PRIVATE_H

#include "platform/platform.h"
#include "platform/rdt.h"
#include "platform/simulation.h"

/* rdt.c: tables of ACPI, x2APIC ids and resctrl, for src/uncore/rdt. */

extern const struct rdt_ops linux_rdt;

/*
 * load_channel.c
 *
 * Loads on a machine of files (--root), which has no memory to move bytes to and from. They are
 * injected through the socket dev/cxlmon-load below its root: a SOCK_SEQPACKET socket on which each
 * message is a struct load_message, and so is its answer.
 */

#define LOAD_CHANNEL "dev/cxlmon-load"

struct load_message {
	struct injected_load load;
	int code; /* the answer: 0 or a negative errno */
};

/* As simulation_ops.inject_load. -ENOTSUP: root is "/", or there is no such socket. */
int linux_inject_load(struct platform *p, struct injected_load *load, struct error *err);

#endif
