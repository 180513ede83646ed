/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/diagnostics.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "linux/cxl/cxl_mailbox.h"
#include "output/fields.h"
#include "table/spell.h"

#define NAMES_SIZE 2048 /* for headings of all columns */
#define NAMES_MOST 400	/* characters of headings that a message lists */

static void report_sources(const struct diagnostics *diagnostics, const struct view *view)
{
	const size_t rows = table_metric_rows(&view->table);
	const struct row *last = rows ? &view->table.rows[rows - 1] : NULL;

	for (size_t c = 0; last && c < view->table.column_count; c++)
		if (view->table.columns[c].metric->kind == METRIC_NUMBER && *last->values[c].text)
			log_write(diagnostics->log, LEVEL_DETAIL, "%s is computed from %s",
				  view->table.columns[c].metric->name, last->values[c].text);
}

static void report_names(const struct log *log, const char *why, const char *names)
{
	const int listed = text_fit(names, ", ", NAMES_MOST);
	unsigned more = 0;

	for (const char *at = names + listed; (at = strstr(at, ", ")); at++)
		more++;
	if (more)
		log_write(log, LEVEL_NOTE, "not in the table, %s: %.*s, and %u more", why, listed,
			  names, more);
	else if (*names)
		log_write(log, LEVEL_NOTE, "not in the table, %s: %s", why, names);
}

/*
 * Tells if the absence of a metric is worth a message. Metrics that only CXL devices count are
 * missed only if some device counts; the view has reported metrics without any rows.
 */
static bool is_missed(const struct view *view, const struct metric *metric)
{
	const bool of_devices_alone = metric->rows == (1U << ROW_PORT | 1U << ROW_DEVICE);

	return !metric->extra && metric_scopes(metric) >> view->finest &&
	       (view->has_cpmus || !of_devices_alone);
}

void diagnostics_report_left_out(const struct log *log, const struct view *view, const bool *shown)
{
	char unknown[NAMES_SIZE] = "", too_wide[NAMES_SIZE] = "";

	for (size_t c = 0; c < view->table.column_count; c++) {
		const struct metric *metric = view->table.columns[c].metric;
		const bool known = table_heading(&view->table, c);

		if (metric->heading && !known && is_missed(view, metric) &&
		    !(view->table.columns[c].told))
			text_list(unknown, NAMES_SIZE, "%s", metric->heading);
		else if (known && !shown[c])
			text_list(too_wide, NAMES_SIZE, "%s", metric->heading);
	}
	report_names(log,
		     view->selective ? "because nothing that is selected has it"
				     : "because this machine cannot measure it",
		     unknown);
	report_names(log, "because the terminal is too narrow (CSV has all)", too_wide);
}

/* Returns a source in words. */
static const char *counted_by(const char *source)
{
	static const struct {
		const char *source, *text;
	} texts[] = {
		{"cpmu", "the devices' CPMUs"},
		{"m2s_req", "requests at the ports"},
		{"tor", "the CHAs' TOR"},
		{"tor_exp_local", "the CHAs' TOR (local expanders)"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!strcmp(texts[i].source, source))
			return texts[i].text;
	return source;
}

/* Reports, once per device, why its health is unknown. */
static void report_health(struct diagnostics *diagnostics, const struct sources *sources)
{
	for (size_t i = 0; sources->health.answers && i < sources->devices.count; i++) {
		const int code = sources->health.answers[i].code;
		const uint64_t bit = UINT64_C(1) << i % 64;

		if (!code || diagnostics->unknown_health & bit)
			continue;
		diagnostics->unknown_health |= bit;
		log_write(diagnostics->log, LEVEL_WARNING, "%s: cannot read its health: %s",
			  sources->devices.devices[i].device->name, cxl_mailbox_reason(code));
	}
}

void diagnostics_say_marks(const struct log *log, const struct marks *marks, bool times)
{
	char time[FIELD_TIME_SIZE], line[MARK_LINE_SIZE];

	for (size_t i = 0; i < marks->count; i++) {
		const struct mark *mark = &marks->items[i];

		field_time_text(time, mark->wall_ns);
		log_write(log, LEVEL_WARNING, "%s%s%s", times ? time : "", times ? ": " : "",
			  mark_line(mark, line));
	}
	if (marks->more)
		log_write(log, LEVEL_WARNING, "and %zu more events at the same time", marks->more);
}

/* Tells if a condition holds for the first time. */
static bool is_new(bool *reported, bool now)
{
	const bool before = *reported;

	*reported |= now;
	return now && !before;
}

void diagnostics_report_regions(struct diagnostics *d, const struct region_counters *regions)
{
	if (is_new(&d->overflow_reported, regions->overflowed))
		log_write(d->log, LEVEL_WARNING,
			  "bytes by region of memory are missing for an interval: a counter says "
			  "that it has overflowed");
	if (is_new(&d->totals_reported, regions->totals))
		log_write(d->log, LEVEL_WARNING,
			  "bytes by region of memory are unknown: another program has made L3 "
			  "caches count all memory together");
	if (is_new(&d->too_long_reported, regions->too_long))
		log_write(d->log, LEVEL_WARNING,
			  "bytes by region of memory are unknown if counters can wrap twice: "
			  "choose an interval below %.3g s",
			  regions->longest_s);
}

/* Writes the location of the first doubtful value. */
static const char *location_of(const struct view *view, const struct doubts *doubts,
			       char text[LOCATION_SIZE])
{
	return location(&view->table.rows[doubts->row], text);
}

static void report_noticed(struct diagnostics *d, const struct view *view)
{
	const struct doubts *mismatches = &view->noticed.mismatches, *dram = &view->noticed.dram,
			    *without_counts = &view->noticed.without_counts,
			    *leaks = &view->noticed.leaks,
			    *implausible = &view->noticed.implausible;
	char text[LOCATION_SIZE];

	if (is_new(&d->mismatch_reported, mismatches->count))
		log_write(d->log, LEVEL_WARNING,
			  "CXL.mem reads by %s (%.0f MB/s) and by %s (%.0f MB/s) differ by more "
			  "than 10 %%",
			  counted_by(mismatches->sources[0]), mismatches->numbers[0],
			  counted_by(mismatches->sources[1]), mismatches->numbers[1]);
	if (is_new(&d->dram_reported, dram->count))
		log_write(d->log, LEVEL_WARNING,
			  "%s of %s: CAS commands (%.0f MB/s) and the requests that came in (%.0f "
			  "MB/s) differ by more than 10 %%; it is not published if a device "
			  "counts commands with auto-precharge twice",
			  view->table.columns[dram->column].metric->name,
			  location_of(view, dram, text), dram->numbers[0], dram->numbers[1]);
	if (is_new(&d->no_counts_reported, without_counts->count))
		log_write(d->log, LEVEL_WARNING,
			  "CXL.mem reads of %s: the CPMU counts none, but the processor's own "
			  "counters do: the CPMU is not used",
			  location_of(view, without_counts, text));
	if (is_new(&d->leak_reported, leaks->count))
		log_write(
			d->log, LEVEL_NOTE,
			"cxl_read_latency_ns of %s is an estimate (~): there are %.1f reads of DRAM "
			"for each of CXL memory, and more than 5 %% of its occupancy may be theirs "
			"(cxlmon selftest measures that)",
			location_of(view, leaks, text), leaks->numbers[0]);
	if (is_new(&d->implausible_reported, implausible->count))
		log_write(
			d->log, LEVEL_WARNING,
			"%s of %s exceeded what the hardware can do, and is left empty; -v counts such values",
			view->table.columns[implausible->column].metric->name,
			location_of(view, implausible, text));
}

void diagnostics_report(struct diagnostics *d, const struct view *view)
{
	const struct event_source *events = &view->sources.events;
	const struct resctrl_source *mbm = &view->sources.resctrl;

	report_health(d, &view->sources);
	if (is_new(&d->lost_events_reported, events->lost))
		log_write(d->log, LEVEL_WARNING,
			  "events of CXL devices come too fast to read all: %" PRIu64
			  " are lost so far",
			  events->lost);
	if (is_new(&d->mbm_reported, mbm->stale))
		log_write(d->log, LEVEL_WARNING,
			  "CXL reads are unknown: another program has changed what %s counts, or "
			  "the resctrl groups",
			  mbm_event_name(mbm->event));
	diagnostics_report_regions(d, &view->sources.regions.counters);
	diagnostics_say_marks(d->log, &view->table.marks, false);
	if (is_new(&d->sources_reported, true))
		report_sources(d, view);
	report_noticed(d, view);
}
