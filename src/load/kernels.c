/* SPDX-License-Identifier: BSD-3-Clause */
#include "load/kernels.h"

#include <emmintrin.h>
#include <stdint.h>

#define VECTORS (KERNEL_LINE / sizeof(__m128i))

/*
 * The order of the ring is that of a linear congruential generator modulo a power of two. It visits
 * every number once, as the factor is 1 modulo 4 and the increment is odd (Hull and Dobell, 1962).
 */
#define RING_FACTOR    UINT64_C(0x5851F42D4C957F2D)
#define RING_INCREMENT UINT64_C(0x14057B7EF767814F)

void kernel_read(const void *from, size_t bytes)
{
	const __m128i *at = from, *end = at + bytes / sizeof(*at);
	__m128i sum = _mm_setzero_si128();

	for (; at < end; at += VECTORS)
		sum = _mm_xor_si128(_mm_xor_si128(sum, _mm_xor_si128(_mm_load_si128(at),
								     _mm_load_si128(at + 1))),
				    _mm_xor_si128(_mm_load_si128(at + 2), _mm_load_si128(at + 3)));
	/* used, so that nothing is left out */
	__asm__ volatile("" : : "x"(sum));
}

void kernel_write(void *to, size_t bytes)
{
	__m128i *at = to, *end = at + bytes / sizeof(*at);
	const __m128i value = _mm_set1_epi32(0x5A5A5A5A);

	for (; at < end; at += VECTORS) {
		_mm_stream_si128(at, value);
		_mm_stream_si128(at + 1, value);
		_mm_stream_si128(at + 2, value);
		_mm_stream_si128(at + 3, value);
	}
	_mm_sfence();
}

size_t kernel_link(void *area, size_t bytes)
{
	size_t lines = 1;

	while (2 * lines <= bytes / KERNEL_LINE)
		lines *= 2;
	for (uint64_t i = 0; i < lines; i++)
		*(void **)((char *)area + i * KERNEL_LINE) =
			(char *)area +
			((i * RING_FACTOR + RING_INCREMENT) & (lines - 1)) * KERNEL_LINE;
	return lines;
}

void *kernel_chase(void *line, size_t links)
{
	while (links--)
		line = *(void *volatile *)line;
	return line;
}
