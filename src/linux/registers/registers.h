/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers of this machine: MSRs through the msr driver, memory-mapped registers, registers of PCI
 * functions through libpci, and the settings of resctrl. The first access to a device opens it, and
 * reports why it cannot be opened.
 */
#ifndef CXLMON_LINUX_REGISTERS_REGISTERS_H
#define CXLMON_LINUX_REGISTERS_REGISTERS_H

#include "platform/platform.h"
#include "platform/reg.h"

struct linux_platform;

extern const struct register_ops linux_registers;

/* Opens the PCI bus (linux_platform.bus) if it is not open yet. 0 or a negative errno. */
int linux_open_bus(struct platform *p, struct error *err);

/* Closes all devices that were opened for registers. */
void linux_registers_close(struct linux_platform *l);

#endif
