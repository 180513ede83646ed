/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs of known waits have counted on this machine with their memory in DRAM, and then in
 * CXL memory: what a slowdown is predicted from.
 */
#ifndef CXLMON_PROBE_SWEEP_CALIBRATION_H
#define CXLMON_PROBE_SWEEP_CALIBRATION_H

/* What stalls of one program were counted; the sums of the CPUs that it ran on. NAN: not known. */
struct stall_counts {
	double work;	   /* bytes read or written by the program itself */
	double cycles;	   /* core clocks */
	double demand;	   /* of these, lost to reads that missed the L3 */
	double cache;	   /* lost to reads that missed the L1D alone */
	double store;	   /* lost to a full store buffer */
	double read_cost;  /* clocks in which a demand read waits, by read; NAN: no reads */
	double prefetched; /* share of L1D misses that found their line on its way, from 0 to 1 */
};

enum calibration_kernel {
	KERNEL_CHASE,  /* dependent reads, so many chains at once */
	KERNEL_STREAM, /* reads in the order of addresses */
	KERNEL_STORES, /* stores in the order of addresses, without reads */
	CALIBRATION_KERNELS
};

struct calibration_run {
	enum calibration_kernel kernel;
	unsigned chains; /* of KERNEL_CHASE; else 1 */
	int dram_node, cxl_node;
	struct stall_counts dram, cxl;
};

#endif
