/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stands where an output would, when cxlmon serves: the writer's thread adds each sample to
 * the totals, and renders them into the texts that the HTTP threads send. systemd is told when the
 * first one is there, and from then on that samples arrive.
 */
#ifndef CXLMON_SERVING_H
#define CXLMON_SERVING_H

#include <stdbool.h>

#include "output/sink.h"
#include "platform/error.h"
#include "platform/log.h"
#include "serve/listener.h"

struct serving;

/*
 * Opens all that needs a right or a name: the socket, and systemd's. EXIT_USAGE where systemd's
 * watchdog would bite between two samples.
 */
int serving_open(const struct listen_address *address, uint64_t interval_ns, struct serving **out,
		 struct error *err);

/* Starts to answer, and says where (as a note). */
int serving_start(struct serving *serving, const struct log *log, struct error *err);

/* Tells systemd that the end has begun. NULL does nothing, here and below. */
void serving_ending(struct serving *serving);

/* Whether it can't go on, and the error says why. */
bool serving_broken(const struct serving *serving, struct error *err);

/* Answers no more. Nothing may be published from here on. */
void serving_stop(struct serving *serving);
void serving_free(struct serving *serving);

/* Its sink's target is a struct serving. */
extern const struct format format_serving;

#endif
