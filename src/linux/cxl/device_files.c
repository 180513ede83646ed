/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl.h"
#include "linux/cxl/cxl_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/kernel/clock.h"
#include "linux/kernel/kernel_text.h"
#include "linux/system/linux_platform.h"
#include "platform/pci.h"

#define PCI_BUS	       "sys/bus/pci/devices/"
#define PORT_SERVICES  "sys/bus/pci_express/devices"
#define LINE_SIZE      64
#define COUNT_MOST     0x1p48 /* sums of such counts are exact */
#define ATTRIBUTE_MOST 4096   /* PAGE_SIZE, the most that an attribute has */

/* Files of Advanced Error Reporting; functions without the capability have none. */
static const struct {
	const char *name;
	enum kernel_stat stat;
} aer_files[] = {
	{"aer_dev_correctable", AER_CORRECTABLE},
	{"aer_dev_nonfatal", AER_NONFATAL},
	{"aer_dev_fatal", AER_FATAL},
};

/* Reads an attribute such as "32.0 GT/s PCIe" or "8"; 0: none, or "Unknown". */
static double read_number(const char *root, struct pci_location at, const char *prefix,
			  const char *name)
{
	char line[LINE_SIZE], text[PCI_TEXT_SIZE];

	rootfs_line(line, sizeof(line), root, PCI_BUS "%s/%s%s", pci_location_text(at, text),
		    prefix, name);
	return strtod(line, NULL);
}

struct pci_link device_files_link(const char *root, struct pci_location at, const char *prefix)
{
	/* a function that is gone reads as all ones, which is out of range */
	const double speed = read_number(root, at, prefix, "_link_speed"),
		     lanes = read_number(root, at, prefix, "_link_width");

	return (struct pci_link){
		.GTps = speed >= 2.5 && speed <= 64 ? speed : 0,
		.lanes = lanes >= 1 && lanes <= 32 ? (unsigned)lanes : 0,
	};
}

/*
 * Reads the link of a CXL 1.1 device, whose register the kernel shows in place of these attributes.
 */
static struct pci_link read_rcd_link(const char *root, struct pci_location at)
{
	char text[PCI_TEXT_SIZE];

	return pci_link_decode((unsigned)rootfs_number(root, 16, PCI_BUS "%s/rcd_link_status",
						       pci_location_text(at, text)));
}

static struct pci_link read_link(const char *root, const struct cxl_device *device,
				 const struct pci_hop *hop)
{
	if (device->depth == 1)
		return read_rcd_link(root, hop->below);
	const struct pci_link below = device_files_link(root, hop->below, "current");
	return below.lanes ? below : device_files_link(root, hop->above, "current");
}

/* Tells if a line has the total, "TOTAL_ERR_COR 3", and not the count of a kind. */
static bool is_total(struct span name)
{
	static const char total[] = "TOTAL_ERR_";

	return (size_t)(name.end - name.at) >= sizeof(total) &&
	       !memcmp(name.at, total, sizeof(total) - 1);
}

double device_files_aer_total(struct span text)
{
	struct span line;

	while (span_line(&text, &line))
		if (is_total(span_word(&line)))
			return span_number(span_word(&line));
	return NAN;
}

void device_files_aer_kinds(struct span text, enum kernel_stat severity, struct aer_kinds *kinds)
{
	char name[AER_NAME_SIZE];
	struct span line;

	while (span_line(&text, &line)) {
		const struct span word = span_word(&line);
		const double count = span_number(span_word(&line));

		if (is_total(word) || word.at == word.end || !(count > 0 && count < COUNT_MOST))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(word.end - word.at), word.at);
		aer_kinds_add(kinds, severity, name, count);
	}
}

/* Reads the counts of a function; NAN: unreadable. */
static double read_aer(const char *root, struct pci_location at, size_t file,
		       struct aer_kinds *kinds, bool *counts)
{
	char text[ATTRIBUTE_MOST + 1], name[PCI_TEXT_SIZE];
	const int length = rootfs_read(text, sizeof(text), root, PCI_BUS "%s/%s",
				       pci_location_text(at, name), aer_files[file].name);

	*counts = length != -ENOENT;
	if (length < 0)
		return NAN;
	const struct span whole = {text, text + length};

	device_files_aer_kinds(whole, aer_files[file].stat, kinds);
	return device_files_aer_total(whole);
}

/* Returns the sum over the functions that count; unknown if none does, or one is unreadable. */
static double sum_aer(const char *root, const struct cxl_device *device, size_t file,
		      struct aer_kinds *kinds)
{
	double sum = 0;
	bool counts, any = false;

	for (size_t i = 0; i < device->depth; i++) {
		const double count = read_aer(root, device->path[i], file, kinds, &counts);

		sum += counts ? count : 0;
		any |= counts;
	}
	return any ? sum : NAN;
}

/*
 * Tells if firmware handles errors of the device's root port: the kernel has port services, but
 * none for its AER (PCIE_PORT_SERVICE_AER, 2). Source: the kernel's drivers/pci/pcie/portdrv.c
 */
static bool firmware_handles_errors(const char *root, const struct cxl_device *device)
{
	char text[PCI_TEXT_SIZE];

	return device->depth > 1 && rootfs_exists(root, PORT_SERVICES) &&
	       !rootfs_exists(root, PORT_SERVICES "/%s:pcie002",
			      pci_location_text(device->hops[0].above, text));
}

int linux_device_stats(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		       struct device_stats *out)
{
	const char *root = linux_of(p)->root;
	const struct pci_location at = device->path[device->depth - 1];
	char text[PCI_TEXT_SIZE];
	bool known = false;

	(void)wall_ns;
	*out = (struct device_stats){.kernel = kernel_stats_unknown(clock_monotonic())};
	/*
	 * a device below a directory that may not be read, such as a private --root after
	 * privileges were dropped, may still exist
	 */
	out->gone =
		!rootfs_exists(root, PCI_BUS "%s/", pci_location_text(at, text)) && errno == ENOENT;
	if (out->gone)
		return -ENODEV;
	for (size_t h = 0; h < device->hop_count; h++) {
		out->links[h] = read_link(root, device, &device->hops[h]);
		known |= pci_link_rate(out->links[h]) > 0;
	}
	for (size_t i = 0; i < sizeof(aer_files) / sizeof(aer_files[0]); i++) {
		double *value = &out->kernel.values[aer_files[i].stat];

		*value = sum_aer(root, device, i, &out->kinds);
		/* a count of 0 means nothing if the kernel is not told about errors */
		if (*value == 0 && firmware_handles_errors(root, device))
			*value = NAN;
		known |= !isnan(*value);
	}
	return known ? 0 : -ENODATA;
}
