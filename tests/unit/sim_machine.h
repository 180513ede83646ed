/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulated machine, opened through a spy (spy.h). Any failure ends the test. */
#ifndef CXLMON_TEST_SIM_MACHINE_H
#define CXLMON_TEST_SIM_MACHINE_H

#include "spy.h"
#include "tests/sim/faults.h"
#include "tests/sim/state.h"
#include "uncore/machine.h"

struct sim_machine {
	struct sim *sim;
	struct spy spy; /* its base is the machine's platform */
	struct machine machine;
};

/* Opens a machine, with spec as in platform_sim(). *m must be static: a test's end closes it. */
void sim_machine_open(struct sim_machine *m, const char *spec);
void sim_machine_close(struct sim_machine *m);

/* Returns unit number nth, from 0, of this type on the socket, opened. */
struct unit *sim_machine_unit(struct sim_machine *m, int socket, uint16_t type, unsigned nth);

/* Advances the virtual clock. */
void sim_machine_wait(struct sim_machine *m, uint64_t ns);

#endif
