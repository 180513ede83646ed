/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/rootfs.h"

#define WORDS_SIZE 128

enum { DEBIAN, FEDORA, SUSE, ARCH, ALPINE, SYSTEMS };

/* Names of systems in ID or ID_LIKE of os-release(5). */
static const char *const ids[SYSTEMS] = {"debian", "fedora", "suse", "arch", "alpine"};

static const char *const commands[SYSTEMS] = {"apt install", "dnf install", "zypper install",
					      "pacman -S", "apk add"};

static const char *const packages[][SYSTEMS] = {
	{"libncursesw6", "ncurses-libs", "libncurses6", "ncurses", "libncursesw"},
	{"libelf1", "elfutils-libelf", "libelf1", "libelf", "libelf"},
	{"libmicrohttpd12", "libmicrohttpd", "libmicrohttpd12", "libmicrohttpd", "libmicrohttpd"},
};

/* Reads the words of ID and ID_LIKE, each between blanks. */
static void read_words(const char *root, char words[2 * WORDS_SIZE])
{
	char line[WORDS_SIZE], value[WORDS_SIZE];
	FILE *in = rootfs_stream(root, "etc/os-release");
	size_t length = 0;

	words[0] = '\0';
	while (in && length < WORDS_SIZE && fgets(line, sizeof(line), in))
		if (sscanf(line, "ID=%120[^\n]", value) == 1 ||
		    sscanf(line, "ID_LIKE=%120[^\n]", value) == 1)
			length += (size_t)sprintf(words + length, " %s ", value);
	if (in)
		fclose(in);
	while ((words = strpbrk(words, "\"'")))
		*words = ' ';
}

static int find_system(const char *root)
{
	char words[2 * WORDS_SIZE], word[16];

	read_words(root, words);
	for (int system = 0; system < SYSTEMS; system++) {
		snprintf(word, sizeof(word), " %s ", ids[system]);
		if (strstr(words, word))
			return system;
	}
	return -1;
}

const char *package_command(const char *root, const char *debian, char command[ERROR_COMMAND_SIZE])
{
	const int system = find_system(root);
	const char *name = system == DEBIAN ? debian : NULL;

	for (size_t i = 0; system > DEBIAN && i < sizeof(packages) / sizeof(packages[0]); i++)
		if (!strcmp(packages[i][DEBIAN], debian))
			name = packages[i][system];
	command[0] = '\0';
	if (name)
		snprintf(command, ERROR_COMMAND_SIZE, "sudo %s %s", commands[system], name);
	return command;
}

#ifdef CXLMON_STATIC
static const bool is_linked = true;
#else
static const bool is_linked = false;
#endif

/*
 * Loads a library. If ncurses and libelf were linked as other libraries are, they would add 0.35 ms
 * of processor time to the 1.25 ms of each start, 0.35 MB to the 5.6 MB of a monitor, and packages
 * of 1.4 MB to those that each machine needs (x86-64, glibc 2.36).
 */
int library_load(const struct library *library, void *out, struct error *err)
{
	void *handle = is_linked ? NULL : dlopen(library->soname, RTLD_NOW | RTLD_LOCAL);
	char command[ERROR_COMMAND_SIZE];
	bool found = handle || is_linked;

	for (size_t i = 0; found && i < library->count; i++) {
		const struct library_symbol *symbol = &library->symbols[i];
		void *address = is_linked ? symbol->linked : dlsym(handle, symbol->name);

		found = address;
		/* ISO C has no cast from an object to a function; POSIX allows copying it */
		memcpy((char *)out + symbol->offset, &address, sizeof(address));
	}
	if (found)
		return 0;
	const char *why = dlerror();
	package_command("/", library->package, command);
	error_set(err, ERROR_FAILED, -ELIBACC, "cannot load %s: %s; to install it: %s",
		  library->what, why ? why : library->soname, *command ? command : library->soname);
	error_hint(err, command);
	return -ELIBACC;
}
