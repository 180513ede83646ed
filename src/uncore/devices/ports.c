/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/ports.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the first unit of one type in one table, whose units are contiguous and sorted by id;
 * none if the number of the type means something else on this processor.
 */
static struct unit *first_unit(struct machine *m, const struct discovery_table *table,
			       uint16_t type, size_t *count)
{
	struct unit *first = NULL;

	*count = 0;
	for (size_t i = 0; i < m->discovery.unit_count; i++) {
		struct unit *unit = &m->discovery.units[i];

		if (unit->type != type || !unit->pmu_type || unit->socket != table->socket ||
		    unit->die != table->die)
			continue;
		first = first ? first : unit;
		++*count;
	}
	return first;
}

/*
 * Pairs the CXLCMs and CXLDPs of a table. If there are as many of both, the nth is paired with the
 * nth, as in Intel PCM. If a record is missing, a CXLDP belongs to the CXLCM whose id is one less,
 * as on Sapphire Rapids; a unit without a partner is a separate port. Diamond Rapids has no CXLDP.
 */
static void pair_ports(struct machine *m, const struct discovery_table *table)
{
	size_t cms, dps, i = 0, k = 0;
	struct unit *cm = first_unit(m, table, PMU_CXLCM, &cms);
	struct unit *dp = first_unit(m, table, PMU_CXLDP, &dps);

	if (!cm)
		cm = first_unit(m, table, PMU_CXLCM_DMR, &cms);
	while (i < cms || k < dps) {
		const bool paired = i < cms && k < dps && (cms == dps || dp[k].id == cm[i].id + 1);
		const bool take_cm = paired || k == dps || (i < cms && cm[i].id < dp[k].id);

		m->ports[m->port_count++] = (struct port){
			.socket = table->socket,
			.cxlcm = take_cm ? &cm[i++] : NULL,
			.cxldp = paired || !take_cm ? &dp[k++] : NULL,
		};
	}
}

static uint16_t port_id(const struct port *port)
{
	return port->cxlcm ? port->cxlcm->id : port->cxldp->id;
}

static int compare_ports(const void *a, const void *b)
{
	const unsigned x = port_id(a), y = port_id(b);
	return (x > y) - (x < y);
}

static bool ids_repeat(const struct port *ports, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			if (port_id(&ports[i]) == port_id(&ports[k]))
				return true;
	return false;
}

/*
 * Numbers ports by id. If ids repeat, they are unique only in a die: its ports follow the previous
 * die's.
 */
static void number_ports(struct port *ports, size_t count)
{
	if (count && !ids_repeat(ports, count))
		qsort(ports, count, sizeof(*ports), compare_ports);
	for (size_t i = 0; i < count; i++)
		ports[i].number = (unsigned)i;
}

/*
 * Adds the ports of data fabrics: separate events count each port of a node, on a unit that all of
 * them share. If a socket has several nodes, the numbers of each continue after the node before it.
 */
static void add_ports_of_df(struct machine *m, int socket)
{
	const size_t first = m->port_count;

	for (size_t i = 0; i < m->discovery.unit_count; i++) {
		struct unit *unit = &m->discovery.units[i];

		if (unit->type != PMU_DF || unit->socket != socket)
			continue;
		for (unsigned n = 0; n < m->model->ports_of_df; n++) {
			m->ports[m->port_count] =
				(struct port){.socket = socket,
					      .number = (unsigned)(m->port_count - first),
					      .name = m->model->port_name,
					      .df = unit,
					      .df_event = n};
			m->port_count++;
		}
	}
}

/* Adds a socket once, in ascending order. */
static void add_socket(struct machine *m, int socket)
{
	size_t i = m->socket_count;

	while (i && m->sockets[i - 1] > socket)
		i--;
	if (i && m->sockets[i - 1] == socket)
		return;
	memmove(&m->sockets[i + 1], &m->sockets[i], (m->socket_count - i) * sizeof(*m->sockets));
	m->sockets[i] = socket;
	m->socket_count++;
}

int ports_find(struct machine *m, struct error *err)
{
	const struct discovery *d = &m->discovery;

	m->ports = calloc(d->unit_count * (m->model->ports_of_df + 1), sizeof(*m->ports));
	m->sockets = calloc(d->table_count + m->topology.count, sizeof(*m->sockets));
	if (!m->ports || !m->sockets)
		return error_no_memory(err);

	for (size_t t = 0; t < d->table_count; t++)
		add_socket(m, d->tables[t].socket);
	for (size_t i = 0; !d->table_count && i < m->topology.count; i++)
		add_socket(m, m->topology.cpus[i].socket);
	for (size_t s = 0; s < m->socket_count; s++)
		add_ports_of_df(m, m->sockets[s]);
	for (size_t s = 0; s < m->socket_count && !m->model->ports_of_df; s++) {
		const size_t first = m->port_count;

		for (size_t t = 0; t < d->table_count; t++)
			if (d->tables[t].socket == m->sockets[s])
				pair_ports(m, &d->tables[t]);
		number_ports(m->ports + first, m->port_count - first);
	}
	return 0;
}
