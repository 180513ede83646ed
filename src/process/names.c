/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define SLOTS (2 * NAMES_MOST) /* half of them stay free */
#define MANY  (NAMES_MOST / 8)

/* FNV-1a. */
static size_t hash_text(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

int process_names_init(struct process_names *names)
{
	*names = (struct process_names){
		.at = calloc(NAMES_MOST, sizeof(*names->at)),
		.slots = calloc(SLOTS, sizeof(*names->slots)),
	};
	if (share_init(&names->share, NAMES_MOST - 1) || !names->at || !names->slots)
		return -ENOMEM;
	names->at[NAME_UNKNOWN].text = strdup("");
	names->count = names->at[NAME_UNKNOWN].text ? 1 : 0;
	names->end = names->next_free = 1;
	return names->count ? 0 : -ENOMEM;
}

void process_names_free(struct process_names *names)
{
	for (size_t i = 0; names->at && i < names->end; i++)
		free(names->at[i].text);
	free(names->at);
	free(names->slots);
	share_free(&names->share);
}

/* The slot that has the name, or is free for it. */
static uint32_t *find_name(const struct process_names *names, const char *name)
{
	size_t slot = hash_text(name) % SLOTS;

	while (names->slots[slot] && strcmp(process_name(names, names->slots[slot]), name))
		slot = (slot + 1) % SLOTS;
	return &names->slots[slot];
}

/* Returns a free number; NAMES_MOST: there is none. */
static size_t free_number(struct process_names *names)
{
	while (names->next_free < NAMES_MOST && names->at[names->next_free].text)
		names->next_free++;
	return names->next_free;
}

static uint32_t keep_name(struct process_names *names, const struct kept_name *name, uint32_t *slot)
{
	const size_t number = free_number(names);
	char *copy = number < NAMES_MOST ? strdup(name->text) : NULL;

	if (!copy) {
		names->left_out++;
		return NAME_UNKNOWN;
	}
	names->at[number] = *name;
	names->at[number].text = copy;
	names->count++;
	names->added++;
	names->end = number < names->end ? names->end : number + 1;
	*slot = (uint32_t)number;
	return *slot;
}

uint32_t process_names_add(struct process_names *names, uid_t owner, const char *text)
{
	char name[NAMES_TEXT_SIZE];
	uint32_t *slot = find_name(names, printable(text, name, sizeof(name)));

	if (*slot || !*name)
		return *slot;
	if (!share_take(&names->share, owner, 1)) {
		names->left_out++;
		return NAME_UNKNOWN;
	}
	const uint32_t number = keep_name(
		names, &(struct kept_name){.text = name, .owner = owner, .shared = true}, slot);
	if (!number)
		share_give(&names->share, owner, 1);
	return number;
}

uint32_t process_names_add_recorded(struct process_names *names, const char *text)
{
	char name[NAMES_TEXT_SIZE];
	uint32_t *slot = find_name(names, printable(text, name, sizeof(name)));

	return *slot || !*name ? *slot : keep_name(names, &(struct kept_name){.text = name}, slot);
}

bool process_names_are_many(const struct process_names *names)
{
	return names->added >= MANY;
}

static void remove_name(struct process_names *names, struct kept_name *name)
{
	if (name->shared)
		share_give(&names->share, name->owner, 1);
	free(name->text);
	name->text = NULL;
	names->count--;
}

void process_names_sweep(struct process_names *names)
{
	memset(names->slots, 0, SLOTS * sizeof(*names->slots));
	for (size_t i = 1; i < names->end; i++) {
		struct kept_name *name = &names->at[i];

		if (name->text && !name->used)
			remove_name(names, name);
		if (name->text)
			*find_name(names, name->text) = (uint32_t)i;
		name->used = false;
	}
	names->next_free = 1;
	names->added = 0;
}
