/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metric.h"

#include <string.h>

#include "base/text.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "platform/rdt.h"

#define AT(kind)   (1U << ROW_##kind)
#define AT_SOCKETS (AT(SOCKET) | AT(SYSTEM))
#define AT_PORTS   (AT(PORT) | AT_SOCKETS)
#define AT_CPUS	   (AT(CPU) | AT_SOCKETS)
#define AT_DOMAINS (AT(DOMAIN) | AT_SOCKETS)
#define AT_DEVICES (AT(PORT) | AT(DEVICE))

/* Units: decimals in CSV, the name under a heading, and the OpenMetrics family in its base unit. */
#define MBPS                                                                                       \
	.decimals = 3, .unit = "MB/s", .family.unit = "bytes", .family.factor = 1e6,               \
	.family.counter = true
#define NS	.decimals = 1, .unit = "ns", .family.unit = "seconds", .family.factor = 1e-9
#define PERCENT .decimals = 3, .unit = "%", .family.unit = "ratio", .family.factor = 1e-2
#define MHZ	.decimals = 1, .unit = "MHz", .family.unit = "hertz", .family.factor = 1e6
#define MIB	.decimals = 3, .unit = "MiB", .family.unit = "bytes", .family.factor = 1 << 20
#define GBPS	.decimals = 3, .unit = "GB/s", .family.factor = 1e9
#define GTPS	.decimals = 1, .unit = "GT/s", .family.factor = 1e9
#define EVENTS(places)                                                                             \
	.decimals = (places), .unit = "1/s", .family.factor = 1, .family.counter = true
/* enum device_state */
#define DEVICE_STATE_HELP                                                                          \
	"1 maintenance needed, 2 performance degraded, 4 to be replaced, 8 capacity degraded, 16 " \
	"temperature high, 32 critical, 64 much of its life used, 128 nearly all, 256 many "       \
	"corrected errors, and 512 times the media status: 1 not ready, 2 persistence lost, 3 "    \
	"data lost, 4 powerloss persistence loss, 5 shutdown persistence loss, 6 persistence "     \
	"loss imminent, 7 powerloss data loss, 8 shutdown data loss, 9 data loss imminent"
#define PLAIN(places, called) .decimals = (places), .unit = (called), .family.factor = 1

#define FAMILY(called, what) .family.name = (called), .family.help = (what)

/*
 * Part of a help that prevents a misreading: most readers would expect all migrations between
 * tiers.
 */
#define NOT_OF_DAMON "not those that DAMON migrates"

const char *const scope_names[SCOPE_COUNT] = {
	[SCOPE_CPU] = "cpu",
	[SCOPE_PORT] = "port",
	[SCOPE_SOCKET] = "socket",
	[SCOPE_SYSTEM] = "system",
};

const enum scope row_scopes[ROW_KINDS] = {
	[ROW_CPU] = SCOPE_CPU,	     [ROW_PORT] = SCOPE_PORT,	  [ROW_DEVICE] = SCOPE_PORT,
	[ROW_NODE] = SCOPE_PORT,     [ROW_DOMAIN] = SCOPE_PORT,	  [ROW_GROUP] = SCOPE_PORT,
	[ROW_SOCKET] = SCOPE_SOCKET, [ROW_SYSTEM] = SCOPE_SYSTEM,
};

const enum row_kind scope_rows[SCOPE_COUNT] = {
	[SCOPE_CPU] = ROW_CPU,
	[SCOPE_PORT] = ROW_PORT,
	[SCOPE_SOCKET] = ROW_SOCKET,
	[SCOPE_SYSTEM] = ROW_SYSTEM,
};

/* A row reads best as name, scope and unit, then heading, help and family. */
/* clang-format off */
const struct metric metric_table[] = {
	{.name = "cxl_mem_read_MBps", .group = "cxl", .rows = AT_PORTS | AT_DEVICES, MBPS,
	 .heading = "CXL read",
	 .help = "CXL.mem data from the device, 10^6 bytes per second",
	 FAMILY("cxl_mem_read_bytes", "CXL.mem data from the device")},
	{.name = "cxl_mem_write_MBps", .group = "cxl", .rows = AT_PORTS | AT_DEVICES, MBPS,
	 .heading = "CXL write",
	 .help = "CXL.mem data to the device, 10^6 bytes per second",
	 FAMILY("cxl_mem_write_bytes", "CXL.mem data to the device")},
	{.name = "cxl_cache_d2h_MBps", .group = "cxl", .rows = AT_PORTS, MBPS,
	 .heading = "CXL.cache D2H",
	 .help = "CXL.cache data from device to host, 10^6 bytes per second",
	 FAMILY("cxl_cache_d2h_bytes", "CXL.cache data from device to host")},
	{.name = "cxl_cache_h2d_MBps", .group = "cxl", .rows = AT_PORTS, MBPS,
	 .heading = "CXL.cache H2D",
	 .help = "CXL.cache data from host to device, 10^6 bytes per second",
	 FAMILY("cxl_cache_h2d_bytes", "CXL.cache data from host to device")},
	{.name = "cxl_mem_read_source", .group = "cxl", .kind = METRIC_SOURCE,
	 .of = "cxl_mem_read_MBps", .rows = AT_PORTS | AT_DEVICES,
	 .help = "how CXL reads are counted: cpmu (data that the device sent), rxc (data "
		 "received), m2s_req (read requests, an upper estimate), tor (requests of the "
		 "CHAs, an estimate), df (AMD's data fabric), bmec (AMD's L3 caches: "
		 "--resctrl), pcie_tgt, ucf (Vera)"},
	{.name = "cxl_read_latency_ns", .group = "latency", .rows = AT_SOCKETS, NS,
	 .heading = "CXL latency",
	 .help = "mean time of a read of CXL memory, from the CHA (AMD: the L3, Vera: the fabric) on",
	 FAMILY("cxl_read_latency_seconds",
		"How long a read of CXL memory takes, from the CHA (AMD: the L3, Vera: the fabric) "
		"on")},
	{.name = "ddr_local_read_latency_ns", .group = "latency", .rows = AT_SOCKETS, NS,
	 .heading = "DRAM latency (local)",
	 .help = "mean time of a read of DRAM of the same socket (AMD: NUMA node)",
	 FAMILY("ddr_local_read_latency_seconds",
		"How long a read of the same socket's DRAM (AMD: NUMA node) takes")},
	{.name = "ddr_remote_read_latency_ns", .group = "latency", .rows = AT_SOCKETS, NS,
	 .remote = true, .heading = "DRAM latency (remote)",
	 .help = "mean time of a read of DRAM of another socket (AMD: NUMA node)",
	 FAMILY("ddr_remote_read_latency_seconds",
		"How long a read of another socket's DRAM (AMD: NUMA node) takes")},
	{.name = "cxl_read_latency_source", .group = "latency", .kind = METRIC_SOURCE,
	 .of = "cxl_read_latency_ns", .rows = AT_SOCKETS,
	 .help = "class of reads that CXL latency is measured of: acc (accelerator), exp_local "
		 "(local expander), opt_acc and opt_exp_local (these with opcode DRd_Opt), l3 "
		 "(sampled by AMD's L3 caches, of the same NUMA node), nvdlink (Vera)"},
	{.name = "cxl_far_read_latency_ns", .group = "latency", .rows = AT_SOCKETS, NS,
	 .extra = true, .remote = true, .heading = "CXL latency (remote)",
	 .help = "mean time of a read of CXL memory of another NUMA node, on AMD",
	 FAMILY("cxl_far_read_latency_seconds",
		"How long a read of CXL memory of another NUMA node takes")},
	{.name = "dram_read_MBps", .group = "dram", .rows = AT_SOCKETS, MBPS,
	 .heading = "DRAM read",
	 .help = "data read from DRAM, HBM included, 10^6 bytes per second",
	 FAMILY("dram_read_bytes", "Data read from DRAM")},
	{.name = "dram_write_MBps", .group = "dram", .rows = AT_SOCKETS, MBPS,
	 .heading = "DRAM write",
	 .help = "data written to DRAM, HBM included, 10^6 bytes per second",
	 FAMILY("dram_write_bytes", "Data written to DRAM")},
	{.name = "hbm_read_MBps", .group = "dram", .rows = AT_SOCKETS, MBPS,
	 .help = "data read from HBM; empty where there is none",
	 FAMILY("hbm_read_bytes", "Data read from HBM")},
	{.name = "hbm_write_MBps", .group = "dram", .rows = AT_SOCKETS, MBPS,
	 .help = "data written to HBM; empty where there is none",
	 FAMILY("hbm_write_bytes", "Data written to HBM")},
	{.name = "rx_mem_data_full_pct", .group = "queue", .rows = AT_PORTS, PERCENT,
	 .heading = "data buffer full",
	 .help = "share of link clocks in which the host's receive buffer of memory data was full",
	 FAMILY("rx_mem_data_full_ratio",
		"Share of link clocks in which the receive buffer of memory data was full")},
	{.name = "rx_mem_req_full_pct", .group = "queue", .rows = AT_PORTS, PERCENT,
	 .heading = "request buffer full",
	 .help = "share of link clocks in which the host's receive buffer of memory requests was "
		 "full",
	 FAMILY("rx_mem_req_full_ratio",
		"Share of link clocks in which the receive buffer of memory requests was full")},
	{.name = "rx_mem_data_busy_pct", .group = "queue", .rows = AT_PORTS, PERCENT,
	 .heading = "data buffer in use",
	 .help = "share of link clocks in which the host's receive buffer of memory data was not "
		 "empty",
	 FAMILY("rx_mem_data_busy_ratio",
		"Share of link clocks in which the receive buffer of memory data was not empty")},
	{.name = "rx_mem_req_busy_pct", .group = "queue", .rows = AT_PORTS, PERCENT,
	 .heading = "request buffer in use",
	 .help = "share of link clocks in which the host's receive buffer of memory requests was "
		 "not empty",
	 FAMILY("rx_mem_req_busy_ratio",
		"Share of link clocks in which the receive buffer of memory requests was not "
		"empty")},
	{.name = "crc_errors_per_s", .group = "link", .rows = AT_PORTS, EVENTS(3),
	 .heading = "CRC errors",
	 .help = "checksum (CRC) errors in flits received",
	 FAMILY("crc_errors", "Checksum (CRC) errors in flits received")},
	{.name = "retries_per_s", .group = "link", .rows = AT_PORTS, EVENTS(3),
	 .heading = "link retries",
	 .help = "RETRY control flits received",
	 FAMILY("retries", "RETRY control flits received")},
	{.name = "tx_flits_per_s", .group = "link", .rows = AT_PORTS, EVENTS(0),
	 .heading = "flits sent",
	 .help = "valid flits sent",
	 FAMILY("tx_flits", "Valid flits sent")},
	{.name = "rx_flits_per_s", .group = "link", .rows = AT_PORTS, EVENTS(0),
	 .heading = "flits received",
	 .help = "valid flits received",
	 FAMILY("rx_flits", "Valid flits received")},
	{.name = "instructions_per_s", .group = "core", .rows = AT_CPUS, EVENTS(0), .source = SOURCE_CORES,
	 .heading = "instructions",
	 .help = "retired instructions, of all CPUs of the row",
	 FAMILY("instructions", "Retired instructions")},
	{.name = "cycles_per_s", .group = "core", .rows = AT_CPUS, EVENTS(0), .source = SOURCE_CORES,
	 .heading = "core cycles",
	 .help = "core clocks while not halted, of all CPUs of the row",
	 FAMILY("cycles", "Core clocks while not halted")},
	{.name = "ipc", .group = "core", .rows = AT_CPUS, PLAIN(3, ""), .source = SOURCE_CORES,
	 .heading = "IPC",
	 .help = "instructions per core clock",
	 FAMILY("instructions_per_cycle", "Instructions per core clock")},
	{.name = "frequency_MHz", .group = "core", .rows = AT_CPUS, MHZ, .source = SOURCE_CORES,
	 .heading = "core clock",
	 .help = "clock of the cores while they run",
	 FAMILY("frequency_hertz", "Clock of the cores while they run")},
	{.name = "cpu", .group = "core", .kind = METRIC_CPU, .rows = AT(CPU),
	 .source = SOURCE_CORES,
	 .help = "number of the CPU, with --per=cpu"},
	{.name = "cxl_read_local_MBps", .group = "core", .rows = AT_CPUS, MBPS, .source = SOURCE_CORES,
	 .heading = "CXL read by CPUs (local)",
	 .help = "data that the CPUs read from CXL memory of their own socket, 10^6 bytes per second",
	 FAMILY("cxl_read_local_bytes", "Data that CPUs read from CXL memory of their own socket")},
	{.name = "cxl_read_remote_MBps", .group = "core", .rows = AT_CPUS, MBPS, .remote = true,
	 .source = SOURCE_CORES, .heading = "CXL read by CPUs (remote)",
	 .help = "data that the CPUs read from CXL memory of another socket",
	 FAMILY("cxl_read_remote_bytes", "Data that CPUs read from CXL memory of another socket")},
	{.name = "cxl_fill_MBps", .group = "core", .rows = AT_CPUS, MBPS, .extra = true,
	 .source = SOURCE_CORES, .heading = "CXL cache fills",
	 .help = "data that filled the CPUs' data caches from CXL memory, 10^6 bytes per second; "
		 "without prefetches of the L2: far too low on streams",
	 FAMILY("cxl_fill_bytes", "Data that filled the CPUs' data caches from CXL memory")},
	{.name = "cpmu_read_MBps", .group = "device", .rows = AT_DEVICES, MBPS,
	 .heading = "CPMU read",
	 .help = "CXL.mem data that the device sent, by its own CPMU (if that counts requests only: "
		 "data asked for, an upper estimate), 10^6 bytes per second",
	 FAMILY("cpmu_read_bytes", "CXL.mem data that the device sent, or if its own CPMU counts "
		"requests only, data asked for")},
	{.name = "cpmu_write_MBps", .group = "device", .rows = AT_DEVICES, MBPS,
	 .heading = "CPMU write",
	 .help = "CXL.mem data that the device received, partial writes as lines, 10^6 bytes per "
		 "second",
	 FAMILY("cpmu_write_bytes", "CXL.mem data that the device received, by its own CPMU")},
	{.name = "device_dram_read_MBps", .group = "device", .rows = AT_DEVICES, MBPS,
	 .heading = "device DRAM read",
	 .help = "data read from the DRAM of the device, 10^6 bytes per second",
	 FAMILY("device_dram_read_bytes", "Data read from the DRAM of the device")},
	{.name = "device_dram_write_MBps", .group = "device", .rows = AT_DEVICES, MBPS,
	 .heading = "device DRAM write",
	 .help = "data written to the DRAM of the device, 10^6 bytes per second",
	 FAMILY("device_dram_write_bytes", "Data written to the DRAM of the device")},
	{.name = "amplification", .group = "device", .rows = AT_DEVICES, PLAIN(3, ""),
	 .heading = "device amplification",
	 .help = "bytes of the device's DRAM for each byte of CXL.mem",
	 FAMILY("device_amplification", "Bytes of the device's DRAM for each byte of CXL.mem")},
	{.name = "queue_clocks", .group = "device", .rows = AT_DEVICES, PLAIN(1, "clocks"),
	 .extra = true, .heading = "device queue",
	 .help = "clocks in which an access waits in the queue of the device's DRAM, an estimate",
	 FAMILY("device_queue_clocks",
		"Clocks in which an access waits in the queue of the device's DRAM, an estimate")},
	{.name = "queue_residency_per_s", .group = "device", .rows = AT_DEVICES, EVENTS(0),
	 .extra = true,
	 .help = "residency events of the queues of the device's DRAM (group 8002h of CXL 4.0)",
	 FAMILY("device_queue_residency", "Residency events of the queues of the device's DRAM")},
	{.name = "dram_retries_per_s", .group = "device", .rows = AT_DEVICES, EVENTS(3),
	 .extra = true, .heading = "device DRAM retries",
	 .help = "retries of the device's DRAM, after errors of CRC, parity or ECC",
	 FAMILY("device_dram_retries", "Retries of the device's DRAM")},
	{.name = "dram_throttling_per_s", .group = "device", .rows = AT_DEVICES, EVENTS(3),
	 .extra = true,
	 .help = "clocks per second in which the device's DRAM is throttled by heat, plus those for "
		 "power",
	 FAMILY("device_dram_throttling",
		"Clocks in which the device's DRAM was throttled, by heat or for power")},
	{.name = "dram_thermal_throttled_pct", .group = "device", .rows = AT_DEVICES,
	 PERCENT, .extra = true, .heading = "thermal throttling",
	 .help = "share of the CPMU's clocks in which the device's DRAM is throttled by heat",
	 FAMILY("device_dram_thermal_throttled_ratio",
		"Share of clocks in which the device's DRAM is throttled by heat")},
	{.name = "dram_power_throttled_pct", .group = "device", .rows = AT_DEVICES, PERCENT,
	 .extra = true, .heading = "power throttling",
	 .help = "share of the CPMU's clocks in which the device's DRAM is throttled for power",
	 FAMILY("device_dram_power_throttled_ratio",
		"Share of clocks in which the device's DRAM is throttled for power")},
	{.name = "node_used_MiB", .group = "tiering", .rows = AT(NODE) | AT(SYSTEM), MIB,
	 .source = SOURCE_NODES, .number = NODE_USED, .heading = "memory used",
	 .help = "memory of the NUMA node in use, page cache included, 2^20 bytes",
	 FAMILY("node_used_bytes", "Memory of the NUMA node in use, page cache included")},
	{.name = "node_free_MiB", .group = "tiering", .rows = AT(NODE) | AT(SYSTEM), MIB,
	 .source = SOURCE_NODES, .number = NODE_FREE, .heading = "memory free",
	 .help = "free memory of the NUMA node, 2^20 bytes",
	 FAMILY("node_free_bytes", "Free memory of the NUMA node")},
	{.name = "promoted_per_s", .group = "tiering", .rows = AT(NODE) | AT(SYSTEM), EVENTS(3),
	 .source = SOURCE_NODES, .number = NODE_PROMOTED, .heading = "pages promoted",
	 .help = "pages that NUMA balancing promoted to the node, " NOT_OF_DAMON,
	 FAMILY("promoted_pages",
		"Pages that NUMA balancing promoted to the node, " NOT_OF_DAMON)},
	{.name = "demoted_per_s", .group = "tiering", .rows = AT(NODE) | AT(SYSTEM), EVENTS(3),
	 .source = SOURCE_NODES, .number = NODE_DEMOTED, .heading = "pages demoted",
	 .help = "pages that reclaim demoted from the node, " NOT_OF_DAMON,
	 FAMILY("demoted_pages", "Pages that reclaim demoted from the node, " NOT_OF_DAMON)},
	{.name = "hinting_faults_per_s", .group = "tiering", .rows = AT(SYSTEM),
	 EVENTS(3), .source = SOURCE_NODES, .number = NODE_HINTING_FAULTS, .heading = "hinting faults",
	 .help = "page faults that NUMA balancing causes to see accesses, of the whole machine",
	 FAMILY("numa_hinting_faults", "Page faults that NUMA balancing causes to see accesses")},
	{.name = "promote_candidates_per_s", .group = "tiering", .rows = AT(NODE) | AT(SYSTEM),
	 EVENTS(3), .source = SOURCE_NODES, .number = NODE_CANDIDATES, .heading = "promotion candidates",
	 .help = "pages that NUMA balancing found hot enough to promote to the node",
	 FAMILY("promotion_candidate_pages",
		"Pages that NUMA balancing found hot enough to promote to the node")},
	{.name = "link_width", .group = "port", .rows = AT_DEVICES, PLAIN(0, "lanes"),
	 .source = SOURCE_DEVICES, .number = LINK_WIDTH, .heading = "link width",
	 .help = "lanes of the CXL device's link, where it is narrowest",
	 FAMILY("link_width_lanes", "Lanes of the CXL device's link, where it is narrowest")},
	{.name = "link_speed_GTps", .group = "port", .rows = AT_DEVICES, GTPS,
	 .source = SOURCE_DEVICES, .number = LINK_SPEED, .heading = "link speed",
	 .help = "transfers per second of each of these lanes, 10^9",
	 FAMILY("link_speed_transfers", "Transfers per second of each lane of the CXL device's link")},
	{.name = "link_max_GBps", .group = "port", .rows = AT_DEVICES, GBPS,
	 .source = SOURCE_DEVICES, .number = LINK_RATE, .heading = "link rate",
	 .help = "raw rate of this link in each direction, 10^9 bytes per second",
	 FAMILY("link_rate_bytes", "Raw rate of the CXL device's link each way, in bytes")},
	{.name = "link_read_pct", .group = "port", .rows = AT_DEVICES, PERCENT,
	 .share_of = "cxl_mem_read_MBps", .heading = "link used by reads",
	 .help = "CXL reads as share of the link's rate: with 68-byte flits at most 86.9 %, less with writes",
	 FAMILY("link_read_ratio", "CXL reads as share of the link's rate")},
	{.name = "link_write_pct", .group = "port", .rows = AT_DEVICES, PERCENT,
	 .share_of = "cxl_mem_write_MBps", .heading = "link used by writes",
	 .help = "CXL writes as share of the link's rate: with 68-byte flits at most 75.3 %, 62.7 % with as many reads",
	 FAMILY("link_write_ratio", "CXL writes as share of the link's rate")},
	{.name = "aer_correctable_per_s", .group = "port", .rows = AT_DEVICES, EVENTS(3),
	 .source = SOURCE_DEVICES, .number = AER_CORRECTABLE, .heading = "correctable errors",
	 .help = "correctable errors that PCI functions on the upstream path of the device reported (AER)",
	 FAMILY("aer_correctable_errors",
		"Correctable errors reported by PCI functions on the upstream path of the CXL device")},
	{.name = "aer_nonfatal_per_s", .group = "port", .rows = AT_DEVICES, EVENTS(3),
	 .source = SOURCE_DEVICES, .number = AER_NONFATAL, .heading = "non-fatal errors",
	 .help = "uncorrectable errors of these functions that were not fatal",
	 FAMILY("aer_nonfatal_errors",
		"Non-fatal errors reported by PCI functions on the upstream path of the CXL device")},
	{.name = "aer_fatal_per_s", .group = "port", .rows = AT_DEVICES, EVENTS(3),
	 .source = SOURCE_DEVICES, .number = AER_FATAL, .heading = "fatal errors",
	 .help = "fatal errors of these functions",
	 FAMILY("aer_fatal_errors",
		"Fatal errors reported by PCI functions on the upstream path of the CXL device")},
	{.name = "device_temperature_C", .group = "health", .rows = AT_DEVICES,
	 PLAIN(1, "C"), .source = SOURCE_HEALTH, .number = DEVICE_TEMPERATURE, .heading = "temperature",
	 .help = "temperature of the CXL device, degrees Celsius, as it says itself",
	 FAMILY("device_temperature_celsius", "Temperature of the CXL device, as it says itself")},
	{.name = "life_used_pct", .group = "health", .rows = AT_DEVICES, PERCENT,
	 .source = SOURCE_HEALTH, .number = DEVICE_LIFE_USED, .heading = "life used",
	 .help = "share of its life that the device says is used up",
	 FAMILY("device_life_used_ratio", "Share of its life that the CXL device says is used up")},
	{.name = "health", .group = "health", .rows = AT_DEVICES, PLAIN(0, "state"),
	 .source = SOURCE_HEALTH, .number = DEVICE_STATE, .heading = "health",
	 .help = "0: fine; else the sum of " DEVICE_STATE_HELP,
	 FAMILY("device_health_state", "Health of the CXL device: 0 is fine, else the sum of "
		DEVICE_STATE_HELP)},
	{.name = "corrected_errors_per_s", .group = "health", .rows = AT_DEVICES, EVENTS(3),
	 .source = SOURCE_HEALTH, .number = DEVICE_CORRECTED_ERRORS, .heading = "corrected errors",
	 .help = "errors of its memory that the device has corrected, known each 30 s",
	 FAMILY("device_corrected_errors",
		"Errors of its memory that the CXL device has corrected")},
	{.name = "upi_read_MBps", .group = "upi", .rows = AT_SOCKETS, MBPS, .remote = true,
	 .heading = "UPI received",
	 .help = "data received from other sockets over UPI, 10^6 bytes per second",
	 FAMILY("upi_read_bytes", "Data received from other sockets")},
	{.name = "upi_write_MBps", .group = "upi", .rows = AT_SOCKETS, MBPS, .remote = true,
	 .heading = "UPI sent",
	 .help = "data sent to other sockets over UPI, 10^6 bytes per second",
	 FAMILY("upi_write_bytes", "Data sent to other sockets")},
	{.name = "upi_read_busy_pct", .group = "upilink", .rows = AT_SOCKETS, PERCENT,
	 .remote = true, .heading = "UPI receiving",
	 .help = "slots of flits received over UPI in use, at least, of the width in use",
	 FAMILY("upi_read_busy_ratio", "Slots of flits received over UPI in use, at least, of the width in use")},
	{.name = "upi_write_busy_pct", .group = "upilink", .rows = AT_SOCKETS, PERCENT,
	 .remote = true, .heading = "UPI sending",
	 .help = "slots of flits sent over UPI in use, at least, of the width in use",
	 FAMILY("upi_write_busy_ratio", "Slots of flits sent over UPI in use, at least, of the width in use")},
	{.name = "demand_stall_pct", .group = "stall", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "waits for reads",
	 .help = "core clocks lost while a load that missed the L3 is outstanding",
	 FAMILY("demand_stall_ratio",
		"Share of core clocks lost while a load that missed the L3 is outstanding")},
	{.name = "cache_stall_pct", .group = "stall", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "waits for caches",
	 .help = "core clocks lost while loads that missed the L1D, but none the L2, are outstanding",
	 FAMILY("cache_stall_ratio",
		"Share of core clocks lost while loads that missed the L1D, but none the L2, are "
		"outstanding")},
	{.name = "store_stall_pct", .group = "stall", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "waits for stores",
	 .help = "core clocks lost as the store buffer is full",
	 FAMILY("store_stall_ratio", "Share of core clocks lost as the store buffer is full")},
	{.name = "prefetched_pct", .group = "stall", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "prefetched",
	 .help = "loads that missed the L1D and found their line on its way to it",
	 FAMILY("prefetched_ratio",
		"Share of loads that missed the L1D and found their line on its way to it")},
	{.name = "read_parallelism", .group = "stall", .rows = AT_CPUS, PLAIN(3, ""),
	 .source = SOURCE_CORES, .heading = "reads at once",
	 .help = "demand reads past the L2 outstanding, while any is",
	 FAMILY("read_parallelism", "Demand reads past the L2 outstanding, while any is")},
	{.name = "read_cost_cycles", .group = "stall", .rows = AT_CPUS, PLAIN(1, "cycles"),
	 .source = SOURCE_CORES, .heading = "cost of a read",
	 .help = "core clocks with a demand read past the L2 outstanding, divided by such reads",
	 FAMILY("read_cost_cycles",
		"Core clocks with a demand read past the L2 outstanding, divided by such reads")},
	{.name = "load_l1_pct", .group = "path", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "loads from L1",
	 .help = "retired loads from the L1D",
	 FAMILY("load_l1_ratio", "Share of retired loads from the L1D")},
	{.name = "load_lfb_pct", .group = "path", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "loads from LFB",
	 .help = "retired loads from line fill buffers",
	 FAMILY("load_lfb_ratio", "Share of retired loads that a line fill buffer supplied")},
	{.name = "load_l2_pct", .group = "path", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "loads from L2",
	 .help = "retired loads from the L2",
	 FAMILY("load_l2_ratio", "Share of retired loads from the L2")},
	{.name = "load_l3_pct", .group = "path", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "loads from L3",
	 .help = "retired loads from the L3",
	 FAMILY("load_l3_ratio", "Share of retired loads from the L3")},
	{.name = "load_dram_pct", .group = "path", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "loads from DRAM",
	 .help = "retired loads from DRAM of the same socket",
	 FAMILY("load_dram_ratio", "Share of retired loads from DRAM of the same socket")},
	{.name = "load_remote_pct", .group = "path", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES, .remote = true,
	 .heading = "loads from others",
	 .help = "retired loads from DRAM and caches of other sockets",
	 FAMILY("load_remote_ratio", "Share of retired loads from DRAM and caches of other sockets")},
	{.name = "load_cxl_pct", .group = "path", .rows = AT_CPUS, PERCENT, .source = SOURCE_CORES,
	 .heading = "loads from CXL",
	 .help = "retired loads from CXL memory",
	 FAMILY("load_cxl_ratio", "Share of retired loads from CXL memory")},
	{.name = "cxl_demand_pct", .group = "path", .rows = AT_SOCKETS, PERCENT,
	 .heading = "CXL demand reads",
	 .help = "CXL requests of the CHAs: demand data reads",
	 FAMILY("cxl_demand_ratio", "Share of CXL requests of the CHAs that are demand data reads")},
	{.name = "cxl_demand_MBps", .group = "path", .rows = AT_SOCKETS, MBPS,
	 .heading = "demand reads",
	 .help = "demand reads, 10^6 bytes per second",
	 FAMILY("cxl_demand_bytes", "Lines of CXL memory that demand data reads ask for")},
	{.name = "cxl_l2_prefetch_pct", .group = "path", .rows = AT_SOCKETS, PERCENT,
	 .heading = "CXL prefetches (L2)",
	 .help = "CXL requests: data prefetches into L1 and L2",
	 FAMILY("cxl_l2_prefetch_ratio", "Share of CXL requests that are data prefetches into L1 and L2")},
	{.name = "cxl_l2_prefetch_MBps", .group = "path", .rows = AT_SOCKETS, MBPS,
	 .heading = "prefetches (L2)",
	 .help = "L2 prefetches, 10^6 bytes per second",
	 FAMILY("cxl_l2_prefetch_bytes", "Lines of CXL memory that data prefetches into L1 and L2 ask for")},
	{.name = "cxl_l2_prefetch_latency_ns", .group = "path", .rows = AT_SOCKETS, NS,
	 .heading = "latency (L2)",
	 .help = "latency of L2 prefetches",
	 FAMILY("cxl_l2_prefetch_latency_seconds", "How long a CXL prefetch into L1 or L2 takes from the CHA on")},
	{.name = "cxl_l3_prefetch_pct", .group = "path", .rows = AT_SOCKETS, PERCENT,
	 .heading = "CXL prefetches (L3)",
	 .help = "CXL requests: data prefetches into the L3",
	 FAMILY("cxl_l3_prefetch_ratio", "Share of CXL requests that are data prefetches into the L3")},
	{.name = "cxl_l3_prefetch_MBps", .group = "path", .rows = AT_SOCKETS, MBPS,
	 .heading = "prefetches (L3)",
	 .help = "L3 prefetches, 10^6 bytes per second",
	 FAMILY("cxl_l3_prefetch_bytes", "Lines of CXL memory that data prefetches into the L3 ask for")},
	{.name = "cxl_l3_prefetch_latency_ns", .group = "path", .rows = AT_SOCKETS, NS,
	 .heading = "latency (L3)",
	 .help = "latency of L3 prefetches",
	 FAMILY("cxl_l3_prefetch_latency_seconds", "How long a CXL prefetch into the L3 takes from the CHA on")},
	{.name = "cxl_ownership_pct", .group = "path", .rows = AT_SOCKETS, PERCENT,
	 .heading = "CXL ownership reads",
	 .help = "CXL requests: reads for ownership (RFO), prefetches included",
	 FAMILY("cxl_ownership_ratio", "Share of CXL requests that are reads for ownership (RFO)")},
	{.name = "cxl_ownership_MBps", .group = "path", .rows = AT_SOCKETS, MBPS,
	 .heading = "ownership reads",
	 .help = "ownership reads, 10^6 bytes per second",
	 FAMILY("cxl_ownership_bytes", "Lines of CXL memory that reads for ownership (RFO) ask for")},
	{.name = "cxl_ownership_latency_ns", .group = "path", .rows = AT_SOCKETS, NS,
	 .heading = "latency (RFO)",
	 .help = "latency of RFO, without prefetches",
	 FAMILY("cxl_ownership_latency_seconds", "How long a demand read for ownership of CXL memory takes from the CHA on")},
	{.name = "cxl_code_pct", .group = "path", .rows = AT_SOCKETS, PERCENT, .extra = true,
	 .heading = "CXL code reads",
	 .help = "CXL requests: code reads and prefetches",
	 FAMILY("cxl_code_ratio", "Share of CXL requests that are code reads and prefetches")},
	{.name = "cxl_code_MBps", .group = "path", .rows = AT_SOCKETS, MBPS, .extra = true,
	 .heading = "code reads",
	 .help = "code reads, 10^6 bytes per second",
	 FAMILY("cxl_code_bytes", "Lines of CXL memory that code reads and prefetches ask for")},
	{.name = "load_l3_miss_pct", .group = "path", .rows = AT_CPUS, PERCENT,
	 .source = SOURCE_CORES, .heading = "loads past L3",
	 .help = "retired loads that missed the L3",
	 FAMILY("load_l3_miss_ratio", "Share of retired loads that missed the L3")},
	{.name = "fill_l2_pct", .group = "path", .rows = AT_CPUS, PERCENT, .extra = true,
	 .source = SOURCE_CORES, .heading = "fills from L2",
	 .help = "demand fills of the L1D from the L2",
	 FAMILY("fill_l2_ratio", "Share of demand fills of the L1D from the L2")},
	{.name = "fill_l3_pct", .group = "path", .rows = AT_CPUS, PERCENT, .extra = true,
	 .source = SOURCE_CORES, .heading = "fills from L3",
	 .help = "demand fills from the L3 of the CPU",
	 FAMILY("fill_l3_ratio", "Share of demand fills of the L1D from the L3 of the CPU")},
	{.name = "fill_other_l3_pct", .group = "path", .rows = AT_CPUS, PERCENT, .extra = true,
	 .source = SOURCE_CORES, .heading = "fills from other L3",
	 .help = "demand fills from other L3 caches of the same NUMA node",
	 FAMILY("fill_other_l3_ratio", "Share of demand fills of the L1D from other L3 caches of the same NUMA node")},
	{.name = "fill_dram_pct", .group = "path", .rows = AT_CPUS, PERCENT, .extra = true,
	 .source = SOURCE_CORES, .heading = "fills from DRAM",
	 .help = "demand fills from DRAM and MMIO of the same NUMA node",
	 FAMILY("fill_dram_ratio", "Share of demand fills of the L1D from DRAM and MMIO of the same NUMA node")},
	{.name = "fill_remote_pct", .group = "path", .rows = AT_CPUS, PERCENT, .extra = true,
	 .source = SOURCE_CORES, .heading = "fills from others",
	 .help = "demand fills from DRAM, MMIO and caches of other NUMA nodes",
	 FAMILY("fill_remote_ratio", "Share of demand fills of the L1D from DRAM, MMIO and caches of other NUMA nodes")},
	{.name = "fill_cxl_pct", .group = "path", .rows = AT_CPUS, PERCENT, .extra = true,
	 .source = SOURCE_CORES, .heading = "fills from CXL",
	 .help = "demand fills from CXL memory",
	 FAMILY("fill_cxl_ratio", "Share of demand fills of the L1D from CXL memory")},
	{.name = "cxl_region_MBps", .group = "region", .rows = AT_DOMAINS, MBPS, .extra = true,
	 .source = SOURCE_REGIONS, .number = REGION_CXL, .heading = "CXL",
	 .help = "data that the socket's CPUs read from and write to its own CXL memory, 10^6 bytes per second",
	 FAMILY("cxl_region_bytes", "Data that a socket's CPUs read from and write to its own CXL memory")},
	{.name = "cxl_region_remote_MBps", .group = "region", .rows = AT_DOMAINS, MBPS,
	 .extra = true, .remote = true, .source = SOURCE_REGIONS, .number = REGION_CXL_REMOTE, .heading = "remote CXL",
	 .help = "data that the socket's CPUs read from and write to other sockets' CXL memory",
	 FAMILY("cxl_region_remote_bytes", "Data that a socket's CPUs read from and write to other sockets' CXL memory")},
	{.name = "dram_region_MBps", .group = "region", .rows = AT_DOMAINS, MBPS, .extra = true,
	 .source = SOURCE_REGIONS, .number = REGION_DRAM, .heading = "DRAM",
	 .help = "data that the socket's CPUs read from and write to its own DRAM",
	 FAMILY("dram_region_bytes", "Data that a socket's CPUs read from and write to its own DRAM")},
	{.name = "dram_region_remote_MBps", .group = "region", .rows = AT_DOMAINS, MBPS,
	 .extra = true, .remote = true, .source = SOURCE_REGIONS, .number = REGION_DRAM_REMOTE, .heading = "remote DRAM",
	 .help = "data that the socket's CPUs read from and write to other sockets' DRAM",
	 FAMILY("dram_region_remote_bytes", "Data that a socket's CPUs read from and write to other sockets' DRAM")},
	{.name = "resctrl_group", .group = "resctrl", .kind = METRIC_GROUP,
	 .rows = AT(GROUP), .extra = true, .source = SOURCE_GROUPS,
	 .help = "path of the group of tasks in /sys/fs/resctrl"},
	{.name = "l3_miss_stall_pct", .group = "resctrl", .rows = AT(GROUP), PERCENT,
	 .extra = true, .source = SOURCE_GROUPS, .heading = "L3 miss stalls",
	 .help = "core clocks of the group lost while loads that missed the L3 are outstanding",
	 FAMILY("l3_miss_stall_ratio", "Share of core clocks of a group of tasks lost while loads "
		"that missed the L3 are outstanding")},
	{.name = NULL},
};
/* clang-format on */

const char *metric_title(const struct metric *metric)
{
	/* a recording has no headings of what nothing on its machine could measure */
	const struct metric *known = metric->heading ? metric : metric_by_name(metric->name);

	return known && known->heading ? known->heading : metric->name;
}

bool metric_is_state(const struct metric *metric)
{
	return metric->source == SOURCE_HEALTH && metric->number == DEVICE_STATE;
}

bool metric_is_of_kernel(const struct metric *metric)
{
	return !metric_is_counted(metric) || metric->share_of;
}

const char *metric_formulas(const struct metric *metric)
{
	return metric->share_of ? metric->share_of : metric->name;
}

bool metric_is_default(const struct metric *metric)
{
	return text_has_word(METRIC_DEFAULTS, metric->group);
}

unsigned metric_scopes(const struct metric *metric)
{
	unsigned scopes = 0;

	for (unsigned kind = 0; kind < ROW_KINDS; kind++)
		if (metric->rows & ~(AT(NODE) | AT(DOMAIN)) & 1U << kind)
			scopes |= 1U << row_scopes[kind];
	return scopes;
}

unsigned metric_rows(unsigned scopes)
{
	unsigned rows = 0;

	for (unsigned scope = 0; scope < SCOPE_COUNT; scope++)
		if (scopes >> scope & 1)
			rows |= 1U << scope_rows[scope];
	return rows;
}

const struct metric *metric_by_name(const char *name)
{
	for (const struct metric *m = metric_table; m->name; m++)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}

void metric_group_names(char *text, size_t size)
{
	const char *last = "";

	text[0] = '\0';
	for (const struct metric *m = metric_table; m->name; m++) {
		if (strcmp(m->group, last))
			text_list(text, size, "%s", m->group);
		last = m->group;
	}
}

/* Units by ending. A shorter ending comes after any longer one that ends with it. */
static const struct metric_unit units[] = {
	{"MB/s", "_MBps", {1, -1}, 6, 3, "bytes_per_second", true},
	{"GB/s", "_GBps", {1, -1}, 9, 3, "bytes_per_second", true},
	{"1/s", "_per_s", {0, -1}, 0, 3, "per_second", false},
	{"MHz", "_MHz", {0, -1}, 6, 1, "hertz", true},
	{"GHz", "_GHz", {0, -1}, 9, 3, "hertz", true},
	{"ns", "_ns", {0, 1}, -9, 1, "seconds", true},
	{"us", "_us", {0, 1}, -6, 3, "seconds", true},
	{"ms", "_ms", {0, 1}, -3, 3, "seconds", true},
	{"s", "_s", {0, 1}, 0, 3, "seconds", true},
	{"%", "_pct", {0, 0}, -2, 3, "ratio", true},
	{"ratio", "_ratio", {0, 0}, 0, 3, "ratio", true},
	{"clocks", "_clocks", {0, 0}, 0, 1, "clocks", false},
	{"cycles", "_cycles", {0, 0}, 0, 1, "cycles", false},
	{"bytes", "_bytes", {1, 0}, 0, 1, "bytes", true},
	{"MB", "_MB", {1, 0}, 6, 3, "bytes", true},
	{"GB", "_GB", {1, 0}, 9, 3, "bytes", true},
};

static const struct number_unit number_units[] = {
	{"bytes", {1, 0}, 0, 1},  {"byte", {1, 0}, 0, 1},      {"B", {1, 0}, 0, 1},
	{"kB", {1, 0}, 3, 1},	  {"MB", {1, 0}, 6, 1},	       {"GB", {1, 0}, 9, 1},
	{"KiB", {1, 0}, 0, 1024}, {"MiB", {1, 0}, 0, 1 << 20}, {"GiB", {1, 0}, 0, 1 << 30},
	{"s", {0, 1}, 0, 1},	  {"ms", {0, 1}, -3, 1},       {"us", {0, 1}, -6, 1},
	{"ns", {0, 1}, -9, 1},	  {"Hz", {0, -1}, 0, 1},       {"kHz", {0, -1}, 3, 1},
	{"MHz", {0, -1}, 6, 1},	  {"GHz", {0, -1}, 9, 1},
};

#define COUNT_OF(table) (sizeof(table) / sizeof((table)[0]))

const struct metric_unit *metric_unit_named(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(units); i++)
		if (!strcmp(units[i].name, name))
			return &units[i];
	return NULL;
}

const struct metric_unit *metric_unit_of(const char *metric_name)
{
	const size_t length = strlen(metric_name);

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		const size_t end = strlen(units[i].end);

		if (length > end && !strcmp(metric_name + length - end, units[i].end))
			return &units[i];
	}
	return NULL;
}

const struct number_unit *number_unit_find(const char *name, size_t length)
{
	for (size_t i = 0; i < COUNT_OF(number_units); i++)
		if (strlen(number_units[i].name) == length &&
		    !strncmp(number_units[i].name, name, length))
			return &number_units[i];
	return NULL;
}

void metric_unit_names(char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < COUNT_OF(units); i++)
		text_list(text, size, "%s", units[i].name);
}

double power_of_10(int exponent)
{
	double power = 1;

	for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--)
		power *= 10;
	return exponent < 0 ? 1 / power : power;
}

bool dimension_equal(struct dimension a, struct dimension b)
{
	return a.bytes == b.bytes && a.seconds == b.seconds;
}

/* Appends a power, such as " bytes^2". */
static void put_power(char *text, const char *before, const char *name, int power)
{
	text_append(text, DIMENSION_TEXT_SIZE, power == 1 ? "%s%s" : "%s%s^%d", before, name,
		    power);
}

const char *dimension_text(struct dimension d, char text[DIMENSION_TEXT_SIZE])
{
	if (!d.bytes && !d.seconds)
		return "a plain number";
	strcpy(text, d.bytes > 0 || d.seconds > 0 ? "" : "1");
	if (d.bytes > 0)
		put_power(text, "", "bytes", d.bytes);
	if (d.seconds > 0)
		put_power(text, *text ? " " : "", "s", d.seconds);
	if (d.bytes < 0)
		put_power(text, "/", "bytes", -d.bytes);
	if (d.seconds < 0)
		put_power(text, "/", "s", -d.seconds);
	return text;
}
