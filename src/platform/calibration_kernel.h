/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that wait for one thing alone, by which a machine is calibrated. probe/load runs them on
 * CPUs, or says that simulated CPUs do (simulation.h).
 */
#ifndef CXLMON_PLATFORM_CALIBRATION_KERNEL_H
#define CXLMON_PLATFORM_CALIBRATION_KERNEL_H

enum calibration_kernel {
	KERNEL_CHASE,  /* dependent reads, so many chains at once */
	KERNEL_STREAM, /* reads in the order of addresses */
	KERNEL_STORES, /* stores in the order of addresses, without reads */
	CALIBRATION_KERNELS
};

#define KERNEL_CHAINS_MOST 64 /* more than any core has reads of lines outstanding */

#endif
