/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that would garble the screen: they are held until it is gone, and the screen asks for
 * the last one. From any thread. The first ones are kept where there are too many.
 */
#ifndef CXLMON_HELD_H
#define CXLMON_HELD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "platform/log.h"

#define HELD_MOST 32   /* messages */
#define HELD_SIZE 1024 /* bytes of each */

struct held {
	struct log behind; /* where they go */
	pthread_mutex_t lock;
	bool holding;
	size_t count, dropped;
	enum log_level levels[HELD_MOST];
	char texts[HELD_MOST][HELD_SIZE];
	char last[HELD_SIZE]; /* warning or note; empty: none yet */
};

void held_init(struct held *held, const struct log *behind);

/* Passes on what comes, until it is told to hold it. held must outlive it. */
struct log held_log(struct held *held);

void held_hold(struct held *held);
/* Passes on all that was held, and what comes from now on. Does nothing where nothing was. */
void held_release(struct held *held);

/* The last warning or note, as a text of its own; empty where there was none. */
void held_last(struct held *held, char *text, size_t size);

#endif
