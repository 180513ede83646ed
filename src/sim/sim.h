/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated machine as a platform. Its registers behave as hardware registers do, and access to
 * them fails in the same cases.
 *
 * A counter counts the event that its control selects, if it can count it, while neither the unit
 * nor its socket is frozen. Counters wrap at 48 bits; the reset bits work. Unknown MSRs and
 * reserved bits fail with -EIO, as the msr driver reports a #GP.
 */
#ifndef CXLMON_SIM_H
#define CXLMON_SIM_H

#include "platform/platform.h"

/*
 * Makes a machine. spec is the argument of --sim; ERROR_USAGE if it is invalid. Freed by
 * platform_destroy().
 */
int platform_sim(const char *spec, const struct log *log, struct platform **out, struct error *err);

#endif
