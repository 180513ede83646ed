/* SPDX-License-Identifier: BSD-3-Clause */
/* CXL devices as the kernel knows them: their links, errors of Advanced Error Reporting, and
 * health. */
#ifndef CXLMON_SOURCES_DEVICE_SOURCE_H
#define CXLMON_SOURCES_DEVICE_SOURCE_H

#include "platform/cxl.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "platform/pci.h"
#include "sources/source.h"
#include "sources/stats_pair.h"

struct source_device {
	struct cxl_device *device; /* whose hops are kept up to date. Not owned */
	char pci[PCI_TEXT_SIZE];   /* room for a row's text */
	struct stats_pair stats;
	struct aer_kinds aer;
	/* the latest that were known, whose changes are marked */
	struct pci_link links[CXL_HOPS_MOST];
	bool gone;
};

struct device_source {
	struct source base;
	struct source_device *devices;
	size_t count;
};

/*
 * Reads the devices, which must outlive it; once a second at most from then on. Without any, or
 * without statistics of the kernel, it stays closed.
 */
int device_source_open(struct device_source *devices, struct platform *p, struct cxl_device *list,
		       size_t count, struct error *err);

/* Whether some device's statistic is known, as far as the latest reading says. */
bool device_source_can_know(const struct device_source *devices, enum kernel_stat stat);

/* Index of a device; SIZE_MAX: not among them. */
size_t device_source_find(const struct device_source *devices, const struct cxl_device *device);

/*
 * Bytes per second that the link of a device can carry each way, if it was the same during the
 * whole sample; NAN: it has changed, or is unknown.
 */
double device_source_rate(const struct device_source *devices, size_t device);

/* The most that it could carry at any time of the sample; NAN: unknown. */
double device_source_rate_limit(const struct device_source *devices, size_t device);

/* Takes the next answer of a device. False: there is none yet. */
typedef bool health_reader(void *context, struct health_answer *out);

struct source_health {
	struct stats_pair stats;
	int code; /* why the latest answer is missing; 0: it is not */
};

/*
 * Devices are asked each 30 s, by cxl_ops.health; or, as that may take long, by somebody else whose
 * answers are read.
 */
struct health_source {
	struct source base;
	const struct device_source *devices; /* not owned */
	struct source_health *answers;	     /* by device */
	health_reader *next;		     /* NULL: devices are asked here */
	void *context;
};

/* Lets the devices of an open source be asked. Without an answer of any device it stays closed. */
int health_source_open(struct health_source *health, const struct device_source *devices,
		       struct error *err);
/* From now on, answers are those of a reader, which does not wait. */
void health_source_read_from(struct health_source *health, health_reader *next, void *context);

#endif
