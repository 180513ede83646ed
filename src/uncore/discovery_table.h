/* SPDX-License-Identifier: BSD-3-Clause */
/* One discovery table: the units of a die that have registers, as firmware describes them. */
#ifndef CXLMON_DISCOVERY_TABLE_H
#define CXLMON_DISCOVERY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "uncore/discovery_record.h"
#include "uncore/model.h"

struct discovery;

struct discovery_table {
	struct pci_location at; /* the function that pointed to it, if msr is 0 */
	uint32_t msr;		/* that of cpu pointed to it; 0: a function did */
	unsigned cpu;
	int socket;
	unsigned die;  /* within the socket */
	uint64_t phys; /* its physical address */
	size_t bytes;  /* bytes read */
	struct global_record global;
	unsigned faults[RECORD_FAULTS]; /* number of records by fault */
	struct mmio_window control;	/* while open: see table_control.h */
};

/* The MSR that points to a table, if .msr is not 0. */
struct reg discovery_table_pointer(const struct discovery_table *table);

/* Writes what pointed to the table: "0000:1e:00.0" or "cpu 4 msr 0x710". Returns text. */
const char *discovery_table_source(const struct discovery_table *table, char text[REG_NAME_SIZE]);

/* Where a table is. */
struct table_location {
	uint64_t phys;
	uint64_t bar_size; /* of the BAR that it begins; 0: not known */
};

/* The table was skipped, and a warning has been logged. */
#define TABLE_SKIPPED 1

/*
 * Reads a table whose .at or .msr, .socket and .die are set, and appends its valid units to
 * out->units. TABLE_SKIPPED: this one can't be read, or is invalid. EXIT_PERMISSION: none may be.
 */
int discovery_table_read(struct platform *p, const struct model *model,
			 const struct topology *topology, const struct table_location *location,
			 struct discovery_table *table, struct discovery *out, struct error *err);

#endif
