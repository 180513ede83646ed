/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of a simulated machine, readers= of them, from SIM_FIRST_PID on: a database in a
 * container, a cache and a batch job, then these again. Of all reads of a node, process i of n has
 * a part that is proportional to n - i.
 *
 * Each has read_set= GiB on each node, which it reads, and memory that it does not read. Of the
 * latter, that of batch jobs is among what the kernel moves: promote= and demote= pages a second.
 */
#ifndef CXLMON_SIM_SIM_PROCESS_H
#define CXLMON_SIM_SIM_PROCESS_H

#include "platform/process.h"
#include "sim/sim_machine.h"

#define SIM_FIRST_PID 1001

#define SIM_BLOCK      (UINT64_C(2) << 20) /* bytes: what is read is so many of them */
#define SIM_CODE       UINT64_C(0x400000)
#define SIM_CODE_BYTES UINT64_C(0x10000)

/* The address of what a process has on a node. */
static inline uint64_t sim_data(int node)
{
	return UINT64_C(0x7f0000000000) + ((uint64_t)node << 36);
}

extern const struct process_ops sim_processes;

/* The process that reads at this place of all reads of a node, from 0 to 1: its number, from 0. */
unsigned sim_process_at(const struct sim_spec *spec, double place);

/* Blocks of each node that each process reads. */
uint64_t sim_process_blocks(const struct sim_spec *spec);

#endif
