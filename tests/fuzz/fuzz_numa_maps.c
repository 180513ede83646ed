/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of numa_maps, and of a cgroup's files. A refused line adds nothing; an accepted one adds
 * whole pages, or bytes, and twice as much if it is added twice.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "linux/system/numa_maps.h"

typedef int add_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);

static void check_line(const char *line, add_line *add, uint64_t unit)
{
	static const uint64_t none[NUMA_NODES_MOST];
	uint64_t once[NUMA_NODES_MOST] = {0}, twice[NUMA_NODES_MOST];
	const int rc = add(line, once);

	fuzz_require(!rc || rc == -EBADMSG);
	fuzz_require(!rc || !memcmp(once, none, sizeof(none)));
	memcpy(twice, once, sizeof(twice));
	fuzz_require(add(line, twice) == rc);
	for (size_t i = 0; i < NUMA_NODES_MOST; i++) {
		fuzz_require(once[i] == UINT64_MAX || !(once[i] % unit));
		fuzz_require(once[i] > UINT64_MAX / 2 || twice[i] == 2 * once[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	char *line = input_text(&in);

	check_line(line, numa_maps_line, 1024);
	check_line(line, numa_stat_line, 1);
	check_line(line, numa_stat_v1_line, 4096);
	check_line(line, hugetlb_stat_line, 1);
	check_line(line, hugetlb_stat_v1_line, 1);
	free(line);
	return 0;
}
