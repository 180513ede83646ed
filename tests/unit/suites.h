/* SPDX-License-Identifier: BSD-3-Clause */
/* Every module's suite; main.c runs them all. */
#ifndef CXLMON_TEST_SUITES_H
#define CXLMON_TEST_SUITES_H

#include <check.h>

Suite *suite_deadlines(void);
Suite *suite_spec(void);
Suite *suite_sim(void);
Suite *suite_sim_msr(void);
Suite *suite_sim_unit(void);
Suite *suite_poller(void);
Suite *suite_view(void);
Suite *suite_out_csv(void);
Suite *suite_out_table(void);
Suite *suite_options(void);
Suite *suite_command(void);

#endif
