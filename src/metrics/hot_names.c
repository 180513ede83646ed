/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/hot_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "platform/text.h"

#define SLOTS (2 * HOT_NAMES_MOST) /* half of them stay free */

/* FNV-1a. */
static size_t hash(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

int hot_names_init(struct hot_names *names)
{
	*names = (struct hot_names){
		.texts = calloc(HOT_NAMES_MOST, sizeof(*names->texts)),
		.slots = calloc(SLOTS, sizeof(*names->slots)),
	};
	if (!names->texts || !names->slots)
		return -ENOMEM;
	names->texts[HOT_NAME_UNKNOWN] = strdup("");
	names->count = names->texts[HOT_NAME_UNKNOWN] ? 1 : 0;
	return names->count ? 0 : -ENOMEM;
}

void hot_names_free(struct hot_names *names)
{
	for (size_t i = 0; names->texts && i < names->count; i++)
		free(names->texts[i]);
	free(names->texts);
	free(names->slots);
}

uint32_t hot_names_add(struct hot_names *names, const char *text)
{
	char name[HOT_NAME_SIZE];
	size_t slot = hash(printable(text, name, sizeof(name))) % SLOTS;

	if (!*name)
		return HOT_NAME_UNKNOWN;
	for (; names->slots[slot]; slot = (slot + 1) % SLOTS)
		if (!strcmp(names->texts[names->slots[slot]], name))
			return names->slots[slot];
	char *copy = names->count < HOT_NAMES_MOST ? strdup(name) : NULL;
	if (!copy) {
		names->left_out++;
		return HOT_NAME_UNKNOWN;
	}
	names->slots[slot] = (uint32_t)names->count;
	names->texts[names->count] = copy;
	return (uint32_t)names->count++;
}
