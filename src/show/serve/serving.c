/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/serving.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/clock.h"
#include "linux/run/service_manager.h"
#include "output/fields.h"
#include "output/html.h"
#include "output/openmetrics.h"
#include "record/recording.h"

/* Scrapes are seconds apart: with short intervals, not every sample is rendered. */
#define MIN_RENDER_INTERVAL_NS 50000000
#define SCRAPE_INTERVAL_NS     (15 * NS_PER_S) /* as most configurations of Prometheus have it */

struct serving {
	char name[LISTENER_NAME_SIZE]; /* of the address that it listens on */
	struct http_process http;
	struct notify notify;
	uint64_t interval_ns;
	int journal; /* see run_dir_beat() */
	/* private to the writer's thread */
	struct openmetrics totals;
	uint64_t rendered_ns, notified_ns; /* clock_monotonic(); 0: never */
};

int serving_open(const struct listen_address *address, uint64_t interval_ns, struct serving **out,
		 struct error *err)
{
	struct serving *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return error_no_memory(err);
	*out = s;
	s->http.texts = s->journal = -1;
	s->interval_ns = interval_ns;
	rc = notify_open(&s->notify, err);
	if (rc)
		return rc;
	if (s->notify.watchdog_ns && s->notify.watchdog_ns / 2 < interval_ns)
		return error_set(
			err, EXIT_USAGE, -EINVAL,
			"systemd's watchdog (WATCHDOG_USEC) is shorter than two intervals: "
			"increase WatchdogSec=, or choose a shorter INTERVAL");
	const int listener = listener_open(address, err);
	if (listener < 0)
		return listener;
	listener_name(listener, s->name);
	return http_process_start(listener, &s->http, err);
}

pid_t serving_process(const struct serving *s)
{
	return s ? s->http.pid : 0;
}

int serving_start(struct serving *s, const struct run_dir *dir, const struct log *log,
		  struct error *err)
{
	/* before now, nobody has waited for the signal of its end */
	if (serving_failed(s, err))
		return -EIO;
	s->journal = run_dir_dup_journal(dir);
	if (s->interval_ns > SCRAPE_INTERVAL_NS)
		log_write(log, LEVEL_WARNING,
			  "the interval is longer than Prometheus usually waits between scrapes "
			  "(15 s): several get the same sample, and rate() needs a range of at "
			  "least two intervals");
	log_write(log, LEVEL_NOTE, "serving http://%s/metrics", s->name);
	return 0;
}

void serving_notify_stopping(struct serving *s)
{
	if (s)
		notify_send(&s->notify, "STOPPING=1");
}

bool serving_failed(struct serving *s, struct error *err)
{
	if (!s || !http_process_failed(&s->http))
		return false;
	error_set(err, EXIT_FAILED, -EIO, "the HTTP server has failed");
	return true;
}

void serving_stop(struct serving *s)
{
	if (s)
		http_process_stop(&s->http);
}

void serving_free(struct serving *s)
{
	if (!s)
		return;
	serving_stop(s);
	notify_close(&s->notify);
	if (s->journal >= 0)
		close(s->journal);
	free(s);
}

static int begin(struct sink *sink)
{
	struct serving *s = sink->target;

	sink->state = s;
	return openmetrics_init(&s->totals, sink->view);
}

/* If memory is short, the previous text is served. */
static void publish(struct serving *s, const struct sink *sink, enum exposition exposition,
		    bool stale)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	if (exposition == EXPOSITION_PAGE)
		serving_page_put(out, sink->view, sink->info, s->totals.wall_ns, stale);
	else if (stale)
		openmetrics_render_stale(&s->totals, exposition, out);
	else
		openmetrics_render(&s->totals, sink->view, exposition, out);
	const bool whole = !ferror(out);
	if (!fclose(out) && whole && size <= MESSAGE_MAX_BYTES) {
		const struct message head = {exposition, stale, (uint32_t)size,
					     s->totals.interval_ns};

		http_process_publish(&s->http, &head, text);
	}
	free(text);
}

/* systemd recommends two notifications per watchdog period; more are sent. */
static void notify(struct serving *s, uint64_t now)
{
	if (!s->notified_ns)
		notify_send(&s->notify, "READY=1");
	else if (!s->notify.watchdog_ns || now - s->notified_ns < s->notify.watchdog_ns / 4)
		return;
	if (s->notify.watchdog_ns)
		notify_send(&s->notify, "WATCHDOG=1");
	s->notified_ns = now;
}

static void sample_serving(struct sink *sink, const struct sample *sample)
{
	struct serving *s = sink->state;
	const uint64_t now = clock_monotonic();

	s->totals.interval_ns = sink->info->interval_ns;
	openmetrics_add(&s->totals, sink->view, sample);
	if (!s->rendered_ns || now - s->rendered_ns >= MIN_RENDER_INTERVAL_NS) {
		for (int stale = 1; stale >= 0; stale--)
			for (unsigned e = 0; e < EXPOSITION_COUNT; e++)
				publish(s, sink, (enum exposition)e, stale);
		s->rendered_ns = now;
		run_dir_beat(s->journal);
	}
	notify(s, now);
}

static void end(struct sink *sink)
{
	struct serving *s = sink->state;

	openmetrics_free(&s->totals);
}

const struct format format_serving = {
	.name = "serving",
	.begin = begin,
	.sample = sample_serving,
	.end = end,
};

static void put_head(FILE *out, const struct recording_info *info)
{
	const uint64_t seconds = info->interval_ns / NS_PER_S;
	char processor[RECORDED_PROCESSOR_SIZE];

	fprintf(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<meta http-equiv=\"refresh\" content=\"%" PRIu64 "\">\n"
		"<title>cxlmon</title>\n<style>\n"
		":root { color-scheme: light dark; font-family: sans-serif }\n"
		"table { border-collapse: collapse; display: block; overflow-x: auto }\n"
		"th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid #8885;\n"
		"  font-variant-numeric: tabular-nums; white-space: nowrap }\n"
		"thead th { white-space: normal; vertical-align: bottom; font-weight: normal }\n"
		"tbody th { text-align: left }\n"
		"</style></head><body>\n",
		seconds ? seconds : 1);
	html_print(out, "<h1>%s</h1>\n", recorded_processor(info, processor));
}

static void put_time(FILE *out, const struct recording_info *info, uint64_t wall_ns, bool stale)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char text[32] = "";
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm);
	if (stale)
		fprintf(out, "<p><strong>No sample has come since %s.</strong></p>\n", text);
	else
		fprintf(out, "<p>%s, every %g s</p>\n", text, (double)info->interval_ns / 1e9);
}

/* "~": an estimate, as in the table. Nothing for what is not known. */
static void put_value(FILE *out, double number, unsigned decimals, bool estimate)
{
	fputs(estimate && !isnan(number) ? "<td>~" : "<td>", out);
	html_number(out, number, decimals);
	fputs("</td>", out);
}

static void put_row(FILE *out, const struct view *view, const struct row *row)
{
	char place[LOCATION_SIZE];

	html_print(out, "<tr><th>%s</th>", location_with_unit(row, true, place));
	for (size_t c = 0; !row->event && c < view->column_count; c++)
		if (view_heading(view, c))
			put_value(out, row->values[c].number,
				  metric_shown_decimals(view->columns[c]), row->values[c].scaled);
	if (row->event) {
		html_print(out, "<td>%s</td>", row->event->name);
		put_value(out, row->per_s, 1, row->counted_pct < 100);
	}
	fputs("</tr>\n", out);
}

/* A table of the rows from first to end, which are of metrics or of events. */
static void put_table(FILE *out, const struct view *view, size_t first, size_t end)
{
	if (first == end)
		return;
	fputs("<table><thead><tr><td></td>", out);
	for (size_t c = 0; !view->rows[first].event && c < view->column_count; c++)
		if (view_heading(view, c))
			html_print(out, "<th>%s<br>%s</th>", view_heading(view, c),
				   view->columns[c]->unit);
	fputs(view->rows[first].event ? "<th>event</th><th>per second</th>" : "", out);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t r = first; r < end; r++)
		put_row(out, view, &view->rows[r]);
	fputs("</tbody></table>\n", out);
}

void serving_page_put(FILE *out, const struct view *view, const struct recording_info *info,
		      uint64_t wall_ns, bool stale)
{
	const size_t metrics = view_metric_rows(view);

	put_head(out, info);
	put_time(out, info, wall_ns, stale);
	if (!stale) {
		put_table(out, view, 0, metrics);
		put_table(out, view, metrics, view->row_count);
	}
	fputs("<p>For Prometheus: <a href=\"/metrics\">/metrics</a>; whether samples are taken: "
	      "<a href=\"/-/healthy\">/-/healthy</a>. cxlmon " CXLMON_VERSION "</p>\n"
	      "</body></html>\n",
	      out);
}
