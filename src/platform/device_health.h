/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The health of a CXL memory device: the answer to Get Health Info, mailbox opcode 4200h of the CXL
 * specification (8.2.9.9.3.1, table 8-133 of 3.1).
 */
#ifndef CXLMON_PLATFORM_DEVICE_HEALTH_H
#define CXLMON_PLATFORM_DEVICE_HEALTH_H

#include <stddef.h>
#include <stdint.h>

struct coder;

/*
 * Bits of a device's state, a number that users see. Bits 3:0 are the Health Status of the answer.
 * The state is the sum of these bits, and of the Media Status (0 to 255, 0: normal) times
 * DEVICE_MEDIA. 0: the device is fine.
 */
enum device_state {
	STATE_MAINTENANCE_NEEDED = 1 << 0,
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
#define DEVICE_STATE_MOST (DEVICE_MEDIA * 256 - 1) /* the highest state */

struct device_health {
	unsigned state;		 /* bits of enum device_state, and media status */
	double temperature_C;	 /* NAN: the device does not report it */
	double life_used_pct;	 /* NAN: the device does not report it */
	double corrected_errors; /* number since the device was made or reset */
};

/* The shortest time between two requests. A request keeps a device from other work. */
#define DEVICE_HEALTH_PERIOD_NS UINT64_C(30000000000)

/* An answer, as the helper process that asks devices sends it. */
struct health_answer {
	size_t device;	/* index in the list of cxl_ops.devices */
	int code;	/* 0; or the negative errno of a failed request, without .health */
	uint64_t at_ns; /* time of the answer: clock_monotonic() */
	struct device_health health;
};

/* Returns the state for three bytes of an answer. */
unsigned device_state_decode(unsigned health_status, unsigned media_status,
			     unsigned additional_status);

/* Codes an answer (base/coder.h). Decoding refuses values that no device reports. */
void health_answer_code(struct coder *c, struct health_answer *answer);

/* Converts the 16 bits of Device Temperature to degrees Celsius. NAN: not reported. */
double device_temperature(unsigned bits);

/* Decodes the bytes of an answer. 0; -EBADMSG: too few bytes, and *out is unchanged. */
int device_health_parse(const uint8_t *answer, size_t size, struct device_health *out);

/*
 * Writes a state in words: "media data lost, temperature critical", or "fine" for 0. Media statuses
 * have the names of cxl list -H. Returns text.
 */
#define DEVICE_HEALTH_TEXT_SIZE 256
const char *device_health_text(unsigned state, char text[DEVICE_HEALTH_TEXT_SIZE]);

/* Converts a number of a recording to a state; 0 if it is NAN or not a state. */
unsigned device_state_of(double number);

#endif
