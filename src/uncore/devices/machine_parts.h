/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a machine: structs that the functions of uncore/machine.h fill. */
#ifndef CXLMON_UNCORE_DEVICES_MACHINE_PARTS_H
#define CXLMON_UNCORE_DEVICES_MACHINE_PARTS_H

#include "msr/cpuid.h"
#include "platform/cpus.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "platform/perf.h"
#include "platform/platform.h"
#include "uncore/discovery/discovery.h"
#include "uncore/model/model.h"

struct cpmu;

/*
 * A CXL port: the units that count its traffic.
 *   Intel   a CXLCM (link side) and a CXLDP (mesh side) of one die
 *   AMD     the data fabric of a node (a socket or a part of it). It has events for each port, or
 *           for other parts in place of ports: model.ports_of_df
 *   NVIDIA  units for blocks of addresses of a root complex: uncore/devices/ports.h
 *
 * Ports of a socket are numbered from 0, also those that do not respond. Their order is that of
 * unit ids; if dies repeat ids, die by die; on AMD, node by node.
 */
struct port {
	int socket;
	unsigned number;
	const char *name;   /* part in place of a port: model.port_name ("ccm"); NULL: a port */
	struct unit *cxlcm; /* NULL: no valid discovery record, or not Intel */
	struct unit *cxldp; /* NULL: no valid discovery record, or not Intel */
	struct unit *df;    /* AMD's data fabric, shared by all ports of a node; else NULL */
	unsigned df_event;  /* index of the port among the ports of .df */
	struct unit *tgt;   /* NVIDIA: the first of .tgt_count consecutive units; else NULL */
	/* NVIDIA: 0: addresses are unknown, or need more than ROOT_COMPLEX_BLOCKS blocks */
	size_t tgt_count;
	const struct cxl_device *device; /* NULL: unknown, or several: see ports.h */
	char pci[PCI_TEXT_SIZE];	 /* PCI address of the device; "": unknown */
};

struct machine {
	struct platform *platform; /* not owned */
	struct cpu_identity cpu;
	const struct model *model; /* NULL: unknown, or nothing of the processor can be counted */
	struct topology topology;
	bool unsure_latency; /* sampled latencies are estimates: model.sure_l3_bytes */
	uint64_t l3_bytes;   /* of each L3 cache; 0: unknown, or model.sure_l3_bytes is 0 */
	struct discovery discovery;
	struct perf_pmus pmus; /* the kernel's PMUs; empty if cxlmon programs registers itself */
	/*
	 * PMUs of the online CPUs, in the order of the topology; after machine_use_process(), one
	 * for each thread of the process
	 */
	struct unit *cpus;
	size_t cpu_count; /* 0: the PMU of this processor's CPUs is unknown */
	/* reason why no unit of the uncore can be used; code 0: .discovery has units */
	struct error uncore_error;
	struct port *ports; /* by socket and number */
	size_t port_count;
	struct cxl_device *devices; /* memory devices of the kernel's CXL bus */
	size_t device_count;
	struct memory_layout memory;
	struct cpmu *cpmus; /* CPMUs of CXL devices, on any processor: uncore/devices/cpmus.h */
	size_t cpmu_count;
	/* the first reason why a CPMU cannot be used, or cannot be found; code 0: none */
	struct error cpmu_error;
	/* sockets with a discovery table, ascending; if there is no table, all sockets */
	int *sockets;
	size_t socket_count;
};

#endif
