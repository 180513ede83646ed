/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/hot/known_files.h"

int known_files_init(struct known_files *files)
{
	files->at[SYMBOL_KERNEL].state = SYMBOLS_READ;
	files->count = SYMBOL_KERNEL + 1;
	return share_init(&files->share, SYMBOL_FILES_MOST - files->count);
}

void known_files_free(struct known_files *files)
{
	share_free(&files->share);
}

static bool same(const struct file_identity *a, const struct file_identity *b)
{
	return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
	       a->changed_ns == b->changed_ns;
}

/* files->count: it has none. */
static uint32_t number_of(const struct known_files *files, const struct file_identity *identity)
{
	uint32_t number = SYMBOL_KERNEL + 1;

	while (number < files->count && !same(&files->at[number].identity, identity))
		number++;
	return number;
}

uint32_t known_files_find(const struct known_files *files, const struct file_identity *identity)
{
	const uint32_t number = number_of(files, identity);

	return number == files->count || files->at[number].state == SYMBOLS_NO_ROOM ? SYMBOL_NO_FILE
										    : number;
}

uint32_t known_files_add(struct known_files *files, const struct file_identity *identity,
			 uint32_t user)
{
	const uint32_t number = number_of(files, identity);

	if (number < files->count)
		return number;
	if (!share_take(&files->share, user, 1))
		return SYMBOL_NO_FILE;
	files->at[files->count++] =
		(struct known_file){.identity = *identity, .state = SYMBOLS_NO_ROOM};
	return number;
}
