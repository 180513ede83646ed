/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated machine (--sim) as a platform. Its registers behave as hardware registers do:
 *
 * - A counter counts the event that its control selects, or nothing if it cannot count that event.
 * - A counter stands still while its unit, its discovery table or its socket is frozen.
 * - Counters wrap at 48 bits. The reset bits of a unit control work.
 * - An unknown MSR, and a write of reserved bits to an MSR, fail with -EIO: the msr driver's #GP.
 */
#ifndef CXLMON_SIM_H
#define CXLMON_SIM_H

#include "platform/platform.h"

/*
 * Makes a machine. spec is the argument of --sim: see sim_spec.h. Copies *log. Returns 0 or a
 * negative errno. ERROR_USAGE: spec is invalid, or names a snapshot that cannot be simulated. After
 * success the caller frees *out by platform_destroy().
 */
int platform_sim(const char *spec, const struct log *log, struct platform **out, struct error *err);

#endif
