/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory.h"

#include <err.h>
#include <stdlib.h>

#include "platform/reg.h"
#include "sim/sim_machine.h"
#include "tests/registers.h"

#define ACCESS_MMIO 1 /* bits 63:62 of the first word of a table's record */

struct part {
	struct sim_region memory;
	uint64_t offset; /* offset in the guest's window */
	struct mmio_window window;
};

struct memory {
	struct platform *platform;
	uint64_t base; /* address of the guest's window */
	uint64_t size;
	struct part *parts;
	size_t count;
};

static uint64_t round_up_to_power(uint64_t value)
{
	uint64_t power = 1;

	while (power < value)
		power *= 2;
	return power;
}

/* Places a part at a multiple of its size, as BARs are placed. */
static void place(struct memory *m, struct part *part, uint64_t *end)
{
	const uint64_t length = round_up_to_power(part->memory.length);

	part->offset = (*end + length - 1) & ~(length - 1);
	*end = part->offset + length;
	if (m->platform->ops->registers->mmio_map(m->platform, part->memory.phys,
						  part->memory.length, true, &part->window, NULL))
		errx(1, "simulated memory cannot be mapped");
}

struct memory *memory_new(struct platform *p)
{
	struct memory *m = calloc(1, sizeof(*m));
	uint64_t end = 0;

	if (!m)
		errx(1, "out of memory");
	m->platform = p;
	m->count = sim_of(p)->region_count;
	m->parts = calloc(m->count, sizeof(*m->parts));
	if (!m->parts)
		errx(1, "out of memory");
	for (size_t i = 0; i < m->count; i++) {
		m->parts[i].memory = sim_of(p)->regions[i];
		place(m, &m->parts[i], &end);
	}
	m->size = round_up_to_power(end);
	return m;
}

void memory_free(struct memory *m)
{
	for (size_t i = 0; i < m->count; i++)
		m->platform->ops->registers->mmio_unmap(m->platform, &m->parts[i].window);
	free(m->parts);
	free(m);
}

uint64_t memory_size(const struct memory *m)
{
	return m->size;
}

void memory_move(struct memory *m, uint64_t base)
{
	m->base = base;
}

uint64_t memory_address(const struct memory *m, uint64_t phys)
{
	for (size_t i = 0; i < m->count; i++) {
		const struct part *part = &m->parts[i];

		if (phys >= part->memory.phys && phys - part->memory.phys < part->memory.length)
			return m->base + part->offset + (phys - part->memory.phys);
	}
	return phys;
}

static const struct part *find(const struct memory *m, uint64_t offset, unsigned bytes)
{
	for (size_t i = 0; i < m->count; i++)
		if (offset >= m->parts[i].offset &&
		    offset + bytes <= m->parts[i].offset + m->parts[i].memory.length)
			return &m->parts[i];
	return NULL;
}

/*
 * Returns a word of a table with the guest's addresses. The first record is of the global control,
 * and has the same stride as units.
 */
static uint64_t table_word(const struct memory *m, const uint64_t *words, uint64_t index)
{
	const uint64_t stride = words[0] >> 8 & 0xff;

	if (!stride || index % stride != 1 || words[index - 1] >> 62 != ACCESS_MMIO)
		return words[index];
	return memory_address(m, words[index]);
}

static uint64_t read_aligned(const struct memory *m, const struct part *part, uint64_t at,
			     unsigned bytes)
{
	const uint64_t *words = part->memory.words;
	uint64_t value = 0;

	if (words)
		return table_word(m, words, at / 8) >> (8 * (at % 8));
	raw_mmio_read(m->platform, &part->window, at, bytes, &value);
	return value;
}

uint64_t memory_read(const struct memory *m, uint64_t offset, unsigned bytes)
{
	const struct part *part = find(m, offset, bytes);
	const unsigned within = bytes < 4 ? offset % 4 : 0;

	if (!part)
		return 0;
	return read_aligned(m, part, offset - part->offset - within, bytes < 4 ? 4 : bytes) >>
	       (8 * within);
}

void memory_write(struct memory *m, uint64_t offset, unsigned bytes, uint64_t value)
{
	const struct part *part = find(m, offset, bytes);

	if (part && bytes >= 4)
		raw_mmio_write(m->platform, &part->window, offset - part->offset, bytes, value);
}
