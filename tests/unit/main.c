/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "suites.h"

int main(void)
{
	Suite *(*const suites[])(void) = {
		suite_deadlines,   suite_spec,
		suite_sim,	   suite_sim_msr,
		suite_sim_unit,	   suite_poller,
		suite_view,	   suite_out_csv,
		suite_out_table,   suite_options,
		suite_command,	   suite_deadlines,
		suite_error,	   suite_log,
		suite_numlist,	   suite_rootfs,
		suite_platform,	   suite_reg,
		suite_msr_device,  suite_cpuid,
		suite_core_pmu,	   suite_core_pmu_counting,
		suite_pci_config,  suite_pci_bus,
		suite_pci_memory,  suite_linux_topology,
		suite_linux_clock, suite_deadlines,
		suite_discovery,   suite_event,
		suite_formula,	   suite_machine,
		suite_model,	   suite_plan,
		suite_schedule,	   suite_unit,
		suite_event_list,  suite_perfmon_json,
	};
	SRunner *runner = srunner_create(NULL);

	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		srunner_add_suite(runner, suites[i]());
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
