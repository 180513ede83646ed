/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/symbols_private.h"

#include <limits.h>

static void code_place(struct coder *c, struct symbol_place *place)
{
	place->offset = code_varint(c, place->offset);
	place->file = (uint32_t)code_count(c, place->file, UINT32_MAX);
}

static void code_mapping(struct coder *c, struct symbol_mapping *mapping)
{
	mapping->serial = code_varint(c, mapping->serial);
	mapping->start = code_varint(c, mapping->start);
	mapping->since_ns = code_varint(c, mapping->since_ns);
}

static enum symbol_state code_state(struct coder *c, enum symbol_state state)
{
	return (enum symbol_state)code_count(c, state, SYMBOLS_NO_ROOM);
}

void symbol_code_question(struct coder *c, struct symbol_question *question)
{
	code_place(c, &question->place);
	if (question->place.file != SYMBOL_NO_FILE)
		return;
	code_mapping(c, &question->mapping);
	question->pid = (unsigned)code_count(c, question->pid, UINT_MAX);
	question->user = (uint32_t)code_count(c, question->user, UINT32_MAX);
	question->pid_since_ns = code_varint(c, question->pid_since_ns);
	question->end = code_varint(c, question->end);
	question->inode = code_varint(c, question->inode);
	code_string(c, question->path, sizeof(question->path));
}

void symbol_code_delivery(struct coder *c, struct symbol_delivery *delivery)
{
	code_place(c, &delivery->place);
	code_mapping(c, &delivery->mapping);
	delivery->state = code_state(c, delivery->state);
	delivery->user = (uint32_t)code_count(c, delivery->user, UINT32_MAX);
	delivery->debug = code_count(c, delivery->debug, 1);
}

void symbol_code_answer(struct coder *c, struct symbol_answer *answer)
{
	code_place(c, &answer->place);
	code_mapping(c, &answer->mapping);
	answer->state = code_state(c, answer->state);
	code_string(c, answer->function, sizeof(answer->function));
}

void symbol_code_opened(struct coder *c, struct symbol_opened *opened)
{
	struct file_identity *identity = &opened->identity;

	identity->device = code_varint(c, identity->device);
	identity->inode = code_varint(c, identity->inode);
	identity->bytes = code_varint(c, identity->bytes);
	identity->changed_ns = (int64_t)code_varint(c, (uint64_t)identity->changed_ns);
	opened->opened = code_count(c, opened->opened, 1);
}

void symbol_code_reply(struct coder *c, struct symbol_reply *reply)
{
	struct elf_build_id *wanted = &reply->wanted;

	reply->file = (uint32_t)code_count(c, reply->file, SYMBOL_FILES_MOST - 1);
	reply->state = code_state(c, reply->state);
	wanted->size = (uint8_t)code_count(c, wanted->size, sizeof(wanted->bytes));
	for (unsigned i = 0; i < wanted->size; i++)
		wanted->bytes[i] = code_u8(c, wanted->bytes[i]);
}
