/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of the access log: a register in memory or configuration space was written. */
#ifndef CXLMON_TEST_LOG_WRITE_H
#define CXLMON_TEST_LOG_WRITE_H

#include <stdio.h>

#include "platform/reg.h"

/* log may be NULL. It isn't flushed. */
void log_write_of(FILE *log, struct platform *p, const struct reg *reg, uint64_t value);

#endif
