/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uncore discovery on Intel: firmware describes the units of the uncore in discovery tables in
 * memory. Tables are found by DVSEC capabilities of PCI functions and, on some processors, by an
 * MSR of each die.
 *
 *   discovery.c            the PCI functions that point to tables, and all tables of the machine
 *   discovery_table.c      one table: its records, its valid units, and its control
 *   discovery_functions.c  the socket of a PCI function; units that are found as PCI functions,
 *                          because their records are wrong
 *
 * Source: the kernel's arch/x86/events/intel/uncore_discovery.{c,h}, and Intel PCM.
 */
#ifndef CXLMON_UNCORE_DISCOVERY_DISCOVERY_H
#define CXLMON_UNCORE_DISCOVERY_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"
#include "platform/platform.h"
#include "platform/reg.h"
#include "uncore/model/model.h"
#include "uncore/units/unit.h"

/* The records of a discovery table: first the global one, then one for each unit of a die. */

#define DISCOVERY_RECORD_WORDS 3 /* 8-byte words that are used, at the start of a record */

/* Reasons why a unit's record is skipped. Tables of real firmware have such records. */
enum record_fault {
	RECORD_VALID,	    /* not skipped */
	RECORD_EMPTY,	    /* word 0 or 1 is 0 or all ones, or word 2 is all ones */
	RECORD_NO_OFFSET,   /* offset of the controls or of the counters is 0 */
	RECORD_BAD_ACCESS,  /* access type 3 */
	RECORD_BAD_ADDRESS, /* PCI without bit 31; registers misaligned or beyond their space */
	RECORD_BAD_SHAPE,   /* invalid number or width of counters */
	RECORD_DUPLICATE,   /* a valid record before it in this table has its type and id */
	RECORD_IGNORED,	    /* pmu_type.ignored in the model */
	RECORD_FAULTS
};

/* Returns the fault in words. JSON of info has them, so they must not change. */
const char *record_fault_text(enum record_fault fault);

/* The first record of a table. */
struct global_record {
	uint8_t type;
	uint8_t stride;	    /* 8-byte words per record */
	uint16_t max_units; /* number of records that follow, valid or not */
	uint8_t access;	    /* way of access to .control: enum unit_access */
	uint64_t control;   /* address of the global control register; 0: none */
};

/* A record of a unit; comments have the kernel's names. See struct unit for the members. */
struct unit_record {
	uint8_t counters;	/* num_regs */
	uint8_t control_offset; /* ctl_offset */
	uint8_t width;		/* bit_width */
	uint8_t counter_offset; /* ctr_offset */
	uint8_t status_offset;
	uint8_t access;	  /* enum unit_access */
	uint64_t control; /* address of the unit control register */
	uint16_t type;	  /* box_type */
	uint16_t id;	  /* box_id */
};

/* Decodes the first record. Returns 0; -EINVAL: it is empty, or its stride is below 3. */
int discovery_decode_global(const uint64_t words[DISCOVERY_RECORD_WORDS],
			    struct global_record *out);

/*
 * Decodes a unit's record, and returns its fault. Never returns RECORD_DUPLICATE or RECORD_IGNORED,
 * which depend on other records and the model. *out is also set if the record has a fault.
 */
enum record_fault discovery_decode_unit(const uint64_t words[DISCOVERY_RECORD_WORDS],
					struct unit_record *out);

/*
 * Decodes the address of a register in configuration space: domain in bits 30:28, bus 27:20, device
 * and function 19:12, offset 11:0.
 */
void discovery_decode_pci(uint64_t control, struct pci_location *at, uint64_t *offset);

struct discovery;

struct discovery_table {
	struct pci_location at; /* the function that points to it, if .msr is 0 */
	uint32_t msr;		/* the MSR of .cpu that points to it; 0: a function does */
	unsigned cpu;
	int socket;
	bool by_order;	   /* .socket is only derived from the order of PCI addresses */
	unsigned die;	   /* number of the table in its socket, from 0 */
	uint64_t phys;	   /* its physical address */
	uint64_t bar_size; /* bytes of its BAR, which begins with the table; 0: unknown */
	size_t bytes;	   /* size of all records that are read */
	struct global_record global;
	unsigned faults[RECORD_FAULTS]; /* number of records by fault */
	struct mmio_window control;	/* set by table_control_open() */
};

/* Returns the MSR that points to a table; .msr must not be 0. */
struct reg discovery_table_pointer(const struct discovery_table *table);

/* Writes the source of the table's address, "0000:1e:00.0" or "cpu 4 msr 0x710"; returns text. */
const char *discovery_table_source(const struct discovery_table *table, char text[REG_NAME_SIZE]);

#define TABLE_SKIPPED 1 /* a result of discovery_table_read() */

/*
 * Reads a table. The caller sets .at, or .msr and .cpu. It also sets .socket, .die, .phys and
 * .bar_size, and sets .faults to 0. Sets .bytes and .global, counts the records in .faults, and
 * appends the valid units to out->units. Returns 0, or
 *   TABLE_SKIPPED     this table is invalid or cannot be mapped; the reason is logged as a warning
 *   an error          no table may be read (ERROR_PERMISSION), a read failed, or memory is lacking
 */
int discovery_table_read(struct platform *p, const struct model *model,
			 const struct topology *topology, struct discovery_table *table,
			 struct discovery *out, struct error *err);

struct discovery {
	struct discovery_table *tables;
	size_t table_count;
	struct unit *units; /* sorted by table, type and id */
	size_t unit_count;
	bool has_offline_socket; /* a table was skipped, because a socket has no online CPU */
};

/*
 * Reads all tables, and writes no register. Skips a table, with a warning in the log, if it is
 * invalid, or if its socket is unknown or has no online CPU. If the MSR that points to tables
 * cannot be read, skips the tables of dies, also with a warning.
 *
 * Returns 0 or an error, after which *out is empty except for .has_offline_socket. -ENODEV
 * (ERROR_NO_UNIT): no table has a valid unit. ERROR_PERMISSION: tables may not be read.
 */
int discovery_read(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err);
/* Frees the tables and units, which must be closed. */
void discovery_free(struct discovery *discovery);

/*
 * The PCI vendor and device id of the functions that point to tables. If none of them does, all
 * other Intel functions are searched.
 */
#define DISCOVERY_VENDOR_INTEL	 0x8086
#define DISCOVERY_DEVICE_GENERIC 0x09A7 /* if model.discovery_device is 0 */

/* Returns the PCI device id of the functions that point to this model's tables. */
uint16_t discovery_device_id(const struct model *model);

/* Dwords of a DVSEC that points to a table */
#define DVSEC_ENTRY_OFFSET   0x8 /* bits 15:0: entry id */
#define DVSEC_ENTRY_ID_PMON  1	 /* entry id of a discovery table */
#define DVSEC_TABLE_OFFSET   0xC /* bits 2:0: BAR of the table; 31:3: offset in it, must be 0 */
#define DVSEC_TABLE_BAR_MASK 0x7U

/*
 * The global control register, in MMIO, of a discovery table to which an MSR points. Its bit 0
 * freezes all units of the table, and is set at power-on. Source: the kernel's
 * uncore_mmio_global_init(), commit b575fc0e3357.
 */

/* Returns true if the table has this register. The functions below are only for such tables. */
bool table_has_control(const struct discovery_table *table);

/*
 * Maps the register, unless it is mapped, and does the same as table_control_allow(). Returns 0,
 * the error of mapping, or -ENOMEM.
 */
int table_control_open(struct platform *p, struct discovery_table *table, struct error *err);
/* Unmaps the register, if it is mapped. */
void table_control_close(struct platform *p, struct discovery_table *table);

/* Lets the write guard (platform/guard.h) allow writes to the register's freeze bit. */
int table_control_allow(struct platform *p, const struct discovery_table *table, struct error *err);

/* Returns the register, which can be accessed while it is mapped. */
struct reg table_control(const struct discovery_table *table);

#endif
