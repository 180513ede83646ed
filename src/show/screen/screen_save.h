/* SPDX-License-Identifier: BSD-3-Clause */
/* The latest samples, which a key saves as a recording. */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_SAVE_H
#define CXLMON_SHOW_SCREEN_SCREEN_SAVE_H

#include "record/recording.h"

/* At least so many of the latest are kept: an hour of 32 ports, a sample a second. */
#define KEPT_SAMPLES_BYTES (16U << 20)

/* Initially {0}. */
struct kept_samples {
	struct {
		struct bytes blocks;
		uint64_t samples;
	} older, newer; /* as soon as the newer ones are enough, the older ones are dropped */
};

void kept_samples_free(struct kept_samples *kept);

/*
 * Adds the sample that the table shows, with what is attached to it (NULL: nothing). most:
 * KEPT_SAMPLES_BYTES; where memory is short, none are.
 */
void kept_samples_add(struct kept_samples *kept, const struct table *table,
		      const struct sample *sample, const struct attached_block *attached,
		      size_t most);

/* Appends a whole recording of them. Returns how many samples it has. */
uint64_t kept_samples_put(const struct kept_samples *kept, const struct recording_info *info,
			  const struct table *table, struct bytes *out);

#endif
