/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/load/load_private.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif
#include <math.h>
#include <stdint.h>

#include "base/number.h"

typedef long long vector __attribute__((vector_size(16)));

#define VECTORS (KERNEL_LINE / sizeof(vector))

/*
 * The order of the ring: a linear congruential generator modulo a power of two. It visits every
 * number once, because the factor is 1 modulo 4 and the increment is odd (Hull and Dobell, 1962).
 */
#define RING_FACTOR    UINT64_C(0x5851F42D4C957F2D)
#define RING_INCREMENT UINT64_C(0x14057B7EF767814F)

void kernel_read(const void *from, size_t bytes)
{
	const vector *at = from, *end = at + bytes / sizeof(*at);
	vector sum = {0};

	for (; at < end; at += VECTORS)
		sum ^= at[0] ^ at[1] ^ at[2] ^ at[3];
	/* used, so that the compiler leaves nothing out */
	__asm__ volatile("" : : "m"(sum));
}

static void store_line(vector *to, vector value)
{
#ifdef __x86_64__
	for (unsigned i = 0; i < VECTORS; i++)
		_mm_stream_si128((__m128i *)&to[i], (__m128i)value);
#elif defined(__aarch64__)
	__asm__ volatile("stnp %q1, %q1, [%0]\n\tstnp %q1, %q1, [%0, #32]"
			 :
			 : "r"(to), "w"(value)
			 : "memory");
#else
	for (unsigned i = 0; i < VECTORS; i++)
		((volatile vector *)to)[i] = value;
#endif
}

void kernel_write(void *to, size_t bytes)
{
	vector *at = to, *end = at + bytes / sizeof(*at);
	const vector value = {0x5A5A5A5A5A5A5A5A, 0x5A5A5A5A5A5A5A5A};

	for (; at < end; at += VECTORS)
		store_line(at, value);
#ifdef __x86_64__
	_mm_sfence();
#endif
}

void kernel_store(void *to, size_t bytes)
{
	volatile vector *at = to, *end = at + bytes / sizeof(*at);
	const vector value = {0x5A5A5A5A5A5A5A5A, 0x5A5A5A5A5A5A5A5A};

	while (at < end)
		*at++ = value;
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

void kernel_chase_all(void **lines, unsigned chains, size_t links)
{
	while (links--)
		for (unsigned i = 0; i < chains; i++)
			lines[i] = *(void *volatile *)lines[i];
}

/*
 * Extra links for each chain. Equal distances of addresses are equal distances along the ring,
 * because they are multiples of a power of two, and the generator keeps the low bits. With a few
 * more links for each chain, chains are not all in the same set of a cache, or bank of a DRAM, at
 * the same time.
 */
#define LINKS_BETWEEN 97

void *kernel_chain(void *ring, size_t lines, size_t chains, size_t nth)
{
	return kernel_chase((char *)ring + nth * (lines / chains) * KERNEL_LINE,
			    nth * LINKS_BETWEEN);
}

/* Pacing. */

#define CHUNK_NS   200000.0
#define CHUNK_MOST (256 << 10) /* bytes: at a thread's highest rate, less than 0.1 ms */
#define BURST_NS   50000000    /* time that is made up for */

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
