/* SPDX-License-Identifier: BSD-3-Clause */
/* An event of an uncore unit, and the value of the counter control that selects it. */
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
#define PMON_CTL_UMASK_EXT_SHIFT 32

struct event {
	const char *name; /* as Intel's event lists spell it */
	uint16_t box;	  /* enum box_type: the units that have it */
	uint8_t code;
	uint8_t umask;
	uint32_t umask_ext;
	uint32_t counters; /* bit i: counter i can count it */
};

static inline uint64_t event_control(const struct event *event)
{
	return (uint64_t)event->code << PMON_CTL_EVENT_SHIFT |
	       (uint64_t)event->umask << PMON_CTL_UMASK_SHIFT |
	       (uint64_t)event->umask_ext << PMON_CTL_UMASK_EXT_SHIFT;
}

#endif
