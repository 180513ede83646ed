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
	char pci[PCI_TEXT_SIZE];   /* storage for a row's string */
	struct stats_pair stats;
	struct aer_kinds aer;
	/* The latest known links and presence, whose changes are marked. */
	struct pci_link links[CXL_HOPS_MOST];
	bool gone;
};

struct device_source {
	struct source base;
	struct source_device *devices;
	size_t count;
};

/*
 * Opens and reads the devices, which must outlive the source; at most once per second from then on.
 * It stays closed if there are none, or the kernel has no statistics.
 */
int device_source_open(struct device_source *devices, struct platform *p, struct cxl_device *list,
		       size_t count, struct error *err);

/* Tells if some device's statistic is known, as of the latest reading. */
bool device_source_can_know(const struct device_source *devices, enum kernel_stat stat);

/* Returns the index of a device; SIZE_MAX: it is not in the list. */
size_t device_source_find(const struct device_source *devices, const struct cxl_device *device);

/*
 * Returns the bytes per second that a device's link can carry each way, if this was the same during
 * the whole sample; NAN: it has changed, or is unknown.
 */
double device_source_rate(const struct device_source *devices, size_t device);

/* Returns the most that the link could carry at any time of the sample; NAN: unknown. */
double device_source_rate_limit(const struct device_source *devices, size_t device);

/* Takes the next answer of a device. Returns false if there is none yet. */
typedef bool health_reader(void *context, struct health_answer *out);

struct source_health {
	struct stats_pair stats;
	int code; /* the errno for which the latest answer is missing; 0: it is not missing */
};

/*
 * The health of devices. They are asked every 30 s by cxl_ops.health or, as this may take long, by
 * another process whose answers are read.
 */
struct health_source {
	struct source base;
	const struct device_source *devices; /* not owned */
	struct source_health *answers;	     /* by device */
	health_reader *next;		     /* NULL: this source asks the devices */
	void *context;
};

/* Opens the health of the devices of an open source. It stays closed if no device answers. */
int health_source_open(struct health_source *health, const struct device_source *devices,
		       struct error *err);
/* Takes answers from a reader from now on. The reader does not wait. */
void health_source_read_from(struct health_source *health, health_reader *next, void *context);

#endif
