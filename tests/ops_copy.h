/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of a platform's functions, in which a test replaces some. */
#ifndef CXLMON_TEST_OPS_COPY_H
#define CXLMON_TEST_OPS_COPY_H

#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/pci.h"
#include "platform/platform.h"
#include "platform/reg.h"

struct ops_copy {
	struct platform_ops ops; /* first member: finds the copy from a platform's ops */
	struct clock_ops clock;
	struct cpu_ops cpus;
	struct register_ops registers;
	struct pci_ops pci;
	struct cxl_ops cxl;
};

/* Copies the functions. The copy must outlive all users of its .ops, and stay in place. */
static inline void ops_copy_init(struct ops_copy *copy, const struct platform_ops *from)
{
	*copy = (struct ops_copy){
		.ops = *from,
		.clock = *from->clock,
		.cpus = *from->cpus,
		.registers = *from->registers,
		.pci = *from->pci,
		.cxl = *from->cxl,
	};
	copy->ops.clock = &copy->clock;
	copy->ops.cpus = &copy->cpus;
	copy->ops.registers = &copy->registers;
	copy->ops.pci = &copy->pci;
	copy->ops.cxl = &copy->cxl;
}

#endif
