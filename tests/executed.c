/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notes which functions a program of tests/mutate enters, as a byte of the file $EXECUTED at the
 * function's address. Children write into the same file, however they end.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOT_NOTED __attribute__((no_instrument_function))

extern const char __executable_start[], __etext[];

static char *entered;

__attribute__((constructor)) NOT_NOTED static void map_entered(void)
{
	const char *path = getenv("EXECUTED");
	const size_t size = (uintptr_t)__etext - (uintptr_t)__executable_start;
	const int fd = path ? open(path, O_RDWR) : -1;

	if (fd < 0)
		return;
	char *mapped = ftruncate(fd, (off_t)size)
			       ? MAP_FAILED
			       : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (mapped != MAP_FAILED)
		entered = mapped;
}

NOT_NOTED void __cyg_profile_func_enter(void *function, void *caller);
NOT_NOTED void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
	(void)caller;
	if (entered)
		entered[(char *)function - __executable_start] = 1;
}

void __cyg_profile_func_exit(void *function, void *caller)
{
	(void)function;
	(void)caller;
}
