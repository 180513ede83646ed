/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of numa_maps. A line that is refused adds nothing; one that is taken adds whole pages,
 * twice as much if it is added twice. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "linux/numa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t none[NUMA_NODES_MOST];
	uint64_t once[NUMA_NODES_MOST] = {0}, twice[NUMA_NODES_MOST];
	struct input in = {data, size};
	char *line = input_text(&in);
	const int rc = numa_maps_line(line, once);

	fuzz_require(!rc || rc == -EBADMSG);
	fuzz_require(!rc || !memcmp(once, none, sizeof(none)));
	memcpy(twice, once, sizeof(twice));
	fuzz_require(numa_maps_line(line, twice) == rc);
	for (size_t i = 0; i < NUMA_NODES_MOST; i++) {
		fuzz_require(once[i] == UINT64_MAX || !(once[i] % 1024));
		fuzz_require(once[i] > UINT64_MAX / 2 || twice[i] == 2 * once[i]);
	}
	free(line);
	return 0;
}
