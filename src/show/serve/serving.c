/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/serving.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/kernel/clock.h"
#include "linux/run/service_manager.h"
#include "output/openmetrics.h"
#include "record/recording.h"
#include "show/serve/serving_private.h"

/*
 * Shortest times between renderings. Scrapes are seconds apart: with intervals below 100 ms, not
 * every sample is rendered. Samples that are 100 ms apart are sometimes written a little earlier.
 */
#define MIN_RENDER_INTERVAL_NS 90000000
#define MIN_PAGE_INTERVAL_NS   500000000       /* people read slower */
#define SCRAPE_INTERVAL_NS     (15 * NS_PER_S) /* as in most configurations of Prometheus */

struct serving {
	char name[LISTENER_NAME_SIZE]; /* listening address */
	struct http_process http;
	struct notify notify;
	uint64_t interval_ns;
	int journal; /* see run_dir_beat() */
	/* Private members of the writer's thread. */
	struct series series;
	struct openmetrics openmetrics;
	uint64_t rendered_ns, page_ns, notified_ns; /* clock_monotonic(); 0: never */
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
			err, ERROR_USAGE, -EINVAL,
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
	/* the server may have ended since its start */
	if (serving_failed(s, err))
		return -EIO;
	s->journal = run_dir_dup_journal(dir);
	if (s->interval_ns > SCRAPE_INTERVAL_NS)
		log_write(log, LEVEL_WARNING,
			  "the interval is longer than Prometheus usually waits between scrapes "
			  "(15 s): several get the same sample, and rate() needs a range of at "
			  "least two intervals");
	log_write(log, LEVEL_NOTE, "serving http://%s/metrics, and a page at http://%s/", s->name,
		  s->name);
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
	error_set(err, ERROR_FAILED, -EIO, "the HTTP server has failed");
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

static int begin_serving(struct sink *sink)
{
	struct serving *s = sink->target;

	sink->state = s;
	s->openmetrics.series = &s->series;
	if (series_init(&s->series, sink->table))
		return -ENOMEM;
	series_set_steps(&s->series, SERIES_DOUBLES, SERVING_STEPS, SERVING_STEP_NS);
	return series_keep_all(&s->series, SERIES_STEPS | SERIES_PEAKS);
}

/* Writes the metrics; all of them are replaced when they are stale. */
static void put_metrics(const struct serving *s, FILE *out, struct message *head)
{
	openmetrics_render(&s->openmetrics, out);
	head->size = head->stale_to = (uint32_t)ftello(out);
	openmetrics_render_stale(&s->openmetrics, out);
}

/* Publishes a text; if memory is short, the previous text is served. */
static void publish_text(struct serving *s, const struct sink *sink, enum exposition exposition)
{
	struct message head = {.exposition = exposition, .interval_ns = s->openmetrics.interval_ns};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	if (exposition == EXPOSITION_PAGE)
		serving_page_put(out, &s->series, sink->info, s->openmetrics.wall_ns, &head);
	else
		put_metrics(s, out, &head);
	const bool whole = !ferror(out);
	if (!fclose(out) && whole && size <= MESSAGE_MAX_BYTES) {
		head.stale_size = (uint32_t)(size - head.size);
		http_process_publish(&s->http, &head, text);
	}
	free(text);
}

static void publish_all(struct serving *s, const struct sink *sink, uint64_t now)
{
	publish_text(s, sink, EXPOSITION_OPENMETRICS);
	if (s->page_ns && now - s->page_ns < MIN_PAGE_INTERVAL_NS)
		return;
	publish_text(s, sink, EXPOSITION_PAGE);
	s->page_ns = now;
}

/* Notifies systemd: more often than twice per watchdog period, which it recommends. */
static void notify_manager(struct serving *s, uint64_t now)
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

	s->openmetrics.interval_ns = sink->info->interval_ns;
	series_add(&s->series, sample->wall_ns, sink->info->interval_ns * (1 + sample->missed));
	openmetrics_add(&s->openmetrics, sample);
	if (!s->rendered_ns || now - s->rendered_ns >= MIN_RENDER_INTERVAL_NS) {
		publish_all(s, sink, now);
		s->rendered_ns = now;
		run_dir_beat(s->journal);
	}
	notify_manager(s, now);
}

static void end_serving(struct sink *sink)
{
	struct serving *s = sink->state;

	series_free(&s->series);
}

const struct format format_serving = {
	.name = "serving",
	.begin = begin_serving,
	.sample = sample_serving,
	.end = end_serving,
};
