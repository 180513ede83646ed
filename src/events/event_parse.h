/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parser for events that name their unit: UNIT/NAME/, with a NAME in the catalogue; or raw events,
 * UNIT/TERM,TERM.../. UNIT is the name of a PMU type of the model, "core" or "cpmu"; TERM is one of
 *
 *   event=N umask=N umask_ext=N thresh=N port_en=N rs3_sel=N rx_sel=N tx_sel=N iep_sel=N vc_sel=N
 *   port_sel=N cmask=N counter=N coreid=N sliceid=N threadmask=N name=WORD edge inv tid
 *   enallslices enallcores usr os any
 *
 * if the PMU type has it. event= is required; no term may be given twice. The terms for a CPMU are
 *
 *   vendor=N group=N mask=N name=WORD
 *
 * where group= and mask= are required.
 */
#ifndef CXLMON_EVENTS_EVENT_PARSE_H
#define CXLMON_EVENTS_EVENT_PARSE_H

#include "base/error.h"
#include "base/text.h"
#include "events/event_catalogue.h"

/* An event, with storage for its name. */
struct parsed_event {
	struct event event;
	char name[EVENT_NAME_SIZE];
};

#define EVENT_TERMS_SIZE 192

/* Writes the terms that raw events of a PMU type can have: "event, umask, ...". Returns text. */
const char *event_terms(const struct model *model, uint16_t pmu_type, char text[EVENT_TERMS_SIZE]);

/*
 * Parses an event; text ends with the closing slash. Without name=, the event's name is text, in
 * out->name. Its counters are copied from the catalogue's event with the same encoding or, if there
 * is none, from rules_counters(). -EINVAL (ERROR_USAGE): text is invalid.
 */
int event_parse(const struct event_catalogue *catalogue, const char *text, struct parsed_event *out,
		struct error *err);

#endif
