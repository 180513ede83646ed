/* SPDX-License-Identifier: BSD-3-Clause */
/* Journals of other runs, unchanged and with a valid checksum: only registers are replayed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "linux/run/journal.h"
#include "platform/guard.h"

static void check(const struct journal *journal)
{
	struct error err = {0};
	struct journal again;
	char *text;
	size_t size;

	fuzz_require(journal->undo.count <= JOURNAL_MAX_STEPS);
	for (size_t i = 0; i < journal->undo.count; i++) {
		const struct reg *reg = &journal->undo.steps[i].reg;

		fuzz_require(reg->bytes == 8 || (reg->bytes == 4 && reg->space != REG_MSR));
		fuzz_require(reg->space != REG_PCI || reg->address + reg->bytes <= 4096);
		fuzz_require(reg->space != REG_MMIO || reg->address % reg->bytes == 0);
		fuzz_require(reg->space != REG_MSR || reg->address <= UINT32_MAX);
	}
	fuzz_require(!journal_encode(journal, &text, &size, &err));
	fuzz_require(!journal_decode(text, size, &again, &err));
	fuzz_require(again.undo.count == journal->undo.count &&
		     again.process.pid == journal->process.pid &&
		     again.process.started == journal->process.started &&
		     again.process.namespace == journal->process.namespace);
	journal_free(&again);
	free(text);
}

static void decode(const char *text, size_t size)
{
	struct error err = {0};
	struct journal journal;
	const int rc = journal_decode(text, size, &journal, &err);

	if (rc)
		fuzz_check_error(rc, &err);
	else
		check(&journal);
	journal_free(&journal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *sealed = malloc(size + 32);

	decode((const char *)data, size);
	memcpy(sealed, data, size);
	const int seal =
		snprintf(sealed + size, 32, "\ncrc32 %08x\n", (unsigned)crc32(0, data, (uInt)size));
	decode(sealed, size + (size_t)seal);
	free(sealed);
	return 0;
}
