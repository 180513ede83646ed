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
Suite *suite_error(void);
Suite *suite_log(void);
Suite *suite_numlist(void);
Suite *suite_rootfs(void);
Suite *suite_platform(void);
Suite *suite_reg(void);
Suite *suite_msr_device(void);
Suite *suite_cpuid(void);
Suite *suite_core_pmu(void);
Suite *suite_core_pmu_counting(void);
Suite *suite_pci_config(void);
Suite *suite_pci_bus(void);
Suite *suite_pci_memory(void);
Suite *suite_linux_topology(void);
Suite *suite_linux_clock(void);
Suite *suite_discovery(void);
Suite *suite_event(void);
Suite *suite_formula(void);
Suite *suite_machine(void);
Suite *suite_model(void);
Suite *suite_plan(void);
Suite *suite_schedule(void);
Suite *suite_unit(void);
Suite *suite_event_list(void);
Suite *suite_perfmon_json(void);

#endif
