/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The health of a CXL memory device: the answer to Get Health Info, mailbox opcode 4200h of the CXL
 * specification (8.2.9.9.3.1, table 8-133 of 3.1).
 */
#ifndef CXLMON_PLATFORM_DEVICE_HEALTH_H
#define CXLMON_PLATFORM_DEVICE_HEALTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
