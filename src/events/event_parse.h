/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One event as the user spells it out: BOX/TERM,TERM.../, where BOX is one of the model's or core
 * and a TERM is one of
 *
 *   event=N umask=N umask_ext=N thresh=N cmask=N counter=N name=WORD edge inv tid usr os any
 *
 * as far as that box has them. event= is required; each stands once at most.
 */
#ifndef CXLMON_EVENT_PARSE_H
#define CXLMON_EVENT_PARSE_H

#include "events/event_catalogue.h"
#include "platform/error.h"
#include "platform/text.h"

/* The event, and the room where its name stands. */
struct parsed_event {
	struct event event;
	char name[EVENT_NAME_SIZE];
};

/*
 * text ends with the closing slash. Without name= the event is called what text says. Its counters
 * are those of the event of the same encoding in the catalogue, or else what is known of its box.
 * Refusals are -EINVAL (EXIT_USAGE).
 */
int event_parse(const struct event_catalogue *catalogue, const char *text, struct parsed_event *out,
		struct error *err);

#endif
