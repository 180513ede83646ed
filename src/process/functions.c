/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "process/symbols_private.h"

#define SLOTS	      131072
#define PLACES_MOST   (SLOTS / 2)
#define MAPPINGS_MOST PLACES_MOST

enum function_state { FUNCTION_FREE, FUNCTION_ASKED, FUNCTION_KNOWN };

/*
 * A mapping of one process. Mappings of the same file are asked for separately, because a user can
 * choose everything that others see of a file, such as its path and inode.
 */
struct function_mapping {
	struct symbol_mapping mapping;
	enum function_state state;
	uint64_t asked;		   /* ordinal of the question */
	enum symbol_state symbols; /* valid once known */
	uint32_t file;		   /* file number, if SYMBOLS_READ */
	uint32_t name;		   /* name of the mapping */
	uid_t owner;		   /* owner of the process */
};

struct function_place {
	struct symbol_place place;
	enum function_state state;
	uid_t owner;	   /* owner of the process seen first */
	uint32_t function; /* name of the function */
};

int process_functions_init(struct process_functions *functions, struct process_names *names,
			   struct symbol_process *process)
{
	*functions = (struct process_functions){
		.names = names,
		.process = process,
		.mappings = calloc(SLOTS, sizeof(*functions->mappings)),
		.places = calloc(SLOTS, sizeof(*functions->places)),
	};
	return functions->mappings && functions->places ? 0 : -ENOMEM;
}

void process_functions_free(struct process_functions *functions)
{
	free(functions->mappings);
	free(functions->places);
}

/* The slot that has the place, or is free for it. */
static struct function_place *find_place(const struct process_functions *functions,
					 const struct symbol_place *place)
{
	size_t slot = hash_pair(place->file, place->offset) % SLOTS;
	struct function_place *there;

	while ((there = &functions->places[slot])->state &&
	       (there->place.offset != place->offset || there->place.file != place->file))
		slot = (slot + 1) % SLOTS;
	return there;
}

/* The slot that has the mapping, or is free for it. */
static struct function_mapping *find_mapping(const struct process_functions *functions,
					     const struct symbol_mapping *mapping)
{
	size_t slot = hash_pair(mapping->serial ^ mapping->since_ns, mapping->start) % SLOTS;
	struct function_mapping *there;

	while ((there = &functions->mappings[slot])->state &&
	       (there->mapping.serial != mapping->serial ||
		there->mapping.start != mapping->start ||
		there->mapping.since_ns != mapping->since_ns))
		slot = (slot + 1) % SLOTS;
	return there;
}

static void keep_place(struct process_functions *functions, const struct function_place *place)
{
	struct function_place *there = find_place(functions, &place->place);

	if (!there->state && functions->place_count++ == PLACES_MOST) {
		memset(functions->places, 0, SLOTS * sizeof(*functions->places));
		functions->place_count = 1;
		there = find_place(functions, &place->place);
	}
	*there = *place;
}

static void keep_mapping(struct process_functions *functions,
			 const struct function_mapping *mapping)
{
	struct function_mapping *there = find_mapping(functions, &mapping->mapping);

	if (!there->state && functions->mapping_count++ == MAPPINGS_MOST) {
		memset(functions->mappings, 0, SLOTS * sizeof(*functions->mappings));
		functions->mapping_count = 1;
		there = find_mapping(functions, &mapping->mapping);
	}
	*there = *mapping;
}

/* Finds a place in a numbered file, or asks for it. Returns false if the answer is pending. */
static bool find_function(struct process_functions *functions, uid_t owner,
			  const struct symbol_place *place, uint32_t *function)
{
	const struct function_place *there = find_place(functions, place);
	const struct symbol_question question = {.place = *place};

	*function = there->function;
	if (there->state == FUNCTION_KNOWN || functions->ended)
		return true;
	/* a full queue refuses the question: it is asked again at a later call */
	if (!there->state && symbol_process_ask(functions->process, &question))
		keep_place(functions, &(struct function_place){.place = *place,
							       .state = FUNCTION_ASKED,
							       .owner = owner});
	return false;
}

void process_functions_use_names(const struct process_functions *functions)
{
	for (size_t i = 0; i < SLOTS; i++) {
		process_names_use(functions->names, functions->mappings[i].name);
		process_names_use(functions->names, functions->places[i].function);
	}
	for (size_t i = 0; i < functions->skipped_count; i++)
		process_names_use(functions->names, functions->skipped[i]);
}

static void ask_for_file(struct process_functions *functions, const struct process_entry *process,
			 const struct kept_mapping *mapping, const struct symbol_mapping *key,
			 uint64_t offset)
{
	struct symbol_question question = {
		.place = {offset, SYMBOL_NO_FILE},
		.mapping = *key,
		.pid = process->pid,
		.pid_since_ns = process->since_ns,
		.user = process->owner,
		.end = mapping->end,
		.inode = mapping->inode,
	};

	strncpy(question.path, process_name(functions->names, mapping->name),
		sizeof(question.path) - 1);
	if (symbol_process_ask(functions->process, &question))
		keep_mapping(functions, &(struct function_mapping){.mapping = *key,
								   .state = FUNCTION_ASKED,
								   .asked = ++functions->asked,
								   .name = mapping->name,
								   .owner = process->owner});
}

bool process_functions_find(struct process_functions *functions,
			    const struct process_entry *process, const struct kept_mapping *mapping,
			    uint64_t ip, uint32_t *function)
{
	if (!mapping)
		return find_function(functions, process->owner,
				     &(struct symbol_place){ip, SYMBOL_KERNEL}, function);
	const uint64_t offset = ip - mapping->start + mapping->offset;
	const struct symbol_mapping key = {process->serial, mapping->start, mapping->since_ns};
	const struct function_mapping *known = find_mapping(functions, &key);

	*function = NAME_UNKNOWN;
	/* code without a file has no names */
	if (!mapping->inode)
		return true;
	if (!known->state && !functions->ended)
		ask_for_file(functions, process, mapping, &key, offset);
	if (known->state != FUNCTION_KNOWN)
		return functions->ended;
	functions->left_out += known->symbols == SYMBOLS_NO_ROOM;
	return known->symbols != SYMBOLS_READ ||
	       find_function(functions, process->owner, &(struct symbol_place){offset, known->file},
			     function);
}

static void add_skipped(struct process_functions *functions, uint32_t name)
{
	size_t i = 0;

	while (i < functions->skipped_count && functions->skipped[i] != name)
		i++;
	if (i == functions->skipped_count && i < FUNCTIONS_SKIPPED_MOST)
		functions->skipped[functions->skipped_count++] = name;
}

static void keep_function(struct process_functions *functions, const struct symbol_answer *answer,
			  uid_t owner)
{
	keep_place(functions,
		   &(struct function_place){
			   .place = answer->place,
			   .state = FUNCTION_KNOWN,
			   .owner = owner,
			   .function = process_names_add(functions->names, owner, answer->function),
		   });
}

/* Keeps an answer if it was asked for. */
static void take_answer(struct process_functions *functions, const struct symbol_answer *answer)
{
	const struct function_place *place = find_place(functions, &answer->place);
	struct function_mapping *mapping = find_mapping(functions, &answer->mapping);

	if (mapping->state == FUNCTION_ASKED) {
		mapping->state = FUNCTION_KNOWN;
		mapping->symbols = answer->state;
		mapping->file = answer->place.file;
		if (answer->state == SYMBOLS_SKIPPED)
			add_skipped(functions, mapping->name);
		if (answer->state == SYMBOLS_READ)
			keep_function(functions, answer, mapping->owner);
	} else if (answer->state == SYMBOLS_READ && place->state == FUNCTION_ASKED) {
		keep_function(functions, answer, place->owner);
	}
}

bool process_functions_take(struct process_functions *functions, int wait_ms)
{
	struct symbol_answer answer;
	bool any = false;
	int rc;

	while ((rc = symbol_process_next(functions->process, any ? 0 : wait_ms, &answer)) > 0) {
		any = true;
		take_answer(functions, &answer);
	}
	any |= rc && !functions->ended;
	functions->ended |= rc != 0;
	return any;
}

/* Names only the first file as skipped: others may have waited for it. */
void process_functions_give_up(struct process_functions *functions)
{
	const struct function_mapping *first = NULL;

	for (size_t i = 0; i < SLOTS && !functions->ended; i++) {
		const struct function_mapping *mapping = &functions->mappings[i];

		if (mapping->state == FUNCTION_ASKED && (!first || mapping->asked < first->asked))
			first = mapping;
	}
	if (first)
		add_skipped(functions, first->name);
	functions->ended = true;
}
