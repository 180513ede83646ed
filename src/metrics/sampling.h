/* SPDX-License-Identifier: BSD-3-Clause */
/* Poller and decoder in one thread, for those who take samples and use them themselves. */
#ifndef CXLMON_SAMPLING_H
#define CXLMON_SAMPLING_H

#include "metrics/decoder.h"
#include "poller/poller.h"

struct sampling {
	struct poller *poller; /* not owned */
	struct decoder *decoder;
};

/* The poller was just started. Freed by sampling_free(), also after failure. */
int sampling_begin(struct sampling *sampling, struct poller *poller, const struct plan *plan,
		   struct error *err);
void sampling_free(struct sampling *sampling);

/* As poller_wait(), up to the next deadline: rotations before it are done meanwhile. */
int sampling_wait(struct sampling *sampling, const sigset_t *wake, int *signal_number,
		  struct error *err);

/* What was counted since the sample before, until the next call of either. */
int sampling_take(struct sampling *sampling, struct sample *out, struct error *err);

#endif
