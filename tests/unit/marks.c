/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every assertion that holds tells Check where the test is, by a write to a file, for the message
 * of a later crash. The linker lets these calls come here first (--wrap): a place in a loop is told
 * once, not a million times.
 */
#define PLACES 256

void __real__mark_point(const char *file, int line);
void __wrap__mark_point(const char *file, int line);

void __wrap__mark_point(const char *file, int line)
{
	static _Thread_local struct {
		const char *file;
		int line;
	} told[PLACES];
	const unsigned i = (unsigned)line % PLACES;

	if (told[i].file == file && told[i].line == line)
		return;
	told[i].file = file;
	told[i].line = line;
	__real__mark_point(file, line);
}
