/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_key.h"

#include <stdio.h>

#include "base/text.h"
#include "platform/device_health.h"
#include "platform/memory.h"
#include "sim/sim_extras.h"

const char *const sim_booleans[] = {"0", "1", NULL};
static const char *const clocks[] = {"real", "virtual", NULL};
static const char *const lockdowns[] = {"none", "integrity", "confidentiality", NULL};

/* The address map limits the counts, the width of a counter limits the rates. */
static const struct sim_key keys[] = {
	{SIM_FIELD(sockets), SIM_INTEGER, 1, 8, 1, .layout = true, .help = "sockets"},
	{SIM_FIELD(dies), SIM_INTEGER, 1, 8, 1, .layout = true,
	 .help = "dies of a socket, which share its units evenly (dmr: core building blocks)"},
	{SIM_FIELD(cpus), SIM_INTEGER, 1, 256, 8, .layout = true, .help = "CPUs of a socket"},
	{SIM_FIELD(threads), SIM_INTEGER, 1, 2, 1, .layout = true, .help = "CPUs of a core"},
	{SIM_FIELD(ports), SIM_INTEGER, 1, 16, 2, .layout = true,
	 .help = "CXL ports of a socket (turin: at most 4)"},
	{SIM_FIELD(chas), SIM_INTEGER, 1, 128, 8, .layout = true,
	 .help = "CHAs of a socket (dmr: CBOs)"},
	{SIM_FIELD(imcs), SIM_INTEGER, 1, 32, 4, .layout = true,
	 .help = "memory controllers of a socket (AMD: at most 15)"},
	{SIM_FIELD(hbms), SIM_INTEGER, 0, 32, .layout = true,
	 .help = "channels of HBM of a socket"},
	{SIM_FIELD(ways), SIM_INTEGER, 1, REGION_MAX_WAYS, 1, .layout = true,
	 .help = "neighbouring devices that share a region, and so a NUMA node"},
	{SIM_FIELD(cpmu), SIM_BOOLEAN, .words = sim_booleans, .layout = true,
	 .help = "whether each memory device has a performance monitor (CPMU)"},
	{SIM_FIELD(rxc), SIM_BOOLEAN, .words = sim_booleans,
	 .help = "whether RxC events count data of CXL.mem reads (default: as on the model)"},
	{SIM_FIELD(read), SIM_REAL, 0, 1e4, .demo = 12, .help = "GB/s of CXL.mem reads of a port"},
	{SIM_FIELD(write), SIM_REAL, 0, 1e4, .demo = 5, .help = "GB/s of CXL.mem writes of a port"},
	{SIM_FIELD(cache_d2h), SIM_REAL, 0, 1e4, .demo = 0.4,
	 .help = "GB/s of CXL.cache from the device of a port"},
	{SIM_FIELD(cache_h2d), SIM_REAL, 0, 1e4, .demo = 0.8,
	 .help = "GB/s of CXL.cache to the device of a port"},
	{SIM_FIELD(dram_read), SIM_REAL, 0, 1e5, .demo = 60,
	 .help = "GB/s of DRAM reads of a socket"},
	{SIM_FIELD(dram_write), SIM_REAL, 0, 1e5, .demo = 25,
	 .help = "GB/s of DRAM writes of a socket"},
	{SIM_FIELD(hbm_read), SIM_REAL, 0, 1e5, .demo = 300,
	 .help = "GB/s of HBM reads of a socket"},
	{SIM_FIELD(hbm_write), SIM_REAL, 0, 1e5, .demo = 120,
	 .help = "GB/s of HBM writes of a socket"},
	{SIM_FIELD(remote), SIM_REAL, 0, 100, 25,
	 .help = "percent of reads from another socket, if there is one"},
	{SIM_FIELD(imbalance), SIM_REAL, 0, 100,
	 .help = "percent by which the last device of a shared region has less traffic than the others"},
	{SIM_FIELD(wave), SIM_BOOLEAN, .words = sim_booleans,
	 .help = "whether traffic varies; if no rate and no ramp is given it does, with noise that "
		 "is the same in every run"},
	{SIM_FIELD(ramp), SIM_REAL, 0, 1e5,
	 .help = "seconds in which all traffic rises from 0 to its rates; 0: immediately"},
	{SIM_FIELD(begin), SIM_REAL, 0, 1e5, .help = "seconds after which all traffic begins"},
	{SIM_FIELD(limit), SIM_REAL, 0, 1e4,
	 .help = "GB/s that a port carries at most: near it latency rises up to 6 times and buffers "
		 "fill, traffic above it is cut; 0: no limit"},
	{SIM_FIELD(full), SIM_REAL, 0, 100, .demo = 4,
	 .help = "percent of a port's clock cycles in which its buffer is full (default: follows from "
		 "limit)"},
	{SIM_FIELD(latency), SIM_REAL, 0, 1e6, 320, .help = "ns of CXL memory, without load"},
	{SIM_FIELD(prefetch_latency), SIM_REAL, 0, 1e6,
	 .help = "ns of data prefetches of CXL memory; 0: as latency"},
	{SIM_FIELD(l2_prefetch), SIM_REAL, 0, 100,
	 .help = "percent of CXL reads that are data prefetches into L1 and L2, on Intel"},
	{SIM_FIELD(l3_prefetch), SIM_REAL, 0, 100,
	 .help = "percent that are data prefetches into the L3"},
	{SIM_FIELD(ownership), SIM_REAL, 0, 100, .help = "percent that are reads for ownership"},
	{SIM_FIELD(code), SIM_REAL, 0, 100, .help = "percent that are code reads"},
	{SIM_FIELD(ddr_latency), SIM_REAL, 0, 1e6, 110, .help = "ns of a socket's own DRAM"},
	{SIM_FIELD(ddr_remote_latency), SIM_REAL, 0, 1e6, 190,
	 .help = "ns of another socket's DRAM"},
	{SIM_FIELD(promised_bandwidth), SIM_REAL, 0, 1e4, .layout = true,
	 .help = "GB/s that firmware (HMAT, CDAT) reports for CXL memory; 0: not reported"},
	{SIM_FIELD(promised_latency), SIM_REAL, 0, 1e6, .layout = true,
	 .help = "ns that firmware (HMAT, CDAT) reports for CXL memory; 0: not reported"},
	{SIM_FIELD(crc), SIM_REAL, 0, 1e9, .help = "CRC errors per second of a port"},
	{SIM_FIELD(retry), SIM_REAL, 0, 1e9, .help = "retries per second of a port"},
	{SIM_FIELD(link_width), SIM_INTEGER, 1, 32, 16, .help = "lanes of a device's link"},
	{SIM_FIELD(link_speed), SIM_REAL, 2.5, 64, 32,
	 .help = "GT/s per lane of a device's link, whose capability is 32"},
	{SIM_FIELD(link_change), SIM_REAL, 0, 1e5,
	 .help = "seconds after which the link of mem0 has link_change_width lanes; 0: never"},
	{SIM_FIELD(link_change_width), SIM_INTEGER, 0, 32, 8,
	 .help = "lanes of the link of mem0 after link_change; 0: the device is gone"},
	{SIM_FIELD(link_back), SIM_REAL, 0, 1e5,
	 .help = "seconds after which the link of mem0 has all its lanes again; 0: never"},
	{SIM_FIELD(aer_correctable), SIM_REAL, 0, 1e9,
	 .help = "correctable PCI errors (BadTLP) per second of a device"},
	{SIM_FIELD(aer_nonfatal), SIM_REAL, 0, 1e9,
	 .help = "nonfatal PCI errors (CmpltTO) per second of a device"},
	{SIM_FIELD(aer_fatal), SIM_REAL, 0, 1e9,
	 .help = "fatal PCI errors (SDES) per second of a device"},
	{SIM_FIELD(temperature), SIM_REAL, -50, 200, 45, .help = "degrees Celsius of a device"},
	{SIM_FIELD(life_used), SIM_REAL, 0, 100, 2,
	 .help = "percent of its life that a device has used"},
	{SIM_FIELD(health), SIM_INTEGER, 0, DEVICE_STATE_MOST,
	 .help = "the sum of a device's states, as in the column health"},
	{SIM_FIELD(corrected), SIM_REAL, 0, 1e9,
	 .help = "errors per second that a device corrects"},
	{SIM_FIELD(events), SIM_REAL, 0, 1e6,
	 .help = "events per second of mem0 that the kernel reports, such as errors of its memory"},
	{SIM_FIELD(dram_used), SIM_REAL, 0, 100, 50,
	 .help = "percent of DRAM that is used at first"},
	{SIM_FIELD(promote), SIM_REAL, 0, 1e9,
	 .help = "pages per second that move from a device's node to the DRAM of its socket"},
	{SIM_FIELD(demote), SIM_REAL, 0, 1e9,
	 .help = "pages per second that move back; 2560 if neither rates nor pages are given"},
	{SIM_FIELD(hint), SIM_REAL, 0, 1e9,
	 .help = "NUMA hinting faults per second on the memory of a device"},
	{SIM_FIELD(readers), SIM_INTEGER, 0, 64, 3,
	 .help = "processes, for top, who and hot: a database in a container, a cache and a batch "
		 "job, then these again; the first of n reads n times as much as the last"},
	{SIM_FIELD(vms), SIM_INTEGER, 0, 64,
	 .help = "virtual machines: further processes, of QEMU, each in its own cgroup; their guests "
		 "do their reads, which only AMD processors sample"},
	{SIM_FIELD(demand_stall), SIM_REAL, 0, 100, 20,
	 .help = "percent of cycles in which a CPU of spr, emr, gnr or gnr-d stalls on reads of memory "
		 "while all its memory is DRAM"},
	{SIM_FIELD(cache_stall), SIM_REAL, 0, 100, 8,
	 .help = "percent of cycles in which such a CPU stalls on caches"},
	{SIM_FIELD(store_stall), SIM_REAL, 0, 100, 4,
	 .help = "percent of cycles in which such a CPU stalls on stores"},
	{SIM_FIELD(cxl_share), SIM_REAL, 0, 100,
	 .help = "percent of the memory of such a CPU that is CXL memory"},
	{SIM_FIELD(region_groups), SIM_INTEGER, 0, 31, .layout = true,
	 .help = "resctrl groups with tasks, each with as much traffic and, on Intel, time as the "
		 "tasks in no group"},
	{SIM_FIELD(bmec), SIM_BOOLEAN, .words = sim_booleans,
	 .help = "whether resctrl is mounted, with events of L3 caches that can be configured (AMD)"},
	{SIM_FIELD(kernel), SIM_VERSION, .initial = SIM_KERNEL_NEWEST,
	 .help = "the kernel's version, such as 6.12: what its perf events know of the processor"},
	{SIM_FIELD(paranoid), SIM_INTEGER, 0, 4,
	 .help = "kernel.perf_event_paranoid: above 0 perf events of whole CPUs are refused, above "
		 "2 also those of a process"},
	{SIM_FIELD(lockdown), SIM_WORD, .words = lockdowns,
	 .help = "kernel lockdown: with it no register can be written and no memory mapped"},
	{"clock", offsetof(struct sim_spec, virtual_clock), SIM_BOOLEAN, .words = clocks,
	 .help = "virtual: intervals take no time, and every run prints the same"},
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

const struct sim_key *sim_key(size_t i)
{
	if (i < KEYS)
		return &keys[i];
	return sim_extras.keys && sim_extras.keys[i - KEYS].name ? &sim_extras.keys[i - KEYS]
								 : NULL;
}

/* Appends the default of a number; the help of other keys has it. */
static void append_default(const struct sim_key *key, char text[SIM_KEY_HELP_SIZE])
{
	const bool number = key->kind == SIM_INTEGER || key->kind == SIM_REAL;

	if (number && key->initial >= key->min && key->initial <= key->max && key->initial > 0)
		text_append(text, SIM_KEY_HELP_SIZE, " (%g)", key->initial);
}

const char *sim_key_help(const struct sim_key *key, char text[SIM_KEY_HELP_SIZE])
{
	*text = '\0';
	for (size_t n = 0; key->words && key->words != sim_booleans && key->words[n]; n++)
		text_append(text, SIM_KEY_HELP_SIZE, "%s%s", n ? ", " : "", key->words[n]);
	if (*text)
		text_append(text, SIM_KEY_HELP_SIZE, ": ");
	text_append(text, SIM_KEY_HELP_SIZE, key->words == sim_booleans ? "0 or 1: %s" : "%s",
		    key->help);
	append_default(key, text);
	if (key->layout)
		text_append(text, SIM_KEY_HELP_SIZE, "; not with a snapshot");
	return text;
}
