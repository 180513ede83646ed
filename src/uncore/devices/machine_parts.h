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
 * A CXL port: the units that count its traffic. On Intel these are a CXLCM (link side) and a CXLDP
 * (mesh side) of one die. On AMD it is the data fabric of a node, which has events for each of its
 * CXL master ports or, on some models, for other parts instead. On NVIDIA they are units for
 * address ranges of a root complex.
 *
 * Ports of a socket are numbered from 0: in the order of their ids; if its dies repeat ids, die by
 * die; on AMD, node by node. A port that does not respond also has a number.
 */
struct port {
	int socket;
	unsigned number;
	const char *name;   /* model.port_name, if it is another part ("ccm"); NULL: a port */
	struct unit *cxlcm; /* NULL: no usable discovery record */
	struct unit *cxldp; /* NULL: no usable discovery record */
	struct unit *df;    /* AMD's data fabric, shared by all ports of a node */
	unsigned df_event;  /* index of the port among the ports of .df */
	/* NVIDIA: first of the root complex's consecutive units, one per range of CXL addresses */
	struct unit *tgt;
	/* number of these units; 0: addresses unknown, or more than ROOT_COMPLEX_BLOCKS ranges */
	size_t tgt_count;
	const struct cxl_device *device; /* NULL: unknown, or several: see ports.h */
	char pci[PCI_TEXT_SIZE];	 /* PCI address of the device; "": unknown */
};

struct machine {
	struct platform *platform; /* not owned */
	struct cpu_identity cpu;
	const struct model *model;
	struct topology topology;
	/* AMD: sampled latencies are estimates, because .l3_bytes is below model.sure_l3_bytes */
	bool unsure_latency;
	uint64_t l3_bytes; /* size of each L3 cache; 0: unknown, or not read */
	struct discovery discovery;
	struct perf_pmus pmus; /* the kernel's PMUs; empty if cxlmon programs registers itself */
	/*
	 * PMUs of the online CPUs, in the order of the topology; after machine_use_process(), one
	 * for each thread of the process. None if the PMU of this processor's CPUs is unknown.
	 */
	struct unit *cpus;
	size_t cpu_count;
	/* the reason why no unit of the uncore can be used; code 0: .discovery has units */
	struct error uncore_error;
	struct port *ports; /* by socket and number */
	size_t port_count;
	struct cxl_device *devices; /* memory devices of the kernel's CXL bus */
	size_t device_count;
	struct memory_layout memory;
	struct cpmu *cpmus; /* CPMUs of CXL devices, on any processor: uncore/devices/cpmus.h */
	size_t cpmu_count;
	/*
	 * the first reason why a CPMU cannot be used; code 0: all that are known can. A bridge
	 * that may not be read is not a reason: nothing suggests that it has a CPMU.
	 */
	struct error cpmu_error;
	/* sockets with a discovery table, ascending; if there is no table, all sockets */
	int *sockets;
	size_t socket_count;
};

#endif
