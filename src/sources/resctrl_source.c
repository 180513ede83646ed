/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/resctrl_source.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "platform/clock.h"
#include "platform/cpus.h"

/* The kernel interrupts a CPU of each cache for a reading. */
#define PERIOD_NS (NS_PER_S / 100)

const struct formula mbm_rate = {.program = &source_program, .source = MBM_SOURCE};

struct resctrl_reading {
	uint64_t at_ns;
	bool stale;
	double bytes[];
};

static bool read_caches(struct source *source, uint64_t wall_ns, void *out)
{
	const struct resctrl_source *s = (const struct resctrl_source *)source;
	struct resctrl_reading *reading = out;

	for (size_t i = 0; i < s->mbm->count; i++)
		reading->bytes[i] = NAN;
	reading->stale =
		source->platform->ops->mbm->read(source->platform, s->event, wall_ns,
						 reading->bytes, &reading->at_ns) == -ESTALE;
	return false;
}

/*
 * Keeps unknown counts as .before, too: "Unavailable" means that a cache has ceased to count, and
 * begins at 0 again. Source: the kernel's commit "x86/resctrl: Fix miscount of bandwidth event when
 * reactivating previously unavailable RMID".
 */
static void take_caches(struct source *source, const void *reading, uint64_t wall_ns,
			struct marks *marks)
{
	struct resctrl_source *s = (struct resctrl_source *)source;
	const struct resctrl_reading *from = reading;
	double *swapped = s->before;

	(void)wall_ns;
	(void)marks;
	if (!source->fresh) {
		s->before = s->now;
		s->now = swapped;
		s->before_ns = s->now_ns;
	}
	s->now_ns = from->at_ns;
	s->stale |= from->stale;
	memcpy(s->now, from->bytes, s->mbm->count * sizeof(*s->now));
}

static bool is_wanted(const struct resctrl_source *s, const struct source_cell *cell, size_t cache)
{
	if (cell->place->socket >= 0)
		return s->sockets[cache] == cell->place->socket;
	return !cell->sockets || numlist_contains(cell->sockets, (unsigned)s->sockets[cache]);
}

static double resctrl_inputs(const struct source *source, const struct source_cell *cell,
			     const struct metric *metric, struct inputs *out)
{
	const struct resctrl_source *s = (const struct resctrl_source *)source;
	const double seconds = (double)(s->now_ns - s->before_ns) / NS_PER_S;
	double sum = 0;
	size_t parts = 0;

	(void)metric;
	out->formula = NULL;
	if (cell->place->kind < ROW_SOCKET)
		return NAN;
	for (size_t i = 0; i < s->mbm->count; i++) {
		if (!is_wanted(s, cell, i))
			continue;
		sum += s->now[i] >= s->before[i] ? s->now[i] - s->before[i] : NAN;
		parts++;
	}
	if (!source->fresh || !parts || isnan(sum) || !(seconds > 0))
		return NAN;
	source_input(out, &mbm_rate, sum / 1e6 / seconds, seconds);
	return out->items[0].ns / NS_PER_S;
}

static void close_caches(struct source *source)
{
	struct resctrl_source *s = (struct resctrl_source *)source;

	free(s->sockets);
	free(s->before);
	free(s->now);
}

static const struct source_kind kind = {.name = "resctrl",
					.read = read_caches,
					.take = take_caches,
					.inputs = resctrl_inputs,
					.close = close_caches};

static int socket_of_cache(const struct topology *topology, unsigned cache)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].l3 == (int)cache)
			return topology->cpus[i].socket;
	return -1;
}

static int allocate_readings(struct resctrl_source *s, struct platform *p, struct error *err)
{
	const size_t count = s->mbm->count;

	s->sockets = calloc(count + 1, sizeof(*s->sockets));
	s->before = calloc(count + 1, sizeof(*s->before));
	s->now = calloc(count + 1, sizeof(*s->now));
	if (s->sockets && s->before && s->now &&
	    !source_init(&s->base, &kind, p,
			 sizeof(struct resctrl_reading) + count * sizeof(double)))
		return 0;
	close_caches(&s->base);
	*s = (struct resctrl_source){.mbm = NULL};
	return error_no_memory(err);
}

int resctrl_source_open(struct resctrl_source *s, struct platform *p,
			const struct topology *topology, struct error *err)
{
	int rc = p->ops->mbm
			 ? p->ops->mbm->open(p, &s->mbm, err)
			 : error_set(err, ERROR_NO_UNIT, -ENODEV, "resctrl: this machine has none");

	if (!rc)
		rc = mbm_choose(s->mbm, &s->event, &s->set, err);
	if (!rc)
		rc = allocate_readings(s, p, err);
	if (rc)
		return rc;
	s->base.period_ns = PERIOD_NS;
	for (size_t i = 0; i < s->mbm->count; i++)
		s->sockets[i] = socket_of_cache(topology, s->mbm->caches[i].number);
	return 0;
}

/* Reads twice: after a change of the setting, the first reading reports that there is none. */
void resctrl_source_begin(struct resctrl_source *s)
{
	const uint64_t wall_ns = s->base.platform->ops->clock->wall(s->base.platform);

	read_caches(&s->base, wall_ns, s->base.reading);
	read_caches(&s->base, wall_ns, s->base.reading);
	take_caches(&s->base, s->base.reading, wall_ns, NULL);
	s->base.due_ns = wall_ns + PERIOD_NS;
}
