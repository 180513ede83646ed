/* SPDX-License-Identifier: BSD-3-Clause */
/* The longest block. */
#include "record/block.h"

#include <stdlib.h>

#include "unit.h"

/* A payload of BLOCK_MAX bytes, and one of a byte more, as many equal bytes, which are compressed.
 */
TEST_LOOP(test_a_block_is_written_only_if_it_can_be_read, 2)
{
	struct bytes payload = {.size = BLOCK_MAX + (size_t)_i}, file = {.failed = false},
		     read = {.failed = false};
	struct block block;
	struct error err;

	payload.data = calloc(1, payload.size);
	ck_assert_ptr_nonnull(payload.data);
	block_put(&file, 'Z', &payload);
	ck_assert_int_eq(file.failed, _i);
	if (!file.failed) {
		ck_assert_int_eq(block_find(file.data, file.size, &block, &err), 1);
		ck_assert_int_eq(block_unpack(&block, &read, &err), 0);
		ck_assert_uint_eq(read.size, BLOCK_MAX);
	}
	bytes_free(&read);
	bytes_free(&file);
}
