/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics that the kernel has of NUMA nodes, of the whole machine, and of CXL devices. */
#ifndef CXLMON_PLATFORM_KERNEL_STATS_H
#define CXLMON_PLATFORM_KERNEL_STATS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/cxl.h"
#include "platform/pci_link.h"

enum kernel_stat {
	KERNEL_STAT_NONE,
	/*
	 * The memory of a node. Pages are counted since boot, a huge one as the pages that it is
	 * made of. The kernel counts a promotion on the node that the page has come to, a demotion
	 * on the node it has left (mm/migrate.c and mm/vmscan.c). What DAMON migrates is in none of
	 * these counters.
	 */
	NODE_USED, /* bytes, page cache included */
	NODE_FREE, /* bytes */
	NODE_PROMOTED,
	NODE_DEMOTED,	     /* before Linux 6.8 of the whole machine alone */
	NODE_HINTING_FAULTS, /* by NUMA balancing; of the whole machine alone */
	/* The narrowest hop of a device's link. */
	LINK_WIDTH, /* lanes */
	LINK_SPEED, /* transfers a second of a lane */
	LINK_RATE,  /* bytes a second each way: pci_link_rate() */
	/*
	 * Errors since boot that the functions on the way to a device have reported by Advanced
	 * Error Reporting. With firmware-first error handling the kernel sees none, and they stay
	 * 0. Source: the kernel's Documentation/ABI/testing/sysfs-bus-pci-devices-aer.
	 */
	AER_CORRECTABLE,
	AER_NONFATAL,
	AER_FATAL,
	/* What a device tells of itself: struct device_health. */
	DEVICE_TEMPERATURE, /* degrees Celsius */
	DEVICE_LIFE_USED,   /* 1: all of it */
	DEVICE_STATE,	    /* device_health.state */
	DEVICE_CORRECTED_ERRORS,
	KERNEL_STATS
};

/* Whether a statistic is of a CXL device; else it is of a NUMA node. */
static inline bool kernel_stat_is_of_device(enum kernel_stat stat)
{
	return stat >= LINK_WIDTH;
}

static inline bool kernel_stat_is_of_health(enum kernel_stat stat)
{
	return stat >= DEVICE_TEMPERATURE;
}

#define NODE_MACHINE (-1) /* in place of a node: the whole machine */

struct kernel_stats {
	uint64_t at_ns;		     /* when they were read: see clock_ops.now */
	double values[KERNEL_STATS]; /* NAN: not known */
};

/* Statistics, none of which is known. */
static inline struct kernel_stats kernel_stats_unknown(uint64_t at_ns)
{
	struct kernel_stats stats = {.at_ns = at_ns};

	for (unsigned i = 0; i < KERNEL_STATS; i++)
		stats.values[i] = NAN;
	return stats;
}

/* Errors of Advanced Error Reporting by kind: those that have happened since boot. */
#define AER_KINDS_MOST 48 /* the kernel has 9 correctable kinds, and 18 that are fatal or not */
#define AER_NAME_SIZE  24

struct aer_kind {
	enum kernel_stat severity; /* AER_CORRECTABLE, AER_NONFATAL or AER_FATAL */
	char name[AER_NAME_SIZE];  /* "BadTLP", as the kernel calls it */
	double count;
};

struct aer_kinds {
	struct aer_kind items[AER_KINDS_MOST];
	size_t count;
};

/* Adds to the count of a kind; where there is no room for another one, nothing. */
void aer_kinds_add(struct aer_kinds *kinds, enum kernel_stat severity, const char *name,
		   double count);

/* "correctable", "nonfatal" or "fatal". */
const char *aer_severity(enum kernel_stat severity);

/* A device's statistics, and its links now in the order of cxl_device.hops. */
struct device_stats {
	struct kernel_stats kernel; /* LINK_*: not set, but computed of the links */
	bool gone;		    /* it is not on the bus; then all is unknown */
	struct pci_link links[CXL_HOPS_MOST];
	struct aer_kinds kinds; /* of all functions on the way to it */
};

/*
 * What a CXL memory device says of its health: the answer to Get Health Info, mailbox opcode 4200h
 * of the CXL specification (8.2.9.9.3.1, table 8-133 of 3.1).
 */

/*
 * The state, as users see it: 0 is fine; else the sum of these bits, and of DEVICE_MEDIA times the
 * device's media status, which is 0 where its media is normal, and less than 256.
 */
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

#define DEVICE_MEDIA	  512
#define DEVICE_STATE_MOST (DEVICE_MEDIA * 256 - 1)

struct device_health {
	unsigned state;
	double temperature_C;	 /* NAN: the device does not say */
	double life_used_pct;	 /* likewise */
	double corrected_errors; /* since the device was made or reset, of all its memory */
};

/* The shortest time between two questions to a device, since each takes time of the device. */
#define DEVICE_HEALTH_PERIOD_NS UINT64_C(30000000000)

struct health_answer {
	size_t device;	/* index in the list of devices */
	int code;	/* 0; else a negative errno says why the rest is unknown */
	uint64_t at_ns; /* clock_monotonic() */
	struct device_health health;
};

/* The state, of the bytes Health Status, Media Status and Additional Status. */
unsigned device_state_decode(unsigned health_status, unsigned media_status,
			     unsigned additional_status);

/* Whether what another process has sent is one that it could have decoded. */
bool device_health_is_valid(const struct device_health *health);

/* Degrees Celsius, of the device's 16 bits. NAN: it has no sensor. */
double device_temperature(unsigned bits);

/* Decodes an answer. -EBADMSG: it is too short. */
int device_health_parse(const uint8_t *answer, size_t size, struct device_health *out);

/*
 * Writes "media data lost, temperature critical"; "fine" where the state is 0. The names of media
 * statuses are those of cxl list -H, with blanks. Returns text.
 */
#define DEVICE_HEALTH_TEXT_SIZE 256
const char *device_health_text(unsigned state, char text[DEVICE_HEALTH_TEXT_SIZE]);

/* A state from a number of a recording, which may be any; 0: it is no state. */
unsigned device_state_of(double number);

/* Events that the kernel's CXL driver reports: errors, and records of devices' event logs. */

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
