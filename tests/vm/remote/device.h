/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PCI function that this process gives the guest. Each BAR shows one kind of the simulated
 * processor's registers. The module in the guest includes this header, too.
 */
#ifndef REMOTE_DEVICE_H
#define REMOTE_DEVICE_H

#define DEVICE_VENDOR 0x1234 /* used in emulators only */
#define DEVICE_ID     0xCB01

/*
 * Physical memory: discovery tables and registers. Addresses in tables, and in BARs of the
 * simulated processor's functions, point into it.
 */
#define DEVICE_MEMORY_BAR 0

/* Configuration space as PCI Express has it in memory: bus << 20 | device << 15 | function << 12 */
#define DEVICE_CONFIG_BAR 1

/*
 * MSRs, each in 8 bytes: cpu * DEVICE_CPU_BYTES + 8 * (msr - DEVICE_MSR_FIRST). The BAR's last 8
 * bytes read as 1 if the previous access has failed, as by a #GP.
 */
#define DEVICE_MSR_BAR	 2
#define DEVICE_MSR_FIRST 0x2000 /* all MSRs of the uncore, and no others */
#define DEVICE_MSR_COUNT 0x2000
#define DEVICE_CPU_BYTES (8 * DEVICE_MSR_COUNT)

/* The NUMA node of each bus, one byte per bus. */
#define DEVICE_NODE_BAR	      3
#define DEVICE_NODE_BYTES     4096
#define DEVICE_NODE_NOT_KNOWN 0xFF

/* A register in DEVICE_NODE_BAR, after the nodes: a write lets that many ns pass. */
#define DEVICE_PASS 2048

#define DEVICE_BARS 4

#endif
