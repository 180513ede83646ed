/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the latest samples in memory, until the user saves them as a recording. */
#ifndef CXLMON_SHOW_SCREEN_SCREEN_SAVE_H
#define CXLMON_SHOW_SCREEN_SCREEN_SAVE_H

#include "record/recording.h"

/* Bytes of samples that are kept at least: an hour of 32 ports at one sample per second. */
#define KEPT_SAMPLES_BYTES (16U << 20)

/*
 * Kept samples, in two parts. Samples are added to .newer. When it is full, it replaces .older, and
 * an empty one begins. Initially {0}; freed by kept_samples_free().
 */
struct kept_samples {
	struct {
		struct bytes blocks; /* as in a recording */
		uint64_t samples;    /* number of samples in .blocks */
	} older, newer;
};

void kept_samples_free(struct kept_samples *kept);

/*
 * Adds a sample, whose values are in the table, and its attached block (NULL: none). most: bytes of
 * one part, KEPT_SAMPLES_BYTES except in tests. If memory runs out, drops all samples.
 */
void kept_samples_add(struct kept_samples *kept, const struct table *table,
		      const struct sample *sample, const struct attached_block *attached,
		      size_t most);

/*
 * Appends a complete recording of the kept samples to *out. If memory runs out, sets out->failed.
 * Returns the number of samples.
 */
uint64_t kept_samples_put(const struct kept_samples *kept, const struct recording_info *info,
			  const struct table *table, struct bytes *out);

#endif
