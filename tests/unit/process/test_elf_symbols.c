/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of this program, and of ELF files written by the test. */
#include "process/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <unistd.h>

#include "unit.h"

static struct elf_library library;
static struct elf_symbols symbols;

/* A program whose symbols have other addresses than its memory, with code at 0x1000 of the file. */
#define CODE	   0x1000
#define CODE_BYTES 0x800
#define ADDRESS	   UINT64_C(0x3000400000) /* address of the code, as in a prelinked library */
#define SYMBOLS	   8
#define TEXT	   1 /* number of the code's section */
#define NO_SECTION 0

static struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segments[2];
	Elf64_Shdr sections[5];
	Elf64_Sym symbols[SYMBOLS];
	char names[64];
	struct {
		Elf64_Nhdr header;
		char name[4], id[20];
	} note;
} image;

static const Elf64_Ehdr header = {
	.e_ident = {0x7F, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	.e_type = ET_DYN,
	.e_machine = EM_X86_64,
	.e_version = EV_CURRENT,
	.e_phoff = offsetof(struct image, segments),
	.e_shoff = offsetof(struct image, sections),
	.e_ehsize = sizeof(Elf64_Ehdr),
	.e_phentsize = sizeof(Elf64_Phdr),
	.e_phnum = 2,
	.e_shentsize = sizeof(Elf64_Shdr),
	.e_shnum = 5,
};

static size_t names_end, symbol_count;

static void add(const char *name, uint64_t at, uint64_t bytes, unsigned type, uint16_t section)
{
	image.symbols[symbol_count++] = (Elf64_Sym){.st_name = (uint32_t)names_end,
						    .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
						    .st_shndx = section,
						    .st_value = ADDRESS + at,
						    .st_size = bytes};
	strcpy(image.names + names_end, name);
	names_end += strlen(name) + 1;
	image.sections[2].sh_size = symbol_count * sizeof(Elf64_Sym);
}

static void begin(void)
{
	struct error err;

	ck_assert_int_eq(elf_library_load(&library, &err), 0);
	symbols = (struct elf_symbols){.functions = NULL};
	names_end = symbol_count = 1;
	image = (struct image){
		.header = header,
		.segments = {{.p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = CODE},
			     {.p_type = PT_LOAD,
			      .p_flags = PF_R | PF_X,
			      .p_offset = CODE,
			      .p_vaddr = ADDRESS,
			      .p_filesz = CODE_BYTES}},
		.sections = {[TEXT] = {.sh_type = SHT_PROGBITS,
				       .sh_addr = ADDRESS,
				       .sh_offset = CODE,
				       .sh_size = CODE_BYTES - 0x100},
			     {.sh_type = SHT_SYMTAB,
			      .sh_offset = offsetof(struct image, symbols),
			      .sh_link = 3,
			      .sh_entsize = sizeof(Elf64_Sym)},
			     {.sh_type = SHT_STRTAB,
			      .sh_offset = offsetof(struct image, names),
			      .sh_size = sizeof(image.names)},
			     {.sh_type = SHT_NOTE,
			      .sh_addralign = 4,
			      .sh_offset = offsetof(struct image, note),
			      .sh_size = sizeof(image.note)}},
		.note = {{4, 20, NT_GNU_BUILD_ID}, "GNU", "an id of twenty byte"},
	};
	add("first", 0x100, 0x40, STT_FUNC, TEXT);
	add("alias", 0x100, 0x20, STT_FUNC, TEXT);
	add("data", 0x180, 0x40, STT_OBJECT, TEXT);
	add("assembly", 0x200, 0, STT_FUNC, TEXT);
	add("last", 0x300, 0, STT_FUNC, TEXT);
	add("elsewhere", 0x50, 0x10, STT_FUNC, NO_SECTION);
}

static void end(void)
{
	elf_symbols_free(&symbols);
}

TREE_FIXTURE(begin, end)

/* Reads a file that begins with bytes of the image; the rest is a hole. */
static int read_image(size_t bytes, off_t file_bytes)
{
	tree_bytes("program", 0, &image, bytes);
	const char *path = tree_path("program");
	ck_assert_int_eq(truncate(path, file_bytes), 0);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const int rc = elf_symbols_read(&library, fd, &symbols);

	close(fd);
	return rc;
}

static int read_whole_image(void)
{
	return read_image(sizeof(image), CODE + CODE_BYTES);
}

static void assert_function(uint64_t offset, const char *name)
{
	const char *found = elf_symbols_find(&symbols, offset);

	ck_assert_msg(found ? name && !strcmp(found, name) : !name, "at %#lx is %s, not %s",
		      (unsigned long)offset, found ? found : "nothing", name ? name : "nothing");
}

TEST(test_functions_are_found_by_their_offset_in_the_file)
{
	ck_assert_int_eq(read_whole_image(), 0);
	assert_function(CODE, NULL);
	assert_function(CODE + 0xFF, NULL);
	assert_function(CODE + 0x100, "first");
	assert_function(CODE + 0x13F, "first");
	assert_function(CODE + 0x140, NULL);
	assert_function(CODE + 0x190, NULL);
}

TEST(test_a_function_without_a_size_ends_with_the_next_one_or_its_section)
{
	ck_assert_int_eq(read_whole_image(), 0);
	assert_function(CODE + 0x200, "assembly");
	assert_function(CODE + 0x2FF, "assembly");
	assert_function(CODE + 0x300, "last");
	assert_function(CODE + 0x6FF, "last");
	assert_function(CODE + 0x700, NULL);
}

TEST(test_what_is_not_code_of_the_file_is_no_function)
{
	ck_assert_int_eq(read_whole_image(), 0);
	assert_function(CODE + 0x50, NULL);
	assert_function(0, NULL);
	assert_function(CODE - 1, NULL);
	assert_function(CODE + CODE_BYTES, NULL);
	assert_function(UINT64_MAX, NULL);
	assert_function(ADDRESS + 0x100, NULL);
}

/* Names without an end are refused: each would be searched for its end again and again. */
TEST(test_a_name_ends_within_its_table)
{
	memset(image.names, 'n', sizeof(image.names));
	ck_assert_int_eq(read_whole_image(), 0);
	ck_assert_uint_eq(symbols.count, 0);
	elf_symbols_free(&symbols);
	image.names[sizeof(image.names) - 1] = '\0';
	ck_assert_int_eq(read_whole_image(), 0);
	const char *name = elf_symbols_find(&symbols, CODE + 0x100);
	ck_assert_ptr_nonnull(name);
	ck_assert_uint_eq(strspn(name, "n"), sizeof(image.names) - 1 - image.symbols[1].st_name);
}

TEST(test_a_long_name_has_its_beginning)
{
	char names[1000];

	memset(names, 'n', sizeof(names));
	names[sizeof(names) - 1] = '\0';
	image.sections[3].sh_offset = CODE;
	image.sections[3].sh_size = sizeof(names);
	tree_bytes("program", CODE, names, sizeof(names));
	ck_assert_int_eq(read_whole_image(), 0);
	ck_assert_uint_eq(strlen(elf_symbols_find(&symbols, CODE + 0x100)), ELF_NAME_MOST);
}

TEST(test_a_file_with_too_many_segments_is_refused)
{
	static Elf64_Phdr segments[ELF_SEGMENTS_MOST + 1];

	for (size_t i = 0; i < COUNT_OF(segments); i++)
		segments[i] = image.segments[1];
	image.header.e_phoff = CODE;
	image.header.e_phnum = ELF_SEGMENTS_MOST;
	tree_bytes("program", CODE, segments, sizeof(segments));
	ck_assert_int_eq(read_image(sizeof(image), CODE + sizeof(segments)), 0);
	assert_function(CODE + 0x100, "first");
	elf_symbols_free(&symbols);
	image.header.e_phnum++;
	ck_assert_int_eq(read_image(sizeof(image), CODE + sizeof(segments)), -E2BIG);
}

TEST(test_a_stripped_file_has_the_functions_that_others_call)
{
	image.sections[2].sh_type = SHT_DYNSYM;
	ck_assert_int_eq(read_whole_image(), 0);
	assert_function(CODE + 0x100, "first");
	elf_symbols_free(&symbols);
	image.sections[2].sh_type = SHT_NULL;
	ck_assert_int_eq(read_whole_image(), 0);
	ck_assert_uint_eq(symbols.count, 0);
	assert_function(CODE + 0x100, NULL);
}

/* Reads image as the debugging information of a file that was stripped. */
static int read_debug(void)
{
	tree_bytes("debug", 0, &image, sizeof(image));
	const int fd = open(tree_path("debug"), O_RDONLY | O_CLOEXEC);
	const int rc = elf_symbols_read_debug(&library, fd, &symbols);

	close(fd);
	return rc;
}

TEST(test_a_stripped_file_has_the_functions_of_its_debugging_information)
{
	ck_assert_int_eq(read_whole_image(), 0);
	ck_assert(!symbols.stripped);
	elf_symbols_free(&symbols);
	image.sections[2].sh_type = SHT_DYNSYM;
	ck_assert_int_eq(read_whole_image(), 0);
	ck_assert(symbols.stripped);
	ck_assert_uint_eq(symbols.build_id.size, 20);
	ck_assert_mem_eq(symbols.build_id.bytes, "an id of twenty byte", 20);
	/* removes code, as objcopy --only-keep-debug does */
	image.sections[2].sh_type = SHT_SYMTAB;
	image.segments[1].p_filesz = 0;
	add("internal", 0x50, 0x10, STT_FUNC, TEXT);
	ck_assert_int_eq(read_debug(), 0);
	assert_function(CODE + 0x50, "internal");
	assert_function(CODE + 0x100, "first");
}

TEST(test_debugging_information_of_another_file_is_not_taken)
{
	image.sections[2].sh_type = SHT_DYNSYM;
	ck_assert_int_eq(read_whole_image(), 0);
	ck_assert_int_eq(read_debug(), -ENODATA);
	image.sections[2].sh_type = SHT_SYMTAB;
	image.note.id[3]++;
	ck_assert_int_eq(read_debug(), -EBADMSG);
	image.sections[4].sh_type = SHT_NULL;
	ck_assert_int_eq(read_debug(), -EBADMSG);
	image.header.e_ident[0] = 0;
	ck_assert_int_eq(read_debug(), -ENOEXEC);
	assert_function(CODE + 0x100, "first");
}

TEST(test_what_is_no_ELF_file_is_refused)
{
	image.header.e_ident[1] = 'e';
	ck_assert_int_eq(read_whole_image(), -ENOEXEC);
	elf_symbols_free(&symbols);
	ck_assert_int_eq(read_image(0, 0), -ENOEXEC);
	elf_symbols_free(&symbols);
	const int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_eq(elf_symbols_read(&library, fd, &symbols), -ENOEXEC);
	close(fd);
}

/* Checks that names and ranges lie within their files; sanitizers see the rest. */
static void check(void)
{
	for (size_t i = 0; i < symbols.count; i++) {
		const struct elf_function *function = &symbols.functions[i];

		ck_assert_uint_lt(function->name, symbols.names_size);
		ck_assert_uint_ge(function->end, function->start);
		ck_assert(!i || function[-1].end <= function->start);
	}
	for (uint64_t offset = 0; offset < CODE + 2 * CODE_BYTES; offset += 0x20)
		elf_symbols_find(&symbols, offset);
	elf_symbols_free(&symbols);
}

TEST(test_a_truncated_file_has_what_is_there)
{
	for (size_t bytes = 0; bytes <= sizeof(image); bytes += 4) {
		read_image(bytes, (off_t)bytes);
		check();
	}
}

/* Each field has its largest values, one after another: sizes, counts, links, offsets. */
TEST(test_a_file_that_lies_does_no_harm)
{
	const struct image truth = image;
	unsigned char *bytes = (unsigned char *)&image;

	for (size_t at = 4; at < offsetof(struct image, names); at++) {
		bytes[at] = 0xFF;
		read_whole_image();
		check();
		bytes[at] = 0x7F;
		read_whole_image();
		check();
		image = truth;
	}
}

TEST(test_a_huge_table_of_symbols_takes_no_memory_that_is_not_there)
{
	image.sections[2].sh_size = UINT64_C(1) << 60;
	read_whole_image();
	check();
	/* the file has 1 TiB, all a hole */
	image.sections[2].sh_size = UINT64_C(1) << 39;
	read_image(sizeof(image), (off_t)1 << 40);
	check();
}

/* Finds the offset of this program's code in its file. */
static int find_own_code(struct dl_phdr_info *info, size_t size, void *offset)
{
	const uintptr_t here = (uintptr_t)find_own_code;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (here - start < info->dlpi_phdr[i].p_memsz)
			*(uint64_t *)offset = here - start + info->dlpi_phdr[i].p_offset;
	}
	return 1;
}

TEST(test_a_program_finds_its_own_functions)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	uint64_t offset = 0;

	dl_iterate_phdr(find_own_code, &offset);
	ck_assert_int_eq(elf_symbols_read(&library, fd, &symbols), 0);
	assert_function(offset, "find_own_code");
	close(fd);
}

TEST(test_the_list_of_the_kernel_is_read)
{
	char text[] = "0000000000000000 A fixed_percpu_data\n"
		      "ffffffff81000000 T _text\n"
		      "ffffffff81000100 t copy\n"
		      "ffffffff81000100 T copy_alias\n"
		      "ffffffff81000200 D data\n"
		      "\n"
		      "nonsense\n"
		      "ffffffffc0001000 t cxl_read\t[cxl_core]\n";
	FILE *in = fmemopen(text, sizeof(text) - 1, "r");

	ck_assert_int_eq(elf_symbols_read_kernel(in, &symbols), 0);
	fclose(in);
	assert_function(0xffffffff81000000, "_text");
	assert_function(0xffffffff810000ff, "_text");
	assert_function(0xffffffff81000100, "copy");
	assert_function(0xffffffffc0001080, "cxl_read");
	assert_function(0xffffffff80ffffff, NULL);
}

TEST(test_a_kernel_that_hides_its_addresses_has_no_functions)
{
	char text[] = "0000000000000000 T _text\n0000000000000000 t copy\n";
	FILE *in = fmemopen(text, sizeof(text) - 1, "r");

	ck_assert_int_eq(elf_symbols_read_kernel(in, &symbols), 0);
	fclose(in);
	ck_assert_uint_eq(symbols.count, 0);
}
