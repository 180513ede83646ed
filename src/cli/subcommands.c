/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/subcommands.h"

#include <stddef.h>

const struct subcommand subcommands[] = {
	{"info", cmd_info, "what this machine has: processor, units, CXL ports"},
	{"doctor", cmd_doctor, "what keeps it from being monitored, and what mends it"},
	{"list", cmd_list, "what can be measured: metrics and events"},
	{"serve", cmd_serve, "the monitor for Prometheus: OpenMetrics over HTTP"},
	{"snapshot", cmd_snapshot, "keep what it takes to simulate this machine elsewhere"},
	{"restore", cmd_restore, "put back what a killed run has left programmed"},
	{"allowlist", cmd_allowlist, "the MSRs that the msr-safe module must allow"},
	{"msr", cmd_msr, "one model-specific register, for experts"},
	{"pci", cmd_pci, "one register in PCI configuration space"},
	{"mmio", cmd_mmio, "one register in memory"},
	{.name = NULL},
};
