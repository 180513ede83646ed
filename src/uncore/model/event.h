/* SPDX-License-Identifier: BSD-3-Clause */
/* Events, and the counter control values that select them. */
#ifndef CXLMON_UNCORE_MODEL_EVENT_H
#define CXLMON_UNCORE_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A counter control: the event in bits 7:0, umask in 15:8, and the fields of its PMU type. On AMD,
 * an event also has bits 37:32, and a umask 27:24. cxlmon never sets bit 20 (overflow enable); bit
 * 22 enables a counter on AMD, and stays 0 elsewhere.
 */
#define PMON_CTL_EVENT_SHIFT	  0
#define PMON_CTL_UMASK_SHIFT	  8
#define PMON_CTL_UMASK_HIGH_SHIFT 24 /* bits 11:8 of the umask */
#define PMON_CTL_EVENT_HIGH_SHIFT 32 /* bits 13:8 of the event */
#define PMON_CTL_OVERFLOW_ENABLE  (UINT64_C(1) << 20)
#define PMON_CTL_UMASK_EXT_SHIFT  32 /* for PMU types that have it */

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

/* Bits of a counter control in which a PMU type has each field; 0 bits: it lacks the field. */
struct control_layout {
	struct {
		uint8_t first, bits;
	} fields[CONTROL_FIELDS];
	uint8_t event_bits, umask_bits; /* 0: 8 */
	const char *perf_umask;		/* the kernel's name of the umask field; NULL: "umask" */
};

/*
 * Layouts of counter controls. control_generic is for units from Sapphire Rapids on. Source: the
 * kernel's uncore_discovery.h (GENERIC_PMON_*) and Intel PCM (UNC_PMON_CTL_*).
 */
extern const struct control_layout control_generic;
extern const struct control_layout control_cha;	   /* with tid */
extern const struct control_layout control_narrow; /* 32 bits: without umask_ext */

/* Return the highest numbers of an event and of a umask. */
uint64_t control_max_event(const struct control_layout *layout);
uint64_t control_max_umask(const struct control_layout *layout);

/* Returns the highest value of a field; 0: the PMU type does not have it. */
uint64_t control_max(const struct control_layout *layout, enum control_field field);

/*
 * Returns a field's value shifted to the field's bits. The value must not be above control_max().
 */
uint64_t control_bits(const struct control_layout *layout, enum control_field field,
		      uint64_t value);

/* Returns the bits of a counter control that cxlmon may write. */
uint64_t control_mask(const struct control_layout *layout);

/* Physical limits of how fast an event can count. */
enum event_limit {
	LIMIT_UNKNOWN,
	LIMIT_CLOCK,   /* one event per clock */
	LIMIT_RETIRED, /* instructions of a CPU */
	LIMIT_CAS,     /* column accesses of a channel */
	LIMIT_HBM_CAS, /* column accesses of an HBM channel */
	LIMIT_TOR_INSERTS,
	LIMIT_TOR_OCCUPANCY,
	LIMIT_L3_LATENCY, /* summed latencies that AMD's L3 caches have sampled */
};

struct event {
	const char *name; /* as Intel's event lists spell it */
	uint16_t type;	  /* enum pmu_type_number: the type of units that have it */
	uint16_t code;
	uint16_t umask;
	uint32_t umask_ext;
	uint32_t counters; /* bit i: counter i can count it */
	const char *help;  /* short description; may be NULL for raw events */
	/* other bits of the control: edge, invert, threshold, usr, os...; for a CPMU:
	 * CPMU_EVENT() */
	uint64_t modifiers;
	/* for core event 0x2A: value of IA32_OFFCORE_RSP_0, or of _1 if 0x2B is used in its
	 * place; 0: needs none */
	uint64_t offcore_rsp;
	/* bits of model.event_list: the models that have it, in a table of several models; 0:
	 * all */
	uint8_t models;
	bool one_source; /* its meaning is published in only one place, and is not confirmed */
	/* for a CPMU: events of the group that are counted if the device has them: added to
	 * CPMU_EVENT()'s or, if that has none, without others */
	uint32_t optional;
	/*
	 * Name in the folder events of the kernel's PMU, with fields that are set to 1:
	 * "mem_bytes_rd,dst_loc_cmem". Its code is then a number of cxlmon's. NULL: code and umask
	 * select it.
	 */
	const char *perf_alias;
	/* counts CXL memory, but if the socket has no CXL region, maybe something else: then it
	 * is not counted */
	bool needs_region;
	enum event_limit limit; /* the most that one counter can count */
};

/* A rate in Hz that no clock of a processor, of its memory or of a device exceeds. */
#define CLOCK_RATE 8e9

/* The most that one counter can count. */
struct event_rate {
	double per_s;
	double per_clock; /* per clock of its unit, if the clock is counted with it; 0: unknown */
};

/* Returns an event's limit. All limits are in event.c; a raw event's is found by its code. */
struct event_rate event_max_rate(const struct event *event);

uint64_t event_control(const struct event *event);

/*
 * Numbers of a CPU's counters: 0-15 fixed counters, 16-30 general-purpose counters, 31 the time
 * stamp counter, which is free-running.
 */

#define CORE_COUNTER_GENERAL  16 /* + x */
#define CORE_COUNTERS_FIXED   UINT32_C(0x0000FFFF)
#define CORE_COUNTERS_GENERAL UINT32_C(0x7FFF0000)
#define CORE_COUNTER_TSC      31

#define CORE_FIXED(n) (UINT32_C(1) << (n))
#define CORE_TSC      (UINT32_C(1) << CORE_COUNTER_TSC)

#endif
