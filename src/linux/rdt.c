/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/linux_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rootfs.h"
#include "linux/kernel/clock.h"
#include "linux/system/linux_platform.h"
#include "platform/cpus.h"
#include "platform/reg.h"

/* Source: the kernel's Documentation/ABI/testing/sysfs-firmware-acpi. */
#define TABLE_PATH "sys/firmware/acpi/tables/%s"
#define TABLE_MOST (1U << 20) /* bytes: 100 domains with factors of 1024 RMIDs have 420 000 */

static int cant_read(const char *signature, int code, struct error *err)
{
	if (code == -ENOENT)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "firmware has no ACPI table %s, which says where bytes by region "
				 "of memory are counted",
				 signature);
	const bool denied = code == -EACCES || code == -EPERM;
	error_set(err, denied ? ERROR_PERMISSION : ERROR_FAILED, code,
		  "/" TABLE_PATH ": read failed: %s%s", signature, strerror(-code),
		  denied ? "; " ERROR_RUN_AS_ROOT : "");
	error_hint(err, denied ? ERROR_COMMAND_AS_ROOT : "");
	return code;
}

static int read_all(int fd, uint8_t *bytes, size_t *size)
{
	ssize_t got = 1;

	for (*size = 0; got > 0 && *size < TABLE_MOST; *size += (size_t)got) {
		got = read(fd, bytes + *size, TABLE_MOST - *size);
		if (got < 0)
			return -errno;
	}
	return *size < TABLE_MOST ? 0 : -EFBIG;
}

static int read_table(struct platform *p, const char *signature, uint8_t **bytes, size_t *size,
		      struct error *err)
{
	const int fd = rootfs_open(O_RDONLY, linux_of(p)->root, TABLE_PATH, signature);

	*bytes = NULL;
	if (fd < 0)
		return cant_read(signature, fd, err);
	*bytes = malloc(TABLE_MOST);
	const int rc = *bytes ? read_all(fd, *bytes, size) : -ENOMEM;
	close(fd);
	if (!rc)
		return 0;
	free(*bytes);
	*bytes = NULL;
	return rc == -ENOMEM ? error_no_memory(err) : cant_read(signature, rc, err);
}

static void read_apic_ids(struct platform *p, const struct topology *topology, uint32_t *ids)
{
	FILE *in = rootfs_stream(linux_of(p)->root, "proc/cpuinfo");
	unsigned cpu = 0, id;
	char *line = NULL;
	size_t room = 0;

	for (size_t i = 0; i < topology->count; i++)
		ids[i] = APIC_NOT_KNOWN;
	while (in && getline(&line, &room, in) >= 0) {
		/* a blank in the format matches any number of tabs */
		sscanf(line, "processor : %u", &cpu);
		if (sscanf(line, "apicid : %u", &id) != 1)
			continue;
		for (size_t i = 0; i < topology->count; i++)
			if (topology->cpus[i].cpu == cpu)
				ids[i] = id;
	}
	free(line);
	if (in)
		fclose(in);
}

static bool has_groups(struct platform *p)
{
	return rootfs_exists(linux_of(p)->root, "sys/fs/resctrl/info");
}

static void read_counters(struct platform *p, const struct reg_handle *handles, size_t count,
			  uint64_t wall_ns, uint64_t *values, int *failures, uint64_t *at_ns)
{
	const uint64_t begin = clock_monotonic();

	(void)wall_ns;
	reg_read_all(p, handles, count, values, failures);
	*at_ns = begin + (clock_monotonic() - begin) / 2;
}

const struct rdt_ops linux_rdt = {
	.table = read_table,
	.apic_ids = read_apic_ids,
	.has_groups = has_groups,
	.read = read_counters,
};
