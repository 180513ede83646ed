/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/elf_symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/library.h"

int elf_library_load(struct elf_library *out, struct error *err)
{
	static const struct library_symbol symbols[] = {
#define ELF_ROW(name) {#name, offsetof(struct elf_library, name), LIBRARY_LINKED(name)},
		ELF_LIBRARY_FUNCTIONS(ELF_ROW)
#undef ELF_ROW
	};
	static const struct library library = {.soname = "libelf.so.1",
					       .package = "libelf1",
					       .what = "the library that reads names of functions",
					       .symbols = symbols,
					       .count = sizeof(symbols) / sizeof(symbols[0])};
	const int rc = library_load(&library, out, err);

	if (!rc)
		out->elf_version(EV_CURRENT);
	return rc;
}

/* A list of functions. */

static int add_symbol(struct elf_symbols *s, uint64_t start, uint64_t bytes, const char *name,
		      size_t length)
{
	const struct elf_function function = {start, start + bytes, s->names_size};

	if (s->count == ELF_FUNCTIONS_MOST)
		return -E2BIG;
	if (function.end < start)
		return 0;
	if (array_room(&s->functions, s->count, 1, sizeof(function)) ||
	    array_room(&s->names, s->names_size, length + 1, 1))
		return -ENOMEM;
	memcpy(s->names + s->names_size, name, length);
	s->names[s->names_size + length] = '\0';
	s->names_size += length + 1;
	s->functions[s->count++] = function;
	return 0;
}

/* Orders functions by start; at the same start, the first one in the file comes first. */
static int compare_symbols(const void *a, const void *b)
{
	const struct elf_function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Sorts functions, keeps one per start, and cuts each off at the start of the next. */
static void finish_symbols(struct elf_symbols *s)
{
	size_t kept = 0;

	if (s->count)
		qsort(s->functions, s->count, sizeof(*s->functions), compare_symbols);
	for (size_t i = 0; i < s->count; i++) {
		struct elf_function *last = kept ? &s->functions[kept - 1] : NULL;
		const struct elf_function *next = &s->functions[i];

		if (last && last->start == next->start) {
			last->end = last->end > next->end ? last->end : next->end;
			continue;
		}
		if (last && last->end > next->start)
			last->end = next->start;
		s->functions[kept++] = *next;
	}
	s->count = kept;
}

void elf_symbols_free(struct elf_symbols *s)
{
	free(s->functions);
	free(s->names);
	free(s->segments);
	*s = (struct elf_symbols){.functions = NULL};
}

const char *elf_symbols_find(const struct elf_symbols *s, uint64_t offset)
{
	size_t low = 0, high = s->count, segment = 0;

	while (segment < s->segment_count &&
	       offset - s->segments[segment].offset >= s->segments[segment].bytes)
		segment++;
	if (segment == s->segment_count)
		return NULL;
	const uint64_t address =
		offset - s->segments[segment].offset + s->segments[segment].address;
	/* finds the first function that ends after the address */
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (s->functions[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->count && s->functions[low].start <= address
		       ? s->names + s->functions[low].name
		       : NULL;
}

/* ELF files. Source: elf(5). */

/* size limit of a symbol table: 10 million symbols; a longer one is a trap */
#define TABLE_BYTES_MOST (UINT64_C(1) << 28)

/* Lists the executable segments, with their place in the file and the address that symbols use. */
static int read_segments(const struct elf_library *l, Elf *elf, struct elf_symbols *s)
{
	size_t count;

	if (l->elf_getphdrnum(elf, &count))
		return -ENOEXEC;
	s->segments = calloc(ELF_SEGMENTS_MOST, sizeof(*s->segments));
	if (!s->segments)
		return -ENOMEM;
	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		GElf_Phdr header;

		if (!l->gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    !(header.p_flags & PF_X))
			continue;
		if (s->segment_count == ELF_SEGMENTS_MOST)
			return -E2BIG;
		s->segments[s->segment_count++] =
			(struct elf_segment){header.p_offset, header.p_filesz, header.p_vaddr};
	}
	return 0;
}

static bool is_code(const GElf_Sym *symbol)
{
	const unsigned type = GELF_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF;
}

/*
 * Returns the size of a function's code. Code without a size, such as assembly, may go on to the
 * end of its section.
 */
static uint64_t bytes_of(const struct elf_library *l, Elf *elf, const GElf_Sym *symbol)
{
	GElf_Shdr header;

	if (symbol->st_size || !l->gelf_getshdr(l->elf_getscn(elf, symbol->st_shndx), &header) ||
	    symbol->st_value - header.sh_addr >= header.sh_size)
		return symbol->st_size;
	return header.sh_addr + header.sh_size - symbol->st_value;
}

/* Returns the string table of a symbol table, or NULL. */
static const Elf_Data *names_of(const struct elf_library *l, Elf *elf, const GElf_Shdr *symbols)
{
	Elf_Scn *section = l->elf_getscn(elf, symbols->sh_link);
	GElf_Shdr header;

	return l->gelf_getshdr(section, &header) && header.sh_type == SHT_STRTAB &&
			       header.sh_size <= TABLE_BYTES_MOST
		       ? l->elf_getdata(section, NULL)
		       : NULL;
}

/* Sets *name and returns its length, at most ELF_NAME_MOST. 0: it has none. */
static size_t name_at(const Elf_Data *names, uint32_t at, const char **name)
{
	if (!names || !names->d_buf || at >= names->d_size)
		return 0;
	const size_t room = names->d_size - at;
	const size_t most = room < ELF_NAME_MOST ? room : ELF_NAME_MOST;

	*name = (const char *)names->d_buf + at;
	const size_t length = strnlen(*name, most);
	return length == room ? 0 : length; /* 0: it does not end within its table */
}

/*
 * Adds the functions of one symbol table. -ENOMEM: the table lies within the file, but memory had
 * no room for it.
 */
static int read_section(const struct elf_library *l, Elf *elf, uint64_t file_bytes,
			Elf_Scn *section, const GElf_Shdr *header, struct elf_symbols *s)
{
	const Elf_Data *names = names_of(l, elf, header);
	Elf_Data *data = l->elf_getdata(section, NULL);
	GElf_Sym symbol;
	int rc = 0;

	if (!data && header->sh_offset + header->sh_size <= file_bytes)
		return -ENOMEM;
	for (int i = 0; !rc && data && i < INT32_MAX && l->gelf_getsym(data, i, &symbol); i++) {
		const char *name;
		const size_t length = is_code(&symbol) ? name_at(names, symbol.st_name, &name) : 0;

		if (length)
			rc = add_symbol(s, symbol.st_value, bytes_of(l, elf, &symbol), name,
					length);
	}
	return rc;
}

/* type: SHT_SYMTAB or SHT_DYNSYM */
static int read_sections(const struct elf_library *l, Elf *elf, int fd, unsigned type,
			 struct elf_symbols *s)
{
	Elf_Scn *section = NULL;
	struct stat st;
	int rc = fstat(fd, &st) ? -errno : 0;

	while (!rc && (section = l->elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (l->gelf_getshdr(section, &header) && header.sh_type == type &&
		    header.sh_size <= TABLE_BYTES_MOST)
			rc = read_section(l, elf, (uint64_t)st.st_size, section, &header, s);
	}
	return rc;
}

static struct elf_build_id find_build_id(const struct elf_library *l, Elf *elf)
{
	Elf_Scn *section = NULL;

	while ((section = l->elf_nextscn(elf, section))) {
		size_t at = 0, name, content;
		GElf_Shdr header;
		GElf_Nhdr note;
		Elf_Data *notes = l->gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE &&
						  header.sh_size <= TABLE_BYTES_MOST
					  ? l->elf_getdata(section, NULL)
					  : NULL;

		while (notes && (at = l->gelf_getnote(notes, at, &note, &name, &content)) > 0) {
			struct elf_build_id id = {.size = (uint8_t)note.n_descsz};
			const char *bytes = notes->d_buf;

			if (note.n_type != NT_GNU_BUILD_ID ||
			    note.n_namesz != sizeof(ELF_NOTE_GNU) ||
			    memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0 ||
			    !note.n_descsz || note.n_descsz > sizeof(id.bytes))
				continue;
			memcpy(id.bytes, bytes + content, id.size);
			return id;
		}
	}
	return (struct elf_build_id){.size = 0};
}

/*
 * Opens a file without mapping it, because its owner may truncate it meanwhile. NULL: not an ELF
 * file.
 */
static Elf *open_elf(const struct elf_library *l, int fd)
{
	Elf *elf = l->elf_begin(fd, ELF_C_READ, NULL);

	if (elf && l->elf_kind(elf) == ELF_K_ELF)
		return elf;
	l->elf_end(elf);
	return NULL;
}

int elf_symbols_read(const struct elf_library *l, int fd, struct elf_symbols *out)
{
	Elf *elf = open_elf(l, fd);

	*out = (struct elf_symbols){.functions = NULL};
	if (!elf)
		return -ENOEXEC;
	out->build_id = find_build_id(l, elf);
	int rc = read_segments(l, elf, out);
	if (!rc)
		rc = read_sections(l, elf, fd, SHT_SYMTAB, out);
	out->stripped = !rc && !out->count;
	if (out->stripped)
		rc = read_sections(l, elf, fd, SHT_DYNSYM, out);
	l->elf_end(elf);
	finish_symbols(out);
	return rc;
}

int elf_symbols_read_debug(const struct elf_library *l, int fd, struct elf_symbols *s)
{
	struct elf_symbols debug = {.functions = NULL};
	Elf *elf = open_elf(l, fd);

	if (!elf)
		return -ENOEXEC;
	const struct elf_build_id id = find_build_id(l, elf);
	int rc = id.size && id.size == s->build_id.size &&
				 !memcmp(id.bytes, s->build_id.bytes, id.size)
			 ? read_sections(l, elf, fd, SHT_SYMTAB, &debug)
			 : -EBADMSG;
	l->elf_end(elf);
	finish_symbols(&debug);
	if (!rc && debug.count) {
		free(s->functions);
		free(s->names);
		s->functions = debug.functions;
		s->count = debug.count;
		s->names = debug.names;
		s->names_size = debug.names_size;
		return 0;
	}
	elf_symbols_free(&debug);
	return rc ? rc : -ENODATA;
}

/* Reads lines such as "ffffffff81000000 T _text", which a module's name may follow: proc(5). */
int elf_symbols_read_kernel(FILE *in, struct elf_symbols *out)
{
	static const struct elf_segment all = {.bytes = UINT64_MAX};
	char line[512], name[256], type;
	uint64_t address;
	int rc = 0;

	*out = (struct elf_symbols){.segments = malloc(sizeof(all))};
	if (!out->segments)
		return -ENOMEM;
	out->segments[out->segment_count++] = all;
	while (!rc && fgets(line, sizeof(line), in))
		if (sscanf(line, "%" SCNx64 " %c %255s", &address, &type, name) == 3 && address &&
		    strchr("tTwW", type))
			rc = add_symbol(out, address, UINT64_MAX - address, name, strlen(name));
	finish_symbols(out);
	return rc;
}
