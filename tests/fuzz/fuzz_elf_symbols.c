/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of strangers: functions are in order, and each has a name. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "process/elf_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct elf_library library;
	struct elf_symbols symbols;
	struct input_file file;
	struct error err;

	if (elf_library_load(&library, &err))
		return 0;
	input_file(&in, &file);
	const int rc = elf_symbols_read(&library, file.fd, &symbols);
	fuzz_require(!rc || rc == -ENOEXEC || rc == -ENOMEM || rc == -E2BIG);
	for (size_t i = 0; i < symbols.count; i++) {
		const struct elf_function *f = &symbols.functions[i];

		fuzz_require(f->start <= f->end && (!i || f[-1].end <= f->start));
		fuzz_require(symbols.names[f->name]);
	}
	for (uint64_t offset = 0; offset < size; offset += 16)
		elf_symbols_find(&symbols, offset);
	elf_symbols_read_debug(&library, file.fd, &symbols);
	fuzz_require(symbols.build_id.size <= sizeof(symbols.build_id.bytes));
	elf_symbols_free(&symbols);
	input_file_close(&file);
	return 0;
}
