/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVIDIA Vera (Tegra410): only the kernel counts. It shows the codes of events and the places of
 * fields in sysfs; the numbers here tell events apart.
 *
 * Sources: the kernel's Documentation/admin-guide/perf/nvidia-tegra410-pmu.rst and, for other
 * names, the same file of NVIDIA's kernels; MIDR_EL1: its arch/arm64/include/asm/cputype.h
 * (NVIDIA_CPU_PART_OLYMPUS); modules: its drivers/perf.
 */
#include "uncore/models/models_private.h"

#define EVENT(n, pmu_type, number, counter_mask, alias, text)                                      \
	{                                                                                          \
		.name = n, .type = pmu_type, .code = number, .counters = counter_mask,             \
		.help = text, .perf_alias = alias                                                  \
	}
/* The counter of an event: a latency has one for each of its events. */
#define COUNTER(n) (UINT32_C(1) << (n))

/*
 * Bytes of dst_loc_other, which that document describes as CXL memory, and NVIDIA's as also MMIO.
 */
#define CXL_BYTES(n, number, alias, text)                                                          \
	{                                                                                          \
		.name = n, .type = PMU_UCF, .code = number, .counters = ANY_OF_4, .help = text,    \
		.perf_alias = alias ",dst_loc_other", .needs_region = true                         \
	}

static const struct event vera_events[] = {
	EVENT("ucf.mem_bytes_rd", PMU_UCF, 1, ANY_OF_4, "mem_bytes_rd",
	      "bytes read from memory of any kind and socket"),
	EVENT("ucf.mem_bytes_wr", PMU_UCF, 2, ANY_OF_4, "mem_bytes_wr",
	      "bytes written to memory of any kind and socket"),
	EVENT("ucf.mem_bytes_rd.dst_loc_cmem", PMU_UCF, 3, ANY_OF_4, "mem_bytes_rd,dst_loc_cmem",
	      "bytes read from DRAM of this socket"),
	EVENT("ucf.mem_bytes_wr.dst_loc_cmem", PMU_UCF, 4, ANY_OF_4, "mem_bytes_wr,dst_loc_cmem",
	      "bytes written to DRAM of this socket"),
	CXL_BYTES("ucf.mem_bytes_rd.dst_loc_other", 5, "mem_bytes_rd",
		  "bytes read from CXL memory of this socket"),
	CXL_BYTES("ucf.mem_bytes_wr.dst_loc_other", 6, "mem_bytes_wr",
		  "bytes written to CXL memory of this socket"),
	EVENT("cmem.rd_cum_outs", PMU_CMEM, 1, COUNTER(0), "rd_cum_outs",
	      "reads of DRAM of this socket that are in progress, each clock"),
	EVENT("cmem.rd_req", PMU_CMEM, 2, COUNTER(1), "rd_req",
	      "reads of DRAM of this socket, of 32 bytes each"),
	EVENT("cmem.cycles", PMU_CMEM, 3, COUNTER(2), "cycles",
	      "clocks in which these reads are counted"),
	EVENT("nvdlink.in_rd_cum_outs", PMU_NVDLINK, 1, COUNTER(0), "in_rd_cum_outs",
	      "reads of CXL memory that are in progress, each clock"),
	EVENT("nvdlink.in_rd_req", PMU_NVDLINK, 2, COUNTER(1), "in_rd_req", "reads of CXL memory"),
	EVENT("nvdlink.cycles", PMU_NVDLINK, 3, COUNTER(2), "cycles",
	      "clocks of the link to CXL memory"),
	EVENT("pcie_tgt.rd_bytes", PMU_PCIE_TGT, 1, ANY_OF_4, "rd_bytes",
	      "bytes read from CXL memory behind the root complex"),
	EVENT("pcie_tgt.wr_bytes", PMU_PCIE_TGT, 2, ANY_OF_4, "wr_bytes",
	      "bytes written to CXL memory behind the root complex"),
	EVENT("pcie_tgt.rd_req", PMU_PCIE_TGT, 3, ANY_OF_4, "rd_req",
	      "reads of CXL memory behind the root complex"),
	EVENT("pcie_tgt.wr_req", PMU_PCIE_TGT, 4, ANY_OF_4, "wr_req",
	      "writes to CXL memory behind the root complex"),
	{.name = NULL},
};

static const struct pmu_type vera_pmu_types[] = {
	{.type = PMU_UCF, .name = "ucf", .perf_name = "ucf_pmu"},
	{.type = PMU_CMEM,
	 .name = "cmem",
	 .perf_name = "cmem_latency_pmu",
	 .vendor_name = "t410_cpu_mem_pmu",
	 .perf_driver = "nvidia_t410_cmem_latency_pmu"},
	{.type = PMU_NVDLINK,
	 .name = "nvdlink",
	 .perf_name = "nvdlink_pmu",
	 .perf_driver = "nvidia_t410_c2c_pmu"},
	{.type = PMU_PCIE_TGT,
	 .name = "pcie_tgt",
	 .perf_name = "pcie_tgt_pmu_*_rc",
	 .vendor_name = "pcie_tgt_pmu_*_chiplet"},
	{.name = NULL},
};

/* Bytes through the root complexes; if not all of them are known, bytes counted by the fabric. */
#define CXL_MBPS(name, direction, by_tgt, by_ucf)                                                  \
	{BYTES(name, "pcie_tgt." direction "_bytes", 1), .link_bytes = 1, .source = by_tgt},       \
	{                                                                                          \
		BYTES(name, "ucf.mem_bytes_" direction ".dst_loc_other", 1),                       \
			.source = by_ucf, .of_socket = true, .fallback = true                      \
	}

/* Latency as in Intel's LATENCY: entries in progress per clock, divided by the requests begun. */
#define READ_LATENCY(name, pmu_type, prefix, from)                                                 \
	{                                                                                          \
		.metric = name,                                                                    \
		.text = "per_unit(" pmu_type "." prefix "rd_cum_outs / " pmu_type                  \
			".cycles) / " pmu_type "." prefix "rd_req",                                \
		.same_group = true, .any_unit = true, .source = from, .mean_of_reads = true        \
	}

static const struct formula vera_formulas[] = {
	CXL_MBPS("cxl_mem_read_MBps", "rd", "pcie_tgt", "ucf"),
	CXL_MBPS("cxl_mem_write_MBps", "wr", NULL, NULL),
	READ_LATENCY("cxl_read_latency_ns", "nvdlink", "in_", "nvdlink"),
	READ_LATENCY("ddr_local_read_latency_ns", "cmem", "", NULL),
	{BYTES("dram_read_MBps", "ucf.mem_bytes_rd.dst_loc_cmem", 1)},
	{BYTES("dram_write_MBps", "ucf.mem_bytes_wr.dst_loc_cmem", 1)},
	{.metric = NULL},
};

/*
 * Codes that simulated PMUs have in sysfs: codes of the fabric and of root complexes as in the
 * kernel's nvidia_cspmu.c. A umask_ext is a filter's bits in the control.
 */
#define CMEM_FILTER  0x100 /* dst_loc_cmem, config1:8 */
#define OTHER_FILTER 0x400 /* dst_loc_other, config1:10 */
#define ADDRESS	     0x08  /* dst_addr_en, in the byte above the event */

static const struct sim_event_rate sim_vera_events[] = {
	{PMU_UCF, 0x23, 0x1, CMEM_FILTER, 0x0F, RATE_DRAM_READS},
	{PMU_UCF, 0x24, 0x1, CMEM_FILTER, 0x0F, RATE_DRAM_WRITES},
	{PMU_UCF, 0x23, 0x1, OTHER_FILTER, 0x0F, RATE_CXL_INSERTS},
	{PMU_UCF, 0x24, 0x1, OTHER_FILTER, 0x0F, RATE_CCM_WRITES},
	{PMU_UCF, 0x23, 0x1, 0, 0x0F, RATE_DRAM_READS},
	{PMU_UCF, 0x23, 0x1, 0, 0x0F, RATE_CXL_INSERTS},
	{PMU_UCF, 0x24, 0x1, 0, 0x0F, RATE_DRAM_WRITES},
	{PMU_UCF, 0x24, 0x1, 0, 0x0F, RATE_CCM_WRITES},
	{PMU_CMEM, 0x1, 0, 0, 0x07, RATE_LOCAL_INSERTS},
	{PMU_CMEM, 0x2, 0, 0, 0x07, RATE_LOCAL_OCCUPANCY},
	{PMU_CMEM, 0x3, 0, 0, 0x07, RATE_UNCORE_CLOCK},
	{PMU_NVDLINK, 0x1, 0, 0, 0x07, RATE_CXL_INSERTS},
	{PMU_NVDLINK, 0x2, 0, 0, 0x07, RATE_CXL_OCCUPANCY},
	{PMU_NVDLINK, 0x3, 0, 0, 0x07, RATE_UNCORE_CLOCK},
	{PMU_PCIE_TGT, 0x0, ADDRESS, 0, 0x0F, RATE_READS},
	{PMU_PCIE_TGT, 0x1, ADDRESS, 0, 0x0F, RATE_WRITES},
	{PMU_PCIE_TGT, 0x2, ADDRESS, 0, 0x0F, RATE_READS},
	{PMU_PCIE_TGT, 0x3, ADDRESS, 0, 0x0F, RATE_WRITES},
	{.counters = 0},
};
/* Six root complexes per socket, one per port. */
static const struct sim_model simulated = {
	.vendor = SIM_ARM,
	.max_ports = 6,
	.events = SIM_EVENTS(sim_vera_events),
	.kernel = SIM_KERNEL(7, 0),
};

const struct model model_vera = {
	.name = "Vera",
	.short_name = "vera",
	.vendor = "NVIDIA",
	.measured = "bandwidth, latency, DRAM",
	.implementer = 0x4E,
	.part = 0x010,
	.kernel_counts = true,
	.perf_prefix = "nvidia_",
	.perf_driver = "nvidia_cspmu",
	.core = &core_unknown,
	.pmu_types = vera_pmu_types,
	.events = EVENTS(vera_events),
	.formulas = vera_formulas,
	.simulated = &simulated,
};
