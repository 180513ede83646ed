/* SPDX-License-Identifier: BSD-3-Clause */

#include <linux/perf_event.h>

#include "linux/perf/perf_ring.h"
#include "platform/perf.h"
#include "unit.h"

static uint8_t data[64];
static struct perf_ring ring;

static void set_up(void)
{
	memset(data, 0, sizeof(data));
	ring = (struct perf_ring){.data = data, .size = sizeof(data)};
}

FIXTURE(set_up, NULL)

/* Appends a record, of which all except the header has the given byte. */
static void append(uint16_t size, uint8_t byte)
{
	const struct perf_event_header header = {.type = PERF_RECORD_SAMPLE, .size = size};
	uint8_t record[64];

	memset(record, byte, sizeof(record));
	memcpy(record, &header, sizeof(header));
	for (size_t i = 0; i < size && i < sizeof(record); i++)
		data[(ring.head + i) % sizeof(data)] = record[i];
	ring.head += size;
}

static void check_next(uint16_t size, uint8_t byte)
{
	uint8_t buffer[64];
	size_t got;

	ck_assert_int_eq(perf_ring_next(&ring, buffer, sizeof(buffer), &got), 1);
	ck_assert_uint_eq(got, size);
	for (size_t i = sizeof(struct perf_event_header); i < size; i++)
		ck_assert_uint_eq(buffer[i], byte);
}

TEST(test_records_are_read_in_order_and_across_the_end_of_the_ring)
{
	uint8_t buffer[64];
	size_t size;

	for (unsigned i = 0; i < 100; i++) {
		append(16, (uint8_t)i);
		append(24, (uint8_t)(i + 1));
		check_next(16, (uint8_t)i);
		check_next(24, (uint8_t)(i + 1));
	}
	ck_assert_int_eq(perf_ring_next(&ring, buffer, sizeof(buffer), &size), 0);
}

TEST(test_the_end_of_a_record_is_known_without_the_rest)
{
	uint8_t header[8];
	size_t size;

	ring.head = ring.tail = UINT64_MAX - 27;
	append(32, 7);
	append(16, 8);
	ck_assert_int_eq(perf_ring_next(&ring, header, sizeof(header), &size), -E2BIG);
	ck_assert_uint_eq(perf_ring_last(&ring), UINT64_C(0x0707070707070707));
}

TEST(test_a_full_ring_is_read)
{
	ring.head = ring.tail = UINT64_MAX - 23;
	append(64, 7);
	check_next(64, 7);
}

TEST(test_of_a_record_that_is_too_large_the_first_bytes_are_copied)
{
	uint8_t buffer[24] = {0};
	size_t size;

	append(24, 1);
	append(16, 2);
	ck_assert_int_eq(perf_ring_next(&ring, buffer, 16, &size), -E2BIG);
	ck_assert_uint_eq(size, 24);
	ck_assert(buffer[15] == 1 && buffer[16] == 0);
	check_next(16, 2);
}

static const struct {
	uint16_t size;
	uint64_t there;
} wrong[] = {{0, 16}, {4, 16}, {20, 24}, {24, 16}, {16, 4}, {16, 72}, {16, UINT64_MAX}};

TEST_LOOP(test_what_is_no_record_ends_the_reading, (int)COUNT_OF(wrong))
{
	uint8_t buffer[64];
	size_t size;

	append(wrong[_i].size, 0);
	ring.head = ring.tail + wrong[_i].there;
	ck_assert_int_eq(perf_ring_next(&ring, buffer, sizeof(buffer), &size), -EBADMSG);
	ck_assert_int_eq(perf_ring_next(&ring, buffer, sizeof(buffer), &size), 0);
}

/* Pages include the one in front of each ring. */
TEST(test_rings_of_all_CPUs_fit_into_64_MiB)
{
	static const struct {
		size_t cpus, pages;
	} rows[] = {{1, 128}, {127, 128}, {128, 64}, {252, 64}, {512, 16}, {3276, 4}, {8192, 4}};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		ck_assert_uint_eq(perf_ring_pages(rows[i].cpus, 64 << 20), rows[i].pages);
		ck_assert(rows[i].cpus > 3276 ||
			  rows[i].cpus * (rows[i].pages + 1) * 4096 <= 64 << 20);
	}
}
