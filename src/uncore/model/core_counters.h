/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers of the counters of a CPU: 0-15 fixed counters, 16-30 general-purpose counters, 31 the
 * time stamp counter, which is free-running.
 */
#ifndef CXLMON_UNCORE_MODEL_CORE_COUNTERS_H
#define CXLMON_UNCORE_MODEL_CORE_COUNTERS_H

#include <stdint.h>

#define CORE_COUNTER_GENERAL  16 /* + x */
#define CORE_COUNTERS_FIXED   UINT32_C(0x0000FFFF)
#define CORE_COUNTERS_GENERAL UINT32_C(0x7FFF0000)
#define CORE_COUNTER_TSC      31

#define CORE_FIXED(n) (UINT32_C(1) << (n))
#define CORE_TSC      (UINT32_C(1) << CORE_COUNTER_TSC)

#endif
