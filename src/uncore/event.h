/* SPDX-License-Identifier: BSD-3-Clause */
/* Events, and the counter control values that select them. */
#ifndef CXLMON_EVENT_H
#define CXLMON_EVENT_H

#include <stdint.h>

/*
 * Counter control of the generic units from Sapphire Rapids on. Source: the kernel's
 * arch/x86/events/intel/uncore_discovery.h (GENERIC_PMON_*) and Intel PCM (UNC_PMON_CTL_*).
 * Bit 20 (overflow enable) and bit 22 (enable on older parts, reserved here) stay 0.
 */
#define PMON_CTL_EVENT_SHIFT	 0
#define PMON_CTL_UMASK_SHIFT	 8
#define PMON_CTL_TID_ENABLE	 (UINT64_C(1) << 16) /* CHA */
#define PMON_CTL_EDGE		 (UINT64_C(1) << 18)
#define PMON_CTL_OVERFLOW_ENABLE (UINT64_C(1) << 20) /* never set by cxlmon */
#define PMON_CTL_INVERT		 (UINT64_C(1) << 23)
#define PMON_CTL_THRESHOLD_SHIFT 24
#define PMON_CTL_UMASK_EXT_SHIFT 32

/* The bits of a counter control that cxlmon may write */
#define PMON_CTL_SELECTS                                                                           \
	(UINT64_C(0xFFFFFFFFFF00FFFF) | PMON_CTL_TID_ENABLE | PMON_CTL_EDGE | PMON_CTL_INVERT)

struct event {
	const char *name; /* as Intel's event lists spell it */
	uint16_t box;	  /* enum box_type: the units that have it */
	uint8_t code;
	uint8_t umask;
	uint32_t umask_ext;
	uint32_t counters;  /* bit i: counter i can count it */
	const char *help;   /* short description; may be NULL for raw events */
	uint64_t modifiers; /* other bits of the control: edge, invert, threshold, usr/os */
	/* of core event 0x2A: what IA32_OFFCORE_RSP_0 must hold, or _1 for 0x2B in its place; 0:
	 * none */
	uint64_t offcore_rsp;
};

static inline uint64_t event_control(const struct event *event)
{
	return (uint64_t)event->code << PMON_CTL_EVENT_SHIFT |
	       (uint64_t)event->umask << PMON_CTL_UMASK_SHIFT |
	       (uint64_t)event->umask_ext << PMON_CTL_UMASK_EXT_SHIFT | event->modifiers;
}

#endif
