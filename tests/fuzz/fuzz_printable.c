/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of processes. The result is on one line, not longer than the name, and unchanged when it is
 * converted again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	const size_t room = 1 + input_u8(&in);
	char *text = input_text(&in), once[256], twice[256];

	printable(text, once, room);
	fuzz_require(strlen(once) < room && strlen(once) <= strlen(text));
	fuzz_require(fuzz_one_line(once));
	fuzz_require(!strcmp(printable(once, twice, sizeof(twice)), once));
	free(text);
	return 0;
}
