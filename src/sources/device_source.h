/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CXL devices as the kernel reports them: their links, errors of Advanced Error Reporting, and
 * health.
 */
#ifndef CXLMON_SOURCES_DEVICE_SOURCE_H
#define CXLMON_SOURCES_DEVICE_SOURCE_H

#include "platform/cxl.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "platform/pci.h"
#include "sources/source.h"
#include "sources/stats_pair.h"

struct source_device {
	struct cxl_device *device; /* each reading updates its .hops; not owned */
	char pci[PCI_TEXT_SIZE];   /* PCI address; set by the caller; strings of rows point to it */
	struct stats_pair stats;
	struct aer_kinds aer;		      /* error counts by kind, of the latest reading */
	struct pci_link links[CXL_HOPS_MOST]; /* latest known links by hop, to mark changes */
	bool gone; /* the device was last seen removed; to mark changes */
};

struct device_source {
	struct source base;
	struct source_device *devices;
	size_t count;
};

/*
 * Opens the devices of a list, which must outlive the source, and reads them once. The source reads
 * them at most once per second. If the list is empty, or the kernel has no statistics of devices,
 * the source stays closed. Returns 0 or -ENOMEM.
 */
int device_source_open(struct device_source *devices, struct platform *p, struct cxl_device *list,
		       size_t count, struct error *err);

/* Returns true if some device had this statistic in the latest reading. */
bool device_source_can_know(const struct device_source *devices, enum kernel_stat stat);

/* Returns the index of a device in the source; SIZE_MAX: it is not there, or device is NULL. */
size_t device_source_find(const struct device_source *devices, const struct cxl_device *device);

/*
 * Returns the bytes per second that a device's link can carry in each direction. NAN: the rate is
 * unknown, it has changed during the latest sample, or device is SIZE_MAX.
 */
double device_source_rate(const struct device_source *devices, size_t device);

/*
 * Returns the highest rate of a device's link during the latest sample, as in device_source_rate().
 * NAN: unknown, or device is SIZE_MAX.
 */
double device_source_rate_limit(const struct device_source *devices, size_t device);

/* Takes the next answer of any device, without waiting. Returns false if none has come yet. */
typedef bool health_reader(void *context, struct health_answer *out);

struct source_health {
	struct stats_pair stats;
	int code; /* negative errno of the latest answer; 0: it has the device's health */
};

/*
 * The health of devices. The source asks the devices every 30 s. As an answer may take long,
 * another process can ask them instead: the source then takes its answers by a reader.
 */
struct health_source {
	struct source base;
	const struct device_source *devices; /* not owned */
	struct source_health *answers;	     /* by index of the device in .devices */
	health_reader *next;		     /* the reader; NULL: this source asks the devices */
	void *context;			     /* passed to .next */
};

/*
 * Opens the health of the devices of a source, which must outlive this one. Does not ask them yet.
 * If the machine has no devices, or the kernel cannot ask them, stays closed. If already open,
 * does nothing. Returns 0 or -ENOMEM.
 */
int health_source_open(struct health_source *health, const struct device_source *devices,
		       struct error *err);
/* Lets the source take answers from a reader at each sample. Called before sources_start(). */
void health_source_read_from(struct health_source *health, health_reader *next, void *context);

#endif
