/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that the kernel's CXL driver reports: errors, and records of devices' event logs. */
#ifndef CXLMON_PLATFORM_CXL_EVENT_H
#define CXLMON_PLATFORM_CXL_EVENT_H

#include <stdint.h>

/* The trace events of the kernel's drivers/cxl/core/trace.h. */
enum cxl_event_kind {
	CXL_EVENT_AER_UNCORRECTABLE,
	CXL_EVENT_AER_CORRECTABLE,
	CXL_EVENT_PORT_AER_UNCORRECTABLE, /* of a port on the way to a device */
	CXL_EVENT_PORT_AER_CORRECTABLE,
	CXL_EVENT_OVERFLOW,
	CXL_EVENT_GENERIC,
	CXL_EVENT_GENERAL_MEDIA,
	CXL_EVENT_DRAM,
	CXL_EVENT_MEMORY_MODULE,
	CXL_EVENT_MEMORY_SPARING,
	CXL_EVENT_POISON,
	CXL_EVENT_KINDS
};

/* "cxl_aer_uncorrectable_error", as the kernel names it. */
extern const char *const cxl_event_names[CXL_EVENT_KINDS];

#define CXL_EVENT_DEVICE_SIZE 32  /* "mem0", or of a port the name of its PCI function */
#define CXL_EVENT_TEXT_SIZE   352 /* more than the longest sentence */

struct cxl_event {
	enum cxl_event_kind kind;
	uint64_t wall_ns;		    /* since 1970, UTC */
	char device[CXL_EVENT_DEVICE_SIZE]; /* "": not known */
	char text[CXL_EVENT_TEXT_SIZE];	    /* one line; does not name the device */
};

#endif
