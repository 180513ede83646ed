/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/important.h"

#include <stddef.h>
#include <string.h>

const struct picture_style picture_styles[PICTURES] = {
	[PICTURE_CXL] = {"CXL", true},
	[PICTURE_LATENCY] = {"read latency", false},
	[PICTURE_DRAM] = {"DRAM", true},
	[PICTURE_CACHE] = {"CXL.cache", true},
	[PICTURE_CPMU] = {"CPMU", true},
	[PICTURE_DEVICE_DRAM] = {"device DRAM", true},
	[PICTURE_LINK_ERRORS] = {"link errors", false},
	[PICTURE_BUFFERS] = {"buffers", false},
	[PICTURE_FLITS] = {"flits", true},
	[PICTURE_CPU_READS] = {"CXL read by CPUs", false},
	[PICTURE_THROTTLING] = {"throttling", false},
	[PICTURE_MEMORY] = {"memory", false},
	[PICTURE_PAGES] = {"pages", true},
	[PICTURE_CACHE_LOADS] = {"loads from caches", false},
	[PICTURE_MEMORY_LOADS] = {"loads past L3", false},
	[PICTURE_CACHE_FILLS] = {"fills from caches", false},
	[PICTURE_MEMORY_FILLS] = {"fills from memory", false},
	[PICTURE_KINDS] = {"CXL requests by kind", false},
	[PICTURE_KIND_RATES] = {"CXL requests", false},
	[PICTURE_KIND_LATENCIES] = {"latency by kind", false},
};

/* Ranks are for tiles, charts and the table of sockets. */
/* clang-format off */
const struct important important_metrics[] = {
	{"cxl_mem_read_MBps",	       PICTURE_CXL,	    {1, 1, 1},	false},
	{"cxl_mem_write_MBps",	       PICTURE_CXL,	    {2, 2, 2},	false},
	{"cxl_read_latency_ns",	       PICTURE_LATENCY,	    {3, 3, 5},	false},
	{"ddr_local_read_latency_ns",  PICTURE_LATENCY,	    {4, 4, 6},	false},
	{"ddr_remote_read_latency_ns", PICTURE_LATENCY,	    {0, 0, 7},	false},
	{"cxl_far_read_latency_ns",    PICTURE_LATENCY,	    {0, 0, 0},	false},
	{"dram_read_MBps",	       PICTURE_DRAM,	    {5, 5, 3},	false},
	{"dram_write_MBps",	       PICTURE_DRAM,	    {6, 6, 4},	false},
	{"cxl_cache_d2h_MBps",	       PICTURE_CACHE,	    {0, 0, 0},	false},
	{"cxl_cache_h2d_MBps",	       PICTURE_CACHE,	    {0, 0, 0},	false},
	{"cpmu_read_MBps",	       PICTURE_CPMU,	    {0, 0, 0},	false},
	{"cpmu_write_MBps",	       PICTURE_CPMU,	    {0, 0, 0},	false},
	{"device_dram_read_MBps",      PICTURE_DEVICE_DRAM, {0, 0, 0},	false},
	{"device_dram_write_MBps",     PICTURE_DEVICE_DRAM, {0, 0, 0},	false},
	{"crc_errors_per_s",	       PICTURE_LINK_ERRORS, {7, 10, 0}, true},
	{"retries_per_s",	       PICTURE_LINK_ERRORS, {0, 0, 0},	true},
	{"rx_mem_data_full_pct",       PICTURE_BUFFERS,	    {0, 9, 0},	false},
	{"rx_mem_req_full_pct",	       PICTURE_BUFFERS,	    {0, 0, 0},	false},
	{"rx_mem_data_busy_pct",       PICTURE_BUFFERS,	    {0, 0, 0},	false},
	{"rx_mem_req_busy_pct",	       PICTURE_BUFFERS,	    {0, 0, 0},	false},
	{"rx_flits_per_s",	       PICTURE_FLITS,	    {0, 0, 0},	false},
	{"tx_flits_per_s",	       PICTURE_FLITS,	    {0, 0, 0},	false},
	{"cxl_read_local_MBps",	       PICTURE_CPU_READS,   {0, 0, 0},	false},
	{"cxl_read_remote_MBps",       PICTURE_CPU_READS,   {0, 0, 0},	false},
	{"dram_thermal_throttled_pct", PICTURE_THROTTLING,  {0, 0, 0},	true},
	{"dram_power_throttled_pct",   PICTURE_THROTTLING,  {0, 0, 0},	true},
	{"node_used_MiB",	       PICTURE_MEMORY,	    {0, 0, 0},	false},
	{"node_free_MiB",	       PICTURE_MEMORY,	    {0, 0, 0},	false},
	{"promoted_per_s",	       PICTURE_PAGES,	    {0, 0, 0},	false},
	{"demoted_per_s",	       PICTURE_PAGES,	    {0, 0, 0},	false},
	{"load_l1_pct",                 PICTURE_CACHE_LOADS,    {0, 0, 0}, false},
	{"load_lfb_pct",                PICTURE_CACHE_LOADS,    {0, 0, 0}, false},
	{"load_l2_pct",                 PICTURE_CACHE_LOADS,    {0, 0, 0}, false},
	{"load_l3_pct",                 PICTURE_CACHE_LOADS,    {0, 0, 0}, false},
	{"load_l3_miss_pct",            PICTURE_MEMORY_LOADS,   {0, 0, 0}, false},
	{"load_dram_pct",               PICTURE_MEMORY_LOADS,   {0, 0, 0}, false},
	{"load_remote_pct",             PICTURE_MEMORY_LOADS,   {0, 0, 0}, false},
	{"load_cxl_pct",                PICTURE_MEMORY_LOADS,   {0, 0, 0}, false},
	{"fill_l2_pct",                 PICTURE_CACHE_FILLS,    {0, 0, 0}, false},
	{"fill_l3_pct",                 PICTURE_CACHE_FILLS,    {0, 0, 0}, false},
	{"fill_other_l3_pct",           PICTURE_CACHE_FILLS,    {0, 0, 0}, false},
	{"fill_dram_pct",               PICTURE_MEMORY_FILLS,   {0, 0, 0}, false},
	{"fill_remote_pct",             PICTURE_MEMORY_FILLS,   {0, 0, 0}, false},
	{"fill_cxl_pct",                PICTURE_MEMORY_FILLS,   {0, 0, 0}, false},
	{"cxl_demand_pct",              PICTURE_KINDS,          {0, 0, 0}, false},
	{"cxl_l2_prefetch_pct",         PICTURE_KINDS,          {0, 0, 0}, false},
	{"cxl_l3_prefetch_pct",         PICTURE_KINDS,          {0, 0, 0}, false},
	{"cxl_ownership_pct",           PICTURE_KINDS,          {0, 0, 0}, false},
	{"cxl_demand_MBps",             PICTURE_KIND_RATES,     {0, 0, 0}, false},
	{"cxl_l2_prefetch_MBps",        PICTURE_KIND_RATES,     {0, 0, 0}, false},
	{"cxl_l3_prefetch_MBps",        PICTURE_KIND_RATES,     {0, 0, 0}, false},
	{"cxl_ownership_MBps",          PICTURE_KIND_RATES,     {0, 0, 0}, false},
	{"cxl_l2_prefetch_latency_ns",  PICTURE_KIND_LATENCIES, {0, 0, 0}, false},
	{"cxl_l3_prefetch_latency_ns",  PICTURE_KIND_LATENCIES, {0, 0, 0}, false},
	{"cxl_ownership_latency_ns",    PICTURE_KIND_LATENCIES, {0, 0, 0}, false},
	{"link_read_pct",	       PICTURE_NONE,	    {0, 7, 0},	false},
	{"link_write_pct",	       PICTURE_NONE,	    {0, 8, 0},	false},
	{"aer_correctable_per_s",      PICTURE_NONE,	    {0, 11, 0}, false},
	{"ipc",			       PICTURE_NONE,	    {8, 0, 0},	false},
	{"dram_retries_per_s",	       PICTURE_NONE,	    {0, 0, 0},	true},
	{"health",		       PICTURE_NONE,	    {0, 0, 0},	true},
	{NULL,			       PICTURE_NONE,	    {0, 0, 0},	false},
};
/* clang-format on */

const char *important_at(enum important_place place, unsigned rank)
{
	const struct important *i = important_metrics;

	while (i->name && i->rank[place] != rank)
		i++;
	return i->name;
}

static const struct important *important_named(const char *name)
{
	const struct important *i = important_metrics;

	while (i->name && strcmp(i->name, name) != 0)
		i++;
	return i;
}

/* Few devices have caches. */
bool important_is_minor(const char *name)
{
	return important_named(name)->picture == PICTURE_CACHE;
}

bool important_is_trouble(const char *name)
{
	return important_named(name)->trouble;
}
