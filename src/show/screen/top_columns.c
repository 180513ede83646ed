/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/top_draw.h"

#include "show/screen/screen_draw.h"

#define MIN_BAR	   6
#define MAX_BAR	   24
#define MIN_NAME   17 /* width for a task's name of 15 characters, indented below its group */
#define MAX_NAME   24
#define MIN_CGROUP 20

const struct top_column_kind top_column_kinds[TOP_COLUMNS] = {
	[COLUMN_NAME] = {"NAME", "of the process, or of the group with how many processes it has",
			 MIN_NAME, true, false, TOP_SORT_NAME},
	[COLUMN_PID] = {"PID", "process id", 7, false, false, TOP_SORT_PID},
	[COLUMN_USER] = {"USER", "who runs it", 10, true, false, TOP_SORT_USER},
	[COLUMN_READ] = {"CXL READ", "loads from CXL memory, by samples; without prefetches",
			 BANDWIDTH_WIDTH, false, true, TOP_SORT_READ},
	[COLUMN_BAR] = {"", "", MIN_BAR, true, false, TOP_SORTS},
	[COLUMN_SHARE] = {"SHARE", "of all sampled loads from CXL memory; the bar shows the same",
			  6, false, true, TOP_SORTS},
	[COLUMN_P50] = {"p50", "half of its loads from CXL memory took less, over the time above",
			LATENCY_WIDTH, false, true, TOP_SORT_P50},
	[COLUMN_P99] = {"p99", "99 of 100 of them took less; unknown for fewer", LATENCY_WIDTH,
			false, true, TOP_SORT_P99},
	[COLUMN_CXL] = {"CXL MEM", "memory on CXL nodes", MEMORY_WIDTH, false, false, TOP_SORT_CXL},
	[COLUMN_DRAM] = {"DRAM MEM", "memory on other nodes", MEMORY_WIDTH, false, false,
			 TOP_SORT_DRAM},
	[COLUMN_AGE] = {"MEM AGE", "since its memory was counted, which takes the kernel long", 7,
			false, false, TOP_SORTS},
	[COLUMN_DRAM_READ] = {"DRAM READ", "loads from DRAM, by samples", BANDWIDTH_WIDTH, false,
			      true, TOP_SORTS},
	[COLUMN_SAMPLES] = {"SAMPLES", "sampled loads from CXL memory", 7, false, true, TOP_SORTS},
	[COLUMN_CGROUP] = {"CGROUP", "path of its cgroup", MIN_CGROUP, true, false, TOP_SORTS},
};

/* Columns by importance, the most important first. */
static const enum top_column ranks[] = {
	COLUMN_NAME, COLUMN_READ,      COLUMN_CXL,    COLUMN_SHARE,   COLUMN_PID,
	COLUMN_BAR,  COLUMN_P50,       COLUMN_DRAM,   COLUMN_P99,     COLUMN_USER,
	COLUMN_AGE,  COLUMN_DRAM_READ, COLUMN_CGROUP, COLUMN_SAMPLES,
};

static int wider_column(int width, int left, int most)
{
	return width + left < most ? width + left : most;
}

/* The room that is left over goes to longer names, then bars, then paths of cgroups. */
void top_columns_choose(int columns, bool sampled, int widths[TOP_COLUMNS])
{
	static const struct {
		enum top_column column;
		int most;
	} flexible[] = {{COLUMN_NAME, MAX_NAME},
			{COLUMN_BAR, MAX_BAR},
			{COLUMN_CGROUP, PROCESS_CGROUP_SIZE}};
	int left = columns;

	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
		const struct top_column_kind *kind = &top_column_kinds[ranks[i]];

		widths[ranks[i]] = 0;
		if ((kind->sampled && !sampled) || kind->width + 1 > left)
			continue;
		widths[ranks[i]] = kind->width;
		left -= kind->width + 1;
	}
	for (size_t i = 0; i < sizeof(flexible) / sizeof(flexible[0]); i++) {
		int *width = &widths[flexible[i].column];
		const int before = *width;

		if (!before)
			continue;
		*width = wider_column(before, left, flexible[i].most);
		left -= *width - before;
	}
}
