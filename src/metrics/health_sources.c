/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/health_sources.h"

#include <stdlib.h>

#include "platform/number.h"

int health_sources_open(struct health_sources *h, const struct kernel_source *devices, size_t count,
			struct error *err)
{
	if (!count || !h->platform->ops->device_health)
		return 0;
	h->devices = calloc(count, sizeof(*h->devices));
	h->codes = calloc(count, sizeof(*h->codes));
	if (!h->devices || !h->codes)
		return error_no_memory(err);
	h->count = count;
	for (size_t i = 0; i < count; i++)
		h->devices[i] = (struct kernel_source){.node = -1, .device = devices[i].device};
	return 0;
}

void health_sources_free(struct health_sources *h)
{
	free(h->devices);
	free(h->codes);
	*h = (struct health_sources){.count = 0};
}

static void take(struct health_sources *h, const struct health_answer *answer)
{
	struct kernel_source *source = &h->devices[answer->device];
	const struct device_health *health = &answer->health;

	kernel_source_begin(source);
	source->known = !answer->code;
	source->now = kernel_stats_unknown(answer->at_ns);
	h->codes[answer->device] = answer->code;
	if (answer->code)
		return;
	source->now.values[DEVICE_TEMPERATURE] = health->temperature_C;
	source->now.values[DEVICE_LIFE_USED] = health->life_used_pct / 100;
	source->now.values[DEVICE_STATE] = health->state;
	source->now.values[DEVICE_CORRECTED_ERRORS] = health->corrected_errors;
}

/* The clock may have been set back; samples of 30 s come a little early, or late. */
static bool is_due(const struct health_sources *h, uint64_t wall_ns)
{
	return !h->asked || wall_ns < h->asked_ns ||
	       wall_ns - h->asked_ns >= DEVICE_HEALTH_PERIOD_NS / 100 * 99;
}

static void ask(struct health_sources *h, uint64_t wall_ns)
{
	struct platform *p = h->platform;

	for (size_t i = 0; i < h->count; i++) {
		struct health_answer answer = {.device = i};

		answer.code =
			p->ops->device_health(p, h->devices[i].device, wall_ns, &answer.health);
		answer.at_ns = p->virtual_clock ? wall_ns : p->ops->now(p);
		take(h, &answer);
	}
	h->asked = true;
	h->asked_ns = wall_ns;
}

static void mark_change(const struct kernel_source *source, uint64_t wall_ns, struct marks *marks)
{
	const double before = source->has_before ? source->before.values[DEVICE_STATE] : 0;
	const double now = source->now.values[DEVICE_STATE];
	char text[DEVICE_HEALTH_TEXT_SIZE];

	if (source->fresh && source->known && now != before)
		marks_add(marks, wall_ns, MARK_HEALTH, source->device->name, "its health: %s",
			  device_health_text((unsigned)now, text));
}

void health_sources_read(struct health_sources *h, uint64_t wall_ns, struct marks *marks)
{
	struct health_answer answer;

	for (size_t i = 0; i < h->count; i++)
		h->devices[i].fresh = false;
	while (h->count && h->next && h->next(h->context, &answer))
		if (answer.device < h->count)
			take(h, &answer);
	if (h->count && !h->next && is_due(h, wall_ns))
		ask(h, wall_ns);
	for (size_t i = 0; i < h->count; i++)
		mark_change(&h->devices[i], wall_ns, marks);
}
