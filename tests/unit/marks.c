/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fewer writes by Check: every assertion that holds writes the place of the test to a file, for the
 * message of a later crash. The linker makes these calls come here first (--wrap): a place in a
 * loop is written once, not a million times.
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
