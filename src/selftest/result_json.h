/* SPDX-License-Identifier: BSD-3-Clause */
/* A result as it is sent: everything that it takes to judge it elsewhere, and no name of a host or
 * a user. */
#ifndef CXLMON_SELFTEST_RESULT_JSON_H
#define CXLMON_SELFTEST_RESULT_JSON_H

#include <jansson.h>

#include "selftest/result.h"

/* NULL: out of memory. */
json_t *selftest_json(const struct selftest_result *result);

#endif
