/* SPDX-License-Identifier: BSD-3-Clause */
/* Events, and the counter control values that select them. */
#ifndef CXLMON_UNCORE_MODEL_EVENT_H
#define CXLMON_UNCORE_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A counter control: the event in bits 7:0, umask in 15:8, and the fields of its PMU type. On AMD,
 * an event goes on in bits 37:32, and a umask in 27:24. Bit 20 (overflow enable) is never set by
 * cxlmon; bit 22 enables a counter on AMD, and stays 0 elsewhere.
 */
#define PMON_CTL_EVENT_SHIFT	  0
#define PMON_CTL_UMASK_SHIFT	  8
#define PMON_CTL_UMASK_HIGH_SHIFT 24 /* bits 11:8 of the umask */
#define PMON_CTL_EVENT_HIGH_SHIFT 32 /* bits 13:8 of the event */
#define PMON_CTL_OVERFLOW_ENABLE  (UINT64_C(1) << 20)
#define PMON_CTL_UMASK_EXT_SHIFT  32 /* where a PMU type has it */

enum control_field {
	CONTROL_UMASK_EXT,
	CONTROL_THRESHOLD,
	CONTROL_EDGE,
	CONTROL_INVERT,
	CONTROL_TID,	     /* filter by thread */
	CONTROL_PORT_ENABLE, /* the ports that a CXLCM of several counts */
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

/* The bits of a counter control in which a PMU type has each field; 0 bits: it lacks the field. */
struct control_layout {
	struct {
		uint8_t first, bits;
	} fields[CONTROL_FIELDS];
	uint8_t event_bits, umask_bits; /* 0: 8 */
	const char *perf_umask;		/* the kernel's name of the umask; NULL: "umask" */
};

/*
 * Layouts of counter controls. Generic: units from Sapphire Rapids on. Source: the kernel's
 * uncore_discovery.h (GENERIC_PMON_*) and Intel PCM (UNC_PMON_CTL_*).
 */
extern const struct control_layout control_generic;
extern const struct control_layout control_cha;	   /* with tid */
extern const struct control_layout control_narrow; /* 32 bits: without umask_ext */

/* The highest numbers of an event and of a umask. */
uint64_t control_max_event(const struct control_layout *layout);
uint64_t control_max_umask(const struct control_layout *layout);

/* The highest value of a field; 0: the PMU type doesn't have it. */
uint64_t control_max(const struct control_layout *layout, enum control_field field);

/* The value of a field, shifted to the field's bits. It must not be above control_max(). */
uint64_t control_bits(const struct control_layout *layout, enum control_field field,
		      uint64_t value);

/* The bits of a counter control that cxlmon may write. */
uint64_t control_mask(const struct control_layout *layout);

/* What is known of the most that an event counts. */
enum event_limit {
	LIMIT_UNKNOWN,
	LIMIT_CLOCK,   /* one a clock, of whatever */
	LIMIT_RETIRED, /* instructions of a CPU */
	LIMIT_CAS,     /* column accesses of a channel, */
	LIMIT_HBM_CAS, /* and of one of HBM */
	LIMIT_TOR_INSERTS,
	LIMIT_TOR_OCCUPANCY,
	LIMIT_L3_LATENCY, /* latencies that AMD's L3 caches have sampled, all together */
};

struct event {
	const char *name; /* as Intel's event lists spell it */
	uint16_t type;	  /* enum pmu_type_number: the units that have it */
	uint16_t code;
	uint16_t umask;
	uint32_t umask_ext;
	uint32_t counters; /* bit i: counter i can count it */
	const char *help;  /* short description; may be NULL for raw events */
	/* other bits of the control: edge, invert, threshold, usr/os...; of a CPMU: CPMU_EVENT() */
	uint64_t modifiers;
	/* of core event 0x2A: what IA32_OFFCORE_RSP_0 must hold, or _1 for 0x2B in its place; 0:
	 * none */
	uint64_t offcore_rsp;
	uint8_t models;	 /* in a table of several: the models that have it, bits of
			    model.event_list; 0: all */
	bool one_source; /* its meaning is published in one place only, and not confirmed */
	/* of a CPMU: events of the group that are added up with those of CPMU_EVENT(), or counted
	 * alone if that has none, where the device counts them */
	uint32_t optional;
	/*
	 * What the kernel calls it in the PMU's folder events, with fields that are set to 1:
	 * "mem_bytes_rd,dst_loc_cmem". Its code is then a number of ours. NULL: code and umask
	 */
	const char *perf_alias;
	/* CXL memory, or where the socket has no region of it, maybe something else: not counted */
	bool needs_region;
	enum event_limit limit; /* of what a counter of it counts */
};

/* No clock of a processor, of its memory or of a device runs faster, in Hz. */
#define CLOCK_RATE 8e9

/* How much one counter can count. */
struct event_rate {
	double per_s;
	double per_clock; /* of its unit, where that is counted beside it; 0: not known */
};

/* All limits are here, in event.c; that of a raw event is found by its code. */
struct event_rate event_max_rate(const struct event *event);

uint64_t event_control(const struct event *event);

/*
 * Numbers of the counters of a CPU: 0-15 fixed counters, 16-30 general-purpose counters, 31 the
 * time stamp counter, which is free-running.
 */

#define CORE_COUNTER_GENERAL  16 /* + x */
#define CORE_COUNTERS_FIXED   UINT32_C(0x0000FFFF)
#define CORE_COUNTERS_GENERAL UINT32_C(0x7FFF0000)
#define CORE_COUNTER_TSC      31

#define CORE_FIXED(n) (UINT32_C(1) << (n))
#define CORE_TSC      (UINT32_C(1) << CORE_COUNTER_TSC)

#endif
