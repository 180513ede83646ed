/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of the screen's user to the thread that samples. Neither thread waits. */
#ifndef CXLMON_SCREEN_REQUESTS_H
#define CXLMON_SCREEN_REQUESTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "linux/signals.h"

struct screen_requests {
	pthread_t sampler; /* is kicked */
	atomic_bool quit;
	_Atomic uint64_t interval_ns; /* 0: unchanged */
};

static inline void screen_requests_set_quit(struct screen_requests *requests)
{
	atomic_store(&requests->quit, true);
	signals_kick(requests->sampler);
}

static inline void screen_requests_set_interval(struct screen_requests *requests, uint64_t ns)
{
	atomic_store(&requests->interval_ns, ns);
	signals_kick(requests->sampler);
}

/* The requested interval, once; 0: none was requested. */
static inline uint64_t screen_requests_take_interval(struct screen_requests *requests)
{
	return atomic_exchange(&requests->interval_ns, 0);
}

static inline bool screen_requests_quit(struct screen_requests *requests)
{
	return atomic_load(&requests->quit);
}

#endif
