/* SPDX-License-Identifier: BSD-3-Clause */
/* The hash of the tables here: the finalizer of MurmurHash3. */
#ifndef CXLMON_HOT_HASH_H
#define CXLMON_HOT_HASH_H

#include <stdint.h>

static inline uint64_t hot_hash(uint64_t a, uint64_t b)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) ^ b;

	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 33;
}

#endif
