/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parser for events that name their unit:
 *
 *   UNIT/NAME/          an event by its NAME in the catalogue
 *   UNIT/TERM,TERM.../  a raw event
 *
 * UNIT is "core", "cpmu" (PMUs of CXL devices), or the name of a PMU type of the processor. On
 * cpmu, group= and mask= are required. mask= has from 1 to cpmu_events_at_once() bits. If vendor=
 * is not given, the event is one of the CXL specification (CPMU_VENDOR_CXL). The terms are:
 *
 *   vendor=N group=N mask=N name=WORD
 *
 * On other units, event= is required, and a term is valid only if the PMU type has it:
 *
 *   event=N umask=N umask_ext=N thresh=N port_en=N rs3_sel=N rx_sel=N tx_sel=N iep_sel=N vc_sel=N
 *   port_sel=N cmask=N counter=N coreid=N sliceid=N threadmask=N name=WORD edge inv tid
 *   enallslices enallcores usr os any
 *
 * A term must not be given twice. On core, if neither usr nor os is given, both are set. If a PMU
 * type has threadmask= and it is not given, all threads of all cores count, in all slices.
 */
#ifndef CXLMON_EVENTS_EVENT_PARSE_H
#define CXLMON_EVENTS_EVENT_PARSE_H

#include "base/error.h"
#include "base/text.h"
#include "events/event_catalogue.h"

/* An event, with storage for its name. */
struct parsed_event {
	struct event event; /* .name points to the member below */
	char name[EVENT_NAME_SIZE];
};

#define EVENT_TERMS_SIZE 192

/* Writes the terms that raw events of a PMU type can have: "event, umask, ...". Returns text. */
const char *event_terms(const struct model *model, uint16_t pmu_type, char text[EVENT_TERMS_SIZE]);

/*
 * Parses an event; text ends with the closing slash. If text is invalid, returns -EINVAL
 * (ERROR_USAGE).
 *
 * The name of a raw event is name= or, if not given, text. The event catalogue's rules_counters()
 * returns counters by PMU type, code, umask and modifiers. The counters that can count the event:
 * - on core and cpmu: rules_counters()
 * - on other units: the counters of the catalogue's event with the same code and umasks; if the
 *   catalogue has none, rules_counters()
 *
 * counter= must be one of these counters, and is then the only one. On core, counter=0 is the first
 * general-purpose counter.
 */
int event_parse(const struct event_catalogue *catalogue, const char *text, struct parsed_event *out,
		struct error *err);

#endif
