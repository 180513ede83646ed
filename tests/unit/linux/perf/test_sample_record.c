/* SPDX-License-Identifier: BSD-3-Clause */
/* Ring buffers of perf events that the test writes, as the kernel does. */
#include "linux/perf/sampler_private.h"

#include "linux/perf/perf_ring.h"
#include "unit.h"

#define RING 512

static uint8_t data[RING];
static uint8_t buffer[SAMPLE_RECORD_MOST];
static struct perf_ring ring;
static struct sample_layout layout;
static struct sample_record record;

static void begin(void)
{
	memset(data, 0xA5, sizeof(data));
	ring = (struct perf_ring){.data = data, .size = RING};
	layout = (struct sample_layout){.counter = true};
}

FIXTURE(begin, NULL)

static void put(const void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		data[ring.head++ % RING] = ((const uint8_t *)bytes)[i];
}

static void put_header(uint32_t type, uint16_t misc, uint16_t size)
{
	put(&type, 4);
	put(&misc, 2);
	put(&size, 2);
}

static void put_quads(const uint64_t *quads, size_t count)
{
	put(quads, 8 * count);
}

/*
 * Words of a sample: IDENTIFIER, IP, TID, TIME, ADDR, CPU, PERIOD, READ (count, enabled, running),
 * WEIGHT, DATA_SRC, PHYS_ADDR.
 */
static const uint64_t sample[] = {99,
				  0x401000,
				  17 | UINT64_C(18) << 32,
				  1234,
				  0x7f0000001040,
				  3,
				  10007,
				  5,
				  4000,
				  3000,
				  777,
				  0,
				  0x12345678040};

#define QUADS	 COUNT_OF(sample)
#define PERIOD	 6
#define RUNNING	 9
#define DATA_SRC 11

static void put_sample(uint64_t data_src)
{
	uint64_t quads[QUADS];

	memcpy(quads, sample, sizeof(quads));
	quads[DATA_SRC] = data_src;
	put_header(9, 2, 8 + sizeof(sample));
	put_quads(quads, QUADS);
}

static int next(void)
{
	size_t size;
	const int rc = perf_ring_next(&ring, buffer, sizeof(buffer), &size);

	return rc == 1 && !sample_record_decode(buffer, size, &layout, &record) ? -EBADMSG : rc;
}

TEST(test_every_field_of_a_sample_is_decoded)
{
	put_sample(2 | UINT64_C(9) << 33);
	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.kind, RECORD_SAMPLE);
	ck_assert_uint_eq(record.sample.ip, 0x401000);
	ck_assert_uint_eq(record.sample.pid, 17);
	ck_assert_uint_eq(record.sample.tid, 18);
	ck_assert_uint_eq(record.sample.time_ns, 1234);
	ck_assert_uint_eq(record.sample.address, 0x7f0000001040);
	ck_assert_uint_eq(record.sample.cpu, 3);
	ck_assert_uint_eq(record.sample.period, 10007);
	ck_assert_uint_eq(record.sample.weight, 777);
	ck_assert_uint_eq(record.sample.physical, 0x12345678040);
	ck_assert_uint_eq(record.event_id, 99);
	ck_assert(record.times.enabled_ns == 4000 && record.times.running_ns == 3000);
	ck_assert_int_eq(record.sample.level, LOAD_CXL);
	ck_assert(record.sample.load && !record.sample.remote && !record.sample.kernel);
	ck_assert_int_eq(next(), 0);
}

/* PERF_RECORD_MISC_*: kernel 1, user 2, guest kernel 4, guest user 5. */
TEST_LOOP(test_a_record_says_whose_code_it_is_of, 6)
{
	put_header(9, (uint16_t)(_i | 1U << 14), 8 + sizeof(sample));
	put_quads(sample, QUADS);
	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.sample.kernel, _i == 1);
	ck_assert_int_eq(record.sample.guest, _i == 4 || _i == 5);
}

/* With a period, the kernel would sample each of its own events. */
TEST(test_a_sample_of_the_kernels_own_events_has_neither_period_nor_times)
{
	layout = (struct sample_layout){.lost = true};
	put_header(9, 1, 80);
	put_quads(sample, PERIOD);
	put_quads(sample + RUNNING + 1, QUADS - RUNNING - 1);
	ck_assert_int_eq(next(), 1);
	ck_assert_uint_eq(record.sample.period, 0);
	ck_assert_uint_eq(record.times.running_ns, 0);
	ck_assert_uint_eq(record.sample.weight, 777);
	ck_assert_uint_eq(record.sample.physical, 0x12345678040);
	ck_assert(record.sample.kernel);
}

/* Linux 6.0 also reports losses. */
TEST(test_what_was_lost_is_behind_the_times)
{
	const uint64_t lost = 12;

	layout.lost = true;
	put_header(9, 2, 16 + sizeof(sample));
	put_quads(sample, RUNNING + 1);
	put_quads(&lost, 1);
	put_quads(sample + RUNNING + 1, QUADS - RUNNING - 1);
	ck_assert_int_eq(next(), 1);
	ck_assert_uint_eq(record.times.running_ns, 3000);
	ck_assert_uint_eq(record.sample.weight, 777);
	ck_assert_uint_eq(record.sample.physical, 0x12345678040);
}

/* mem_lvl_num, bits 36:33: PERF_MEM_LVLNUM_*. */
TEST_LOOP(test_each_level_of_mem_lvl_num_is_known, 16)
{
	static const enum load_level levels[16] = {
		[1] = LOAD_CACHE,  [2] = LOAD_CACHE,  [3] = LOAD_CACHE, [4] = LOAD_CACHE,
		[5] = LOAD_CACHE,  [6] = LOAD_CACHE,  [7] = LOAD_CACHE, [9] = LOAD_CXL,
		[11] = LOAD_CACHE, [12] = LOAD_CACHE, [13] = LOAD_DRAM, [14] = LOAD_PMEM,
	};

	ck_assert_int_eq(data_src_level(UINT64_C(2) | (uint64_t)_i << 33), levels[_i]);
}

/* mem_lvl, bits 18:5: PERF_MEM_LVL_*; its bit 1 is HIT. A sample without a level is unknown. */
TEST_LOOP(test_each_bit_of_mem_lvl_is_known, 14)
{
	static const enum load_level levels[14] = {
		[3] = LOAD_CACHE, [4] = LOAD_CACHE,  [5] = LOAD_CACHE,
		[6] = LOAD_CACHE, [7] = LOAD_DRAM,   [8] = LOAD_DRAM,
		[9] = LOAD_DRAM,  [10] = LOAD_CACHE, [11] = LOAD_CACHE,
	};
	const uint64_t hit = UINT64_C(1) << (5 + 1), level = UINT64_C(1) << (5 + _i);

	ck_assert_int_eq(data_src_level(2 | hit | level), levels[_i]);
	ck_assert_int_eq(data_src_level(2 | (level & ~hit)), LOAD_UNKNOWN);
	/* higher bits mean remote: memory and caches at one and two hops */
	ck_assert_int_eq(data_src_is_remote(level), _i >= 8 && _i <= 11);
}

#define LVL(bits)   ((uint64_t)(bits) << 5)
#define LVLNUM(num) ((uint64_t)(num) << 33)

/* Entries of the kernel's tables for PEBS, with a load and HIT (1) or MISS (2). */
TEST(test_a_miss_of_the_L3_is_no_hit_of_it)
{
	const uint64_t remote = UINT64_C(1) << 37, rem_ram1 = LVL(0x100), rem_cce1 = LVL(0x400);

	/* 0: unknown */
	ck_assert_int_eq(data_src_level(2 | LVL(4) | LVLNUM(3)), LOAD_MISS);
	ck_assert_int_eq(data_src_level(2 | LVL(2) | LVLNUM(3)), LOAD_CACHE);
	/* 0xb: L3 miss, shared, another socket's memory */
	ck_assert_int_eq(data_src_level(2 | LVL(2) | rem_ram1 | LVLNUM(3) | remote), LOAD_DRAM);
	/* 8 and 9, and 0xc and 0xd of later processors: another socket's cache */
	ck_assert_int_eq(data_src_level(2 | LVL(2) | rem_cce1 | LVLNUM(3) | remote), LOAD_CACHE);
	ck_assert_int_eq(data_src_level(2 | LVL(2) | LVLNUM(11) | remote), LOAD_CACHE);
	/* 0xe, 0xf: I/O, uncached */
	ck_assert_int_eq(data_src_level(2 | LVL(0x1002) | LVLNUM(15)), LOAD_UNKNOWN);
	ck_assert_int_eq(data_src_level(2 | LVL(0x2002) | LVLNUM(15)), LOAD_UNKNOWN);
}

/* mem_region, bits 50:46: PERF_MEM_REGION_*. */
TEST_LOOP(test_each_region_is_known, 32)
{
	static const enum load_level levels[32] = {
		[2] = LOAD_CACHE, [3] = LOAD_CACHE, [4] = LOAD_IO,    [5] = LOAD_CACHE,
		[6] = LOAD_CACHE, [7] = LOAD_IO,    [8] = LOAD_DRAM,  [9] = LOAD_DRAM,
		[10] = LOAD_DRAM, [11] = LOAD_DRAM, [12] = LOAD_DRAM, [13] = LOAD_DRAM,
		[14] = LOAD_DRAM, [15] = LOAD_DRAM,
	};
	const uint64_t data_src = UINT64_C(2) | (uint64_t)_i << 46;

	ck_assert_int_eq(data_src_level(data_src), levels[_i]);
	ck_assert_int_eq(data_src_region(data_src), _i >= 8 && _i < 16 ? _i - 8 : -1);
	/* mem_lvl_num decides if the region is unknown; it is CXL if the region is memory */
	ck_assert_int_eq(data_src_level(data_src | LVLNUM(9)),
			 levels[_i] == LOAD_DRAM || !levels[_i] ? LOAD_CXL : levels[_i]);
}

/* mem_op, bits 4:0: NA, LOAD, STORE, PFETCH, EXEC. */
TEST(test_only_loads_are_loads)
{
	ck_assert(data_src_is_load(0) && data_src_is_load(1) && data_src_is_load(2));
	ck_assert(!data_src_is_load(4) && !data_src_is_load(8) && !data_src_is_load(16));
	ck_assert(data_src_is_load(2 | 4));
	ck_assert(data_src_is_remote(UINT64_C(1) << 37));
	ck_assert(!data_src_is_remote(~(UINT64_C(1) << 37 | UINT64_C(0xF00) << 5)));
}

/* This kernel writes PERF_MEM_NA for a page fault. */
TEST(test_a_sample_without_data_source_may_be_a_load)
{
	put_sample(UINT64_C(0x1e05080021));
	ck_assert_int_eq(next(), 1);
	ck_assert(record.sample.load);
	ck_assert_int_eq(record.sample.level, LOAD_UNKNOWN);
}

/* Appends the bytes that sample_id_all adds. */
static void put_id(uint64_t time)
{
	put_quads(&time, 1);
}

TEST(test_names_forks_exits_and_mappings_are_decoded)
{
	const uint64_t ids = 5 | UINT64_C(6) << 32;
	const uint64_t fork[] = {7 | UINT64_C(5) << 32, 8 | UINT64_C(6) << 32, 99};
	const uint64_t mapping[] = {ids, 0x7000, 0x2000, 0x1000, 8, 173521, 1, 5};

	put_header(3, 1 << 13, 40);
	put_quads(&ids, 1);
	put("some name\0\0\0\0\0\0", 16);
	put_id(1);
	put_header(7, 0, 40);
	put_quads(fork, 3);
	put_id(2);
	put_header(4, 0, 40);
	put_quads(fork, 3);
	put_id(3);
	put_header(10, 0, 96);
	put_quads(mapping, 8);
	put("/lib/x.so\0\0\0\0\0\0", 16);
	put_id(4);

	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.kind, RECORD_NAME);
	ck_assert(record.pid == 5 && record.tid == 6 && record.exec);
	ck_assert_str_eq(record.name, "some name");
	ck_assert_uint_eq(record.time_ns, 1);
	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.kind, RECORD_FORK);
	ck_assert(record.pid == 7 && record.parent == 5 && record.tid == 8);
	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.kind, RECORD_EXIT);
	ck_assert_uint_eq(record.time_ns, 3);
	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.kind, RECORD_MAPPING);
	ck_assert(record.pid == 5 && record.tid == 6);
	ck_assert(record.start == 0x7000 && record.length == 0x2000 && record.offset == 0x1000);
	ck_assert(record.inode == 173521 && record.executable);
	ck_assert_str_eq(record.name, "/lib/x.so");
}

TEST(test_lost_and_throttled_samples_are_told_and_other_records_passed)
{
	const uint64_t lost[] = {1, 42}, quad = 7;

	put_header(2, 0, 24);
	put_quads(lost, 2);
	put_header(13, 0, 16);
	put_quads(&quad, 1);
	put_header(5, 0, 8);
	put_header(999, 0, 16);
	put_quads(&quad, 1);

	ck_assert_int_eq(next(), 1);
	ck_assert(record.kind == RECORD_LOST && record.lost == 42);
	ck_assert_int_eq(next(), 1);
	ck_assert(record.kind == RECORD_LOST_SAMPLES && record.lost == 7);
	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.kind, RECORD_THROTTLE);
	ck_assert_int_eq(next(), 1);
	ck_assert_int_eq(record.kind, RECORD_OTHER);
	ck_assert_int_eq(next(), 0);
}

/* The sample lacks the last field of its layout. */
TEST_LOOP(test_a_sample_that_is_too_short_is_refused, 3)
{
	static const struct sample_layout layouts[] = {{false, false}, {true, false}, {true, true}};
	static const unsigned quads[] = {8, 12, 13};
	uint64_t zeros[13] = {0};

	layout = layouts[_i];
	put_header(9, 0, (uint16_t)(8 + 8 * quads[_i]));
	put_quads(zeros, quads[_i]);
	ck_assert_int_eq(next(), -EBADMSG);
	ck_assert_int_eq(next(), 0);
}

TEST(test_a_name_without_an_end_is_refused)
{
	put_header(3, 0, 32);
	put("12345678abcdefgh", 16);
	put_id(0);
	ck_assert_int_eq(next(), -EBADMSG);
}
