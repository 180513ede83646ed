/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/pci_bus.h"

#include <errno.h>
#include <fcntl.h>
#include <pci/pci.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "platform/pci.h"
#include "platform/reg.h"

#define STANDARD_CONFIG_BYTES 64 /* readable without CAP_SYS_ADMIN */

/* The open config file of a function that was written. */
struct open_config {
	const struct pci_dev *dev;
	int fd;
};

struct pci_bus {
	struct pci_access *access;
	char *root;
	struct open_config *configs; /* libpci itself keeps only one function's file open */
	size_t config_count;
};

/*
 * State of libpci's error handler, which must not return, and gets no context: it jumps back into
 * catch_errors() below, through this per-thread variable.
 */
struct error_jump {
	jmp_buf target;
	char text[256];
};

static _Thread_local struct error_jump *error_jump;

__attribute__((noreturn, format(printf, 1, 2))) static void on_error(char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error_jump->text, sizeof(error_jump->text), format, args);
	va_end(args);
	longjmp(error_jump->target, 1);
}

/* Ignores warnings: the failed access reports the same. */
__attribute__((format(printf, 1, 2))) static void on_warning(char *format, ...)
{
	(void)format;
}

/* Runs step(argument); libpci's fatal errors become -EIO. */
static int catch_errors(int (*step)(void *argument), void *argument, struct error *err)
{
	struct error_jump here = {.text = ""};
	int rc;

	error_jump = &here;
	if (setjmp(here.target))
		rc = error_set(err, ERROR_FAILED, -EIO, "PCI: %s", here.text);
	else
		rc = step(argument);
	error_jump = NULL;
	return rc;
}

static int scan_bus(void *argument)
{
	struct pci_access *access = argument;

	pci_init(access);
	pci_scan_bus(access);
	return 0;
}

static int fill_device(void *argument)
{
	pci_fill_info(argument,
		      PCI_FILL_IDENT | PCI_FILL_BASES | PCI_FILL_SIZES | PCI_FILL_NUMA_NODE);
	return 0;
}

/* Fills all functions. One that was unplugged during the scan fails, which is ignored. */
static void fill_all(struct pci_access *access)
{
	for (struct pci_dev *dev = access->devices; dev; dev = dev->next)
		catch_errors(fill_device, dev, NULL);
}

int pci_bus_open(const char *root, struct pci_bus **out, struct error *err)
{
	char path[ROOTFS_PATH_SIZE];
	int rc = rootfs_path(path, root, "sys/bus/pci");

	if (rc)
		return error_set(err, ERROR_USAGE, rc, "%s: path too long", root);
	if (!rootfs_exists(root, "sys/bus/pci/devices"))
		return error_set(err, ERROR_NO_UNIT, -ENOENT,
				 "%s/devices does not exist: no PCI bus", path);

	struct pci_bus *bus = calloc(1, sizeof(*bus));
	if (bus)
		bus->root = strdup(root);
	if (!bus || !bus->root) {
		free(bus);
		return error_no_memory(err);
	}
	bus->access = pci_alloc();
	bus->access->method = PCI_ACCESS_SYS_BUS_PCI;
	bus->access->error = on_error;
	bus->access->warning = on_warning;
	pci_set_param(bus->access, "sysfs.path", path);

	rc = catch_errors(scan_bus, bus->access, err);
	if (rc) {
		pci_bus_close(bus);
		return rc;
	}
	fill_all(bus->access);
	*out = bus;
	return 0;
}

static int cleanup_bus(void *argument)
{
	pci_cleanup(argument);
	return 0;
}

void pci_bus_close(struct pci_bus *bus)
{
	if (!bus)
		return;
	catch_errors(cleanup_bus, bus->access, NULL);
	for (size_t i = 0; i < bus->config_count; i++)
		close(bus->configs[i].fd);
	free(bus->configs);
	free(bus->root);
	free(bus);
}

static struct pci_location location_of(const struct pci_dev *dev)
{
	return (struct pci_location){.domain = (uint32_t)dev->domain,
				     .bus = dev->bus,
				     .device = dev->dev,
				     .function = dev->func};
}

int pci_bus_list(struct pci_bus *bus, struct pci_function **out, size_t *count, struct error *err)
{
	size_t n = 0;

	for (struct pci_dev *dev = bus->access->devices; dev; dev = dev->next)
		n++;
	struct pci_function *list = calloc(n ? n : 1, sizeof(*list));
	if (!list)
		return error_no_memory(err);

	struct pci_function *f = list;
	for (struct pci_dev *dev = bus->access->devices; dev; dev = dev->next, f++) {
		f->at = location_of(dev);
		f->vendor = dev->vendor_id;
		f->device = dev->device_id;
		f->numa_node = dev->numa_node;
		for (unsigned i = 0; i < PCI_BAR_COUNT; i++) {
			f->bar_size[i] = dev->size[i];
			if (!(dev->base_addr[i] & PCI_BASE_ADDRESS_SPACE_IO))
				f->bar_address[i] = dev->base_addr[i] & PCI_ADDR_MEM_MASK;
		}
	}
	*out = list;
	*count = n;
	return 0;
}

static struct pci_dev *find_device(struct pci_bus *bus, struct pci_location at)
{
	for (struct pci_dev *dev = bus->access->devices; dev; dev = dev->next)
		if ((uint32_t)dev->domain == at.domain && dev->bus == at.bus &&
		    dev->dev == at.device && dev->func == at.function)
			return dev;
	return NULL;
}

struct access {
	struct pci_dev *dev;
	unsigned offset;
	uint32_t *value;
};

static int read_block(void *argument)
{
	struct access *t = argument;

	u8 beyond;

	if (pci_read_block(t->dev, (int)t->offset, (u8 *)t->value, sizeof(*t->value)))
		return 0;
	if (t->offset < STANDARD_CONFIG_BYTES)
		return -EIO;
	if (!pci_read_block(t->dev, STANDARD_CONFIG_BYTES, &beyond, sizeof(beyond)))
		return -EPERM;
	/* conventional PCI functions have only 256 bytes */
	*t->value = UINT32_MAX;
	return 0;
}

/* Returns the open config file; -1: none. */
static int config_fd(const struct pci_bus *bus, const struct pci_dev *dev)
{
	for (size_t i = 0; i < bus->config_count; i++)
		if (bus->configs[i].dev == dev)
			return bus->configs[i].fd;
	return -1;
}

/* Returns the config file, opened if necessary, or a negative errno. */
static int open_config(struct pci_bus *bus, const struct pci_dev *dev)
{
	int fd = config_fd(bus, dev);

	if (fd >= 0)
		return fd;
	if (array_room(&bus->configs, bus->config_count, 1, sizeof(*bus->configs)))
		return -ENOMEM;
	fd = rootfs_open(O_RDWR, bus->root, "sys/bus/pci/devices/%04x:%02x:%02x.%x/config",
			 (unsigned)dev->domain, dev->bus, dev->dev, dev->func);
	if (fd >= 0)
		bus->configs[bus->config_count++] = (struct open_config){.dev = dev, .fd = fd};
	return fd;
}

int pci_bus_read(struct pci_bus *bus, struct pci_location at, unsigned offset, uint32_t *value)
{
	struct access t = {.dev = find_device(bus, at), .offset = offset, .value = value};
	const int fd = config_fd(bus, t.dev);

	if (!t.dev)
		return -ENODEV;
	if (fd >= 0 && pread(fd, value, sizeof(*value), offset) == sizeof(*value))
		return 0;
	return catch_errors(read_block, &t, NULL);
}

int pci_bus_write(struct pci_bus *bus, struct pci_location at, unsigned offset, uint32_t value)
{
	const struct pci_dev *dev = find_device(bus, at);

	if (!dev)
		return -ENODEV;
	const int fd = open_config(bus, dev);
	if (fd < 0)
		return fd;
	const ssize_t written = pwrite(fd, &value, sizeof(value), offset);
	return written == sizeof(value) ? 0 : written < 0 ? -errno : -EIO;
}

/*
 * Closes libpci's file of the last read, as libpci does before it opens another; it has no function
 * for that.
 */
static void close_cached(struct pci_access *access)
{
	if (access->cached_dev && access->fd >= 0)
		close(access->fd);
	access->fd = -1;
	access->cached_dev = NULL;
}

int pci_bus_files(struct pci_bus *bus, struct register_file **out, size_t *count)
{
	close_cached(bus->access);
	if (array_room(out, *count, bus->config_count + 1, sizeof(**out)))
		return -ENOMEM;
	for (size_t i = 0; i < bus->config_count; i++)
		(*out)[(*count)++] =
			(struct register_file){.fd = bus->configs[i].fd,
					       .space = REG_PCI,
					       .pci = location_of(bus->configs[i].dev)};
	return 0;
}

int pci_bus_find_bar(struct pci_bus *bus, uint64_t phys, uint64_t length,
		     struct pci_bar_location *out)
{
	for (struct pci_dev *dev = bus->access->devices; dev; dev = dev->next) {
		for (unsigned i = 0; i < PCI_BAR_COUNT; i++) {
			const uint64_t base = dev->base_addr[i] & PCI_ADDR_MEM_MASK;

			if (dev->base_addr[i] & PCI_BASE_ADDRESS_SPACE_IO || phys < base ||
			    length > dev->size[i] || phys - base > dev->size[i] - length)
				continue;
			*out = (struct pci_bar_location){
				.at = location_of(dev), .bar = i, .offset = phys - base};
			return 0;
		}
	}
	return -ENOENT;
}
