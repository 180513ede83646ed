/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/metric.h"

#include <string.h>

const char *const scope_names[SCOPE_COUNT] = {
	[SCOPE_PORT] = "port", [SCOPE_SOCKET] = "socket", [SCOPE_SYSTEM] = "system"};

const struct metric metric_table[] = {
	{
		.name = "cxl_mem_read_MBps",
		.group = "cxl",
		.decimals = 3,
		.heading = "mem read",
		.help = "CXL.mem data from the device, 10^6 bytes a second",
	},
	{
		.name = "cxl_mem_write_MBps",
		.group = "cxl",
		.decimals = 3,
		.heading = "mem write",
		.help = "CXL.mem data to the device, 10^6 bytes a second",
	},
	{
		.name = "cxl_cache_d2h_MBps",
		.group = "cxl",
		.decimals = 3,
		.heading = "cache d2h",
		.help = "CXL.cache data from device to host, 10^6 bytes a second",
	},
	{
		.name = "cxl_cache_h2d_MBps",
		.group = "cxl",
		.decimals = 3,
		.heading = "cache h2d",
		.help = "CXL.cache data from host to device, 10^6 bytes a second",
	},
	{
		.name = "cxl_mem_read_source",
		.group = "cxl",
		.kind = METRIC_SOURCE,
		.of = "cxl_mem_read_MBps",
		.help = "what reads are counted by: rxc (data that came), m2s_req (requests that left, "
			"an upper estimate)",
	},
	{.name = NULL},
};

int metric_group_exists(const char *group, size_t length)
{
	for (const struct metric *m = metric_table; m->name; m++)
		if (strlen(m->group) == length && !strncmp(m->group, group, length))
			return 1;
	return 0;
}
