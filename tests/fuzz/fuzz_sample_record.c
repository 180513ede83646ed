/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of sampled perf events: decoding reads nothing beyond a record, and finds a name's end.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "linux/perf/sampler_private.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct sample_record record;

	/* perf_ring_next() passes at least a whole header, in multiples of 8 */
	if (size < 9 || (size - 1) % 8)
		return 0;
	const struct sample_layout layout = {.counter = bytes[0] & 1, .lost = bytes[0] & 2};
	uint8_t *copy = malloc(size - 1);
	if (!copy)
		return 0;
	memcpy(copy, bytes + 1, size - 1);
	if (sample_record_decode(copy, size - 1, &layout, &record) && record.name)
		fuzz_require(strlen(record.name) < size - 1);
	free(copy);
	return 0;
}
