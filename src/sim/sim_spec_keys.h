/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of a spec, and their values. Private to sim_spec.c. */
#ifndef CXLMON_SIM_SPEC_KEYS_H
#define CXLMON_SIM_SPEC_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim_spec.h"

/* Takes key=value, which it cuts in two, and adds the key's bit to *given. */
int sim_spec_set_key(struct sim_spec *spec, char *assignment, uint64_t *given, struct error *err);

/* Whether the key of the field at this offset is among those given. */
bool sim_spec_key_given(uint64_t given, size_t offset);

/* Whether any is a rate of traffic. */
bool sim_spec_rate_given(uint64_t given);

/* The name of one that says what the machine has; NULL: none does. */
const char *sim_spec_layout_given(uint64_t given);

#endif
