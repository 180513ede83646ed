/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/sample_record.h"

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
	[0x9] = LOAD_CXL,   [0xB] = LOAD_CACHE, /* any cache */
	[0xC] = LOAD_CACHE,			/* line fill buffer */
	[0xD] = LOAD_DRAM,  [0xE] = LOAD_PMEM,
};

#define LVLNUM_SHIFT 33
#define REMOTE	     (UINT64_C(1) << 37) /* mem_remote */

enum load_level data_src_level(uint64_t data_src)
{
	const enum load_level level = levels[data_src >> LVLNUM_SHIFT & 0xF];

	if (level != LOAD_UNKNOWN || !(data_src & LVL_HIT))
		return level;
	if (data_src & LVL_RAM)
		return LOAD_DRAM;
	return data_src & LVL_CACHES ? LOAD_CACHE : LOAD_UNKNOWN;
}

bool data_src_is_load(uint64_t data_src)
{
	return !(data_src & OP_MASK) || data_src & (OP_NA | OP_LOAD);
}

bool data_src_is_remote(uint64_t data_src)
{
	return data_src & (REMOTE | LVL_REMOTE);
}

/* struct perf_event_header: its size, and where misc is; PERF_RECORD_MISC_CPUMODE_MASK, _KERNEL. */
#define HEADER_BYTES   8
#define MISC_OFFSET    4
#define CPUMODE_MASK   7
#define CPUMODE_KERNEL 1
#define SAMPLE_BYTES   80	 /* with a period */
#define COMM_EXEC      (1 << 13) /* PERF_RECORD_MISC_COMM_EXEC */

static uint16_t half(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint32_t word(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t quad(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static bool decode_sample(const uint8_t *at, size_t size, uint64_t period,
			  struct sample_record *out)
{
	if (!period && size < SAMPLE_BYTES)
		return false;
	/* what follows the field that is not there */
	const uint8_t *rest = at + (period ? 48 : 56);
	const uint64_t data_src = quad(rest + 8);

	out->sample = (struct load_sample){
		.ip = quad(at + 8),
		.pid = word(at + 16),
		.tid = word(at + 20),
		.time_ns = quad(at + 24),
		.address = quad(at + 32),
		.cpu = word(at + 40),
		.period = period ? period : quad(at + 48),
		.weight = quad(rest),
		.physical = quad(rest + 16),
		.latency_ns = NAN,
		.level = data_src_level(data_src),
		.load = data_src_is_load(data_src),
		.remote = data_src_is_remote(data_src),
		.kernel = (half(at + MISC_OFFSET) & CPUMODE_MASK) == CPUMODE_KERNEL,
	};
	return true;
}

/* u64 id, lost; of PERF_RECORD_LOST_SAMPLES only lost */
static bool decode_lost(const uint8_t *at, size_t size, uint64_t period, struct sample_record *out)
{
	(void)period;
	(void)size;
	out->lost = quad(at + 16);
	return true;
}

static bool decode_lost_samples(const uint8_t *at, size_t size, uint64_t period,
				struct sample_record *out)
{
	(void)period;
	(void)size;
	out->lost = quad(at + HEADER_BYTES);
	return true;
}

static bool decode_nothing(const uint8_t *at, size_t size, uint64_t period,
			   struct sample_record *out)
{
	(void)period;
	(void)at;
	(void)size;
	(void)out;
	return true;
}

/* Text up to the end of the record. */
static bool take_name(const uint8_t *at, size_t size, size_t offset, struct sample_record *out)
{
	out->name = (const char *)at + offset;
	return memchr(out->name, '\0', size - offset);
}

/* u32 pid, tid; char comm[] */
static bool decode_name(const uint8_t *at, size_t size, uint64_t period, struct sample_record *out)
{
	(void)period;
	out->pid = word(at + 8);
	out->tid = word(at + 12);
	out->exec = half(at + MISC_OFFSET) & COMM_EXEC;
	return take_name(at, size, 16, out);
}

/* u32 pid, ppid, tid, ptid; u64 time */
static bool decode_process(const uint8_t *at, size_t size, uint64_t period,
			   struct sample_record *out)
{
	(void)period;
	(void)size;
	out->pid = word(at + 8);
	out->parent = word(at + 12);
	out->tid = word(at + 16);
	return true;
}

/*
 * u32 pid, tid; u64 addr, len, pgoff; u32 maj, min; u64 ino, ino_generation; u32 prot, flags;
 * char name[]
 */
static bool decode_mapping(const uint8_t *at, size_t size, uint64_t period,
			   struct sample_record *out)
{
	(void)period;
	out->pid = word(at + 8);
	out->tid = word(at + 12);
	out->start = quad(at + 16);
	out->length = quad(at + 24);
	out->offset = quad(at + 32);
	out->inode = quad(at + 48);
	out->executable = word(at + 64) & PROT_EXEC;
	return take_name(at, size, 72, out);
}

/*
 * enum perf_event_type. The least size is that of all fields that are decoded; of a record that has
 * a time, without what perf_event_attr.sample_id_all adds: u32 pid, tid; u64 time; u32 cpu, 0.
 */
#define ID_BYTES 24
#define ID_TIME	 8
static const struct record_type {
	uint32_t type;
	enum sample_record_kind kind;
	uint16_t least;
	bool timed;
	bool (*decode)(const uint8_t *at, size_t size, uint64_t period, struct sample_record *out);
} types[] = {
	{9 /* PERF_RECORD_SAMPLE */, RECORD_SAMPLE, SAMPLE_BYTES - 8, false, decode_sample},
	{10 /* PERF_RECORD_MMAP2 */, RECORD_MAPPING, 73, true, decode_mapping},
	{3 /* PERF_RECORD_COMM */, RECORD_NAME, 17, true, decode_name},
	{7 /* PERF_RECORD_FORK */, RECORD_FORK, 20, true, decode_process},
	{4 /* PERF_RECORD_EXIT */, RECORD_EXIT, 20, true, decode_process},
	{2 /* PERF_RECORD_LOST */, RECORD_LOST, 24, false, decode_lost},
	{13 /* PERF_RECORD_LOST_SAMPLES */, RECORD_LOST, 16, false, decode_lost_samples},
	{5 /* PERF_RECORD_THROTTLE */, RECORD_THROTTLE, HEADER_BYTES, false, decode_nothing},
};

bool sample_record_decode(const uint8_t *at, size_t size, uint64_t period,
			  struct sample_record *out)
{
	const uint32_t number = word(at);

	*out = (struct sample_record){.kind = RECORD_OTHER};
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const struct record_type *type = &types[i];

		if (type->type != number)
			continue;
		out->kind = type->kind;
		if (size < type->least + (type->timed ? ID_BYTES : 0U))
			return false;
		if (type->timed)
			out->time_ns = quad(at + size - ID_BYTES + ID_TIME);
		return type->decode(at, size - (type->timed ? ID_BYTES : 0), period, out);
	}
	return true;
}
