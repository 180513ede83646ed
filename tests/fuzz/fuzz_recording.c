/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recordings from elsewhere: unchanged, and with the input as the content of blocks with valid
 * checksums. A valid one is printed in every format, also those of sampled loads, recorded again,
 * summed up, also with a metric that its run did not have, drawn as a report, compared with its
 * beginning, and put next to itself as the recordings of a job's hosts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/playback.h"
#include "fuzz.h"
#include "output/sink.h"
#include "probe/hot/hot_block.h"
#include "probe/hot/print.h"
#include "record/block.h"
#include "record/merge.h"
#include "record/recording.h"
#include "record/recording_file.h"
#include "record/recording_own.h"
#include "show/compare/comparison.h"
#include "show/hosts/hosts.h"
#include "show/report/report_page.h"
#include "uncore/models/models.h"

static const struct format *const formats[] = {&format_csv, &format_json, &format_openmetrics,
					       &format_recording};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

struct shown {
	struct sink sinks[FORMATS];
	char *texts[FORMATS];
	size_t sizes[FORMATS];
	bool begun;
};

static void begin(struct shown *shown, const struct recording *r)
{
	for (size_t i = 0; i < FORMATS; i++) {
		shown->sinks[i] =
			(struct sink){.format = formats[i],
				      .table = &r->table,
				      .info = &r->info,
				      .out = open_memstream(&shown->texts[i], &shown->sizes[i])};
		fuzz_require(!formats[i]->begin(&shown->sinks[i]));
	}
	shown->begun = true;
}

static void check_row(const struct process_report *report, const struct sampled_row *row)
{
	fuzz_require(row && fuzz_one_line(process_name(report->names, row->command)) &&
		     fuzz_one_line(process_name(report->names, row->name)));
}

static void show_hot(const struct process_report *report)
{
	static const struct hot_format *const of_hot[] = {&hot_table, &hot_csv, &hot_json};
	char *text = NULL;
	size_t size;

	fuzz_require(report->count <= SAMPLED_ROWS_MOST && report->node_count <= REPORT_NODES_MOST);
	check_row(report, report->all);
	for (size_t i = 0; i < report->count; i++)
		check_row(report, report->rows[i]);
	for (size_t i = 0; i < sizeof(of_hot) / sizeof(of_hot[0]); i++) {
		struct hot_sheet sheet = {.out = open_memstream(&text, &size)};

		of_hot[i]->report(&sheet, report);
		fclose(sheet.out);
		free(text);
	}
}

static void show(struct shown *shown, struct recording *r)
{
	hot_recorded_sum_up(r);
	if (hot_recorded(r)) {
		show_hot(hot_recorded(r));
		show_hot(hot_recorded_run(r));
	}
	for (size_t i = 0; i < FORMATS; i++)
		formats[i]->sample(&shown->sinks[i], &r->sample);
}

static void end(struct shown *shown)
{
	for (size_t i = 0; shown->begun && i < FORMATS; i++) {
		if (formats[i]->finish)
			formats[i]->finish(&shown->sinks[i]);
		if (formats[i]->end)
			formats[i]->end(&shown->sinks[i]);
		fclose(shown->sinks[i].out);
		free(shown->texts[i]);
	}
}

static void check_view(const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];

		fuzz_require(row->place.kind < ROW_KINDS && fuzz_one_line(row->place.pci) &&
			     fuzz_one_line(row->place.memdev));
		fuzz_require(!row->event == (i < table_metric_rows(table)));
		fuzz_require(!row->event || (row->unit && fuzz_one_line(row->event->name)));
		fuzz_require(!isinf(row->interval_s) && !isinf(row->per_s));
		for (size_t c = 0; c < table->column_count; c++)
			fuzz_require(!isinf(row->values[c].number) &&
				     fuzz_one_line(row->values[c].text));
	}
}

static void check(const struct recording *r)
{
	fuzz_require(r->table.row_count && r->table.row_count <= 1 << 15);
	check_view(&r->table);
}

/* Adds a metric that the run may not have had, of names that it may not have had either. */
static bool add_own(struct recording *r, uint8_t choice, struct event_catalogue *catalogue,
		    struct custom_metrics *metrics)
{
	static const char *const texts[] = {
		"x = UNC_CXLCM_CLOCKTICKS + 1 / 1 s",
		"x_ns = cxl_read_latency_ns / 2",
		"x = UNC_CHA_CLOCKTICKS / mean(UNC_CHA_CLOCKTICKS)",
	};
	struct error err = {0};
	const unsigned chosen = choice >> 6;

	if (!chosen)
		return true;
	fuzz_require(!custom_metrics_add(metrics, &(struct custom_context){catalogue},
					 texts[chosen - 1], &err));
	const int rc = recording_own_add(r, metrics, &err);
	if (rc)
		fuzz_check_usage(rc, &err);
	return !rc;
}

/* Sums up a part of the recording to rows of coarser scopes, over longer intervals. */
static void sum_up(struct recording_file *file, uint8_t choice, struct event_catalogue *catalogue,
		   struct custom_metrics *metrics)
{
	struct replay replay;
	struct error err = {0};

	if (!add_own(&file->recording, choice, catalogue, metrics))
		return;

	file->from_ns = choice & 16 ? file->recording.info.started_ns + 1000000000 : 0;
	const struct aggregate_choice shown = {.finest = choice % SCOPE_COUNT,
					       .groups = choice & 64 ? "dram,all" : NULL};
	const struct table *table = &file->recording.table;
	if (shown.groups && aggregate_lacks(table, shown.groups))
		return;
	fuzz_require(!replay_init(&replay, file, &shown,
				  choice & 32 ? file->recording.info.interval_ns : 0, &err));
	while (replay_next(&replay, &err) > 0)
		check_view(&replay.aggregate.table);
	replay_free(&replay);
}

/* Decodes and shows at most a few rows, because the fuzzer limits the time. */
static void decode(const uint8_t *data, size_t size)
{
	enum recording_item found = RECORDING_HEADER;
	struct recording r = {.kinds = playback_kinds};
	struct shown shown = {.begun = false};
	struct error err = {0};
	size_t used = 0;
	int rc = 0;

	for (; !rc && found != RECORDING_NOTHING; data += used, size -= used) {
		/* exactly as long as its size */
		uint8_t *copy = malloc(size + !size);

		memcpy(copy, data, size);
		rc = recording_decode(&r, copy, size, &used, &found, &err);
		free(copy);
		fuzz_require(rc || used <= size);
		if (rc || r.table.row_count * (1 + r.table.column_count) > 256)
			continue;
		if (found == RECORDING_HEADER)
			begin(&shown, &r);
		if (found == RECORDING_HEADER || found == RECORDING_SAMPLE)
			check(&r);
		if (found == RECORDING_SAMPLE)
			show(&shown, &r);
	}
	if (rc)
		fuzz_check_error(rc, &err);
	end(&shown);
	recording_free(&r);
}

/* Checks that the page has one script, whatever the strings are. */
static void check_page(char *text)
{
	fuzz_require(!strstr(strstr(text, "<script>") + 1, "<script>"));
	free(text);
}

/* Compares the first half of a report with the whole report. */
static void write_comparison(const struct report *report, const struct error *flaw)
{
	struct report half = *report;
	struct comparison comparison;
	char *texts[2];
	size_t sizes[2];
	FILE *text = open_memstream(&texts[0], &sizes[0]),
	     *page = open_memstream(&texts[1], &sizes[1]);

	half.samples /= 2;
	const struct compared_side sides[SIDES] = {{"a", &half, flaw}, {"b", report, flaw}};
	fuzz_require(!comparison_make(sides, SCOPE_CPU, &comparison));
	fuzz_require(comparison.differ <= comparison.judged &&
		     comparison.judged <= comparison.compared_count);
	compare_table(&comparison, 80, text);
	compare_csv(&comparison, text);
	json_t *json = compare_json(&comparison);
	fuzz_require(json);
	json_decref(json);
	compare_page(&comparison, page);
	fclose(text);
	fclose(page);
	free(texts[0]);
	check_page(texts[1]);
	comparison_free(&comparison);
}

static void write_page(struct recording_file *file)
{
	struct error err = {0}, flaw = {0};
	struct report report;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fuzz_require(!report_read(file, &report, &flaw, &err));
	fuzz_require(!report_page(&report, &flaw, out));
	fclose(out);
	check_page(text);
	write_comparison(&report, &flaw);
	report_free(&report);
}

static void add_host(struct hosts *hosts, const char *path, bool less)
{
	struct recording_file file;
	struct error err = {0}, flaw = {0};

	fuzz_require(!recording_file_open(path, playback_kinds, &file, &err));
	fuzz_require(!hosts_begin(hosts, &file));
	if (less)
		hosts_compute_less(hosts, &file);
	while (recording_file_next(&file, &flaw) > 0)
		fuzz_require(!hosts_add(hosts, &file));
	hosts_end(hosts, &flaw);
	recording_file_close(&file);
}

/* Puts a recording next to itself, as a job of three hosts. */
static void write_hosts(const char *path)
{
	struct hosts hosts = {.count = 0};
	char *texts[2];
	size_t sizes[2];
	FILE *text = open_memstream(&texts[0], &sizes[0]),
	     *page = open_memstream(&texts[1], &sizes[1]);

	for (size_t i = 0; i < 3; i++)
		add_host(&hosts, path, i);
	fuzz_require(!hosts_conclude(&hosts));
	for (size_t m = 0; m < HOST_METRICS; m++)
		fuzz_require(!hosts.all[0]->stands_out[m] && !isinf(hosts.sums[m]));
	hosts_print(&hosts, 80, text);
	hosts_table(&hosts, 80, text);
	json_t *json = hosts_json(&hosts);
	fuzz_require(json && json_array_size(json_object_get(json, "hosts")) == hosts.count);
	json_decref(json);
	fuzz_require(!hosts_page(&hosts, page));
	fclose(text);
	fclose(page);
	free(texts[0]);
	check_page(texts[1]);
	hosts_free(&hosts);
}

/* Merges a recording with itself: each sample is shown for both hosts. */
static void merge_hosts(const char *path)
{
	const struct aggregate_choice shown = {.finest = SCOPE_CPU};
	struct recording_file files[2];
	struct replay replays[2];
	struct merge merge = {.count = 0};
	struct error err = {0};
	size_t samples[2] = {0, 0};

	for (size_t i = 0; i < 2; i++) {
		fuzz_require(!recording_file_open(path, playback_kinds, &files[i], &err));
		fuzz_require(!replay_init(&replays[i], &files[i], &shown, 0, &err));
		fuzz_require(!merge_add(&merge, &replays[i], i ? "b" : "a"));
	}
	fuzz_require(!merge_begin(&merge, &err));
	while (merge_next(&merge, &err) > 0) {
		check_view(&merge.table);
		samples[merge.last]++;
	}
	fuzz_require(samples[0] == samples[1]);
	merge_free(&merge);
	for (size_t i = 0; i < 2; i++) {
		replay_free(&replays[i]);
		recording_file_close(&files[i]);
	}
}

/* Reads a file. sums: choice of sums; negative: draws a page. */
static void read_file(const char *path, int sums)
{
	struct custom_metrics metrics = {.count = 0};
	struct event_catalogue catalogue;
	struct recording_file file;
	struct error err = {0};
	const int rc = recording_file_open(path, playback_kinds, &file, &err);
	const struct table *table = &file.recording.table;

	catalogue_init(&catalogue, model_by_name("spr"));
	if (rc)
		fuzz_check_error(rc, &err);
	else if (table->row_count * (1 + table->column_count) <= 256 && sums < 0) {
		write_page(&file);
		write_hosts(path);
		merge_hosts(path);
	} else if (table->row_count * (1 + table->column_count) <= 256)
		sum_up(&file, (uint8_t)sums, &catalogue, &metrics);
	recording_file_close(&file);
	custom_metrics_free(&metrics);
	catalogue_free(&catalogue);
}

static void draw(const uint8_t *data, size_t size)
{
	struct input in = {.at = data, .left = size};
	struct input_file input;

	input_file(&in, &input);
	read_file(input.path, -1);
	read_file(input.path, data[size - 1]);
	input_file_close(&input);
}

/* Makes blocks from the input: a type, a length, and so many bytes, repeatedly. */
static void seal(struct input in, struct bytes *out)
{
	bytes_put(out,
		  "\x89"
		  "CXLREC\r\n\n",
		  10);
	while (in.left) {
		const uint8_t type = input_u8(&in);
		size_t size = input_u16(&in);
		struct bytes payload = {.failed = false};

		size = size < in.left ? size : in.left;
		bytes_put(&payload, in.at, size);
		in.at += size;
		in.left -= size;
		block_put(out, type & 0x7F, &payload);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes sealed = {.failed = false};

	decode(data, size);
	seal((struct input){.at = data, .left = size}, &sealed);
	decode(sealed.data, sealed.size);
	draw(sealed.data, sealed.size);
	bytes_free(&sealed);
	return 0;
}
