/* SPDX-License-Identifier: BSD-3-Clause */
/* What a screen's user wants of the thread that takes samples. Nobody waits for anybody. */
#ifndef CXLMON_MAILBOX_H
#define CXLMON_MAILBOX_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "linux/signals.h"

struct mailbox {
	pthread_t owner; /* who takes, and is nudged */
	atomic_bool quit;
	_Atomic uint64_t interval_ns; /* 0: as it is */
};

static inline void mailbox_quit(struct mailbox *mailbox)
{
	atomic_store(&mailbox->quit, true);
	signals_kick(mailbox->owner);
}

static inline void mailbox_set_interval(struct mailbox *mailbox, uint64_t ns)
{
	atomic_store(&mailbox->interval_ns, ns);
	signals_kick(mailbox->owner);
}

/* 0: nobody has asked for another. */
static inline uint64_t mailbox_take_interval(struct mailbox *mailbox)
{
	return atomic_exchange(&mailbox->interval_ns, 0);
}

static inline bool mailbox_wants_quit(struct mailbox *mailbox)
{
	return atomic_load(&mailbox->quit);
}

#endif
