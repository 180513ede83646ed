/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of a file in one piece of memory, in which one process leaves them to another. Who
 * wrote them has read the file of a stranger, and may be in that one's hands: who takes them copies
 * them first, and then checks the copy.
 */
#ifndef CXLMON_PROBE_HOT_ELF_TABLE_H
#define CXLMON_PROBE_HOT_ELF_TABLE_H

#include <stddef.h>

#include "probe/hot/elf_symbols.h"

/* 0, or -E2BIG: there is no room for them in so many bytes. room: all zero, aligned to 8. */
int elf_table_write(const struct elf_symbols *symbols, void *room, size_t bytes);

struct elf_table {
	struct elf_symbols symbols; /* not to be freed by elf_symbols_free() */
	void *memory;		    /* that has them, which a child process does not inherit */
	size_t bytes;		    /* that it takes */
};

/*
 * -ENODATA: nothing was written, or not to its end; -EBADMSG: it is not as elf_table_write() leaves
 * it; -ENOMEM. Freed by elf_table_free(), also after failure.
 */
int elf_table_read(const void *room, size_t bytes, struct elf_table *out);

void elf_table_free(struct elf_table *table);

#endif
