/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of Intel's processors from its published event lists (perfmon: PROCESSOR_uncore and
 * PROCESSOR_uncore_experimental; PROCESSOR_core for the cores), by unit and name. There is one row
 * per event, with the processors whose list has it; an event has the same encoding on all of them.
 *
 * LLCPREFRFO_CXL_* have the opcode bits that RFO_PREF has without CXL, and RFO_PREF_CXL_* those
 * bits that LLCPREFRFO has: all processors' lists have this, and the rows are as published.
 *
 * Derived, not published: IA_MISS_DRD_CXL_EXP_LOCAL, which has Emerald Rapids' encoding on the
 * other processors, and on Sierra and Clearwater Forest IA_MISS_DRD_OPT_CXL_ACC and
 * IA_MISS_DRD_OPT_CXL_EXP_LOCAL, which have the encodings of DRD_CXL_ACC and DRD_CXL_EXP_LOCAL with
 * the opcode bits of DRD_OPT.
 */
#include "uncore/models/models_private.h"

/* One row per line. */
/* clang-format off */
#define EVENT(on, name, pmu_type, code, umask, help)                                                    \
	ON(on, name, pmu_type, code, umask, 0, ANY_OF_4, help, .limit = LIMIT_CLOCK)
#define STALLS(name, code, umask, counters, least, help)                                           \
	ON(P_CORES, name, PMU_CORE, code, umask, 0, counters, help, CORE_AT_LEAST(least),          \
	   .limit = LIMIT_CLOCK)
#define LOADS(name, code, umask, help)                                                             \
	STALLS("MEM_LOAD_" name, code, umask, CORE_0_TO_3, 0, "retired loads that " help)
#define STALLS_LOAD(on, name, umask, help)                                                         \
	ON(on, "MEM_BOUND_STALLS_LOAD." name, PMU_CORE, 0x34, umask, 0, CORE_0_TO_7,               \
	   "clocks stalled on " help, CORE_ALL_RINGS, .limit = LIMIT_CLOCK)
#define LOAD_UOPS(on, name, code, umask, help)                                                     \
	ON(on, "MEM_" name, PMU_CORE, code, umask, 0, CORE_0_TO_7, "retired loads" help,          \
	   CORE_ALL_RINGS, .limit = LIMIT_CLOCK)
#define LINK_RX(on, name, code, umask, help)                                                       \
	ON(on, "UNC_CXLCM_RxC_" name, PMU_CXLCM, code, umask, 0, CXLCM_RX, help,                   \
	   .limit = LIMIT_CLOCK)
#define LINK_TX(on, name, code, umask, help)                                                       \
	ON(on, "UNC_CXLCM_TxC_" name, PMU_CXLCM, code, umask, 0, CXLCM_TX, help,                   \
	   .limit = LIMIT_CLOCK)
#define CXLDP(on, name, code, umask, help)                                                         \
	ON(on, "UNC_CXLDP_" name, PMU_CXLDP, code, umask, 0, CXLDP_ANY, help,                      \
	   .limit = LIMIT_CLOCK)

/* Column accesses of a memory controller, or of one of its subchannels. */
#define CAS(on, name, code, umask, help)                                                           \
	ON(on, "UNC_M_CAS_COUNT" name, PMU_IMC, code, umask, 0, ANY_OF_4, help,                    \
	   .limit = LIMIT_CAS)
#define HBM_CAS(name, umask, help)                                                                 \
	ON(SPR, "UNC_MCHBM_CAS_COUNT." name, PMU_HBM, 0x05, umask, 0, ANY_OF_4, help,              \
	   .limit = LIMIT_HBM_CAS)
#define CAS_OF(n, code, name, umask, help)                                                         \
	CAS(GNR_ON, "_SCH" n "." name, code, umask, help " on subchannel " n)
#define SUBCHANNEL(n, code)                                                                        \
	CAS_OF(n, code, "ALL", 0xFF, "column accesses"),                                           \
	CAS_OF(n, code, "RD", 0xCF, "column reads"),                                               \
	CAS_OF(n, code, "RD_NON_UNDERFILL", 0xC3, "column reads other than underfills"),           \
	CAS_OF(n, code, "RD_PRE_REG", 0xC2, "regular column reads with auto-precharge"),           \
	CAS_OF(n, code, "RD_PRE_UNDERFILL", 0xC8, "underfill column reads with auto-precharge"),   \
	CAS_OF(n, code, "RD_REG", 0xC1, "regular column reads"),                                   \
	CAS_OF(n, code, "RD_UNDERFILL", 0xC4, "underfill column reads"),                           \
	CAS_OF(n, code, "RD_UNDERFILL_ALL", 0xCC, "all underfill column reads"),                   \
	CAS_OF(n, code, "WR", 0xF0, "column writes"),                                              \
	CAS_OF(n, code, "WR_NONPRE", 0xD0, "column writes without auto-precharge"),                \
	CAS_OF(n, code, "WR_PRE", 0xE0, "column writes with auto-precharge")

/*
 * Requests in a CHA's TOR, by the extension of the umask, which has opcode and target: how many
 * enter it and, for most of them, how many are in it in each clock.
 */
#define TOR_INSERTS(on, name, umask, ext, help)                                                    \
	ON(on, "UNC_CHA_TOR_INSERTS." name, PMU_CHA, 0x35, umask, ext, ANY_OF_4,                   \
	   help " the LLC, entering the TOR", .limit = LIMIT_TOR_INSERTS),
#define TOR_OCCUPANCY(on, name, umask, ext, help)                                                  \
	ON(on, "UNC_CHA_TOR_OCCUPANCY." name, PMU_CHA, 0x36, umask, ext, ONLY_0,                   \
	   help " the LLC, in the TOR each clock", .limit = LIMIT_TOR_OCCUPANCY),
#define NOT_COUNTED(on, name, umask, ext, help)

#define CXL_HIT(ROW, on, name, ext, what)                                                          \
	ROW(on, "CXL_HIT_" name, 0x20, ext, what " from CXL that hit")
#define CXL_MISS(ROW, on, name, ext, what)                                                         \
	ROW(on, "CXL_MISS_" name, 0x20, ext, what " from CXL that miss")
#define IA_HIT(ROW, on, name, ext, what, to)                                                       \
	ROW(on, "IA_HIT_" name, 0x01, ext, what " by cores" to " that hit")
#define IA_MISS(ROW, on, name, ext, what, to)                                                      \
	ROW(on, "IA_MISS_" name, 0x01, ext, what " by cores" to " that miss")
#define RRQ_MISS(ROW, on, name, ext, what, to)                                                     \
	ROW(on, "RRQ_MISS_" name, 0x40, ext, what " of the RRQ" to " that miss")

#define ANYWHERE     ""
#define TO_ACC	     " to a CXL accelerator"
#define TO_ACC_LOCAL " to a local CXL accelerator"
#define TO_EXP_LOCAL " to a local CXL expander"

#define TOR_REQUESTS(ROW, ONLY_INSERTS)                                                            \
	CXL_HIT(ROW, GNR_ON, "CLFLUSH", 0x78C8C7FD, "CLFlush requests")                            \
	CXL_HIT(ROW, GNR_ON, "FSRDCUR", 0x78C8EFFD, "FsRdCur requests")                            \
	CXL_HIT(ROW, GNR_ON, "FSRDCURPTL", 0x78C9EFFD, "FsRdCurPtl requests")                      \
	CXL_HIT(ROW, GNR_ON, "ITOM", 0x78CC47FD, "ItoM requests")                                  \
	CXL_HIT(ROW, GNR_ON, "ITOMWR", 0x78CC4FFD, "ItoMWr requests")                              \
	CXL_HIT(ROW, GNR_ON, "MEMPUSHWR", 0x78CC6FFD, "MemPushWr requests")                        \
	CXL_HIT(ROW, GNR_ON, "WCIL", 0x78C86FFD, "WCiL requests")                                  \
	CXL_HIT(ROW, GNR_ON, "WCILF", 0x78C867FD, "WCiLF requests")                                \
	CXL_HIT(ROW, GNR_ON, "WIL", 0x78C87FFD, "WiL requests")                                    \
	CXL_MISS(ROW, GNR_ON, "CLFLUSH", 0x78C8C7FE, "CLFlush requests")                           \
	CXL_MISS(ROW, GNR_ON, "FSRDCUR", 0x78C8EFFE, "FsRdCur requests")                           \
	CXL_MISS(ROW, GNR_ON, "FSRDCURPTL", 0x78C9EFFE, "FsRdCurPtl requests")                     \
	CXL_MISS(ROW, GNR_ON, "ITOM", 0x78CC47FE, "ItoM requests")                                 \
	CXL_MISS(ROW, GNR_ON, "ITOMWR", 0x78CC4FFE, "ItoMWr requests")                             \
	CXL_MISS(ROW, GNR_ON, "MEMPUSHWR", 0x78CC6FFE, "MemPushWr requests")                       \
	CXL_MISS(ROW, GNR_ON, "WCIL", 0x78C86FFE, "WCiL requests")                                 \
	CXL_MISS(ROW, GNR_ON, "WCILF", 0x78C867FE, "WCiLF requests")                               \
	CXL_MISS(ROW, GNR_ON, "WIL", 0x78C87FFE, "WiL requests")                                   \
	IA_HIT(ROW, ALL, "CXL_ACC", 0x10C00181, "requests", TO_ACC)                                \
	IA_HIT(ROW, SPR_EMR, "CXL_ACC_LOCAL", 0x10C00081, "requests", TO_ACC_LOCAL)                \
	IA_MISS(ROW, ALL, "CRD", 0x00C80FFE, "code reads", ANYWHERE)                               \
	IA_MISS(ROW, SPR_EMR, "CRDMORPH_CXL_ACC", 0x10C80B82, "CRdMorph requests", TO_ACC)         \
	IA_MISS(ROW, ALL, "CRD_LOCAL", 0x00C80EFE, "code reads", " to local addresses")            \
	IA_MISS(ROW, ALL, "CRD_REMOTE", 0x00C80F7E, "code reads", " to remote addresses")          \
	IA_MISS(ROW, ALL, "CXL_ACC", 0x10C00182, "requests", TO_ACC)                               \
	IA_MISS(ROW, SPR_EMR, "CXL_ACC_LOCAL", 0x10C00082, "requests", TO_ACC_LOCAL)               \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD", 0x00C817FE, "data reads", ANYWHERE)                     \
	IA_MISS(ROW, SPR_EMR, "DRDMORPH_CXL_ACC", 0x10C81382, "DRdMorph requests", TO_ACC)         \
	IA_MISS(ROW, ALL, "DRD_CXL_ACC", 0x10C81782, "data reads", TO_ACC)                         \
	IA_MISS(ROW, SPR_EMR, "DRD_CXL_ACC_LOCAL", 0x10C81682, "data reads", TO_ACC_LOCAL)         \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_CXL_EXP_LOCAL", 0x20C81682, "data reads", TO_EXP_LOCAL)   \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_DDR", 0x00C81786, "data reads", " to DDR")                \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_LOCAL", 0x00C816FE, "data reads", " to local addresses")  \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_LOCAL_DDR", 0x00C81686, "data reads", " to local DDR")    \
	IA_MISS(ROW, SPR_EMR | SRF_CWF, "DRD_OPT", 0x00C827FE, "DRd_Opt reads", ANYWHERE)          \
	IA_MISS(ROW, SPR_EMR, "DRD_OPT_CXL_ACC_LOCAL", 0x10C82682, "DRd_Opt reads", TO_ACC_LOCAL)  \
	IA_MISS(ONLY_INSERTS, SRF_CWF, "DRD_OPT_LOCAL", 0x00C826FE,                                \
		"DRd_Opt reads", " to local addresses")                                            \
	IA_MISS(ROW, SRF_CWF, "DRD_OPT_CXL_ACC", 0x10C82782, "DRd_Opt reads", TO_ACC)              \
	IA_MISS(ROW, SRF_CWF, "DRD_OPT_CXL_EXP_LOCAL", 0x20C82682, "DRd_Opt reads", TO_EXP_LOCAL)  \
	IA_MISS(ROW, SPR_EMR | SRF_CWF, "DRD_OPT_PREF", 0x00C8A7FE,                                \
		"DRd_Opt prefetches", ANYWHERE)                                                    \
	IA_MISS(ROW, SPR_EMR, "DRD_OPT_PREF_CXL_ACC_LOCAL", 0x10C8A682,                            \
		"DRd_Opt prefetches", TO_ACC_LOCAL)                                                \
	IA_MISS(ONLY_INSERTS, SRF_CWF, "DRD_OPT_PREF_LOCAL", 0x00C8A6FE,                           \
		"DRd_Opt prefetches", " to local addresses")                                       \
	IA_MISS(ONLY_INSERTS, SRF_CWF, "DRD_OPT_PREF_REMOTE", 0x00C8A77E,                          \
		"DRd_Opt prefetches", " to remote addresses")                                      \
	IA_MISS(ONLY_INSERTS, SRF_CWF, "DRD_OPT_REMOTE", 0x00C8277E,                               \
		"DRd_Opt reads", " to remote addresses")                                           \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_PREF", 0x00C897FE, "data read prefetches", ANYWHERE)      \
	IA_MISS(ROW, ALL, "DRD_PREF_CXL_ACC", 0x10C89782, "data read prefetches", TO_ACC)          \
	IA_MISS(ROW, SPR_EMR, "DRD_PREF_CXL_ACC_LOCAL", 0x10C89682,                                \
		"data read prefetches", TO_ACC_LOCAL)                                              \
	IA_MISS(ROW, EMR, "DRD_PREF_CXL_EXP_LOCAL", 0x20C89682,                                    \
		"data read prefetches", TO_EXP_LOCAL)                                              \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_PREF_DDR", 0x00C89786, "data read prefetches", " to DDR") \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_PREF_LOCAL", 0x00C896FE,                                  \
		"data read prefetches", " to local addresses")                                     \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_PREF_LOCAL_DDR", 0x00C89686,                              \
		"data read prefetches", " to local DDR")                                           \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_PREF_REMOTE", 0x00C8977E,                                 \
		"data read prefetches", " to remote addresses")                                    \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_PREF_REMOTE_DDR", 0x00C89706,                             \
		"data read prefetches", " to remote DDR")                                          \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_REMOTE", 0x00C8177E,                                      \
		"data reads", " to remote addresses")                                              \
	IA_MISS(ROW, SPR_EMR | GNR, "DRD_REMOTE_DDR", 0x00C81706, "data reads", " to remote DDR")  \
	IA_MISS(ROW, ALL, "LLCPREFCODE", 0x00CCCFFE, "LLC code prefetches", ANYWHERE)              \
	IA_MISS(ROW, SPR_EMR, "LLCPREFCODE_CXL_ACC", 0x10CCCF82, "LLC code prefetches", TO_ACC)    \
	IA_MISS(ROW, ALL, "LLCPREFDATA", 0x00CCD7FE, "LLC data prefetches", ANYWHERE)              \
	IA_MISS(ROW, ALL, "LLCPREFDATA_CXL_ACC", 0x10CCD782, "LLC data prefetches", TO_ACC)        \
	IA_MISS(ROW, SPR_EMR, "LLCPREFDATA_CXL_ACC_LOCAL", 0x10CCD682,                             \
		"LLC data prefetches", TO_ACC_LOCAL)                                               \
	IA_MISS(ROW, EMR, "LLCPREFDATA_CXL_EXP_LOCAL", 0x20CCD682,                                 \
		"LLC data prefetches", TO_EXP_LOCAL)                                               \
	IA_MISS(ROW, ALL, "LLCPREFRFO", 0x00CCC7FE, "LLC RFO prefetches", ANYWHERE)                \
	IA_MISS(ROW, ALL, "LLCPREFRFO_CXL_ACC", 0x10C88782, "LLC RFO prefetches", TO_ACC)          \
	IA_MISS(ROW, SPR_EMR, "LLCPREFRFO_CXL_ACC_LOCAL", 0x10C88682,                              \
		"LLC RFO prefetches", TO_ACC_LOCAL)                                                \
	IA_MISS(ROW, EMR, "LLCPREFRFO_CXL_EXP_LOCAL", 0x20C88682,                                  \
		"LLC RFO prefetches", TO_EXP_LOCAL)                                                \
	IA_MISS(ROW, ALL, "RFO", 0x00C807FE, "reads for ownership", ANYWHERE)                      \
	IA_MISS(ROW, SPR_EMR, "RFOMORPH_CXL_ACC", 0x10C80382, "RFOMorph requests", TO_ACC)         \
	IA_MISS(ROW, ALL, "RFO_CXL_ACC", 0x10C80782, "reads for ownership", TO_ACC)                \
	IA_MISS(ROW, SPR_EMR, "RFO_CXL_ACC_LOCAL", 0x10C80682,                                     \
		"reads for ownership", TO_ACC_LOCAL)                                               \
	IA_MISS(ROW, EMR, "RFO_CXL_EXP_LOCAL", 0x20C80682, "reads for ownership", TO_EXP_LOCAL)    \
	IA_MISS(ROW, ALL, "RFO_LOCAL", 0x00C806FE, "reads for ownership", " to local addresses")   \
	IA_MISS(ROW, ALL, "RFO_PREF", 0x00C887FE, "RFO prefetches", ANYWHERE)                      \
	IA_MISS(ROW, ALL, "RFO_PREF_CXL_ACC", 0x10CCC782, "RFO prefetches", TO_ACC)                \
	IA_MISS(ROW, SPR_EMR, "RFO_PREF_CXL_ACC_LOCAL", 0x10CCC682,                                \
		"RFO prefetches", TO_ACC_LOCAL)                                                    \
	IA_MISS(ROW, EMR, "RFO_PREF_CXL_EXP_LOCAL", 0x20CCC682, "RFO prefetches", TO_EXP_LOCAL)    \
	IA_MISS(ROW, ALL, "RFO_PREF_LOCAL", 0x00C886FE, "RFO prefetches", " to local addresses")   \
	IA_MISS(ROW, ALL, "RFO_PREF_REMOTE", 0x00C8877E, "RFO prefetches", " to remote addresses") \
	IA_MISS(ROW, ALL, "RFO_REMOTE", 0x00C8077E, "reads for ownership", " to remote addresses") \
	RRQ_MISS(ROW, EMR, "INVXTOM_CXL_EXP_LOCAL", 0x20E87E82, "InvXtoM requests", TO_EXP_LOCAL)  \
	RRQ_MISS(ROW, EMR, "RDCODE_CXL_EXP_LOCAL", 0x20E80E82, "RdCode requests", TO_EXP_LOCAL)    \
	RRQ_MISS(ROW, EMR, "RDCUR_CXL_EXP_LOCAL", 0x20E80682, "RdCur requests", TO_EXP_LOCAL)      \
	RRQ_MISS(ROW, EMR, "RDDATA_CXL_EXP_LOCAL", 0x20E81682, "RdData requests", TO_EXP_LOCAL)    \
	RRQ_MISS(ROW, EMR, "RDINVOWN_OPT_CXL_EXP_LOCAL", 0x20E82682,                               \
		"RdInvOwn_Opt requests", TO_EXP_LOCAL)

const struct event intel_events[] = {
	ON(SPR_EMR, "UNC_CXLCM_CLOCKTICKS", PMU_CXLCM, 0x01, 0x02, 0, CXLCM_ANY,
	   "flit clocks of the link", .limit = LIMIT_CLOCK),
	LINK_RX(SPR_EMR, "AGF_INSERTS.CACHE_DATA", 0x43, 0x08,
	      "cache data entering the receive AGF"),
	LINK_RX(SPR_EMR, "AGF_INSERTS.CACHE_REQ0", 0x43, 0x01,
	      "cache requests (REQ0) entering the receive AGF"),
	LINK_RX(SPR_EMR, "AGF_INSERTS.CACHE_REQ1", 0x43, 0x02,
	      "cache requests (REQ1) entering the receive AGF"),
	LINK_RX(SPR_EMR, "AGF_INSERTS.CACHE_RSP0", 0x43, 0x04,
	      "cache responses (RSP0) entering the receive AGF"),
	LINK_RX(SPR_EMR, "AGF_INSERTS.CACHE_RSP1", 0x43, 0x40,
	      "cache responses (RSP1) entering the receive AGF"),
	LINK_RX(SPR_EMR, "AGF_INSERTS.MEM_DATA", 0x43, 0x20,
	      "memory data entering the receive AGF"),
	LINK_RX(SPR_EMR, "AGF_INSERTS.MEM_REQ", 0x43, 0x10,
	      "memory requests entering the receive AGF"),
	LINK_RX(SPR_EMR, "FLITS.AK_HDR", 0x4B, 0x10, "flits received with Ak set in the header"),
	LINK_RX(SPR_EMR, "FLITS.BE_HDR", 0x4B, 0x20, "flits received with BE set in the header"),
	LINK_RX(SPR_EMR, "FLITS.CTRL", 0x4B, 0x04, "control flits received"),
	LINK_RX(SPR_EMR, "FLITS.NO_HDR", 0x4B, 0x08, "flits received without a header"),
	LINK_RX(SPR_EMR, "FLITS.PROT", 0x4B, 0x02, "protocol flits received"),
	LINK_RX(SPR_EMR, "FLITS.SZ_HDR", 0x4B, 0x40, "flits received with Sz set in the header"),
	LINK_RX(SPR_EMR, "FLITS.VALID", 0x4B, 0x01, "valid flits received"),
	LINK_RX(SPR_EMR, "FLITS.VALID_MSG", 0x4B, 0x80, "valid messages in flits received"),
	LINK_RX(SPR_EMR, "MISC.CRC_ERRORS", 0x40, 0x08, "CRC errors in what is received"),
	LINK_RX(SPR_EMR, "MISC.INIT", 0x40, 0x04, "INIT control flits received"),
	LINK_RX(SPR_EMR, "MISC.LLCRD", 0x40, 0x01, "LLCRD control flits received"),
	LINK_RX(SPR_EMR, "MISC.RETRY", 0x40, 0x02, "RETRY control flits received"),
	LINK_RX(SPR_EMR, "PACK_BUF_FULL.CACHE_DATA", 0x52, 0x04,
	      "link clocks in which the receive buffer of cache data is full"),
	LINK_RX(SPR_EMR, "PACK_BUF_FULL.CACHE_REQ", 0x52, 0x01,
	      "link clocks in which the receive buffer of cache requests is full"),
	LINK_RX(SPR_EMR, "PACK_BUF_FULL.CACHE_RSP", 0x52, 0x02,
	      "link clocks in which the receive buffer of cache responses is full"),
	LINK_RX(SPR_EMR, "PACK_BUF_FULL.MEM_DATA", 0x52, 0x10,
	      "link clocks in which the receive buffer of memory data is full"),
	LINK_RX(SPR_EMR, "PACK_BUF_FULL.MEM_REQ", 0x52, 0x08,
	      "link clocks in which the receive buffer of memory requests is full"),
	LINK_RX(SPR_EMR, "PACK_BUF_INSERTS.CACHE_DATA", 0x41, 0x04,
	      "cache data entering the receive buffer"),
	LINK_RX(SPR_EMR, "PACK_BUF_INSERTS.CACHE_REQ", 0x41, 0x01,
	      "cache requests entering the receive buffer"),
	LINK_RX(SPR_EMR, "PACK_BUF_INSERTS.CACHE_RSP", 0x41, 0x02,
	      "cache responses entering the receive buffer"),
	LINK_RX(ALL, "PACK_BUF_INSERTS.MEM_DATA", 0x41, 0x10,
	      "memory data entering the receive buffer"),
	LINK_RX(SPR_EMR, "PACK_BUF_INSERTS.MEM_REQ", 0x41, 0x08,
	      "memory requests entering the receive buffer"),
	LINK_RX(SPR_EMR, "PACK_BUF_NE.CACHE_DATA", 0x42, 0x04,
	      "link clocks in which the receive buffer of cache data is not empty"),
	LINK_RX(SPR_EMR, "PACK_BUF_NE.CACHE_REQ", 0x42, 0x01,
	      "link clocks in which the receive buffer of cache requests is not empty"),
	LINK_RX(SPR_EMR, "PACK_BUF_NE.CACHE_RSP", 0x42, 0x02,
	      "link clocks in which the receive buffer of cache responses is not empty"),
	LINK_RX(SPR_EMR, "PACK_BUF_NE.MEM_DATA", 0x42, 0x10,
	      "link clocks in which the receive buffer of memory data is not empty"),
	LINK_RX(SPR_EMR, "PACK_BUF_NE.MEM_REQ", 0x42, 0x08,
	      "link clocks in which the receive buffer of memory requests is not empty"),
	LINK_TX(SPR_EMR, "FLITS.AK_HDR", 0x05, 0x10, "flits sent with Ak set in the header"),
	LINK_TX(SPR_EMR, "FLITS.BE_HDR", 0x05, 0x20, "flits sent with BE set in the header"),
	LINK_TX(SPR_EMR, "FLITS.CTRL", 0x05, 0x04, "control flits sent"),
	LINK_TX(SPR_EMR, "FLITS.NO_HDR", 0x05, 0x08, "flits sent without a header"),
	LINK_TX(SPR_EMR, "FLITS.PROT", 0x05, 0x02, "protocol flits sent"),
	LINK_TX(SPR_EMR, "FLITS.SZ_HDR", 0x05, 0x40, "flits sent with Sz set in the header"),
	LINK_TX(SPR_EMR, "FLITS.VALID", 0x05, 0x01, "valid flits sent"),
	LINK_TX(SPR_EMR, "PACK_BUF_INSERTS.CACHE_DATA", 0x02, 0x04,
	      "cache data entering the transmit buffer"),
	LINK_TX(SPR_EMR, "PACK_BUF_INSERTS.CACHE_REQ0", 0x02, 0x01,
	      "cache requests (REQ0) entering the transmit buffer"),
	LINK_TX(SPR_EMR, "PACK_BUF_INSERTS.CACHE_REQ1", 0x02, 0x40,
	      "cache requests (REQ1) entering the transmit buffer"),
	LINK_TX(SPR_EMR, "PACK_BUF_INSERTS.CACHE_RSP0", 0x02, 0x02,
	      "cache responses (RSP0) entering the transmit buffer"),
	LINK_TX(SPR_EMR, "PACK_BUF_INSERTS.CACHE_RSP1", 0x02, 0x20,
	      "cache responses (RSP1) entering the transmit buffer"),
	LINK_TX(SPR_EMR, "PACK_BUF_INSERTS.MEM_DATA", 0x02, 0x10,
	      "memory data entering the transmit buffer"),
	LINK_TX(SPR_EMR, "PACK_BUF_INSERTS.MEM_REQ", 0x02, 0x08,
	      "memory requests entering the transmit buffer"),

	CXLDP(SPR_EMR, "CLOCKTICKS", 0x01, 0x01, "clocks of the uncore"),
	CXLDP(ALL, "TxC_AGF_INSERTS.M2S_DATA", 0x02, 0x20,
	      "M2S data (to the device's memory) entering the transmit AGF"),
	CXLDP(SPR_EMR, "TxC_AGF_INSERTS.M2S_REQ", 0x02, 0x10,
	      "M2S requests (to the device's memory) entering the transmit AGF"),
	CXLDP(SPR_EMR, "TxC_AGF_INSERTS.U2C_DATA", 0x02, 0x08,
	      "U2C data entering the transmit AGF"),
	CXLDP(SPR_EMR, "TxC_AGF_INSERTS.U2C_REQ", 0x02, 0x01,
	      "U2C requests entering the transmit AGF"),
	CXLDP(SPR_EMR, "TxC_AGF_INSERTS.U2C_RSP0", 0x02, 0x02,
	      "U2C responses (RSP0) entering the transmit AGF"),
	CXLDP(SPR_EMR, "TxC_AGF_INSERTS.U2C_RSP1", 0x02, 0x04,
	      "U2C responses (RSP1) entering the transmit AGF"),

	EVENT(ALL, "UNC_CHA_CLOCKTICKS", PMU_CHA, 0x01, 0x00, "clocks of the CHA"),
	TOR_REQUESTS(TOR_INSERTS, TOR_INSERTS)
	TOR_REQUESTS(TOR_OCCUPANCY, NOT_COUNTED)

	CAS(SPR_EMR, ".ALL", 0x05, 0xFF, "column accesses"),
	CAS(SPR_EMR, ".PCH0", 0x05, 0x40, "column accesses on pseudo-channel 0"),
	CAS(SPR_EMR, ".PCH1", 0x05, 0x80, "column accesses on pseudo-channel 1"),
	CAS(SPR_EMR, ".RD", 0x05, 0xCF, "column reads"),
	CAS(SPR_EMR, ".RD_PRE_REG", 0x05, 0xC2, "regular column reads with auto-precharge"),
	CAS(SPR_EMR, ".RD_PRE_UNDERFILL", 0x05, 0xC8, "underfill column reads with auto-precharge"),
	CAS(SPR_EMR, ".RD_REG", 0x05, 0xC1, "regular column reads"),
	CAS(SPR_EMR, ".RD_UNDERFILL", 0x05, 0xC4, "underfill column reads"),
	CAS(SPR_EMR, ".WR", 0x05, 0xF0, "column writes"),
	CAS(SPR_EMR, ".WR_NONPRE", 0x05, 0xD0, "column writes without auto-precharge"),
	CAS(SPR_EMR, ".WR_PRE", 0x05, 0xE0, "column writes with auto-precharge"),
	SUBCHANNEL("0", 0x05),
	SUBCHANNEL("1", 0x06),
	EVENT(ALL, "UNC_M_CLOCKTICKS", PMU_IMC, 0x01, 0x01, "clocks of the memory controller"),
	EVENT(ALL, "UNC_M_HCLOCKTICKS", PMU_IMC, 0x01, 0x00,
	      "HCLOCK ticks of the memory controller"),

	HBM_CAS("ALL", 0xFF, "column accesses to HBM"),
	HBM_CAS("RD", 0xCF, "column reads of HBM"),
	HBM_CAS("WR", 0xF0, "column writes to HBM"),

	EVENT(ALL, "UNC_UPI_CLOCKTICKS", PMU_UPI, 0x01, 0x00, "clocks of the UPI link layer"),
	EVENT(ALL, "UNC_UPI_RxL_FLITS.ALL_DATA", PMU_UPI, 0x03, 0x0F,
	      "data flits received over UPI"),
	EVENT(ALL, "UNC_UPI_RxL_FLITS.ALL_NULL", PMU_UPI, 0x03, 0x27,
	      "empty slots of flits received over UPI"),
	EVENT(ALL, "UNC_UPI_RxL_FLITS.IDLE", PMU_UPI, 0x03, 0x47, "idle flits received over UPI"),
	EVENT(ALL, "UNC_UPI_RxL_FLITS.NON_DATA", PMU_UPI, 0x03, 0x97,
	      "slots with headers and credits received over UPI"),
	EVENT(ALL, "UNC_UPI_TxL_FLITS.ALL_DATA", PMU_UPI, 0x02, 0x0F, "data flits sent over UPI"),
	EVENT(ALL, "UNC_UPI_TxL_FLITS.ALL_NULL", PMU_UPI, 0x02, 0x27,
	      "empty slots of flits sent over UPI"),
	EVENT(ALL, "UNC_UPI_TxL_FLITS.IDLE", PMU_UPI, 0x02, 0x47, "idle flits sent over UPI"),
	EVENT(ALL, "UNC_UPI_TxL_FLITS.NON_DATA", PMU_UPI, 0x02, 0x97,
	      "slots with headers and credits sent over UPI"),

	EVENT(SPR_EMR, "UNC_M3UPI_CLOCKTICKS", PMU_M3UPI, 0x01, 0x00, "clocks of the M3UPI"),

	EVENT(GNR_ON, "UNC_B2CXL_CLOCKTICKS", PMU_B2CXL, 0x01, 0x00, "clocks of the B2CXL"),

	EVENT(GNR_ON, "UNC_B2UPI_CLOCKTICKS", PMU_B2UPI, 0x01, 0x00, "clocks of the B2UPI"),

	/* unpublished: as Intel PCM programs them, see gnr.c */
	LINK_RX(GNR | SRF, "PACK_BUF_INSERTS.CACHE_DATA", 0x41, 0x04,
	      "cache data entering the receive buffer"),
	LINK_TX(GNR | SRF, "PACK_BUF_INSERTS.CACHE_DATA", 0x02, 0x04,
	      "cache data entering the transmit buffer"),

	/*
	 * sapphirerapids_core: reads that persistent memory supplied. Granite Rapids has the same
	 * codes for CXL memory. No publication says if they count CXL memory here: selftest
	 * measures it, and no metric uses them.
	 */
	ON(SPR_EMR, "OCR.READS_TO_CORE.LOCAL_SOCKET_PMM", PMU_CORE, 0x2A, 0x01, 0, CORE_0_TO_3,
	   "reads by the core that this socket's persistent (perhaps CXL) memory supplied", CORE_ALL_RINGS,
	   UINT64_C(0x700C04477), .limit = LIMIT_CLOCK),
	ON(SPR_EMR, "OCR.READS_TO_CORE.REMOTE_PMM", PMU_CORE, 0x2A, 0x01, 0, CORE_0_TO_3,
	   "reads by the core that another socket's persistent (perhaps CXL) memory supplied", CORE_ALL_RINGS,
	   UINT64_C(0x703004477), .limit = LIMIT_CLOCK),

	/* sapphirerapids_core, emeraldrapids_core and graniterapids_core: stall cycles of cores */
	STALLS("MEMORY_ACTIVITY.STALLS_L1D_MISS", 0x47, 0x03, CORE_0_TO_3, 3,
	       "clocks without execution while a demand load that missed the L1D is outstanding"),
	STALLS("MEMORY_ACTIVITY.STALLS_L2_MISS", 0x47, 0x05, CORE_0_TO_3, 5,
	       "clocks without execution while a demand load that missed the L2 is outstanding"),
	STALLS("MEMORY_ACTIVITY.STALLS_L3_MISS", 0x47, 0x09, CORE_0_TO_3, 9,
	       "clocks without execution while a demand load that missed the L3 is outstanding"),
	STALLS("EXE_ACTIVITY.BOUND_ON_STORES", 0xA6, 0x40, CORE_0_TO_7, 2,
	       "clocks in which the store buffer is full, and no load causes a stall"),
	STALLS("OFFCORE_REQUESTS.DEMAND_DATA_RD", 0x21, 0x01, CORE_0_TO_3, 0,
	       "demand data reads that missed the L2"),
	STALLS("OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_DATA_RD", 0x20, 0x01, CORE_0_TO_3, 1,
	       "clocks in which a demand data read that missed the L2 is outstanding"),
	STALLS("MEM_LOAD_RETIRED.L1_MISS", 0xD1, 0x08, CORE_0_TO_3, 0,
	       "retired loads that missed the L1D, and whose line was not on its way to it"),
	STALLS("MEM_LOAD_RETIRED.FB_HIT", 0xD1, 0x40, CORE_0_TO_3, 0,
	       "retired loads that missed the L1D, and whose line was on its way to it"),
	LOADS("RETIRED.L1_HIT", 0xD1, 0x01, "the L1D supplied"),
	LOADS("RETIRED.L2_HIT", 0xD1, 0x02, "the L2 supplied"),
	LOADS("RETIRED.L3_HIT", 0xD1, 0x04, "the L3 supplied"),
	LOADS("RETIRED.L3_MISS", 0xD1, 0x20, "missed the L3"),
	LOADS("L3_MISS_RETIRED.LOCAL_DRAM", 0xD3, 0x01, "DRAM of this socket supplied"),
	LOADS("L3_MISS_RETIRED.REMOTE_DRAM", 0xD3, 0x02, "DRAM of another socket supplied"),
	LOADS("L3_MISS_RETIRED.REMOTE_HITM", 0xD3, 0x04, "another socket's cache supplied, modified there"),
	LOADS("L3_MISS_RETIRED.REMOTE_FWD", 0xD3, 0x08, "another socket's cache forwarded"),
	ON(P_CORES, "OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD", PMU_CORE, 0x20, 0x01, 0, CORE_0_TO_3,
	   "demand data reads that missed the L2 and are outstanding, in each clock", CORE_ALL_RINGS),

	/*
	 * sierraforest_core and clearwaterforest_core: stall cycles of E-cores, by the load that a
	 * core waits for. Clearwater Forest's list has no sum of loads that missed the L3.
	 */
	STALLS_LOAD(SRF_CWF, "L2_HIT", 0x01, "demand loads that hit the L2"),
	STALLS_LOAD(SRF_CWF, "LLC_HIT", 0x06, "demand loads that hit the L3"),
	STALLS_LOAD(SRF, "LLC_MISS", 0x78, "demand loads that missed the L3"),
	STALLS_LOAD(CWF, "LLC_MISS_OTHERMOD", 0x08, "demand loads that another module of the die supplied"),
	STALLS_LOAD(CWF, "LLC_MISS_LOCALMEM", 0x10, "demand loads that memory of this socket supplied"),
	STALLS_LOAD(SRF, "L2_MISS", 0x7E, "demand loads that missed the L2"),
	STALLS_LOAD(SRF, "ALL", 0x7F, "demand loads that missed the L1D"),
	STALLS_LOAD(SRF, "SBFULL", 0x80, "a full store buffer"),

	/*
	 * The same lists: retired loads of E-cores by their supplier. WCB is the buffer of a line
	 * on its way to the L1D. LOCAL_DRAM may count CXL memory, and REMOTE_DRAM_OR_NOFWD also
	 * counts DRAM of the same socket: neither is here.
	 */
	LOAD_UOPS(SRF_CWF, "UOPS_RETIRED.ALL_LOADS", 0xD0, 0x81, ""),
	LOAD_UOPS(SRF_CWF, "LOAD_UOPS_RETIRED.L1_HIT", 0xD1, 0x01, " that the L1D supplied"),
	LOAD_UOPS(SRF, "LOAD_UOPS_RETIRED.WCB_HIT", 0xD1, 0x20, " whose line was on its way to the L1D"),
	LOAD_UOPS(SRF_CWF, "LOAD_UOPS_RETIRED.L2_HIT", 0xD1, 0x02, " that the L2 supplied"),
	LOAD_UOPS(SRF_CWF, "LOAD_UOPS_RETIRED.L3_HIT", 0xD1, 0x1C, " that the L3 supplied"),
	LOAD_UOPS(SRF_CWF, "LOAD_UOPS_L3_MISS_RETIRED.ALL", 0xD3, 0xFF, " that missed the L3"),

	{.name = NULL},
};
/* clang-format on */
