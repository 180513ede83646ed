/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that units can count, and the counter controls that select them: values of the register
 * that belongs to a counter.
 */
#ifndef CXLMON_UNCORE_MODEL_EVENT_H
#define CXLMON_UNCORE_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Bits of a counter control. Other bits depend on the PMU type: enum control_field. On AMD, bit 22
 * enables a counter of a CPU, a data fabric or an L3 cache.
 */
#define PMON_CTL_EVENT_SHIFT	  0		      /* bits 7:0 of the event's code */
#define PMON_CTL_UMASK_SHIFT	  8		      /* bits 7:0 of the umask */
#define PMON_CTL_UMASK_HIGH_SHIFT 24		      /* AMD: bits 11:8 of the umask */
#define PMON_CTL_EVENT_HIGH_SHIFT 32		      /* AMD: bits 13:8 of the code */
#define PMON_CTL_OVERFLOW_ENABLE  (UINT64_C(1) << 20) /* never set here */
#define PMON_CTL_UMASK_EXT_SHIFT  32		      /* for PMU types that have it */

/* Fields of a counter control, except code and umask. */
enum control_field {
	CONTROL_UMASK_EXT,
	CONTROL_THRESHOLD,
	CONTROL_EDGE,
	CONTROL_INVERT,
	CONTROL_TID,	     /* filter by thread */
	CONTROL_PORT_ENABLE, /* selects ports of a CXLCM that has several */
	CONTROL_RS3_SEL,     /* selectors of PCIe units */
	CONTROL_RX_SEL,
	CONTROL_TX_SEL,
	CONTROL_IEP_SEL,
	CONTROL_VC_SEL,
	CONTROL_PORT_SEL,
	CONTROL_CORE_ID, /* selectors of AMD's L3 caches */
	CONTROL_ALL_SLICES,
	CONTROL_ALL_CORES,
	CONTROL_SLICE_ID,
	CONTROL_THREAD_MASK,
	CONTROL_FIELDS
};

/* The bits of each field in the counter controls of a PMU type. */
struct control_layout {
	struct {
		uint8_t first, bits; /* bits 0: the PMU type lacks the field */
	} fields[CONTROL_FIELDS];
	uint8_t event_bits, umask_bits; /* bits of a code and of a umask; 0: 8 */
	const char *perf_umask;		/* the kernel's name of the umask field; NULL: "umask" */
};

/*
 * Layouts of counter controls. control_generic is for units from Sapphire Rapids on. Source: the
 * kernel's uncore_discovery.h (GENERIC_PMON_*) and Intel PCM (UNC_PMON_CTL_*).
 */
extern const struct control_layout control_generic;
extern const struct control_layout control_cha;	   /* with tid */
extern const struct control_layout control_narrow; /* 32 bits: without umask_ext */

/* Return the highest code of an event, and the highest umask. */
uint64_t control_max_event(const struct control_layout *layout);
uint64_t control_max_umask(const struct control_layout *layout);

/* Returns the highest value of a field; 0: the PMU type does not have it. */
uint64_t control_max(const struct control_layout *layout, enum control_field field);

/* Returns the value, which must be at most control_max(), shifted to the field's bits. */
uint64_t control_bits(const struct control_layout *layout, enum control_field field,
		      uint64_t value);

/* Returns a mask of all bits of the layout: the code, the umask and all fields. */
uint64_t control_mask(const struct control_layout *layout);

/*
 * Physical limits of how fast an event can count. A CHA (caching and home agent) is an Intel unit
 * at a slice of the L3 cache; its TOR is the table of its outstanding requests.
 */
enum event_limit {
	LIMIT_UNKNOWN,	     /* a rate that no event exceeds */
	LIMIT_CLOCK,	     /* one event per clock */
	LIMIT_RETIRED,	     /* instructions that a CPU retires */
	LIMIT_CAS,	     /* column accesses of a DRAM channel */
	LIMIT_HBM_CAS,	     /* column accesses of an HBM channel */
	LIMIT_TOR_INSERTS,   /* one per clock of the CHA */
	LIMIT_TOR_OCCUPANCY, /* entries of a TOR, summed over clocks */
	LIMIT_L3_LATENCY,    /* summed latencies that AMD's L3 caches have sampled */
};

struct event {
	const char *name; /* as the vendor's event list or perf spells it */
	uint16_t type;	  /* enum pmu_type_number: the type of units that have it */
	uint16_t code;
	uint16_t umask;
	uint32_t umask_ext;
	uint32_t counters; /* bit i: counter i can count it */
	const char *help;  /* short description; NULL: a raw event, which users give as a code */
	/*
	 * Other bits of the control, such as edge, threshold, and rings of a core event. For the
	 * PMU of a CXL device (CPMU): a group and events of it, CPMU_EVENT().
	 */
	uint64_t modifiers;
	/*
	 * Only for core events with .code 0x2A: the value that an offcore response register must
	 * hold. If offcore_claim() has chosen IA32_OFFCORE_RSP_1 for it, not _0, the control gets
	 * code 0x2B. 0: the event needs no such register
	 */
	uint64_t offcore_rsp;
	/* the bits model.event_list of models that have it; 0: all that use its table have it */
	uint8_t models;
	bool one_source; /* its meaning is published in only one place, and is not confirmed */
	/*
	 * For a CPMU: mask of further events of the group in .modifiers. Those that the device has
	 * are added up with the events in .modifiers.
	 */
	uint32_t optional;
	/*
	 * For models with .kernel_counts, "mem_bytes_rd,dst_loc_cmem": the event's name in the
	 * folder events of the kernel's PMU, and the fields that are set to 1. .code is then
	 * cxlmon's own number. NULL: code and umask select the event
	 */
	const char *perf_alias;
	/* counted only on sockets with a CXL region: elsewhere it may count other accesses */
	bool needs_region;
	enum event_limit limit;
};

/* A rate in Hz that no clock of a processor, of its memory or of a device exceeds. */
#define CLOCK_RATE 8e9

/* The most events that one counter can count. */
struct event_rate {
	double per_s;
	double per_clock; /* per clock of its unit; 0: unknown */
};

/* Returns an event's limit; if it has no .limit, the limit for its type and code. */
struct event_rate event_max_rate(const struct event *event);

/* Returns the control that selects an event: its code, umask and modifiers. */
uint64_t event_control(const struct event *event);

/*
 * Numbers of a CPU's counters. 0 to 15 are fixed counters; 16 to 30 are general-purpose counters;
 * 31 is the time stamp counter, which always runs.
 */

#define CORE_COUNTER_GENERAL  16 /* + x */
#define CORE_COUNTERS_FIXED   UINT32_C(0x0000FFFF)
#define CORE_COUNTERS_GENERAL UINT32_C(0x7FFF0000)
#define CORE_COUNTER_TSC      31

#define CORE_FIXED(n) (UINT32_C(1) << (n))
#define CORE_TSC      (UINT32_C(1) << CORE_COUNTER_TSC)

#endif
