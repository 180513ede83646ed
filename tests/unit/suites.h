/* SPDX-License-Identifier: BSD-3-Clause */
/* Every module's suite; main.c runs them all. */
#ifndef CXLMON_TEST_SUITES_H
#define CXLMON_TEST_SUITES_H

#include <check.h>

Suite *suite_deadlines(void);
Suite *suite_discovery(void);
Suite *suite_event(void);
Suite *suite_formula(void);
Suite *suite_machine(void);
Suite *suite_model(void);
Suite *suite_plan(void);
Suite *suite_schedule(void);
Suite *suite_unit(void);

#endif
