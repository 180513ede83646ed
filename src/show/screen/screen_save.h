/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the latest samples in memory, which a key saves as a recording. */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_SAVE_H
#define CXLMON_SHOW_SCREEN_SCREEN_SAVE_H

#include "record/recording.h"

/*
 * Least bytes of the latest samples that are kept, about half of the most: an hour of 32 ports at
 * one sample per second.
 */
#define KEPT_SAMPLES_BYTES (16U << 20)

/* Kept samples, as blocks of a recording. Initially {0}. */
struct kept_samples {
	struct {
		struct bytes blocks;
		uint64_t samples;
	} older, newer; /* older samples are dropped as soon as newer has enough */
};

void kept_samples_free(struct kept_samples *kept);

/*
 * Adds the sample that the table has, with an attached block (NULL: none). most:
 * KEPT_SAMPLES_BYTES. If memory runs out, drops all samples so far.
 */
void kept_samples_add(struct kept_samples *kept, const struct table *table,
		      const struct sample *sample, const struct attached_block *attached,
		      size_t most);

/*
 * Appends a complete recording of the kept samples to out; out->failed: out of memory. Returns the
 * number of samples.
 */
uint64_t kept_samples_put(const struct kept_samples *kept, const struct recording_info *info,
			  const struct table *table, struct bytes *out);

#endif
