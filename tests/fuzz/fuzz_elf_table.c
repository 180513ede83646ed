/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of functions that a compromised process may leave. */
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "process/elf_symbols.h"

#define ROOM_BYTES 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t room[ROOM_BYTES / sizeof(uint64_t)], again[ROOM_BYTES / sizeof(uint64_t)];
	struct elf_table table, copy;

	memset(room, 0, sizeof(room));
	memcpy(room, data, size < sizeof(room) ? size : sizeof(room));
	const int rc = elf_table_read(room, sizeof(room), &table);
	fuzz_require(!rc || rc == -ENODATA || rc == -EBADMSG);
	for (uint64_t offset = 0; !rc && offset < ROOM_BYTES; offset += 64)
		elf_symbols_find(&table.symbols, offset);
	if (!rc) {
		fuzz_require(!elf_table_write(&table.symbols, again, sizeof(again)));
		fuzz_require(!elf_table_read(again, sizeof(again), &copy));
		fuzz_require(copy.symbols.count == table.symbols.count);
		elf_table_free(&copy);
	}
	elf_table_free(&table);
	return 0;
}
