/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_save.h"

void kept_samples_free(struct kept_samples *kept)
{
	bytes_free(&kept->older.blocks);
	bytes_free(&kept->newer.blocks);
	*kept = (struct kept_samples){.newer.samples = 0};
}

void kept_samples_add(struct kept_samples *kept, const struct table *table,
		      const struct sample *sample, const struct attached_block *attached,
		      size_t most)
{
	if (kept->newer.blocks.size >= most) {
		bytes_free(&kept->older.blocks);
		kept->older = kept->newer;
		kept->newer.blocks = (struct bytes){.data = NULL};
		kept->newer.samples = 0;
	}
	recording_put_sample(&kept->newer.blocks, table, sample, attached);
	kept->newer.samples++;
	if (kept->newer.blocks.failed)
		kept_samples_free(kept);
}

uint64_t kept_samples_put(const struct kept_samples *kept, const struct recording_info *info,
			  const struct table *table, struct bytes *out)
{
	const uint64_t samples = kept->older.samples + kept->newer.samples;

	recording_put_header(out, info, table);
	bytes_put(out, kept->older.blocks.data, kept->older.blocks.size);
	bytes_put(out, kept->newer.blocks.data, kept->newer.blocks.size);
	recording_put_end(out, samples);
	return samples;
}
