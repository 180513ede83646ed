/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-walk [--channels] [DIR]
 *
 * An independent implementation of uncore discovery, to check cxlmon's: it shares no code with
 * cxlmon, and does not use sysfs. The ACPI MCFG table gives the buses, /proc/bus/pci the functions,
 * the DVSEC the table, and /dev/mem its records. Prints the valid units: type id access address.
 *
 * --channels reads no table, but finds the memory channels of Granite Rapids and later as programs
 * do that know their places: the UBOX function has the SCF BAR, and there are as many channels as
 * B2CMI functions. Prints iMC, B2CMI and UPI in the same form.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
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
	/* size of the largest table; pages that do not exist are never touched */
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

/* Opens a function. Returns -1 if there is none. */
static int open_function(unsigned bus, unsigned device, unsigned function)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/bus/pci/%02x/%02x.%x", bus, device, function);
	return open_at(path);
}

static void walk_bus(unsigned bus)
{
	for (unsigned slot = 0; slot < 256; slot++) {
		int fd = open_function(bus, slot >> 3, slot & 7);

		if (fd < 0)
			continue;
		walk_function(fd);
		close(fd);
	}
}

static bool is_there(unsigned bus, unsigned device, unsigned function, uint32_t id)
{
	int fd = open_function(bus, device, function);

	if (fd < 0)
		return false;
	const bool same = dword(fd, 0) == id;
	close(fd);
	return same;
}

/* Returns the value of a line of /proc/cpuinfo, of the first CPU. */
static unsigned cpuinfo(const char *name)
{
	char text[4096];
	int fd = open_at("/proc/cpuinfo");
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	unsigned value;

	if (got < 0)
		err(1, "%s/proc/cpuinfo", root);
	close(fd);
	text[got] = '\0';
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, strlen(name)) &&
		    sscanf(line + strlen(name), " : %u", &value) == 1)
			return value;
	}
	errx(1, "no '%s' in /proc/cpuinfo", name);
}

/* offset from the SCF BAR to the first channel */
static uint64_t first_channel(void)
{
	if (cpuinfo("model") != 174) /* Granite Rapids-D */
		return 0x24E800;
	return cpuinfo("stepping") ? 0x208800 : 0x104800;
}

static void print_pci_unit(unsigned type, unsigned id, unsigned bus, unsigned device,
			   unsigned function, unsigned control)
{
	printf("%u %u 2 0x%x\n", type, id,
	       1U << 31 | bus << 20 | device << 15 | function << 12 | control);
}

static void walk_channels(unsigned bus)
{
	unsigned channels = 0;

	if (!is_there(bus, 0, 1, 0x32518086))
		return;
	int ubox = open_function(bus, 0, 1);
	const uint64_t scf = (uint64_t)(dword(ubox, 0xD0) & 0x1fffffff) << 23 |
			     (uint64_t)(dword(ubox, 0xD4) & 0x7ff) << 12;
	close(ubox);
	for (unsigned i = 0; i < 12; i++) {
		const unsigned device = i < 7 ? 5 : 6, function = i < 7 ? i + 1 : i - 6;

		if (!is_there(bus, device, function, 0x324A8086))
			continue;
		print_pci_unit(16, i, bus, device, function, 0x438);
		printf("6 %u 1 0x%" PRIx64 "\n", channels,
		       scf + first_channel() + UINT64_C(0x4000) * channels);
		channels++;
	}
	for (unsigned i = 0; i < 6; i++)
		if (is_there(bus, 16 + i, 1, 0x32418086))
			print_pci_unit(8, i, bus, 16 + i, 1, 0x318);
}

int main(int argc, char **argv)
{
	const bool channels = argc > 1 && !strcmp(argv[1], "--channels");
	uint8_t mcfg[60];
	int fd;

	if (argc > 1 + channels)
		root = argv[1 + channels];
	fd = open_at("/sys/firmware/acpi/tables/MCFG");
	if (fd < 0 || read(fd, mcfg, sizeof(mcfg)) != sizeof(mcfg) || memcmp(mcfg, "MCFG", 4))
		errx(1, "no MCFG table");
	close(fd);
	for (unsigned bus = mcfg[54]; bus <= mcfg[55]; bus++)
		channels ? walk_channels(bus) : walk_bus(bus);
	return 0;
}
