/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "show/explain/what_if.h"
#include "table/words.h"

#define SHOWN	    0.005 /* part: the least that two decimals show */
#define FAR_OUTSIDE 1.05  /* times: costs differ less from run to run */
#define FEW	    0.01  /* part of the traffic: next to none of it was in CXL memory */
#define PARTS_SIZE  256
#define DOUBT_SIZE  512

static double percent_of(double part)
{
	return 100 * part;
}

/* Text. */

/* Adds a part. ranged: it is from none to all of the waits that may be for prefetches. */
static void add_part(char parts[PARTS_SIZE], const struct slowdown_part *part, bool ranged,
		     const char *of)
{
	if (part->high < SHOWN)
		return;
	if (ranged)
		text_list(parts, PARTS_SIZE, "%.0f to %.0f %% for %s", percent_of(part->low),
			  percent_of(part->high), of);
	else
		text_list(parts, PARTS_SIZE, "%.0f %% for %s", percent_of(part->value), of);
}

/* Returns whether there are waits for caches, and the part for prefetches is unknown. */
static bool is_prefetched_unknown(const struct what_if_result *p)
{
	return isnan(p->metrics[STALL_PREFETCHED]) && p->metrics[STALL_CACHE] > 0;
}

/*
 * Returns whether the cost of reads is extrapolated; without waits for reads, it does not matter.
 */
static bool is_extrapolated(const struct what_if_result *p)
{
	const struct slowdown_model *m = &p->calibration->model;
	const double cost = p->metrics[STALL_READ_COST];

	return p->metrics[STALL_DEMAND] > 0 &&
	       (cost * FAR_OUTSIDE < m->least_cost || cost > FAR_OUTSIDE * m->most_cost);
}

void what_if_sentence(const struct what_if_result *p, FILE *out)
{
	const struct slowdown *all = &p->all;
	char parts[PARTS_SIZE] = "";

	add_part(parts, &all->demand, false, "reads");
	add_part(parts, &all->cache, is_prefetched_unknown(p), "caches");
	add_part(parts, &all->store, false, "stores");
	fprintf(out,
		"With all its memory in CXL, the program would take %.0f %% longer (%.0f to %.0f "
		"%%)%s%s.\n",
		percent_of(all->total.value), percent_of(all->total.low),
		percent_of(all->total.high), *parts ? ":\n" : "", parts);
}

/* Destination of sentences. */
struct listener {
	void (*put)(const char *sentence, FILE *out);
	FILE *out;
};

__attribute__((format(printf, 3, 4))) static void say_if(const struct listener *to, bool applies,
							 const char *format, ...)
{
	char text[DOUBT_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (applies)
		to->put(text, to->out);
}

void what_if_doubts(const struct what_if_result *p, void (*put)(const char *sentence, FILE *out),
		    FILE *out)
{
	const struct slowdown *all = &p->all;
	const struct what_if *w = p->calibration;
	const struct what_if_samples *s = p->samples;
	const struct listener to = {put, out};

	say_if(&to, strcmp(w->processor, p->processor) != 0,
	       "The calibration is of another machine: %s, not %s.", w->processor, p->processor);
	say_if(&to, isnan(p->cxl_share),
	       "The share of CXL memory in its traffic is unknown: its memory is assumed to be\n"
	       "in DRAM.");
	/* waits that are already for CXL memory do not get longer in it */
	say_if(&to, p->cxl_share >= FEW,
	       "%.0f %% of the traffic was already CXL memory's, and is counted as DRAM's: "
	       "the\nprogram may take less time than predicted.",
	       percent_of(p->cxl_share));
	say_if(&to, is_extrapolated(p) && all->demand.high >= SHOWN,
	       "Its reads cost %.1f cycles, outside of the calibrated %.1f to %.1f: the part for\n"
	       "reads is extrapolated.",
	       p->metrics[STALL_READ_COST], w->model.least_cost, w->model.most_cost);
	say_if(&to, all->cache.high >= SHOWN,
	       "Prefetches that hit the L3 are not counted: with many of them, the part for\n"
	       "caches is too high.");
	say_if(&to, s->known < s->count,
	       "All counts that are needed were known in %" PRIu64 " of %" PRIu64 " samples.",
	       s->known, s->count);
	say_if(&to, p->scaled, "Events were multiplexed: their counts are estimates.");
}

static void put_line(const char *sentence, FILE *out)
{
	fprintf(out, "%s\n", sentence);
}

static void print_shares(const struct what_if_result *p, FILE *out)
{
	fputs("\n  in CXL  times as long\n", out);
	for (size_t i = 0; i < PREDICTED_SHARES; i++) {
		const struct slowdown_part times =
			slowdown_at(&p->all.total, predicted_shares[i], 1);

		fprintf(out, "  %4.0f %%  %.2f (%.2f to %.2f)\n", percent_of(predicted_shares[i]),
			times.value, times.low, times.high);
	}
}

static void print_measured(const struct what_if_result *p, FILE *out)
{
	const uint64_t count = p->samples->count;
	const char *separator = ": ";
	char words[WORDS_SIZE];

	fprintf(out, "\nMeasured in %" PRIu64 " sample%s", count, count == 1 ? "" : "s");
	for (size_t w = 0; w < STALL_METRICS; w++) {
		if (isnan(p->metrics[w]))
			continue;
		fprintf(out, "%s%s %.1f %s", separator, name_words(stall_metrics[w], words),
			p->metrics[w], name_unit(stall_metrics[w]));
		separator = w == STALL_CACHE ? ",\n" : ", ";
	}
	fputs(".\n", out);
}

static void print_prediction(const struct what_if_result *p, FILE *out)
{
	const struct what_if *w = p->calibration;

	what_if_sentence(p, out);
	what_if_doubts(p, put_line, out);
	print_shares(p, out);
	print_measured(p, out);
	fprintf(out, "Calibrated by %zu microbenchmarks in nodes %d and %d of %s.\n",
		w->model.kernels, w->dram_node, w->cxl_node, w->processor);
	fputs("\nIn parentheses: the range of 9 of 10 programs, if programs differ from the model\n"
	      "as much as those of the calibration do. If CXL memory is busy, it takes longer.\n",
	      out);
	if (is_prefetched_unknown(p))
		fputs("It is unknown how many stalls on caches are for prefetches: from none to "
		      "all.\n",
		      out);
}

/* JSON. A number that is not finite is null. */

static json_t *part_object(const struct slowdown_part *part, double share, double base)
{
	const struct slowdown_part p = slowdown_at(part, share, base);

	return json_pack("{s:f, s:f, s:f}", "value", p.value, "low", p.low, "high", p.high);
}

static json_t *share_object(const struct slowdown *s, double share)
{
	return json_pack("{s:f, s:o, s:o, s:o, s:o}", "cxl_share_pct", percent_of(share), "times",
			 part_object(&s->total, share, 1), "demand",
			 part_object(&s->demand, share, 0), "cache",
			 part_object(&s->cache, share, 0), "store",
			 part_object(&s->store, share, 0));
}

static json_t *coefficient_object(const struct estimate *c)
{
	return json_pack("{s:o?, s:o?}", "value", json_real(c->value), "error",
			 json_real(c->error));
}

static json_t *calibration_object(const struct what_if *w)
{
	const struct slowdown_model *m = &w->model;

	return json_pack("{s:s, s:i, s:i, s:I, s:f, s:o, s:o, s:o, s:o, s:f, s:f}", "processor",
			 w->processor, "dram_node", w->dram_node, "cxl_node", w->cxl_node,
			 "kernels", (json_int_t)m->kernels, "spread_pct", percent_of(m->spread),
			 "demand_ratio", coefficient_object(&m->demand_ratio), "overlap_cycles",
			 coefficient_object(&m->overlap), "cache_ratio",
			 coefficient_object(&m->cache_ratio), "store_ratio",
			 coefficient_object(&m->store_ratio), "least_read_cost_cycles",
			 m->least_cost, "most_read_cost_cycles", m->most_cost);
}

static void encode_prediction(const struct what_if_result *p, FILE *out)
{
	json_t *measured = json_object(), *predicted = json_array();

	for (size_t i = 0; i < STALL_METRICS; i++)
		json_object_set_new(measured, stall_metrics[i],
				    json_pack("o?", json_real(p->metrics[i])));
	for (size_t i = 0; i < PREDICTED_SHARES; i++)
		json_array_append_new(predicted, share_object(&p->all, predicted_shares[i]));
	json_t *object =
		json_pack("{s:i, s:s, s:I, s:o, s:b, s:o?, s:o, s:o, s:b}", "schema",
			  WHAT_IF_SCHEMA, "processor", p->processor, "samples",
			  (json_int_t)p->samples->count, "measured", measured, "multiplexed",
			  p->scaled, "cxl_traffic_pct", json_real(percent_of(p->cxl_share)),
			  "calibration", calibration_object(p->calibration), "predicted", predicted,
			  "extrapolated", is_extrapolated(p));
	if (object && !json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6)))
		putc('\n', out);
	json_decref(object);
}

/* The format. */

static int begin_prediction(struct sink *sink)
{
	struct what_if_samples *samples = calloc(1, sizeof(*samples));

	sink->state = samples;
	if (!samples)
		return -ENOMEM;
	what_if_init(samples, sink->table);
	return 0;
}

static void add_sample(struct sink *sink, const struct sample *sample)
{
	(void)sample;
	what_if_add(sink->state);
}

static void finish_prediction(struct sink *sink)
{
	struct what_if *w = sink->target;
	struct what_if_result p;

	if (!what_if_predict(sink->state, w, sink->info, &p, &w->why))
		(w->json ? encode_prediction : print_prediction)(&p, sink->out);
}

static void end_prediction(struct sink *sink)
{
	if (sink->state)
		what_if_free(sink->state);
	free(sink->state);
}

const struct format format_what_if = {
	.name = "what-if",
	.begin = begin_prediction,
	.sample = add_sample,
	.finish = finish_prediction,
	.end = end_prediction,
};
