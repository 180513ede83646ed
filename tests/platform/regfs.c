/* SPDX-License-Identifier: BSD-3-Clause */
#include "fusefs.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mirror.h"
#include "pci/config.h"
#include "platform/guard.h"
#include "platform/pci.h"

/* A file with physical memory, or a function's configuration space. */
struct node {
	char path[PCI_TEXT_SIZE + 16]; /* "/mem", "/0000:1e:00.0/config" */
	enum reg_space space;
	struct pci_location at; /* location of a function */
	uint64_t first, length; /* address and size of memory */
};

struct regfs {
	struct platform *platform;
	FILE *log;
	struct node *nodes;
	size_t count;
};

static struct regfs *self(void)
{
	return fuse_get_context()->private_data;
}

static const struct node *find(const struct regfs *fs, const char *path)
{
	for (size_t i = 0; i < fs->count; i++)
		if (!strcmp(fs->nodes[i].path, path))
			return &fs->nodes[i];
	return NULL;
}

/* Returns true if the path is a directory of some file. */
static bool is_directory(const struct regfs *fs, const char *path)
{
	const size_t length = strlen(path);

	if (!strcmp(path, "/"))
		return true;
	for (size_t i = 0; i < fs->count; i++)
		if (!strncmp(fs->nodes[i].path, path, length) && fs->nodes[i].path[length] == '/')
			return true;
	return false;
}

static int fs_getattr(const char *path, struct stat *st, struct fuse_file_info *info)
{
	const struct node *node = find(self(), path);

	(void)info;
	if (!node && !is_directory(self(), path))
		return -ENOENT;
	st->st_mode = node ? S_IFREG | 0644 : S_IFDIR | 0755;
	st->st_nlink = node ? 1 : 2;
	st->st_size = node ? (off_t)node->length : 0;
	return 0;
}

static int fs_open(const char *path, struct fuse_file_info *info)
{
	info->direct_io = 1;
	return find(self(), path) ? 0 : -ENOENT;
}

/* Accesses a register once. */
static int access_register(struct regfs *fs, const struct reg *reg, bool write, uint64_t *value)
{
	if (!write)
		return reg_read(fs->platform, reg, value, NULL);
	log_write_of(fs->log, fs->platform, reg, *value);
	return reg_write(fs->platform, reg, *value, NULL);
}

/*
 * Reads or writes registers of 8 bytes, or of 4 if size or address require it. Memory without a
 * register reads as 0, as dev/mem does, and ignores writes.
 */
static int move_memory(struct regfs *fs, uint64_t phys, char *buffer, size_t size, bool write)
{
	const unsigned step = size % 8 || phys % 8 ? 4 : 8;

	if (size % step || phys % step)
		return -EINVAL;
	for (size_t at = 0; at < size; at += step) {
		const struct reg reg = {
			.space = REG_MMIO, .address = phys + at, .bytes = (uint8_t)step};
		uint64_t value = 0;

		if (write)
			memcpy(&value, buffer + at, step);
		access_register(fs, &reg, write, &value);
		if (!write)
			memcpy(buffer + at, &value, step);
	}
	return (int)size;
}

/*
 * Reads or writes any number of bytes anywhere. A write of less than 4 bytes writes back the
 * others of the dword as read.
 */
static int move_config(struct regfs *fs, struct pci_location at, unsigned offset, char *buffer,
		       size_t size, bool write)
{
	size_t part;
	int rc = 0;

	for (size_t done = 0; !rc && done < size; done += part) {
		const unsigned here = offset + (unsigned)done, within = here % 4;
		const struct reg reg = reg_pci(at, here - within);
		uint64_t value = 0;

		part = size - done < 4 - within ? size - done : 4 - within;
		if (!write || part < 4)
			rc = access_register(fs, &reg, false, &value);
		if (!write) {
			memcpy(buffer + done, (char *)&value + within, part);
			continue;
		}
		memcpy((char *)&value + within, buffer + done, part);
		if (!rc)
			rc = access_register(fs, &reg, true, &value);
	}
	return rc ? rc : (int)size;
}

static int move(struct regfs *fs, const struct node *node, char *buffer, size_t size, off_t offset,
		bool write)
{
	const uint64_t from = (uint64_t)offset;

	if (!node)
		return -ENXIO;
	if (from >= node->length)
		return write ? -EFBIG : 0;
	if (size > node->length - from)
		size = node->length - from;
	return node->space == REG_MMIO
		       ? move_memory(fs, node->first + from, buffer, size, write)
		       : move_config(fs, node->at, (unsigned)from, buffer, size, write);
}

static int fs_read(const char *path, char *buffer, size_t size, off_t offset,
		   struct fuse_file_info *info)
{
	(void)info;
	return move(self(), find(self(), path), buffer, size, offset, false);
}

static int fs_write(const char *path, const char *buffer, size_t size, off_t offset,
		    struct fuse_file_info *info)
{
	(void)info;
	/* a write only reads the buffer */
	const int rc = move(self(), find(self(), path), (char *)buffer, size, offset, true);

	if (self()->log)
		fflush(self()->log);
	return rc;
}

static const struct fuse_operations operations = {
	.getattr = fs_getattr,
	.open = fs_open,
	.read = fs_read,
	.write = fs_write,
};

static void add(struct regfs *fs, const struct node *node)
{
	fs->nodes = reallocarray(fs->nodes, fs->count + 1, sizeof(*fs->nodes));
	if (!fs->nodes)
		errx(1, "out of memory");
	fs->nodes[fs->count++] = *node;
}

static void add_function(struct regfs *fs, const struct pci_function *f)
{
	struct node node = {.space = REG_PCI, .at = f->at, .length = PCI_CONFIG_BYTES};
	char name[PCI_TEXT_SIZE];

	pci_location_text(f->at, name);
	snprintf(node.path, sizeof(node.path), "/%s/config", name);
	add(fs, &node);
	node.space = REG_MMIO;
	for (unsigned bar = 0; bar < PCI_BAR_COUNT; bar++) {
		node.length = f->bar_size[bar];
		if (!node.length || pci_bar_address(fs->platform, f->at, bar, &node.first))
			continue;
		snprintf(node.path, sizeof(node.path), "/%s/resource%u", name, bar);
		add(fs, &node);
	}
}

static void release(void *context)
{
	struct regfs *fs = context;

	free(fs->nodes);
	free(fs);
}

struct fusefs *regfs_new(const char *directory, struct platform *p, FILE *log)
{
	const struct sim *sim = sim_of(p);
	struct regfs *fs = calloc(1, sizeof(*fs));
	struct node memory = {.path = "/mem", .space = REG_MMIO};

	if (!fs)
		return NULL;
	fs->platform = p;
	fs->log = log;
	for (size_t i = 0; i < sim->region_count; i++)
		if (sim->regions[i].phys + sim->regions[i].length > memory.length)
			memory.length = sim->regions[i].phys + sim->regions[i].length;
	add(fs, &memory);
	for (size_t i = 0; i < sim->function_count; i++)
		add_function(fs, &sim->functions[i].info);
	return fusefs_new(directory, "registers", &operations, fs, release);
}
