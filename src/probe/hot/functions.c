/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/hot/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/hot/report.h"

#define SLOTS	    131072
#define PLACES_MOST (SLOTS / 2)

int hot_functions_init(struct hot_functions *functions, struct hot_names *names,
		       struct symbol_process *process)
{
	*functions = (struct hot_functions){
		.names = names,
		.process = process,
		.files = calloc(SYMBOL_FILES_MOST, sizeof(*functions->files)),
		.file_count = 1, /* the kernel */
		.places = calloc(SLOTS, sizeof(*functions->places)),
	};
	return functions->files && functions->places ? 0 : -ENOMEM;
}

void hot_functions_free(struct hot_functions *functions)
{
	free(functions->files);
	free(functions->places);
}

static bool same_file(const struct function_file *a, const struct function_file *b)
{
	return a->inode == b->inode && a->name == b->name;
}

/* The slot that has the place, or is free for it. */
static struct function_place *find_place(const struct hot_functions *functions,
					 const struct function_file *file, uint64_t offset)
{
	size_t slot = hot_hash(file->inode ^ (uint64_t)file->name << 32, offset) % SLOTS;
	struct function_place *place;

	while ((place = &functions->places[slot])->state &&
	       (place->offset != offset || !same_file(&place->file, file)))
		slot = (slot + 1) % SLOTS;
	return place;
}

static void keep(struct hot_functions *functions, const struct function_place *place)
{
	struct function_place *there = find_place(functions, &place->file, place->offset);

	if (!there->state && functions->place_count++ == PLACES_MOST) {
		memset(functions->places, 0, SLOTS * sizeof(*functions->places));
		functions->place_count = 1;
		there = find_place(functions, &place->file, place->offset);
	}
	*there = *place;
}

/* Files are few, and looked for only where a place is new. SYMBOL_FILES_MOST: no room. */
static uint32_t number_of(struct hot_functions *functions, const struct function_file *file)
{
	uint32_t number = 0;

	while (number < functions->file_count && !same_file(&functions->files[number], file))
		number++;
	if (number == functions->file_count && number < SYMBOL_FILES_MOST)
		functions->files[functions->file_count++] = *file;
	return number;
}

bool hot_functions_find(struct hot_functions *functions, const struct hot_process *process,
			const struct hot_mapping *mapping, uint64_t ip, uint32_t *function)
{
	const uint64_t offset = mapping ? ip - mapping->start + mapping->offset : ip;
	struct function_place asked = {.offset = offset, .state = PLACE_ASKED};

	if (mapping)
		asked.file = (struct function_file){mapping->inode, mapping->name, process->owner};
	const struct function_place *place = find_place(functions, &asked.file, offset);
	*function = place->function;
	/* code without a file has no names */
	if (place->state == PLACE_KNOWN || functions->ended || (mapping && !mapping->inode))
		return true;
	if (place->state == PLACE_ASKED)
		return false;
	const uint32_t file = number_of(functions, &asked.file);
	functions->left_out += file == SYMBOL_FILES_MOST;
	if (file == SYMBOL_FILES_MOST)
		return true;
	struct symbol_question question = {.place = {offset, file}};
	if (mapping) {
		question.pid = process->pid;
		question.inode = mapping->inode;
		strncpy(question.path, hot_name(functions->names, mapping->name),
			sizeof(question.path) - 1);
	}
	/* there may be too many questions now */
	if (symbol_process_ask(functions->process, &question))
		keep(functions, &asked);
	return false;
}

bool hot_functions_take(struct hot_functions *functions, int wait_ms)
{
	struct symbol_answer answer;
	bool any = false;
	int rc;

	while ((rc = symbol_process_next(functions->process, any ? 0 : wait_ms, &answer)) > 0) {
		any = true;
		if (answer.place.file >= functions->file_count)
			continue; /* it was not asked for */
		keep(functions,
		     &(struct function_place){
			     .file = functions->files[answer.place.file],
			     .offset = answer.place.offset,
			     .function = hot_names_add(functions->names,
						       functions->files[answer.place.file].owner,
						       answer.function),
			     .state = PLACE_KNOWN,
		     });
	}
	any |= rc && !functions->ended;
	functions->ended |= rc != 0;
	return any;
}
