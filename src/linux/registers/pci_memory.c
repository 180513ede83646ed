/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/pci_bus.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/kernel/limits.h"

#define ACCESS_FLAGS(writable) (((writable) ? O_RDWR : O_RDONLY) | O_SYNC)

/* Physical addresses have more than 32 bits, which smaller types would cut off. */
_Static_assert(sizeof(off_t) >= 8 && sizeof(void *) >= 8, "cxlmon is for 64-bit machines");

/*
 * Maps the pages of a file around [position, position + length). Closes fd, which may be a negative
 * errno.
 */
static int map_file(int fd, uint64_t position, size_t length, bool writable,
		    struct mmio_window *out)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t start = position & ~(page - 1);
	const size_t bytes = (size_t)((position + length - start + page - 1) & ~(page - 1));
	struct stat st;

	if (fd < 0)
		return fd;
	/* a regular file (below --root) may be too short: a load past its end raises SIGBUS */
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size < position + length) {
		close(fd);
		return -ENXIO;
	}
	void *map = mmap(NULL, bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd,
			 (off_t)start);
	int rc = map == MAP_FAILED ? -errno : 0;
	close(fd);
	if (rc)
		return rc;
	madvise(map, bytes, MADV_DONTFORK); /* child processes get no registers */
	out->map = map;
	out->map_bytes = bytes;
	out->base = (char *)map + (position - start);
	return 0;
}

/*
 * Maps a BAR's file. Does not support a BAR that begins within a page: its mapped file begins with
 * the page and not with the BAR (pci_mmap_resource_range() in the kernel's drivers/pci/mmap.c).
 */
static int map_resource(const char *root, struct pci_bus *bus, uint64_t phys, size_t length,
			bool writable, struct mmio_window *out)
{
	struct pci_bar_location place;
	int rc = pci_bus_find_bar(bus, phys, length, &place);

	if (!rc && (phys - place.offset) % (uint64_t)sysconf(_SC_PAGESIZE))
		rc = -EINVAL;
	if (rc)
		return rc;
	rc = rootfs_open(ACCESS_FLAGS(writable), root,
			 "sys/bus/pci/devices/%04x:%02x:%02x.%x/resource%u", place.at.domain,
			 place.at.bus, place.at.device, place.at.function, place.bar);
	return map_file(rc, place.offset, length, writable, out);
}

/* Explains why /dev/mem cannot be mapped; *command is the hint, unchanged if there is none. */
static const char *explain_mapping(const char *root, int code, const char **command)
{
	char state[LOCKDOWN_STATE_SIZE];

	switch (-code) {
	case ENOENT:
		*command = "grep CONFIG_DEVMEM /boot/config-$(uname -r)";
		return "this kernel has no /dev/mem (CONFIG_DEVMEM is off); boot a kernel that has it";
	case EACCES:
		*command = ERROR_COMMAND_AS_ROOT;
		return "no permission to open /dev/mem; " ERROR_RUN_AS_ROOT;
	case EPERM:
		if (lockdown_in_force(root, state)) {
			*command = LOCKDOWN_COMMAND;
			return "kernel lockdown forbids /dev/mem; boot without Secure Boot, or without "
			       "lockdown= on the kernel's command line";
		}
		*command = ERROR_COMMAND_AS_ROOT;
		return "forbidden by the kernel: CAP_SYS_RAWIO is missing (" ERROR_RUN_AS_ROOT
		       "), or a driver "
		       "claims this memory (CONFIG_IO_STRICT_DEVMEM; boot with iomem=relaxed), or it is "
		       "system RAM (CONFIG_STRICT_DEVMEM)";
	default:
		return strerror(-code);
	}
}

/*
 * Reports a failure: ERROR_PERMISSION if the user can change permissions or the kernel's
 * configuration.
 */
static int map_failed(const char *root, uint64_t phys, int code, struct error *err)
{
	const bool fixable = code == -EPERM || code == -EACCES || code == -ENOENT;
	const char *command = "", *why = explain_mapping(root, code, &command);

	error_set(err, fixable ? ERROR_PERMISSION : ERROR_FAILED, code,
		  "mmio 0x%" PRIx64 ": cannot be mapped through /dev/mem: %s", phys, why);
	error_hint(err, command);
	return code;
}

int memory_map(const char *root, struct pci_bus *bus, uint64_t phys, size_t length, bool writable,
	       struct mmio_window *out, struct error *err)
{
	*out = (struct mmio_window){.phys = phys, .length = length};
	if (!map_resource(root, bus, phys, length, writable, out))
		return 0;

	const int rc = map_file(rootfs_open(ACCESS_FLAGS(writable), root, "dev/mem"), phys, length,
				writable, out);
	return rc ? map_failed(root, phys, rc, err) : 0;
}

void memory_unmap(struct mmio_window *window)
{
	if (window->map)
		munmap(window->map, window->map_bytes);
	*window = (struct mmio_window){0};
}

uint64_t memory_load(const struct mmio_window *window, uint64_t offset, unsigned bytes)
{
	const char *at = (const char *)window->base + offset;

	if (bytes == 8)
		return *(const volatile uint64_t *)at;
	return *(const volatile uint32_t *)at;
}

void memory_store(const struct mmio_window *window, uint64_t offset, unsigned bytes, uint64_t value)
{
	char *at = (char *)window->base + offset;

	if (bytes == 8)
		*(volatile uint64_t *)at = value;
	else
		*(volatile uint32_t *)at = (uint32_t)value;
}
