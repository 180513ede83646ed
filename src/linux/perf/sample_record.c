/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/perf/sampler_private.h"
#include "platform/load_sample.h"
#include "platform/memory.h"

#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

/* PERF_MEM_OP_*: mem_op, bits 4:0. */
#define OP_MASK UINT64_C(0x1F)
#define OP_NA	UINT64_C(1)
#define OP_LOAD UINT64_C(2)

/* PERF_MEM_LVL_*: mem_lvl, bits 18:5. */
#define LVL(bits)  ((uint64_t)(bits) << 5)
#define LVL_HIT	   LVL(0x002)
#define LVL_MISS   LVL(0x004)
#define LVL_CACHES LVL(0xC78) /* L1, line fill buffer, L2, L3; remote caches at 1 and 2 hops */
#define LVL_RAM	   LVL(0x380) /* local; remote at 1 and 2 hops */
#define LVL_REMOTE LVL(0xF00) /* memory and caches at 1 and 2 hops */

/* PERF_MEM_LVLNUM_*: mem_lvl_num, bits 36:33. */
static const enum load_level levels[16] = {
	[0x1] = LOAD_CACHE,			/* L1 */
	[0x2] = LOAD_CACHE,			/* L2 */
	[0x3] = LOAD_CACHE,			/* L3 */
	[0x4] = LOAD_CACHE,			/* L4 */
	[0x5] = LOAD_CACHE,			/* L2 miss handling buffer */
	[0x6] = LOAD_CACHE,			/* memory-side cache */
	[0x7] = LOAD_CACHE,			/* L0 */
	[0x9] = LOAD_CXL,   [0xB] = LOAD_CACHE, /* any cache */
	[0xC] = LOAD_CACHE,			/* line fill buffer */
	[0xD] = LOAD_DRAM,  [0xE] = LOAD_PMEM,
};

#define LVLNUM_SHIFT 33
#define REMOTE	     (UINT64_C(1) << 37) /* mem_remote */

/*
 * PERF_MEM_REGION_*: mem_region, bits 50:46, from Linux 7.0 on; always 0 before. Values from
 * REGION_MEMORY on are regions of memory.
 */
static const enum load_level region_levels[] = {
	[2] = LOAD_CACHE, /* a shared cache of this socket */
	[3] = LOAD_CACHE, /* an unshared cache of this socket */
	[4] = LOAD_IO,	  /* an I/O agent of another socket */
	[5] = LOAD_CACHE, /* a shared cache of another socket */
	[6] = LOAD_CACHE, /* an unshared cache of another socket */
	[7] = LOAD_IO,	  /* MMIO */
};

#define REGION_SHIFT  46
#define REGION_MEMORY 8

static unsigned mem_region(uint64_t data_src)
{
	return data_src >> REGION_SHIFT & 0x1F;
}

int data_src_region(uint64_t data_src)
{
	const unsigned region = mem_region(data_src);

	return region >= REGION_MEMORY && region < REGION_MEMORY + MEMORY_REGION_IDS
		       ? (int)(region - REGION_MEMORY)
		       : -1;
}

/*
 * Returns the level of a load without a region. The kernel's table for PEBS
 * (arch/x86/events/intel/ds.c) has two entries whose mem_lvl_num is L3 though the L3 did not have
 * the data: 0, a miss without further information, and 0xB, memory of another socket.
 */
static enum load_level level_without_region(uint64_t data_src)
{
	const enum load_level level = levels[data_src >> LVLNUM_SHIFT & 0xF];

	if (data_src & LVL_MISS)
		return level == LOAD_CACHE ? LOAD_MISS : level;
	if (data_src & LVL_HIT && data_src & LVL_RAM && level <= LOAD_CACHE)
		return LOAD_DRAM;
	if (level != LOAD_UNKNOWN || !(data_src & LVL_HIT))
		return level;
	return data_src & LVL_CACHES ? LOAD_CACHE : LOAD_UNKNOWN;
}

enum load_level data_src_level(uint64_t data_src)
{
	const unsigned region = mem_region(data_src);
	const enum load_level level = level_without_region(data_src);

	if (region < REGION_MEMORY && region_levels[region] != LOAD_UNKNOWN)
		return region_levels[region];
	return data_src_region(data_src) < 0 || level > LOAD_DRAM ? level : LOAD_DRAM;
}

bool data_src_is_load(uint64_t data_src)
{
	return !(data_src & OP_MASK) || data_src & (OP_NA | OP_LOAD);
}

bool data_src_is_remote(uint64_t data_src)
{
	return data_src & (REMOTE | LVL_REMOTE);
}

#define MISC_OFFSET 4 /* in struct perf_event_header */

/* Bytes that sample_id_all adds to records of processes: PROCESS_RECORD_TYPE. */
#define ID_BYTES 8 /* u64 time */

static uint16_t half_at(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t word_at(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t quad_at(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Decodes u64 id, ip; u32 pid, tid; u64 time, addr; u32 cpu, 0. */
static struct load_sample decode_sample(const uint8_t *at, const uint8_t *rest)
{
	const uint64_t data_src = quad_at(rest + 8);
	const unsigned mode = half_at(at + MISC_OFFSET) & PERF_RECORD_MISC_CPUMODE_MASK;

	return (struct load_sample){
		.ip = quad_at(at + 16),
		.pid = word_at(at + 24),
		.tid = word_at(at + 28),
		.time_ns = quad_at(at + 32),
		.address = quad_at(at + 40),
		.cpu = word_at(at + 48),
		.weight = quad_at(rest),
		.physical = quad_at(rest + 16),
		.latency_ns = NAN,
		.level = data_src_level(data_src),
		.load = data_src_is_load(data_src),
		.remote = data_src_is_remote(data_src),
		.region = data_src_region(data_src),
		.kernel = mode == PERF_RECORD_MISC_KERNEL,
		.guest = mode == PERF_RECORD_MISC_GUEST_KERNEL ||
			 mode == PERF_RECORD_MISC_GUEST_USER,
	};
}

static bool decode_whole_sample(const uint8_t *at, size_t size, const struct sample_layout *layout,
				struct sample_record *out)
{
	/* u64 period, count, enabled, running; and lost, if the layout has it */
	const uint8_t *counter = at + 56;
	const size_t bytes = !layout->counter ? 0 : layout->lost ? 40 : 32;

	if (size < SAMPLE_BYTES + bytes)
		return false;
	out->event_id = quad_at(at + 8);
	out->sample = decode_sample(at, counter + bytes);
	if (!layout->counter)
		return true;
	out->sample.period = quad_at(counter);
	out->times = (struct event_times){quad_at(counter + 16), quad_at(counter + 24)};
	return true;
}

/* Takes a string that ends within the record. */
static bool take_name(const uint8_t *at, size_t end, size_t offset, struct sample_record *out)
{
	out->name = (const char *)at + offset;
	return memchr(out->name, '\0', end - offset);
}

/*
 * Decodes a record of a process, which has at least so many bytes before the part of sample_id_all.
 */
static bool decode_process(const uint8_t *at, size_t size, size_t least, struct sample_record *out)
{
	const size_t end = size - ID_BYTES;

	if (size < least + ID_BYTES)
		return false;
	out->time_ns = quad_at(at + end);
	out->pid = word_at(at + 8);
	switch (out->kind) {
	case RECORD_NAME: /* u32 pid, tid; char comm[] */
		out->tid = word_at(at + 12);
		out->exec = half_at(at + MISC_OFFSET) & PERF_RECORD_MISC_COMM_EXEC;
		return take_name(at, end, 16, out);
	case RECORD_MAPPING: /* u32 pid, tid; u64 addr, len, pgoff; u32 maj, min;
				u64 ino, ino_generation; u32 prot, flags; char name[] */
		out->tid = word_at(at + 12);
		out->start = quad_at(at + 16);
		out->length = quad_at(at + 24);
		out->offset = quad_at(at + 32);
		out->inode = quad_at(at + 48);
		out->executable = word_at(at + 64) & PROT_EXEC;
		return take_name(at, end, 72, out);
	default: /* u32 pid, ppid, tid, ptid; u64 time */
		out->parent = word_at(at + 12);
		out->tid = word_at(at + 16);
		return true;
	}
}

static bool decode_lost(const uint8_t *at, size_t size, size_t offset, struct sample_record *out)
{
	if (size < offset + sizeof(out->lost))
		return false;
	out->lost = quad_at(at + offset);
	if (size >= offset + sizeof(out->lost) + ID_BYTES)
		out->time_ns = quad_at(at + size - ID_BYTES);
	return true;
}

bool sample_record_decode(const uint8_t *at, size_t size, const struct sample_layout *layout,
			  struct sample_record *out)
{
	*out = (struct sample_record){.kind = RECORD_OTHER};
	switch (word_at(at)) {
	case PERF_RECORD_SAMPLE:
		out->kind = RECORD_SAMPLE;
		return decode_whole_sample(at, size, layout, out);
	case PERF_RECORD_COMM:
		out->kind = RECORD_NAME;
		return decode_process(at, size, 17, out);
	case PERF_RECORD_FORK:
		out->kind = RECORD_FORK;
		return decode_process(at, size, 20, out);
	case PERF_RECORD_EXIT:
		out->kind = RECORD_EXIT;
		return decode_process(at, size, 20, out);
	case PERF_RECORD_MMAP2:
		out->kind = RECORD_MAPPING;
		return decode_process(at, size, 73, out);
	case PERF_RECORD_LOST: /* u64 id, lost */
		out->kind = RECORD_LOST;
		return decode_lost(at, size, 16, out);
	case PERF_RECORD_LOST_SAMPLES: /* u64 lost */
		out->kind = RECORD_LOST_SAMPLES;
		return decode_lost(at, size, 8, out);
	case PERF_RECORD_THROTTLE:
		out->kind = RECORD_THROTTLE;
		return true;
	default:
		return true;
	}
}
