/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source of groups and bits: CXL specification 3.1, table 13-5, and the tables of opcodes in its
 * chapter 3; 4.0 for the queues, retries and throttling of DRAM. Names are the kernel's
 * (drivers/perf/cxl_pmu.c) if it has one.
 */
#include "uncore/units/cpmu_events.h"
#include "uncore/units/cpmu.h"

const struct pmu_type cpmu_pmu_type = {.type = PMU_CPMU, .name = "cpmu", .enable = CPMU_CFG_ENABLE};

/* Groups of vendor CPMU_VENDOR_CXL */
enum {
	CLOCK_TICKS = 0x0000,
	D2H_REQ = 0x0010,
	D2H_RSP = 0x0011,
	H2D_REQ = 0x0012,
	H2D_RSP = 0x0013,
	CACHE_DATA = 0x0014,
	M2S_REQ = 0x0020,
	M2S_RWD = 0x0021,
	M2S_BIRSP = 0x0022,
	S2M_BISNP = 0x0023,
	S2M_NDR = 0x0024,
	S2M_DRS = 0x0025,
	DDR = 0x8000,
	QUEUE_OCCUPANCY = 0x8001,
	QUEUE_RESIDENCY = 0x8002,
	RETRIES = 0x8003,
	THROTTLING = 0x8004,
};

/* Sum of the events in the mask all, and of those in the mask also that the device has. */
#define SUM(n, group, all, also, text)                                                             \
	{                                                                                          \
		.name = n, .type = PMU_CPMU, .counters = UINT32_MAX, .help = text,                 \
		.modifiers = CPMU_EVENT(CPMU_VENDOR_CXL, group, all), .optional = also,            \
		.limit = (group) < QUEUE_OCCUPANCY ? LIMIT_CLOCK : 0                               \
	}

#define EVENT(n, group, bit, text) SUM(n, group, UINT32_C(1) << (bit), 0, text)

/* clang-format off: one row per line */
const struct event cpmu_events[] = {
	EVENT("clock_ticks", CLOCK_TICKS, 0, "clock ticks of the CPMU"),
	EVENT("d2h_req_rdcurr", D2H_REQ, 1, "CXL.cache requests of the device: RdCurr"),
	EVENT("d2h_req_rdown", D2H_REQ, 2, "CXL.cache requests of the device: RdOwn"),
	EVENT("d2h_req_rdshared", D2H_REQ, 3, "CXL.cache requests of the device: RdShared"),
	EVENT("d2h_req_rdany", D2H_REQ, 4, "CXL.cache requests of the device: RdAny"),
	EVENT("d2h_req_rdownnodata", D2H_REQ, 5, "CXL.cache requests of the device: RdOwnNoData"),
	EVENT("d2h_req_itomwr", D2H_REQ, 6, "CXL.cache requests of the device: ItoMWr"),
	EVENT("d2h_req_wrcurr", D2H_REQ, 7, "CXL.cache requests of the device: WrCurr"),
	EVENT("d2h_req_clflush", D2H_REQ, 8, "CXL.cache requests of the device: CLFlush"),
	EVENT("d2h_req_cleanevict", D2H_REQ, 9, "CXL.cache requests of the device: CleanEvict"),
	EVENT("d2h_req_dirtyevict", D2H_REQ, 10, "CXL.cache requests of the device: DirtyEvict"),
	EVENT("d2h_req_cleanevictnodata", D2H_REQ, 11,
	      "CXL.cache requests of the device: CleanEvictNoData"),
	EVENT("d2h_req_wowrinv", D2H_REQ, 12, "CXL.cache requests of the device: WOWrInv"),
	EVENT("d2h_req_wowrinvf", D2H_REQ, 13, "CXL.cache requests of the device: WOWrInvF"),
	EVENT("d2h_req_wrinv", D2H_REQ, 14, "CXL.cache requests of the device: WrInv"),
	EVENT("d2h_req_cacheflushed", D2H_REQ, 16,
	      "CXL.cache requests of the device: CacheFlushed"),
	EVENT("d2h_rsp_rspshitse", D2H_RSP, 1, "CXL.cache responses of the device: RspSHitSE"),
	EVENT("d2h_rsp_rspihiti", D2H_RSP, 4, "CXL.cache responses of the device: RspIHitI"),
	EVENT("d2h_rsp_rspihitse", D2H_RSP, 5, "CXL.cache responses of the device: RspIHitSE"),
	EVENT("d2h_rsp_rspvhitv", D2H_RSP, 6, "CXL.cache responses of the device: RspVHitV"),
	EVENT("d2h_rsp_rspsfwdm", D2H_RSP, 7, "CXL.cache responses of the device: RspSFwdM"),
	EVENT("d2h_rsp_rspifwdm", D2H_RSP, 15, "CXL.cache responses of the device: RspIFwdM"),
	EVENT("d2h_rsp_rspvfwdv", D2H_RSP, 22, "CXL.cache responses of the device: RspVFwdV"),
	EVENT("h2d_req_snpdata", H2D_REQ, 1, "CXL.cache snoops of the host: SnpData"),
	EVENT("h2d_req_snpinv", H2D_REQ, 2, "CXL.cache snoops of the host: SnpInv"),
	EVENT("h2d_req_snpcur", H2D_REQ, 3, "CXL.cache snoops of the host: SnpCur"),
	EVENT("h2d_rsp_writepull", H2D_RSP, 1, "CXL.cache responses of the host: WritePull"),
	EVENT("h2d_rsp_go", H2D_RSP, 4, "CXL.cache responses of the host: GO"),
	EVENT("h2d_rsp_gowritepull", H2D_RSP, 5, "CXL.cache responses of the host: GO_WritePull"),
	EVENT("h2d_rsp_extcmp", H2D_RSP, 6, "CXL.cache responses of the host: ExtCmp"),
	EVENT("h2d_rsp_gowritepulldrop", H2D_RSP, 8,
	      "CXL.cache responses of the host: GO_WritePull_Drop"),
	EVENT("h2d_rsp_fastgowritepull", H2D_RSP, 13,
	      "CXL.cache responses of the host: Fast_GO_WritePull"),
	EVENT("h2d_rsp_goerrwritepull", H2D_RSP, 15,
	      "CXL.cache responses of the host: GO_ERR_WritePull"),
	EVENT("cachedata_d2h_data", CACHE_DATA, 0, "CXL.cache data, device to host"),
	EVENT("cachedata_h2d_data", CACHE_DATA, 1, "CXL.cache data, host to device"),
	EVENT("m2s_req_meminv", M2S_REQ, 0, "CXL.mem requests: MemInv"),
	EVENT("m2s_req_memrd", M2S_REQ, 1, "CXL.mem requests: MemRd"),
	EVENT("m2s_req_memrddata", M2S_REQ, 2, "CXL.mem requests: MemRdData"),
	EVENT("m2s_req_memrdfwd", M2S_REQ, 3, "CXL.mem requests: MemRdFwd"),
	EVENT("m2s_req_memwrfwd", M2S_REQ, 4, "CXL.mem requests: MemWrFwd"),
	EVENT("m2s_req_memrdtee", M2S_REQ, 5, "CXL.mem requests: MemRdTEE"),
	EVENT("m2s_req_memrddatatee", M2S_REQ, 6, "CXL.mem requests: MemRdDataTEE"),
	EVENT("m2s_req_meminvtee", M2S_REQ, 7, "CXL.mem requests: MemInvTEE"),
	EVENT("m2s_req_memspecrd", M2S_REQ, 8, "CXL.mem requests: MemSpecRd, speculative"),
	EVENT("m2s_req_meminvnt", M2S_REQ, 9, "CXL.mem requests: MemInvNT"),
	EVENT("m2s_req_memcleanevict", M2S_REQ, 10, "CXL.mem requests: MemClnEvct"),
	EVENT("m2s_req_meminvptee", M2S_REQ, 11, "CXL.mem requests: MemInvPTEE"),
	EVENT("m2s_req_memspecrdtee", M2S_REQ, 12, "CXL.mem requests: MemSpecRdTEE, speculative"),
	EVENT("m2s_req_teupdate", M2S_REQ, 13, "CXL.mem requests: TEUpdate"),
	EVENT("m2s_req_memclnevcttee", M2S_REQ, 14, "CXL.mem requests: MemClnEvctTEE"),
	EVENT("m2s_req_memclnevctu", M2S_REQ, 15, "CXL.mem requests: MemClnEvctU"),
	SUM("m2s_req_reads", M2S_REQ, 1 << 1, 1 << 2 | 1 << 5 | 1 << 6 | 1 << 8 | 1 << 12,
	    "CXL.mem requests to read: MemRd, and, where the device counts them, MemRdData, MemSpecRd and those of TEE"),
	EVENT("m2s_rwd_memwr", M2S_RWD, 1, "CXL.mem requests with data: MemWr"),
	EVENT("m2s_rwd_memwrptl", M2S_RWD, 2,
	      "CXL.mem requests with data: MemWrPtl, a line with byte enables"),
	EVENT("m2s_rwd_biconflict", M2S_RWD, 4, "CXL.mem requests with data: BIConflict"),
	EVENT("m2s_rwd_memrdfill", M2S_RWD, 5, "CXL.mem requests with data: MemRdFill"),
	EVENT("m2s_rwd_memwrtee", M2S_RWD, 9, "CXL.mem requests with data: MemWrTEE"),
	EVENT("m2s_rwd_memwrptltee", M2S_RWD, 10, "CXL.mem requests with data: MemWrPtlTEE"),
	EVENT("m2s_rwd_memrdfilltee", M2S_RWD, 13, "CXL.mem requests with data: MemRdFillTEE"),
	SUM("m2s_rwd_writes", M2S_RWD, 1 << 1, 1 << 2 | 1 << 9 | 1 << 10,
	    "lines written by CXL.mem: MemWr, and, where the device counts them, MemWrPtl and those of TEE"),
	EVENT("m2s_birsp_i", M2S_BIRSP, 0, "CXL.mem back-invalidate responses: BIRspI"),
	EVENT("m2s_birsp_s", M2S_BIRSP, 1, "CXL.mem back-invalidate responses: BIRspS"),
	EVENT("m2s_birsp_e", M2S_BIRSP, 2, "CXL.mem back-invalidate responses: BIRspE"),
	EVENT("m2s_birsp_iblk", M2S_BIRSP, 4, "CXL.mem back-invalidate responses: BIRspIBlk"),
	EVENT("m2s_birsp_sblk", M2S_BIRSP, 5, "CXL.mem back-invalidate responses: BIRspSBlk"),
	EVENT("m2s_birsp_eblk", M2S_BIRSP, 6, "CXL.mem back-invalidate responses: BIRspEBlk"),
	EVENT("s2m_bisnp_cur", S2M_BISNP, 0, "CXL.mem back-invalidate snoops: BISnpCur"),
	EVENT("s2m_bisnp_data", S2M_BISNP, 1, "CXL.mem back-invalidate snoops: BISnpData"),
	EVENT("s2m_bisnp_inv", S2M_BISNP, 2, "CXL.mem back-invalidate snoops: BISnpInv"),
	EVENT("s2m_bisnp_curblk", S2M_BISNP, 4, "CXL.mem back-invalidate snoops: BISnpCurBlk"),
	EVENT("s2m_bisnp_datblk", S2M_BISNP, 5, "CXL.mem back-invalidate snoops: BISnpDataBlk"),
	EVENT("s2m_bisnp_invblk", S2M_BISNP, 6, "CXL.mem back-invalidate snoops: BISnpInvBlk"),
	EVENT("s2m_bisnp_curtee", S2M_BISNP, 8, "CXL.mem back-invalidate snoops: BISnpCurTEE"),
	EVENT("s2m_bisnp_datatee", S2M_BISNP, 9, "CXL.mem back-invalidate snoops: BISnpDataTEE"),
	EVENT("s2m_bisnp_invtee", S2M_BISNP, 10, "CXL.mem back-invalidate snoops: BISnpInvTEE"),
	EVENT("s2m_bisnp_curblktee", S2M_BISNP, 12,
	      "CXL.mem back-invalidate snoops: BISnpCurBlkTEE"),
	EVENT("s2m_bisnp_datablktee", S2M_BISNP, 13,
	      "CXL.mem back-invalidate snoops: BISnpDataBlkTEE"),
	EVENT("s2m_bisnp_invblktee", S2M_BISNP, 14,
	      "CXL.mem back-invalidate snoops: BISnpInvBlkTEE"),
	EVENT("s2m_ndr_cmp", S2M_NDR, 0, "CXL.mem completions without data: Cmp"),
	EVENT("s2m_ndr_cmps", S2M_NDR, 1, "CXL.mem completions without data: Cmp-S"),
	EVENT("s2m_ndr_cmpe", S2M_NDR, 2, "CXL.mem completions without data: Cmp-E"),
	EVENT("s2m_ndr_cmpm", S2M_NDR, 3, "CXL.mem completions without data: Cmp-M"),
	EVENT("s2m_ndr_biconflictack", S2M_NDR, 4,
	      "CXL.mem completions without data: BIConflictAck"),
	EVENT("s2m_ndr_cmptee", S2M_NDR, 5, "CXL.mem completions without data: CmpTEE"),
	EVENT("s2m_ndr_cmptee_s", S2M_NDR, 6, "CXL.mem completions without data: CmpTEE-S"),
	EVENT("s2m_ndr_cmptee_e", S2M_NDR, 7, "CXL.mem completions without data: CmpTEE-E"),
	EVENT("s2m_drs_memdata", S2M_DRS, 0, "CXL.mem responses with data: MemData"),
	EVENT("s2m_drs_memdatanxm", S2M_DRS, 1, "CXL.mem responses with data: MemData-NXM"),
	EVENT("s2m_drs_memdatatee", S2M_DRS, 2, "CXL.mem responses with data: MemDataTEE"),
	SUM("s2m_drs_reads", S2M_DRS, 1 << 0, 1 << 2,
	    "lines read by CXL.mem: MemData, and MemDataTEE where the device counts it"),
	EVENT("ddr_act", DDR, 0, "DRAM of the device: ACT"),
	EVENT("ddr_pre", DDR, 1, "DRAM of the device: PRE"),
	EVENT("ddr_casrd", DDR, 2, "DRAM of the device: CAS to read, of a line"),
	EVENT("ddr_caswr", DDR, 3, "DRAM of the device: CAS to write, of a line"),
	EVENT("ddr_refresh", DDR, 4, "DRAM of the device: refresh"),
	EVENT("ddr_selfrefreshent", DDR, 5, "DRAM of the device: self-refresh entry"),
	EVENT("ddr_rfm", DDR, 6, "DRAM of the device: RFM"),
	EVENT("ddr_cas_rd_ap", DDR, 7, "DRAM of the device: CAS to read with auto-precharge"),
	EVENT("ddr_cas_wr_ap", DDR, 8, "DRAM of the device: CAS to write with auto-precharge"),
	EVENT("ddr_refresh_all_banks", DDR, 9, "DRAM of the device: refresh of all banks"),
	EVENT("ddr_refresh_same_bank", DDR, 10, "DRAM of the device: refresh of the same bank"),
	EVENT("ddr_pwrdn_entry", DDR, 11, "DRAM of the device: power-down entry"),
	EVENT("ddr_pwrdn_exit", DDR, 12, "DRAM of the device: power-down exit"),
	EVENT("ddr_rd_wr_ddr_bus_switching", DDR, 13,
	      "DRAM of the device: switches of the bus between reads and writes"),
	EVENT("ddr_incoming_rd_req", DDR, 14, "DRAM of the device: incoming requests to read"),
	EVENT("ddr_incoming_wr_req", DDR, 15, "DRAM of the device: incoming requests to write"),
	EVENT("rd_queue_occ", QUEUE_OCCUPANCY, 0,
	      "reads in the queue of the device's DRAM, each clock (threshold 0)"),
	EVENT("wr_queue_occ", QUEUE_OCCUPANCY, 1,
	      "writes in the queue of the device's DRAM, each clock (threshold 0)"),
	EVENT("rd_wr_merged_queue_occ", QUEUE_OCCUPANCY, 2,
	      "reads and writes in a merged queue of the device's DRAM, each clock (threshold 0)"),
	EVENT("pwrdn_event", QUEUE_OCCUPANCY, 3, "power-down of the device's DRAM"),
	EVENT("mc_rd_resid_cnt", QUEUE_RESIDENCY, 0,
	      "residency of the read queue of the device's DRAM"),
	EVENT("mc_wr_resid_cnt", QUEUE_RESIDENCY, 1,
	      "residency of the write queue of the device's DRAM"),
	EVENT("retry_event_trig_by_rd_crc", RETRIES, 0, "retries of the device's DRAM: read CRC"),
	EVENT("retry_event_trig_by_wr_crc", RETRIES, 1, "retries of the device's DRAM: write CRC"),
	EVENT("retry_event_trig_by_ca_parity", RETRIES, 2,
	      "retries of the device's DRAM: CA parity"),
	EVENT("retry_event_trig_by_ecc", RETRIES, 3, "retries of the device's DRAM: ECC"),
	SUM("ddr_retries", RETRIES, 0, 0xF, "retries of the device's DRAM, those it counts"),
	EVENT("thermal_throttle_event", THROTTLING, 0,
	      "clocks in which the device's DRAM is throttled: thermal"),
	EVENT("power_throttle_event", THROTTLING, 1,
	      "clocks in which the device's DRAM is throttled: power"),
	{.name = NULL},
};
/* clang-format on */

/*
 * CAS commands, one line each. No publication says if commands with auto-precharge are included in
 * the others: incoming requests are compared with them.
 */
#define CAS_READS  "(ddr_casrd + or_0(ddr_cas_rd_ap))"
#define CAS_WRITES "(ddr_caswr + or_0(ddr_cas_wr_ap))"

#define DRAM_REQUESTS(name, event)                                                                 \
	{                                                                                          \
		BYTES(name, event, 64), .only_compared = true                                      \
	}

/* Lines that were requested from a CXL device, or that its DRAM transferred. */
#define DEVICE_LINES(name, event, from, otherwise)                                                 \
	{                                                                                          \
		BYTES(name, event, 64), .source = from, .fallback = otherwise                      \
	}

/* Lines that were sent to the device. */
#define LINES_RECEIVED(name, event, otherwise)                                                     \
	{                                                                                          \
		BYTES(name, event, 64), .link_bytes = 64, .fallback = otherwise                    \
	}

/* Bytes of DRAM divided by bytes of CXL.mem: both count lines. */
#define AMPLIFICATION(reads, at_once, otherwise)                                                   \
	{                                                                                          \
		.metric = "amplification",                                                         \
		.text = "(" CAS_READS " + " CAS_WRITES ") / (" reads " + m2s_rwd_writes)",         \
		.same_group = at_once, .fallback = otherwise                                       \
	}

/* Time in the queue in clocks, by Little's law: occupancy divided by accesses. */
#define QUEUE_CLOCKS(otherwise, formula)                                                           \
	{                                                                                          \
		.metric = "queue_clocks", .text = formula, .same_group = true,                     \
		.fallback = otherwise                                                              \
	}

#define PERCENT_OF_CLOCKS(name, event)                                                             \
	{                                                                                          \
		.metric = name, .text = event " / clock_ticks", .same_group = true                 \
	}

/* Kinds of written lines, each on its own counter, as in CPMU_READS. */
#define WRITES                                                                                     \
	"(m2s_rwd_memwr + or_0(m2s_rwd_memwrptl) + or_0(m2s_rwd_memwrtee) + "                      \
	"or_0(m2s_rwd_memwrptltee))"

/*
 * Formulas of CPMUs. Reads by requests are an upper estimate: a speculative read returns no data,
 * and the read of the same line may follow.
 */
const struct formula cpmu_formulas[] = {
	CPMU_READS("cxl_mem_read_MBps"),
	DEVICE_LINES("cxl_mem_read_MBps", "m2s_req_reads", "m2s_req", true),
	LINES_RECEIVED("cxl_mem_write_MBps", "m2s_rwd_writes", false),
	LINES_RECEIVED("cxl_mem_write_MBps", WRITES, true),
	CPMU_READS("cpmu_read_MBps"),
	DEVICE_LINES("cpmu_read_MBps", "m2s_req_reads", "m2s_req", true),
	LINES_RECEIVED("cpmu_write_MBps", "m2s_rwd_writes", false),
	LINES_RECEIVED("cpmu_write_MBps", WRITES, true),
	DEVICE_LINES("device_dram_read_MBps", CAS_READS, NULL, false),
	DRAM_REQUESTS("device_dram_read_MBps", "ddr_incoming_rd_req"),
	DEVICE_LINES("device_dram_write_MBps", CAS_WRITES, NULL, false),
	DRAM_REQUESTS("device_dram_write_MBps", "ddr_incoming_wr_req"),
	AMPLIFICATION("s2m_drs_reads", true, false),
	AMPLIFICATION("s2m_drs_reads", false, true),
	AMPLIFICATION("m2s_req_reads", false, true),
	QUEUE_CLOCKS(false, "(rd_queue_occ + wr_queue_occ) / (" CAS_READS " + " CAS_WRITES ")"),
	QUEUE_CLOCKS(true, "rd_wr_merged_queue_occ / (" CAS_READS " + " CAS_WRITES ")"),
	QUEUE_CLOCKS(true, "rd_queue_occ / " CAS_READS), /* only reads */
	/* a device may count only one of both at a time, or have only one */
	EVENTS_PER_SECOND("queue_residency_per_s", "or_0(mc_rd_resid_cnt) + or_0(mc_wr_resid_cnt)"),
	EVENTS_PER_SECOND("dram_retries_per_s", "ddr_retries"),
	EVENTS_PER_SECOND("dram_throttling_per_s",
			  "or_0(thermal_throttle_event) + or_0(power_throttle_event)"),
	PERCENT_OF_CLOCKS("dram_thermal_throttled_pct", "thermal_throttle_event"),
	PERCENT_OF_CLOCKS("dram_power_throttled_pct", "power_throttle_event"),
	{.metric = NULL},
};
