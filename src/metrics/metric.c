/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/metric.h"

#include <stdio.h>
#include <string.h>

#define AT_PORTS   (1U << SCOPE_PORT | 1U << SCOPE_SOCKET | 1U << SCOPE_SYSTEM)
#define AT_SOCKETS (1U << SCOPE_SOCKET | 1U << SCOPE_SYSTEM)
#define AT_CPUS	   (1U << SCOPE_CPU | AT_SOCKETS)

/* What a family is made of: MB/s, ns, %, events a second, MHz */
#define BYTES	.unit = "bytes", .factor = 1e6, .counter = true
#define SECONDS .unit = "seconds", .factor = 1e-9
#define RATIO	.unit = "ratio", .factor = 1e-2
#define EVENTS	.factor = 1, .counter = true
#define HERTZ	.unit = "hertz", .factor = 1e6
#define PLAIN	.factor = 1

const char *const scope_names[SCOPE_COUNT] = {
	[SCOPE_CPU] = "cpu",
	[SCOPE_PORT] = "port",
	[SCOPE_SOCKET] = "socket",
	[SCOPE_SYSTEM] = "system",
};

/* clang-format off: a row reads best as name, scope, format, heading, help */
const struct metric metric_table[] = {
	{.name = "cxl_mem_read_MBps",
	 .group = "cxl",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "mem read",
	 .unit = "MB/s",
	 .help = "CXL.mem data from the device, 10^6 bytes a second",
	 .family = {.name = "cxl_mem_read_bytes", BYTES, .help = "CXL.mem data from the device"}},
	{.name = "cxl_mem_write_MBps",
	 .group = "cxl",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "mem write",
	 .unit = "MB/s",
	 .help = "CXL.mem data to the device, 10^6 bytes a second",
	 .family = {.name = "cxl_mem_write_bytes", BYTES, .help = "CXL.mem data to the device"}},
	{.name = "cxl_cache_d2h_MBps",
	 .group = "cxl",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "cache d2h",
	 .unit = "MB/s",
	 .help = "CXL.cache data from device to host, 10^6 bytes a second",
	 .family = {.name = "cxl_cache_d2h_bytes",
		    BYTES,
		    .help = "CXL.cache data from device to host"}},
	{.name = "cxl_cache_h2d_MBps",
	 .group = "cxl",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "cache h2d",
	 .unit = "MB/s",
	 .help = "CXL.cache data from host to device, 10^6 bytes a second",
	 .family = {.name = "cxl_cache_h2d_bytes",
		    BYTES,
		    .help = "CXL.cache data from host to device"}},
	{.name = "cxl_mem_read_source",
	 .group = "cxl",
	 .kind = METRIC_SOURCE,
	 .scopes = AT_PORTS,
	 .of = "cxl_mem_read_MBps",
	 .help = "what reads are counted by: rxc (data that came), m2s_req (requests that left, "
		 "an upper estimate)"},
	{.name = "cxl_read_latency_ns",
	 .group = "latency",
	 .scopes = AT_SOCKETS,
	 .decimals = 1,
	 .heading = "cxl latency",
	 .unit = "ns",
	 .help = "how long a core's read of CXL memory takes, from the CHA on",
	 .family = {.name = "cxl_read_latency_seconds",
		    SECONDS,
		    .help = "How long a core's read of CXL memory takes, from the CHA on"}},
	{.name = "ddr_local_read_latency_ns",
	 .group = "latency",
	 .scopes = AT_SOCKETS,
	 .decimals = 1,
	 .heading = "local latency",
	 .unit = "ns",
	 .help = "the same for DRAM of the core's own socket",
	 .family =
		 {.name = "ddr_local_read_latency_seconds",
		  SECONDS,
		  .help = "How long a core's read of its own socket's DRAM takes, from the CHA on"}},
	{.name = "ddr_remote_read_latency_ns",
	 .group = "latency",
	 .scopes = AT_SOCKETS,
	 .remote = true,
	 .decimals = 1,
	 .heading = "remote latency",
	 .unit = "ns",
	 .help = "the same for DRAM of another socket",
	 .family =
		 {.name = "ddr_remote_read_latency_seconds",
		  SECONDS,
		  .help = "How long a core's read of another socket's DRAM takes, from the CHA on"}},
	{.name = "cxl_read_latency_source",
	 .group = "latency",
	 .kind = METRIC_SOURCE,
	 .scopes = AT_SOCKETS,
	 .of = "cxl_read_latency_ns",
	 .help = "the class of reads it is measured by: acc (of the accelerator class), exp_local "
		 "(local expander), opt_acc and opt_exp_local (the same, with opcode DRd_Opt)"},
	{.name = "dram_read_MBps",
	 .group = "dram",
	 .scopes = AT_SOCKETS,
	 .decimals = 3,
	 .heading = "dram read",
	 .unit = "MB/s",
	 .help = "data read from DRAM, HBM included, 10^6 bytes a second",
	 .family = {.name = "dram_read_bytes", BYTES, .help = "Data read from DRAM"}},
	{.name = "dram_write_MBps",
	 .group = "dram",
	 .scopes = AT_SOCKETS,
	 .decimals = 3,
	 .heading = "dram write",
	 .unit = "MB/s",
	 .help = "data written to DRAM, HBM included, 10^6 bytes a second",
	 .family = {.name = "dram_write_bytes", BYTES, .help = "Data written to DRAM"}},
	{.name = "hbm_read_MBps",
	 .group = "dram",
	 .scopes = AT_SOCKETS,
	 .decimals = 3,
	 .unit = "MB/s",
	 .help = "the part of it that is read from HBM; empty where there is none",
	 .family = {.name = "hbm_read_bytes", BYTES, .help = "Data read from HBM"}},
	{.name = "hbm_write_MBps",
	 .group = "dram",
	 .scopes = AT_SOCKETS,
	 .decimals = 3,
	 .unit = "MB/s",
	 .help = "the part of it that is written to HBM; empty where there is none",
	 .family = {.name = "hbm_write_bytes", BYTES, .help = "Data written to HBM"}},
	{.name = "rx_mem_data_full_pct",
	 .group = "queue",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "data full",
	 .unit = "%",
	 .help = "share of link clocks in which the receive buffer of memory data was full",
	 .family =
		 {.name = "rx_mem_data_full_ratio",
		  RATIO,
		  .help = "Share of link clocks in which the receive buffer of memory data was full"}},
	{.name = "rx_mem_req_full_pct",
	 .group = "queue",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "req full",
	 .unit = "%",
	 .help = "share of link clocks in which the receive buffer of memory requests was full",
	 .family =
		 {.name = "rx_mem_req_full_ratio",
		  RATIO,
		  .help = "Share of link clocks in which the receive buffer of memory requests was full"}},
	{.name = "rx_mem_data_busy_pct",
	 .group = "queue",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "data busy",
	 .unit = "%",
	 .help = "share of link clocks in which the receive buffer of memory data held something",
	 .family =
		 {.name = "rx_mem_data_busy_ratio",
		  RATIO,
		  .help = "Share of link clocks in which the receive buffer of memory data held something"}},
	{.name = "rx_mem_req_busy_pct",
	 .group = "queue",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "req busy",
	 .unit = "%",
	 .help = "share of link clocks in which the receive buffer of memory requests held something",
	 .family =
		 {.name = "rx_mem_req_busy_ratio",
		  RATIO,
		  .help = "Share of link clocks in which the receive buffer of memory requests held something"}},
	{.name = "crc_errors_per_s",
	 .group = "link",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "crc errors",
	 .unit = "1/s",
	 .help = "flits received with a wrong checksum",
	 .family = {.name = "crc_errors", EVENTS, .help = "Flits received with a wrong checksum"}},
	{.name = "retries_per_s",
	 .group = "link",
	 .scopes = AT_PORTS,
	 .decimals = 3,
	 .heading = "link retries",
	 .unit = "1/s",
	 .help = "retries that the link layer asked for",
	 .family = {.name = "retries", EVENTS, .help = "Retries that the link layer asked for"}},
	{.name = "tx_flits_per_s",
	 .group = "link",
	 .scopes = AT_PORTS,
	 .decimals = 0,
	 .heading = "tx flits",
	 .unit = "1/s",
	 .help = "flits sent that carry something",
	 .family = {.name = "tx_flits", EVENTS, .help = "Flits sent that carry something"}},
	{.name = "rx_flits_per_s",
	 .group = "link",
	 .scopes = AT_PORTS,
	 .decimals = 0,
	 .heading = "rx flits",
	 .unit = "1/s",
	 .help = "flits received that carry something",
	 .family = {.name = "rx_flits", EVENTS, .help = "Flits received that carry something"}},
	{.name = "instructions_per_s",
	 .group = "core",
	 .scopes = AT_CPUS,
	 .decimals = 0,
	 .heading = "core instr",
	 .unit = "1/s",
	 .help = "instructions that retired, of all CPUs of the row",
	 .family = {.name = "instructions", EVENTS, .help = "Instructions that retired"}},
	{.name = "cycles_per_s",
	 .group = "core",
	 .scopes = AT_CPUS,
	 .decimals = 0,
	 .heading = "core cycles",
	 .unit = "1/s",
	 .help = "core clocks while not halted, of all CPUs of the row",
	 .family = {.name = "cycles", EVENTS, .help = "Core clocks while not halted"}},
	{.name = "ipc",
	 .group = "core",
	 .scopes = AT_CPUS,
	 .decimals = 3,
	 .heading = "core ipc",
	 .unit = "",
	 .help = "instructions a core clock",
	 .family = {.name = "instructions_per_cycle", PLAIN, .help = "Instructions a core clock"}},
	{.name = "frequency_MHz",
	 .group = "core",
	 .scopes = AT_CPUS,
	 .decimals = 1,
	 .heading = "core freq",
	 .unit = "MHz",
	 .help = "clock of the cores while they run",
	 .family = {.name = "frequency_hertz", HERTZ, .help = "Clock of the cores while they run"}},
	{.name = "cpu",
	 .group = "core",
	 .kind = METRIC_CPU,
	 .scopes = 1U << SCOPE_CPU,
	 .help = "number of the CPU, with --per=cpu"},
	{.name = "cxl_read_local_MBps",
	 .group = "core",
	 .scopes = AT_CPUS,
	 .decimals = 3,
	 .heading = "cxl local",
	 .unit = "MB/s",
	 .help = "data that the CPUs read from CXL memory of their own socket, 10^6 bytes a second",
	 .family = {.name = "cxl_read_local_bytes",
		    BYTES,
		    .help = "Data that CPUs read from CXL memory of their own socket"}},
	{.name = "cxl_read_remote_MBps",
	 .group = "core",
	 .scopes = AT_CPUS,
	 .remote = true,
	 .decimals = 3,
	 .heading = "cxl remote",
	 .unit = "MB/s",
	 .help = "the same from CXL memory of another socket",
	 .family = {.name = "cxl_read_remote_bytes",
		    BYTES,
		    .help = "Data that CPUs read from CXL memory of another socket"}},
	{.name = NULL},
};
/* clang-format on */

/* A ratio without a unit would be left with next to nothing. */
unsigned metric_shown_decimals(const struct metric *metric)
{
	return metric->decimals > 1 && metric->unit && *metric->unit ? metric->decimals - 2
								     : metric->decimals;
}

bool metric_group_exists(const char *group, size_t length)
{
	for (const struct metric *m = metric_table; m->name; m++)
		if (strlen(m->group) == length && !strncmp(m->group, group, length))
			return true;
	return false;
}

void metric_group_names(char *text, size_t size)
{
	const char *last = "";
	size_t used = 0;

	for (const struct metric *m = metric_table; m->name && used < size; m++) {
		if (!strcmp(m->group, last))
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", *last ? ", " : "",
					 m->group);
		last = m->group;
	}
}
