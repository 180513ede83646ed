/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci/bus.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/array.h"
#include "platform/rootfs.h"

#define DEVICES "sys/bus/pci/devices"

#define STANDARD_CONFIG_BYTES 64 /* readable without CAP_SYS_ADMIN */

#define RESOURCE_IO 1 /* bit 0 of the flags is that of the BAR */

struct function {
	struct pci_function info;
	int config; /* its file; -1: not open */
	bool written;
};

struct pci_bus {
	char *root;
	struct function *functions;
	size_t count;
	struct function *last; /* whose config file was opened last; NULL: none */
};

/* "0xfb000000 0xfb01ffff 0x40200" for each BAR: first, last byte, flags */
static void read_resources(const char *root, const char *name, struct pci_function *out)
{
	FILE *in = rootfs_stream(root, DEVICES "/%s/resource", name);
	uint64_t first, last, flags;

	for (unsigned i = 0;
	     in && i < PCI_BAR_COUNT &&
	     fscanf(in, "%" SCNx64 "%" SCNx64 "%" SCNx64, &first, &last, &flags) == 3;
	     i++) {
		out->bar_size[i] = last > first ? last - first + 1 : 0;
		out->bar_address[i] = flags & RESOURCE_IO ? 0 : first;
	}
	if (in)
		fclose(in);
}

/* Of a function that is unplugged meanwhile, what can't be read is 0. */
static int add_function(struct pci_bus *bus, const char *name)
{
	struct function f = {.config = -1};

	if (!pci_location_parse(name, &f.info.at))
		return 0;
	if (array_room(&bus->functions, bus->count, 1, sizeof(f)))
		return -ENOMEM;
	f.info.vendor = (uint16_t)rootfs_number(bus->root, 16, DEVICES "/%s/vendor", name);
	f.info.device = (uint16_t)rootfs_number(bus->root, 16, DEVICES "/%s/device", name);
	f.info.numa_node = rootfs_int(bus->root, -1, DEVICES "/%s/numa_node", name);
	read_resources(bus->root, name, &f.info);
	bus->functions[bus->count++] = f;
	return 0;
}

int pci_bus_open(const char *root, struct pci_bus **out, struct error *err)
{
	char path[ROOTFS_PATH_SIZE];
	int rc = rootfs_path(path, root, DEVICES);

	if (rc)
		return error_set(err, EXIT_USAGE, rc, "%s: path too long", root);
	if (!rootfs_exists(root, DEVICES))
		return error_set(err, EXIT_NO_UNIT, -ENOENT, "%s does not exist: no PCI bus", path);
	DIR *dir = opendir(path);
	if (!dir)
		return error_set(err, EXIT_FAILED, -errno, "%s: %s", path, strerror(errno));
	struct pci_bus *bus = calloc(1, sizeof(*bus));
	if (bus)
		bus->root = strdup(root);
	rc = bus && bus->root ? 0 : -ENOMEM;
	for (struct dirent *entry; !rc && (entry = readdir(dir));)
		rc = add_function(bus, entry->d_name);
	closedir(dir);
	if (rc) {
		pci_bus_close(bus);
		return error_no_memory(err);
	}
	*out = bus;
	return 0;
}

void pci_bus_close(struct pci_bus *bus)
{
	if (!bus)
		return;
	for (size_t i = 0; i < bus->count; i++)
		if (bus->functions[i].config >= 0)
			close(bus->functions[i].config);
	free(bus->functions);
	free(bus->root);
	free(bus);
}

int pci_bus_list(struct pci_bus *bus, struct pci_function **out, size_t *count, struct error *err)
{
	struct pci_function *list = calloc(bus->count + 1, sizeof(*list));

	if (!list)
		return error_no_memory(err);
	for (size_t i = 0; i < bus->count; i++)
		list[i] = bus->functions[i].info;
	*out = list;
	*count = bus->count;
	return 0;
}

static struct function *find(struct pci_bus *bus, struct pci_location at)
{
	for (size_t i = 0; i < bus->count; i++)
		if (!pci_location_compare(&bus->functions[i].info.at, &at))
			return &bus->functions[i];
	return NULL;
}

/* Closes what only reads have opened: at most one file. */
static void close_last(struct pci_bus *bus)
{
	if (bus->last && bus->last->config >= 0 && !bus->last->written) {
		close(bus->last->config);
		bus->last->config = -1;
	}
	bus->last = NULL;
}

/* The config file of a function; negative: it can't be opened. */
static int open_config(struct pci_bus *bus, struct function *f)
{
	char name[PCI_TEXT_SIZE];

	if (f->config >= 0)
		return f->config;
	close_last(bus);
	f->config = rootfs_open(O_RDWR, bus->root, DEVICES "/%s/config",
				pci_location_text(f->info.at, name));
	bus->last = f;
	return f->config;
}

int pci_bus_read(struct pci_bus *bus, struct pci_location at, unsigned offset, uint32_t *value)
{
	struct function *f = find(bus, at);
	uint8_t beyond;

	if (!f)
		return -ENODEV;
	const int fd = open_config(bus, f);
	if (pread(fd, value, sizeof(*value), offset) == sizeof(*value))
		return 0;
	if (offset < STANDARD_CONFIG_BYTES)
		return -EIO;
	if (pread(fd, &beyond, sizeof(beyond), STANDARD_CONFIG_BYTES) != sizeof(beyond))
		return -EPERM;
	/* conventional PCI functions have only 256 bytes */
	*value = UINT32_MAX;
	return 0;
}

int pci_bus_write(struct pci_bus *bus, struct pci_location at, unsigned offset, uint32_t value)
{
	struct function *f = find(bus, at);

	if (!f)
		return -ENODEV;
	const int fd = open_config(bus, f);
	f->written = true;
	return pwrite(fd, &value, sizeof(value), offset) == sizeof(value) ? 0 : -EPERM;
}

int pci_bus_files(struct pci_bus *bus, struct register_file **out, size_t *count)
{
	close_last(bus);
	for (size_t i = 0; i < bus->count; i++) {
		const struct function *f = &bus->functions[i];

		if (f->config < 0)
			continue;
		if (array_room(out, *count, 1, sizeof(**out)))
			return -ENOMEM;
		(*out)[(*count)++] = (struct register_file){
			.fd = f->config, .space = REG_PCI, .pci = f->info.at};
	}
	return 0;
}

int pci_bus_find_bar(struct pci_bus *bus, uint64_t phys, uint64_t length,
		     struct pci_bar_location *out)
{
	for (size_t f = 0; f < bus->count; f++) {
		const struct pci_function *info = &bus->functions[f].info;

		for (unsigned i = 0; i < PCI_BAR_COUNT; i++) {
			const uint64_t base = info->bar_address[i], size = info->bar_size[i];

			if (!base || phys < base || length > size || phys - base > size - length)
				continue;
			*out = (struct pci_bar_location){
				.at = info->at, .bar = i, .offset = phys - base};
			return 0;
		}
	}
	return -ENOENT;
}
