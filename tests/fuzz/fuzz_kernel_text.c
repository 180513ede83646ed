/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text files of the kernel: vmstat, meminfo, aer_dev_*, settings of resctrl. Known values are not
 * below 0.
 */
#include <math.h>

#include "fuzz.h"
#include "linux/cxl/cxl_private.h"
#include "linux/kernel/kernel_text.h"
#include "linux/memory/nodes.h"
#include "linux/memory/resctrl.h"
#include "platform/kernel_stats.h"
#include "platform/mbm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct span text = {(const char *)data, (const char *)data + size};
	struct kernel_stats stats = kernel_stats_unknown(0);
	struct aer_kinds kinds = {.count = 0};

	node_stats_parse_vmstat(text, &stats);
	node_stats_parse_meminfo(text, &stats);
	stats.values[AER_FATAL] = device_files_aer_total(text);
	for (unsigned i = 0; i < KERNEL_STATS; i++)
		fuzz_require(isnan(stats.values[i]) || stats.values[i] >= 0);
	device_files_aer_kinds(text, AER_FATAL, &kinds);
	fuzz_require(resctrl_parse_setting(text, 0) <= UINT8_MAX ||
		     resctrl_parse_setting(text, 0) == MBM_UNKNOWN);
	fuzz_require(
		!(resctrl_parse_setting(text, MBM_EVERY_CACHE) & ~(MBM_UNKNOWN | MBM_ALL_BITS)));
	return 0;
}
