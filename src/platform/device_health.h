/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a CXL memory device says of its health: the answer to Get Health Info, mailbox opcode 4200h
 * of the CXL specification (8.2.9.9.3.1, table 8-133 of 3.1).
 */
#ifndef CXLMON_DEVICE_HEALTH_H
#define CXLMON_DEVICE_HEALTH_H

#include <stddef.h>
#include <stdint.h>

/* Bits of the state, as users see them: 0 is fine. */
enum device_state {
	STATE_MAINTENANCE_NEEDED = 1 << 0, /* bits 3:0 are the device's health status */
	STATE_PERFORMANCE_DEGRADED = 1 << 1,
	STATE_REPLACEMENT_NEEDED = 1 << 2,
	STATE_CAPACITY_DEGRADED = 1 << 3,
	STATE_TEMPERATURE_WARNING = 1 << 4,
	STATE_TEMPERATURE_CRITICAL = 1 << 5,
	STATE_LIFE_WARNING = 1 << 6,
	STATE_LIFE_CRITICAL = 1 << 7,
	STATE_ERRORS_WARNING = 1 << 8, /* corrected errors have reached the device's threshold */
};

#define DEVICE_TEMPERATURE_UNKNOWN 0x7FFF /* in the device's 16 bits */

struct device_health {
	unsigned state;
	double temperature_C;	 /* NAN: the device does not say */
	double life_used_pct;	 /* likewise */
	double corrected_errors; /* since the device was made or reset, of all its memory */
};

/* Devices are asked no oftener: each question takes their time. */
#define DEVICE_HEALTH_PERIOD_NS UINT64_C(30000000000)

struct health_answer {
	size_t device;	/* index in the list of devices */
	int code;	/* 0; else a negative errno says why the rest is unknown */
	uint64_t at_ns; /* clock_monotonic() */
	struct device_health health;
};

/* The state alone, from the bytes Health Status and Additional Status; the rest is unknown. */
struct device_health device_health_decode(unsigned health_status, unsigned additional_status);

/* Decodes an answer. -EBADMSG: it is too short. */
int device_health_parse(const uint8_t *answer, size_t size, struct device_health *out);

/* Writes "performance degraded, temperature critical"; "fine" where it is 0. Returns text. */
#define DEVICE_HEALTH_TEXT_SIZE 192
const char *device_health_text(unsigned state, char text[DEVICE_HEALTH_TEXT_SIZE]);

/* What the kernel's CXL driver reports: an error, or a record of a device's event log. */

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
	CXL_EVENT_POISON,
	CXL_EVENT_KINDS
};

/* "cxl_aer_uncorrectable_error", as the kernel names it. */
extern const char *const cxl_event_names[CXL_EVENT_KINDS];

#define CXL_EVENT_DEVICE_SIZE 32 /* "mem0", or of a port the name of its PCI function */
#define CXL_EVENT_TEXT_SIZE   192

struct cxl_event {
	enum cxl_event_kind kind;
	uint64_t wall_ns;		    /* since 1970, UTC */
	char device[CXL_EVENT_DEVICE_SIZE]; /* "": not known */
	char text[CXL_EVENT_TEXT_SIZE];	    /* one line; does not name the device */
};

#endif
