/* SPDX-License-Identifier: BSD-3-Clause */
/* Common to selftest and sweep, which move data to and from memory that they allocate. */
#ifndef CXLMON_TRAFFIC_COMMAND_H
#define CXLMON_TRAFFIC_COMMAND_H

#include <stdint.h>

#include "selftest/result.h"

/* Before each line of progress on a terminal, and after the last. */
#define CLEAR_LINE "\r\033[K"

/* Says on standard error what will be done with the nodes, how long it takes, and what is left out.
 */
void traffic_announce(const struct selftest_result *found, uint64_t total_ns);

#endif
