/* SPDX-License-Identifier: BSD-3-Clause */
/* The CXL ports of a machine, and its sockets, by the units that count. */
#ifndef CXLMON_UNCORE_DEVICES_PORTS_H
#define CXLMON_UNCORE_DEVICES_PORTS_H

#include "uncore/devices/machine_parts.h"

/*
 * Sets m->ports, sorted by socket and die, independent of the order of tables, and m->sockets,
 * ascending; m->discovery and m->topology must be known. 0 or -ENOMEM.
 */
int ports_find(struct machine *m, struct error *err);

#endif
