/* SPDX-License-Identifier: BSD-3-Clause */
/* What src/uncore/rdt needs of the running kernel: tables of ACPI, x2APIC ids, resctrl. */
#ifndef CXLMON_LINUX_RDT_H
#define CXLMON_LINUX_RDT_H

#include "platform/rdt.h"

extern const struct rdt_ops linux_rdt;

#endif
