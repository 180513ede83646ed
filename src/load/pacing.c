/* SPDX-License-Identifier: BSD-3-Clause */
#include "load/pacing.h"

#include <math.h>

#include "load/kernels.h"
#include "platform/number.h"

#define CHUNK_NS   200000.0
#define CHUNK_MOST (256 << 10) /* bytes: at the most that a thread moves, less than 0.1 ms */
#define BURST_NS   50000000    /* what is made up for */

void pacing_begin(struct pacing *pacing, double bytes_per_s, uint64_t now)
{
	*pacing = (struct pacing){.bytes_per_s = bytes_per_s, .since = now};
}

size_t pacing_chunk(double bytes_per_s)
{
	const double bytes = fmin(bytes_per_s * CHUNK_NS / (double)NS_PER_S, CHUNK_MOST);

	return bytes < KERNEL_LINE ? KERNEL_LINE : (size_t)bytes / KERNEL_LINE * KERNEL_LINE;
}

uint64_t pacing_moved(struct pacing *pacing, size_t bytes, uint64_t now)
{
	if (isinf(pacing->bytes_per_s))
		return now;
	pacing->bytes += (double)bytes;
	const double took = pacing->bytes / pacing->bytes_per_s * (double)NS_PER_S;
	const uint64_t due = pacing->since + (uint64_t)took;

	if (due + BURST_NS >= now)
		return due;
	pacing_begin(pacing, pacing->bytes_per_s, now - BURST_NS);
	return now;
}
