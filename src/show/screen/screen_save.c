/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_save.h"

#include <math.h>

#include "output/fields.h"

#define DECIMALS 3

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

static double MiB(double bytes)
{
	return bytes / (1 << 20);
}

static void put_row(const struct top_summary *summary, const struct top_row *row,
		    enum field_style style, FILE *out)
{
	struct fields f = {.out = out, .style = style};

	fields_time(&f, "time", summary->wall_ns);
	fields_count(&f, "pid", row->pid);
	fields_text(&f, "name", row->name);
	fields_text(&f, "user", row->user);
	fields_text(&f, "cgroup", row->cgroup);
	fields_number(&f, "cxl_read_MBps", row->cxl_MBps, DECIMALS);
	fields_number(&f, "dram_read_MBps", row->dram_MBps, DECIMALS);
	fields_share(&f, "cxl_share_pct", row->share_pct);
	fields_count(&f, "cxl_samples", row->cxl_samples);
	fields_number(&f, "latencies_s", summary->latencies_s, DECIMALS);
	fields_number(&f, "cxl_p50_ns", row->p50_ns, 0);
	fields_number(&f, "cxl_p99_ns", row->p99_ns, 0);
	fields_number(&f, "cxl_MiB", MiB(row->cxl), DECIMALS);
	fields_number(&f, "dram_MiB", MiB(row->dram), DECIMALS);
	fields_count(&f, "at_least", row->partial);
	fields_number(&f, "age_s", row->age_s, DECIMALS);
	for (size_t i = 0; i < summary->node_count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "node%d_MiB", summary->nodes[i].number);
		fields_number(&f, name, isnan(row->cxl) ? NAN : MiB((double)row->bytes[i]),
			      DECIMALS);
	}
	putc('\n', out);
}

void top_save(const struct top_list *list, FILE *out)
{
	const struct top_summary *summary = &list->summary;

	put_row(summary, &(struct top_row){.pid = 0}, FIELDS_NAMES, out);
	for (size_t i = 0; i < summary->row_count; i++)
		put_row(summary, &list->rows[i], FIELDS_CSV, out);
}
