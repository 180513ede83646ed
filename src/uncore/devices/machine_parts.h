/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a machine, as they were found. uncore/machine.h has the functions for all of it. */
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
 * A CXL port: a CXLCM (link side) and a CXLDP (mesh side) of one die; on AMD, a CXL master port of
 * the data fabric, or, where model.port_name says so, what is counted instead. Ports are numbered
 * per socket from 0, including those that do not respond: in the order of their ids, or, where dies
 * of a socket repeat ids, die by die.
 */
struct port {
	int socket;
	unsigned number;
	const char *name;   /* model.port_name */
	struct unit *cxlcm; /* NULL: no usable discovery record */
	struct unit *cxldp; /* likewise */
	struct unit *df;    /* AMD's data fabric, shared by all ports of a node */
	unsigned df_event;  /* which of the data fabric's events of each kind counts it */
	/* NVIDIA's root complex, by the addresses of its CXL regions: units behind each other */
	struct unit *tgt;
	size_t tgt_count; /* 0: these addresses are not known, or are too many ranges */
	const struct cxl_device *device; /* NULL: not known, see ports.h */
	char pci[PCI_TEXT_SIZE];	 /* its PCI address; "": not known */
};

struct machine {
	struct platform *platform; /* not owned */
	struct cpu_identity cpu;
	const struct model *model;
	struct topology topology;
	bool unsure_latency; /* of AMD: see model.sure_l3_bytes; the L3 caches are of this size: */
	uint64_t l3_bytes;   /* 0: not known, or not asked */
	struct discovery discovery;
	struct perf_pmus pmus; /* the kernel's, by machine_open_perf() */
	/* the PMU of each online CPU, in the order of the topology; or of each thread of a process
	 */
	struct unit *cpus;
	size_t cpu_count;
	struct error
		uncore_error; /* why no unit of the uncore can be had; code 0: they are below */
	struct port *ports;   /* by socket and number */
	size_t port_count;
	struct cxl_device *devices; /* memory devices of the kernel's CXL bus */
	size_t device_count;
	struct memory_layout memory;
	struct cpmu *cpmus; /* those of CXL devices, on any processor: uncore/devices/cpmus.h */
	size_t cpmu_count;
	struct error cpmu_error; /* why that of a device can't be used; code 0: all can */
	int *sockets; /* sockets with a discovery table, ascending; without any table, all */
	size_t socket_count;
};

#endif
