/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/elf_symbols.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Header of a table; functions, segments and names follow it. */
struct head {
	uint64_t function_count, segment_count, names_size;
	struct elf_build_id build_id;
	uint8_t stripped;
	uint8_t written; /* written after all else */
};

struct layout {
	size_t functions, segments, names, end; /* offsets; .end is the size of all */
};

/* Computes offsets, which cannot overflow because counts are limited. */
static struct layout layout_of(const struct head *head)
{
	struct layout l = {.functions = (sizeof(*head) + 7) / 8 * 8};

	l.segments = l.functions + head->function_count * sizeof(struct elf_function);
	l.names = l.segments + head->segment_count * sizeof(struct elf_segment);
	l.end = l.names + head->names_size;
	return l;
}

static void copy_bytes(void *to, const void *from, size_t bytes)
{
	if (bytes)
		memcpy(to, from, bytes);
}

int elf_table_write(const struct elf_symbols *s, void *room, size_t bytes)
{
	struct head head = {
		.function_count = s->count,
		.segment_count = s->segment_count,
		.names_size = s->names_size,
		.build_id = s->build_id,
		.stripped = s->stripped,
		.written = 1,
	};
	const struct layout l = layout_of(&head);
	char *at = room;

	if (l.end > bytes)
		return -E2BIG;
	copy_bytes(at + l.functions, s->functions, s->count * sizeof(*s->functions));
	copy_bytes(at + l.segments, s->segments, s->segment_count * sizeof(*s->segments));
	copy_bytes(at + l.names, s->names, s->names_size);
	memcpy(at, &head, sizeof(head));
	return 0;
}

/* Checks that functions are in order without overlaps, and that each has a terminated name. */
static bool is_valid(const struct elf_symbols *s)
{
	if (s->names_size && s->names[s->names_size - 1])
		return false;
	for (size_t i = 0; i < s->count; i++) {
		const struct elf_function *f = &s->functions[i];

		if (f->end < f->start || f->name >= s->names_size || (i && f[-1].end > f->start))
			return false;
	}
	return true;
}

int elf_table_read(const void *room, size_t bytes, struct elf_table *out)
{
	struct head head;

	*out = (struct elf_table){.memory = NULL};
	memcpy(&head, room, sizeof(head));
	if (!head.written)
		return -ENODATA;
	if (head.function_count > ELF_FUNCTIONS_MOST || head.segment_count > ELF_SEGMENTS_MOST ||
	    head.names_size > bytes || head.build_id.size > ELF_BUILD_ID_MOST)
		return -EBADMSG;
	const struct layout l = layout_of(&head);
	if (l.end > bytes)
		return -EBADMSG;
	char *memory =
		mmap(NULL, l.end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -ENOMEM;
	madvise(memory, l.end, MADV_DONTFORK);
	memcpy(memory, room, l.end);
	*out = (struct elf_table){
		.symbols = {.functions = (struct elf_function *)(memory + l.functions),
			    .count = head.function_count,
			    .names = memory + l.names,
			    .names_size = head.names_size,
			    .segments = (struct elf_segment *)(memory + l.segments),
			    .segment_count = head.segment_count,
			    .stripped = head.stripped,
			    .build_id = head.build_id},
		.memory = memory,
		.bytes = l.end,
	};
	return is_valid(&out->symbols) ? 0 : -EBADMSG;
}

void elf_table_free(struct elf_table *table)
{
	if (table->memory)
		munmap(table->memory, table->bytes);
	*table = (struct elf_table){.memory = NULL};
}
