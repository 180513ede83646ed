/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/device_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/cxl.h"

struct device_reading {
	int code;
	struct device_stats stats;
};

static bool read_devices(struct source *source, uint64_t wall_ns, void *out)
{
	const struct device_source *s = (const struct device_source *)source;
	struct platform *p = source->platform;
	struct device_reading *readings = out;

	for (size_t i = 0; i < s->count; i++)
		readings[i].code =
			p->ops->cxl->stats(p, s->devices[i].device, wall_ns, &readings[i].stats);
	return false;
}

static void set_link(struct kernel_stats *stats, const struct cxl_device *device)
{
	const struct pci_hop *hop = cxl_device_narrowest(device);

	if (!hop)
		return;
	stats->values[LINK_WIDTH] = hop->now.lanes;
	stats->values[LINK_SPEED] = hop->now.GTps * 1e9;
	stats->values[LINK_RATE] = cxl_device_rate(device);
}

static bool is_same(struct pci_link a, struct pci_link b)
{
	return a.lanes == b.lanes && fabs(a.GTps - b.GTps) < 0.05;
}

/* Adds a mark for a change of a link. The port of a CXL 1.1 device is hidden. */
static void mark_link(struct marks *marks, uint64_t wall_ns, const struct cxl_device *device,
		      const struct pci_hop *hop, struct pci_link before)
{
	char above[PCI_TEXT_SIZE], below[PCI_TEXT_SIZE];
	char was[PCI_LINK_TEXT_SIZE], now[PCI_LINK_TEXT_SIZE];
	const bool hidden = device->depth == 1;

	pci_link_text(hop->now, now);
	pci_link_text(before, was);
	marks_add(marks, wall_ns, MARK_LINK, device->name, "link %s%s%s%s is %s, was %s",
		  hidden ? "of " : "between ", hidden ? "" : pci_location_text(hop->above, above),
		  hidden ? "" : " and ", pci_location_text(hop->below, below), *now ? now : "down",
		  *was ? was : "down");
}

static void mark_changes(struct source_device *d, uint64_t wall_ns, bool gone, struct marks *marks)
{
	const struct cxl_device *device = d->device;

	if (gone != d->gone)
		marks_add(marks, wall_ns, MARK_DEVICE, device->name,
			  gone ? "the device is gone" : "the device has returned");
	d->gone = gone;
	for (size_t h = 0; !gone && h < device->hop_count; h++) {
		if (!is_same(device->hops[h].now, d->links[h]))
			mark_link(marks, wall_ns, device, &device->hops[h], d->links[h]);
		d->links[h] = device->hops[h].now;
	}
}

/*
 * Takes a reading of a device. If a device that is present cannot be read, its links count as
 * unchanged.
 */
static void take_device(struct source_device *d, const struct device_reading *reading,
			uint64_t wall_ns, struct marks *marks)
{
	const struct device_stats *stats = &reading->stats;
	struct cxl_device *device = d->device;

	stats_pair_take(&d->stats, !reading->code, &stats->kernel);
	d->aer = stats->kinds;
	if (reading->code && !stats->gone)
		return;
	/* another view of the same machine may read it meanwhile */
	for (size_t h = 0; h < device->hop_count; h++)
		if (!is_same(device->hops[h].now, stats->links[h]))
			device->hops[h].now = stats->links[h];
	mark_changes(d, wall_ns, stats->gone, marks);
	if (!reading->code)
		set_link(&d->stats.now, device);
}

static void age_devices(struct source *source)
{
	struct device_source *s = (struct device_source *)source;

	for (size_t i = 0; i < s->count; i++)
		s->devices[i].stats.fresh = false;
}

static void take_devices(struct source *source, const void *reading, uint64_t wall_ns,
			 struct marks *marks)
{
	struct device_source *s = (struct device_source *)source;
	const struct device_reading *readings = reading;

	for (size_t i = 0; i < s->count; i++)
		take_device(&s->devices[i], &readings[i], wall_ns, marks);
}

/*
 * Sets the inputs of a cell: a level stays until the next reading, a rate comes only from a fresh
 * one. pair NULL: the row is not a device's.
 */
static double pair_inputs(const struct source *source, const struct stats_pair *pair,
			  const struct metric *metric, struct inputs *out)
{
	const enum kernel_stat stat = (enum kernel_stat)metric->number;
	struct stats_sum sum = {.parts = 0};

	out->formula = NULL;
	if (!pair || source->silent)
		return NAN;
	stats_sum_add(&sum, pair, stat, true);
	if (!metric->family.counter && pair->known && !isnan(pair->now.values[stat]))
		source_metric_input(out, metric, pair->now.values[stat], source->sample_s);
	else if (metric->family.counter && pair->fresh && !isnan(sum.per_s))
		source_metric_input(out, metric, sum.per_s, sum.seconds);
	return source->sample_s;
}

static bool is_of_device(const struct source_cell *cell)
{
	return place_is_of_port(cell->place) && cell->subject != SIZE_MAX;
}

static double device_inputs(const struct source *source, const struct source_cell *cell,
			    const struct metric *metric, struct inputs *out)
{
	const struct device_source *s = (const struct device_source *)source;
	return pair_inputs(source, is_of_device(cell) ? &s->devices[cell->subject].stats : NULL,
			   metric, out);
}

static void tally_errors(const struct source *source, struct tallies *out)
{
	const struct device_source *s = (const struct device_source *)source;

	for (size_t i = 0; i < s->count; i++) {
		const struct source_device *d = &s->devices[i];
		struct tally tally = {.device = d->device->name, .at_ns = d->stats.now.at_ns};

		for (unsigned n = 0; n < AER_SEVERITIES; n++) {
			tally.severity = AER_CORRECTABLE + n;
			tally.count = d->stats.known ? d->stats.now.values[tally.severity] : NAN;
			source_add_tally(out, &tally);
		}
		for (size_t n = 0; n < d->aer.count; n++) {
			tally.severity = d->aer.items[n].severity;
			tally.count = d->aer.items[n].count;
			snprintf(tally.kind, sizeof(tally.kind), "%s", d->aer.items[n].name);
			source_add_tally(out, &tally);
		}
	}
}

static void close_devices(struct source *source)
{
	free(((struct device_source *)source)->devices);
}

static const struct source_kind device_kind = {.name = "devices",
					       .read = read_devices,
					       .age = age_devices,
					       .take = take_devices,
					       .inputs = device_inputs,
					       .tally = tally_errors,
					       .close = close_devices};

/* Reads for the first time, without marks. */
static void read_first(struct device_source *s, struct platform *p)
{
	const uint64_t wall_ns = p->ops->clock->wall(p);
	struct marks ignored = {.count = 0};

	s->base.due_ns = wall_ns + s->base.period_ns;
	read_devices(&s->base, wall_ns, s->base.reading);
	take_devices(&s->base, s->base.reading, wall_ns, &ignored);
}

int device_source_open(struct device_source *s, struct platform *p, struct cxl_device *list,
		       size_t count, struct error *err)
{
	if (!p->ops->cxl->stats || !count)
		return 0;
	s->devices = calloc(count, sizeof(*s->devices));
	if (!s->devices ||
	    source_init(&s->base, &device_kind, p, count * sizeof(struct device_reading))) {
		free(s->devices);
		s->devices = NULL;
		return error_no_memory(err);
	}
	s->base.period_ns = NS_PER_S;
	s->count = count;
	for (size_t i = 0; i < count; i++) {
		s->devices[i].device = &list[i];
		for (size_t h = 0; h < list[i].hop_count; h++)
			s->devices[i].links[h] = list[i].hops[h].now;
	}
	read_first(s, p);
	return 0;
}

bool device_source_can_know(const struct device_source *s, enum kernel_stat stat)
{
	bool any = false;

	for (size_t i = 0; i < s->count; i++)
		any |= s->devices[i].stats.known && !isnan(s->devices[i].stats.now.values[stat]);
	return any;
}

size_t device_source_find(const struct device_source *s, const struct cxl_device *device)
{
	for (size_t i = 0; device && i < s->count; i++)
		if (s->devices[i].device == device)
			return i;
	return SIZE_MAX;
}

double device_source_rate(const struct device_source *s, size_t device)
{
	const struct stats_pair *pair = device == SIZE_MAX ? NULL : &s->devices[device].stats;
	const double now =
		pair && pair->known && !s->base.silent ? pair->now.values[LINK_RATE] : NAN;

	return pair && pair->fresh && pair->has_before && pair->before.values[LINK_RATE] != now
		       ? NAN
		       : now;
}

double device_source_rate_limit(const struct device_source *s, size_t device)
{
	const struct stats_pair *pair = device == SIZE_MAX ? NULL : &s->devices[device].stats;
	double rate = NAN;

	if (pair && pair->known && !s->base.silent)
		rate = pair->now.values[LINK_RATE];
	if (pair && pair->fresh && pair->has_before)
		rate = fmax(rate, pair->before.values[LINK_RATE]);
	return rate;
}

/* Health. */

struct health_reading {
	size_t count;
	struct health_answer answers[];
};

static void ask_devices(struct health_source *s, uint64_t wall_ns, struct health_reading *out)
{
	struct platform *p = s->base.platform;

	for (size_t i = 0; i < s->devices->count; i++) {
		struct health_answer *answer = &out->answers[out->count++];

		*answer = (struct health_answer){.device = i};
		answer->code = p->ops->cxl->health(p, s->devices->devices[i].device, wall_ns,
						   &answer->health);
		answer->at_ns = p->virtual_clock ? wall_ns : p->ops->clock->now(p);
	}
}

static bool read_health(struct source *source, uint64_t wall_ns, void *out)
{
	struct health_source *s = (struct health_source *)source;
	struct health_reading *reading = out;

	reading->count = 0;
	if (!s->next) {
		ask_devices(s, wall_ns, reading);
		return false;
	}
	while (reading->count < s->devices->count &&
	       s->next(s->context, &reading->answers[reading->count]))
		reading->count += reading->answers[reading->count].device < s->devices->count;
	return reading->count == s->devices->count;
}

static void mark_health(const struct source_device *device, const struct stats_pair *health,
			uint64_t wall_ns, struct marks *marks)
{
	const double before = health->has_before ? health->before.values[DEVICE_STATE] : 0;
	const double now = health->now.values[DEVICE_STATE];
	char text[DEVICE_HEALTH_TEXT_SIZE];

	if (health->known && now != before)
		marks_add(marks, wall_ns, MARK_HEALTH, device->device->name, "its health: %s",
			  device_health_text((unsigned)now, text));
}

static void take_answer(struct source_health *to, const struct health_answer *answer)
{
	struct kernel_stats stats = kernel_stats_unknown(answer->at_ns);
	const struct device_health *health = &answer->health;

	to->code = answer->code;
	if (!answer->code) {
		stats.values[DEVICE_TEMPERATURE] = health->temperature_C;
		stats.values[DEVICE_LIFE_USED] = health->life_used_pct / 100;
		stats.values[DEVICE_STATE] = health->state;
		stats.values[DEVICE_CORRECTED_ERRORS] = health->corrected_errors;
	}
	stats_pair_take(&to->stats, !answer->code, &stats);
}

static void age_health(struct source *source)
{
	struct health_source *s = (struct health_source *)source;

	for (size_t i = 0; i < s->devices->count; i++)
		s->answers[i].stats.fresh = false;
}

static void take_health(struct source *source, const void *reading, uint64_t wall_ns,
			struct marks *marks)
{
	struct health_source *s = (struct health_source *)source;
	const struct health_reading *from = reading;

	for (size_t i = 0; i < from->count; i++) {
		const size_t device = from->answers[i].device;

		take_answer(&s->answers[device], &from->answers[i]);
		mark_health(&s->devices->devices[device], &s->answers[device].stats, wall_ns,
			    marks);
	}
}

static double health_inputs(const struct source *source, const struct source_cell *cell,
			    const struct metric *metric, struct inputs *out)
{
	const struct health_source *s = (const struct health_source *)source;
	return pair_inputs(source, is_of_device(cell) ? &s->answers[cell->subject].stats : NULL,
			   metric, out);
}

static void close_health(struct source *source)
{
	free(((struct health_source *)source)->answers);
}

static const struct source_kind health_kind = {.name = "health",
					       .read = read_health,
					       .age = age_health,
					       .take = take_health,
					       .inputs = health_inputs,
					       .close = close_health};

int health_source_open(struct health_source *s, const struct device_source *devices,
		       struct error *err)
{
	struct platform *p = devices->base.platform;

	if (s->base.kind || !devices->count || !p->ops->cxl->health)
		return 0;
	s->answers = calloc(devices->count, sizeof(*s->answers));
	if (!s->answers || source_init(&s->base, &health_kind, p,
				       sizeof(struct health_reading) +
					       devices->count * sizeof(struct health_answer))) {
		free(s->answers);
		s->answers = NULL;
		return error_no_memory(err);
	}
	s->devices = devices;
	s->base.period_ns = DEVICE_HEALTH_PERIOD_NS;
	return 0;
}

void health_source_read_from(struct health_source *s, health_reader *next, void *context)
{
	s->next = next;
	s->context = context;
	s->base.period_ns = 0;
}
