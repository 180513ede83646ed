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
	struct cxl_device *device; /* its hops are kept up to date; not owned */
	char pci[PCI_TEXT_SIZE];   /* PCI address, to which the string of a row points */
	struct stats_pair stats;
	struct aer_kinds aer;		      /* error counts by kind, of the latest reading */
	struct pci_link links[CXL_HOPS_MOST]; /* latest known links, by hop; changes are marked */
	bool gone; /* was removed, by the latest known state; changes are marked */
};

struct device_source {
	struct source base;
	struct source_device *devices;
	size_t count;
};

/*
 * Opens the devices, which must outlive the source, and reads them; from then on they are read at
 * most once per second. Stays closed, and returns 0, if there are none or the kernel has no
 * statistics of devices. -ENOMEM.
 */
int device_source_open(struct device_source *devices, struct platform *p, struct cxl_device *list,
		       size_t count, struct error *err);

/* Tells if some device had this statistic in the latest reading. */
bool device_source_can_know(const struct device_source *devices, enum kernel_stat stat);

/* Returns the index of a device; SIZE_MAX: it is NULL, or not in the list. */
size_t device_source_find(const struct device_source *devices, const struct cxl_device *device);

/*
 * Returns the bytes per second that a device's link can carry in each direction. NAN: the link has
 * changed during the latest sample, its rate is unknown, or device is SIZE_MAX.
 */
double device_source_rate(const struct device_source *devices, size_t device);

/* Returns the highest rate of a link at any time of the latest sample; NAN: unknown. */
double device_source_rate_limit(const struct device_source *devices, size_t device);

/* Takes the next answer of a device, without waiting. Returns false if there is none yet. */
typedef bool health_reader(void *context, struct health_answer *out);

struct source_health {
	struct stats_pair stats;
	int code; /* negative errno of the latest answer; 0: it has the device's health */
};

/*
 * The health of devices. The source asks them every 30 s. As an answer may take long, another
 * process can ask instead, whose answers the source reads.
 */
struct health_source {
	struct source base;
	const struct device_source *devices; /* not owned */
	struct source_health *answers;	     /* by device of .devices */
	health_reader *next;		     /* NULL: this source asks the devices */
	void *context;			     /* passed to .next */
};

/*
 * Opens the health of a source's devices, which must outlive it, and asks none yet. Stays closed,
 * and returns 0, if there are none or the kernel cannot ask them. Does nothing if open. -ENOMEM.
 */
int health_source_open(struct health_source *health, const struct device_source *devices,
		       struct error *err);
/* Takes answers from a reader from now on, at each sample. Called before sources_start(). */
void health_source_read_from(struct health_source *health, health_reader *next, void *context);

#endif
