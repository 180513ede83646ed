/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_machine.h"

#include <check.h>

#include "sim_registers.h"
#include "support.h"

static void close_machine(void *m)
{
	sim_machine_close(m);
}

void sim_machine_open(struct sim_machine *m, const char *spec)
{
	struct platform *p;
	struct error err = {0};
	int rc = platform_sim(spec, &silent_log, &p, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
	m->sim = sim_of(p);
	spy_init(&m->spy, p);
	rc = machine_open(&m->spy.base, &m->machine, &err);
	ck_assert_msg(rc == 0, "%s", err.text);
	spy_forget(&m->spy);
	at_end(close_machine, m);
}

void sim_machine_close(struct sim_machine *m)
{
	if (!m->sim)
		return;
	machine_close(&m->machine);
	ck_assert_uint_eq(m->spy.windows, 0);
	platform_destroy(&m->spy.base);
	m->sim = NULL;
}

struct unit *sim_machine_unit(struct sim_machine *m, int socket, uint16_t type, unsigned nth)
{
	struct error err = {0};

	for (size_t i = 0; i < m->machine.discovery.unit_count; i++) {
		struct unit *unit = &m->machine.discovery.units[i];

		if (unit->socket != socket || unit->type != type || nth--)
			continue;
		int rc = unit_open(&m->spy.base, unit, &err);
		ck_assert_msg(rc == 0, "%s", err.text);
		spy_forget(&m->spy);
		return unit;
	}
	ck_abort_msg("socket %d has no such unit of type %u", socket, type);
}

void sim_machine_wait(struct sim_machine *m, uint64_t ns)
{
	pass_time(&m->spy.base, ns);
}
