/* SPDX-License-Identifier: BSD-3-Clause */
#include "regfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fusefs.h"
#include "log_write.h"
#include "pci/config.h"

/* A file: physical memory, or a function's configuration space. */
struct node {
	char path[PCI_TEXT_SIZE + 16]; /* "/mem", "/0000:1e:00.0/config" */
	enum reg_space space;
	struct pci_location at; /* PCI */
	uint64_t first, length; /* of memory, where it begins */
};

struct regfs {
	struct platform *platform;
	FILE *log;
	struct fusefs *mounted;
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

/* A directory is whatever a file lies in. */
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

/* One access to memory. Where nothing is it reads as 0, as dev/mem does, and a write is lost. */
static void access_memory(struct regfs *fs, uint64_t phys, unsigned bytes, bool write,
			  uint64_t *value)
{
	struct mmio_window window;
	const struct reg reg = {
		.space = REG_MMIO, .address = phys, .bytes = (uint8_t)bytes, .window = &window};

	if (fs->platform->ops->mmio_map(fs->platform, phys, bytes, true, &window, NULL))
		return;
	if (!write) {
		reg_read(fs->platform, &reg, value, NULL);
		return;
	}
	log_write_of(fs->log, fs->platform, &reg, *value);
	reg_write(fs->platform, &reg, *value, NULL);
}

/* Registers are 8 bytes wide, or 4: what is asked for tells. */
static int move_memory(struct regfs *fs, uint64_t phys, char *buffer, size_t size, bool write)
{
	const unsigned step = size % 8 || phys % 8 ? 4 : 8;

	if (size % step || phys % step)
		return -EINVAL;
	for (size_t at = 0; at < size; at += step) {
		uint64_t value = 0;

		if (write)
			memcpy(&value, buffer + at, step);
		access_memory(fs, phys + at, step, write, &value);
		if (!write)
			memcpy(buffer + at, &value, step);
	}
	return (int)size;
}

/* One access to 4 bytes of configuration space. */
static int access_config(struct regfs *fs, struct pci_location at, unsigned offset, bool write,
			 uint32_t *value)
{
	const struct reg reg = {.space = REG_PCI, .pci = at, .address = offset, .bytes = 4};
	uint64_t wide = *value;
	int rc;

	if (write) {
		log_write_of(fs->log, fs->platform, &reg, wide);
		return reg_write(fs->platform, &reg, wide, NULL);
	}
	rc = reg_read(fs->platform, &reg, &wide, NULL);
	*value = (uint32_t)wide;
	return rc;
}

/* Any number of bytes anywhere; what isn't asked for of 4 is written as it was read. */
static int move_config(struct regfs *fs, struct pci_location at, unsigned offset, char *buffer,
		       size_t size, bool write)
{
	size_t part;
	int rc = 0;

	for (size_t done = 0; !rc && done < size; done += part) {
		const unsigned here = offset + (unsigned)done, within = here % 4;
		uint32_t value = 0;

		part = size - done < 4 - within ? size - done : 4 - within;
		if (!write || part < 4)
			rc = access_config(fs, at, here - within, false, &value);
		if (!write) {
			memcpy(buffer + done, (char *)&value + within, part);
			continue;
		}
		memcpy((char *)&value + within, buffer + done, part);
		if (!rc)
			rc = access_config(fs, at, here - within, true, &value);
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
	/* it is only read */
	const int rc = move(self(), find(self(), path), (char *)buffer, size, offset, true);

	if (self()->log)
		fflush(self()->log);
	return rc;
}

/* Opening for writing truncates with some programs; a device file doesn't mind. */
static int fs_truncate(const char *path, off_t size, struct fuse_file_info *info)
{
	(void)path;
	(void)size;
	(void)info;
	return 0;
}

static const struct fuse_operations operations = {
	.getattr = fs_getattr,
	.open = fs_open,
	.read = fs_read,
	.write = fs_write,
	.truncate = fs_truncate,
};

static bool add(struct regfs *fs, const struct node *node)
{
	struct node *grown = reallocarray(fs->nodes, fs->count + 1, sizeof(*grown));

	if (!grown)
		return false;
	fs->nodes = grown;
	fs->nodes[fs->count++] = *node;
	return true;
}

static bool add_function(struct regfs *fs, const struct pci_function *f)
{
	struct node node = {.space = REG_PCI, .at = f->at, .length = PCI_CONFIG_BYTES};
	char name[PCI_TEXT_SIZE];
	bool added;

	pci_location_text(f->at, name);
	snprintf(node.path, sizeof(node.path), "/%s/config", name);
	added = add(fs, &node);
	node.space = REG_MMIO;
	for (unsigned bar = 0; added && bar < PCI_BAR_COUNT; bar++) {
		node.length = f->bar_size[bar];
		if (!node.length || pci_bar_address(fs->platform, f->at, bar, &node.first))
			continue;
		snprintf(node.path, sizeof(node.path), "/%s/resource%u", name, bar);
		added = add(fs, &node);
	}
	return added;
}

static bool add_all(struct regfs *fs)
{
	struct node memory = {.path = "/mem", .space = REG_MMIO};
	struct pci_function *functions;
	struct error why;
	size_t count;

	for (size_t i = 0; i < sim_of(fs->platform)->region_count; i++) {
		const struct sim_region part = sim_of(fs->platform)->regions[i];

		if (part.phys + part.length > memory.length)
			memory.length = part.phys + part.length;
	}
	if (!add(fs, &memory) ||
	    fs->platform->ops->pci_list(fs->platform, &functions, &count, &why))
		return false;
	bool added = true;
	for (size_t i = 0; added && i < count; i++)
		added = add_function(fs, &functions[i]);
	free(functions);
	return added;
}

struct regfs *regfs_new(const char *directory, struct platform *p, FILE *log)
{
	struct regfs *fs = calloc(1, sizeof(*fs));

	if (!fs)
		return NULL;
	fs->platform = p;
	fs->log = log;
	if (add_all(fs))
		fs->mounted = fusefs_new(directory, "registers", &operations, fs);
	if (!fs->mounted) {
		free(fs->nodes);
		free(fs);
		return NULL;
	}
	return fs;
}

void regfs_free(struct regfs *fs)
{
	fusefs_free(fs->mounted);
	free(fs->nodes);
	free(fs);
}

struct fusefs *regfs_mounted(const struct regfs *fs)
{
	return fs->mounted;
}
