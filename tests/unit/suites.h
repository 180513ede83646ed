/* SPDX-License-Identifier: BSD-3-Clause */
/* Every module's suite, once: main.c runs this list. */
#ifndef CXLMON_TEST_SUITES_H
#define CXLMON_TEST_SUITES_H

#include <check.h>

#define ALL_SUITES(X)                                                                              \
	X(error)                                                                                   \
	X(log)                                                                                     \
	X(text)                                                                                    \
	X(numlist)                                                                                 \
	X(rootfs)                                                                                  \
	X(numbered)                                                                                \
	X(lockdown)                                                                                \
	X(platform)                                                                                \
	X(reg)                                                                                     \
	X(undo)                                                                                    \
	X(msr_device)                                                                              \
	X(cpuid)                                                                                   \
	X(core_pmu)                                                                                \
	X(core_pmu_counting)                                                                       \
	X(pci_config)                                                                              \
	X(pci_bus)                                                                                 \
	X(pci_memory)                                                                              \
	X(linux_topology)                                                                          \
	X(linux_clock)                                                                             \
	X(cxl_bus)                                                                                 \
	X(linux_container)                                                                         \
	X(linux_rights)                                                                            \
	X(rights)                                                                                  \
	X(event)                                                                                   \
	X(model)                                                                                   \
	X(model_events)                                                                            \
	X(formula)                                                                                 \
	X(discovery)                                                                               \
	X(unit)                                                                                    \
	X(core_unit)                                                                               \
	X(offcore)                                                                                 \
	X(schedule)                                                                                \
	X(event_list)                                                                              \
	X(perfmon_json)                                                                            \
	X(every_event)                                                                             \
	X(plan)                                                                                    \
	X(plan_groups)                                                                             \
	X(table_freeze)                                                                            \
	X(sim_layout_dmr)                                                                          \
	X(machine)                                                                                 \
	X(global_control)                                                                          \
	X(table_control)                                                                           \
	X(port_device)                                                                             \
	X(deadlines)                                                                               \
	X(poller)                                                                                  \
	X(poller_rotation)                                                                         \
	X(poller_faults)                                                                           \
	X(poller_skip)                                                                             \
	X(decoder)                                                                                 \
	X(linux_prepared)                                                                          \
	X(number)                                                                                  \
	X(instruction)                                                                             \
	X(readers)                                                                                 \
	X(cost)                                                                                    \
	X(ring)                                                                                    \
	X(view)                                                                                    \
	X(view_metrics)                                                                            \
	X(statistics)                                                                              \
	X(distribution)                                                                            \
	X(spec)                                                                                    \
	X(sim)                                                                                     \
	X(sim_load)                                                                                \
	X(sim_msr)                                                                                 \
	X(sim_unit)                                                                                \
	X(snapshot)                                                                                \
	X(options)                                                                                 \
	X(subcommands)                                                                             \
	X(api)                                                                                     \
	X(null)                                                                                    \
	X(common)                                                                                  \
	X(info)                                                                                    \
	X(doctor)                                                                                  \
	X(command)                                                                                 \
	X(output)                                                                                  \
	X(signals)                                                                                 \
	X(writer)                                                                                  \
	X(out_json)                                                                                \
	X(openmetrics)                                                                             \
	X(summary)                                                                                 \
	X(listener)                                                                                \
	X(http_route)                                                                              \
	X(http)                                                                                    \
	X(notify)                                                                                  \
	X(replace)                                                                                 \
	X(out_csv)                                                                                 \
	X(rerouting)                                                                               \
	X(suspension)                                                                              \
	X(guard)                                                                                   \
	X(journal)                                                                                 \
	X(run_dir)                                                                                 \
	X(recording)                                                                               \
	X(report)                                                                                  \
	X(out_table)                                                                               \
	X(history)                                                                                 \
	X(scale)                                                                                   \
	X(canvas)                                                                                  \
	X(screen_layout)                                                                           \
	X(screen_keys)                                                                             \
	X(screen)                                                                                  \
	X(deferred_log)

#define DECLARE_SUITE(name) Suite *suite_##name(void);
ALL_SUITES(DECLARE_SUITE)
#undef DECLARE_SUITE

#endif
