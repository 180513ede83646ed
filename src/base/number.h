/* SPDX-License-Identifier: BSD-3-Clause */
/* Units of time. */
#ifndef CXLMON_BASE_NUMBER_H
#define CXLMON_BASE_NUMBER_H

#include <stdint.h>

#define NS_PER_S UINT64_C(1000000000)

#endif
