/* SPDX-License-Identifier: BSD-3-Clause */
/* What every refusal of wrong usage has in common. */
#ifndef CXLMON_TEST_REFUSAL_H
#define CXLMON_TEST_REFUSAL_H

#include "platform/error.h"

/* rc and err refuse wrong usage, in one line that says expected (a part of it). */
void assert_refusal(int rc, const struct error *err, const char *expected);

#endif
