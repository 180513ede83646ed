/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated machine (--sim) as a platform. Its registers behave as hardware registers do, and
 * access to them fails in the same cases.
 *
 * A counter counts the event that its control selects, if it can count the event, while neither the
 * unit nor its socket is frozen. Counters wrap at 48 bits; the reset bits work. An access to an
 * unknown MSR, or a write of reserved bits, fails with -EIO, as the msr driver reports a #GP.
 */
#ifndef CXLMON_SIM_H
#define CXLMON_SIM_H

#include "platform/platform.h"

/*
 * Makes a machine. spec is the argument of --sim: see sim_spec.h. *log is copied. ERROR_USAGE: spec
 * is invalid, or the snapshot that it names cannot be simulated. After success the caller frees
 * *out by platform_destroy().
 */
int platform_sim(const char *spec, const struct log *log, struct platform **out, struct error *err);

#endif
