/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of several units in a message: "socket 0 cha 0-3,7, imc 2, socket 1 cha 0". */
#ifndef CXLMON_DOCTOR_NAMES_H
#define CXLMON_DOCTOR_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "uncore/unit.h"

#define DOCTOR_NAMES_SIZE 512

struct doctor_names {
	size_t count;	/* units that were added */
	size_t omitted; /* of these, those that had no room */
	size_t used;	/* bytes of text */
	bool range;	/* text ends in the range that last is the end of */
	const struct unit *last;
	char text[DOCTOR_NAMES_SIZE];
};

/*
 * Adds a unit, which must not be freed before the last doctor_names_add(). Units come by socket,
 * die, type and id; consecutive ids become a range.
 */
void doctor_names_add(struct doctor_names *names, const struct unit *unit);

#define DOCTOR_NO_RESPONSE "no response (reads as all ones): powered down or not present"

/* The list, ending in "and 12 more" if it is longer than the text; "" if it is empty. */
const char *doctor_names_end(struct doctor_names *names);

#endif
