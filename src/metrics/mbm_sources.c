/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/mbm_sources.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "metrics/view.h"
#include "platform/number.h"
#include "platform/text.h"

/* The kernel interrupts a CPU of each cache for a reading. Samples come a little early, or late. */
#define READ_NS (NS_PER_S / 1000 * 9)

static int socket_of(const struct topology *topology, unsigned cache)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].l3 == (int)cache)
			return topology->cpus[i].socket;
	return -1;
}

int mbm_sources_open(struct mbm_sources *m, struct platform *p, const struct topology *topology,
		     struct error *err)
{
	int rc = p->ops->mbm_open
			 ? p->ops->mbm_open(p, &m->mbm, err)
			 : error_set(err, EXIT_NO_UNIT, -ENODEV, "resctrl: this machine has none");

	if (!rc)
		rc = mbm_choose(m->mbm, &m->event, &m->set, err);
	if (rc)
		return rc;
	m->platform = p;
	m->sockets = calloc(m->mbm->count, sizeof(*m->sockets));
	m->before = calloc(m->mbm->count, sizeof(*m->before));
	m->now = calloc(m->mbm->count, sizeof(*m->now));
	if (!m->sockets || !m->before || !m->now)
		return error_no_memory(err);
	for (size_t i = 0; i < m->mbm->count; i++)
		m->sockets[i] = socket_of(topology, m->mbm->caches[i].number);
	return 0;
}

void mbm_sources_free(struct mbm_sources *m)
{
	free(m->sockets);
	free(m->before);
	free(m->now);
	*m = (struct mbm_sources){.platform = NULL};
}

static void read_now(struct mbm_sources *m, uint64_t wall_ns)
{
	struct platform *p = m->platform;

	for (size_t i = 0; i < m->mbm->count; i++)
		m->now[i] = NAN;
	m->stale |= p->ops->mbm_read(p, m->event, wall_ns, m->now, &m->now_ns) == -ESTALE;
	m->read_ns = wall_ns;
}

/* After a setting was changed, the first reading says that there is none. */
void mbm_sources_begin(struct mbm_sources *m)
{
	const uint64_t wall_ns = m->platform->ops->wall(m->platform);

	read_now(m, wall_ns);
	read_now(m, wall_ns);
}

/* The clock may have been set back. */
static bool is_due(const struct mbm_sources *m, uint64_t wall_ns)
{
	return wall_ns < m->read_ns || wall_ns - m->read_ns >= READ_NS;
}

void mbm_sources_read(struct mbm_sources *m, uint64_t wall_ns)
{
	double *swapped = m->before;

	m->fresh = m->platform && is_due(m, wall_ns);
	if (!m->fresh)
		return;
	m->before = m->now;
	m->now = swapped;
	m->before_ns = m->now_ns;
	read_now(m, wall_ns);
}

void mbm_sources_value(const struct mbm_sources *m, int socket, const char *sockets,
		       struct value *out)
{
	const double seconds = (double)(m->now_ns - m->before_ns) / NS_PER_S;
	double sum = 0;
	size_t parts = 0;

	for (size_t i = 0; i < m->mbm->count; i++) {
		if (socket >= 0 ? m->sockets[i] != socket
				: sockets && !numlist_contains(sockets, (unsigned)m->sockets[i]))
			continue;
		sum += m->now[i] >= m->before[i] ? m->now[i] - m->before[i] : NAN;
		parts++;
	}
	if (!m->fresh || !parts || isnan(sum) || !(seconds > 0))
		return;
	*out = (struct value){
		.number = sum / 1e6 / seconds, .text = MBM_SOURCE, .seconds = seconds};
}
