/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-walk [DIR]
 *
 * An independent implementation of uncore discovery, to check cxlmon's: it shares no code with
 * cxlmon, and does not use sysfs. The ACPI MCFG table gives the buses, /proc/bus/pci the functions,
 * the DVSEC the table, and /dev/mem its records. Prints the valid units: type id access address.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *root = "";

static int open_at(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return open(full, O_RDONLY | O_CLOEXEC);
}

static uint32_t dword(int fd, unsigned offset)
{
	uint32_t value = UINT32_MAX;

	if (pread(fd, &value, sizeof(value), offset) != sizeof(value))
		return UINT32_MAX;
	return value;
}

static void walk_table(uint64_t phys)
{
	int fd = open_at("/dev/mem");

	if (fd < 0)
		err(1, "%s/dev/mem", root);
	/* as much as the largest table takes; pages that aren't there are never touched */
	const size_t bytes = (size_t)1 << 16;
	const uint64_t *words = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)phys);
	if (words == MAP_FAILED)
		err(1, "mmap of 0x%" PRIx64, phys);
	close(fd);

	const unsigned stride = words[0] >> 8 & 0xff, units = words[0] >> 16 & 0x3ff;
	for (unsigned i = 1; i <= units && stride; i++) {
		const uint64_t *record = words + i * (size_t)stride;
		const unsigned access = (unsigned)(record[0] >> 62);

		if (!record[0] || !~record[0] || !record[1] || !~record[1] || !~record[2] ||
		    access == 3 || !(record[0] >> 8 & 0xff) || !(record[0] >> 24 & 0xff))
			continue;
		printf("%u %u %u 0x%" PRIx64 "\n", (unsigned)(record[2] & 0xffff),
		       (unsigned)(record[2] >> 16 & 0xffff), access, record[1]);
	}
	munmap((void *)words, bytes);
}

static void walk_function(int fd)
{
	if ((dword(fd, 0) & 0xffff) != 0x8086)
		return;
	for (unsigned at = 0x100, steps = 0; at >= 0x100 && steps < 1000; steps++) {
		const uint32_t header = dword(fd, at);

		if (header == 0 || header == UINT32_MAX)
			return;
		if ((header & 0xffff) == 0x0023 && (dword(fd, at + 8) & 0xffff) == 1) {
			const unsigned bar = 0x10 + 4 * (dword(fd, at + 12) & 7);
			uint64_t address = dword(fd, bar) & ~0xfU;

			if ((dword(fd, bar) & 6) == 4)
				address |= (uint64_t)dword(fd, bar + 4) << 32;
			walk_table(address);
		}
		at = header >> 20;
	}
}

int main(int argc, char **argv)
{
	uint8_t mcfg[60];
	int fd;

	if (argc > 1)
		root = argv[1];
	fd = open_at("/sys/firmware/acpi/tables/MCFG");
	if (fd < 0 || read(fd, mcfg, sizeof(mcfg)) != sizeof(mcfg) || memcmp(mcfg, "MCFG", 4))
		errx(1, "no MCFG table");
	close(fd);
	for (unsigned bus = mcfg[54]; bus <= mcfg[55]; bus++) {
		for (unsigned slot = 0; slot < 256; slot++) {
			char path[64];

			snprintf(path, sizeof(path), "/proc/bus/pci/%02x/%02x.%x", bus, slot >> 3,
				 slot & 7);
			fd = open_at(path);
			if (fd < 0)
				continue;
			walk_function(fd);
			close(fd);
		}
	}
	return 0;
}
