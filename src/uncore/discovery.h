/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding the uncore units: the discovery tables that firmware leaves in memory behind a PCI
 * function with a DVSEC.
 *
 * Source: the kernel's arch/x86/events/intel/uncore_discovery.{c,h}, and Intel PCM.
 */
#ifndef CXLMON_DISCOVERY_H
#define CXLMON_DISCOVERY_H

#include <stddef.h>
#include <stdint.h>

#include "platform/platform.h"
#include "uncore/model.h"
#include "uncore/unit.h"

/* The device whose tables are generic; where there is none, every Intel function is looked at. */
#define DISCOVERY_VENDOR_INTEL	 0x8086
#define DISCOVERY_DEVICE_GENERIC 0x09A7

/* In the DVSEC: dword +8 bits 15:0 entry id; dword +0xC bits 2:0 BAR index, 31:3 offset */
#define DVSEC_ENTRY_OFFSET   0x8
#define DVSEC_ENTRY_ID_PMON  1
#define DVSEC_TABLE_OFFSET   0xC
#define DVSEC_TABLE_BAR_MASK 0x7U

#define DISCOVERY_RECORD_WORDS 3 /* what is used of a record, in 8-byte words */

/* Why a record is left out. None of these is fatal: real firmware has such records. */
enum record_fault {
	RECORD_VALID,
	RECORD_EMPTY,	    /* word 0 or the control address 0 or all ones; word 2 all ones */
	RECORD_NO_OFFSET,   /* offset of the controls or of the counters is 0 */
	RECORD_BAD_ACCESS,  /* access type 3 */
	RECORD_BAD_ADDRESS, /* PCI without bit 31; a register that its space has no room for */
	RECORD_BAD_SHAPE,   /* no counters, too many, or a width that none can have */
	RECORD_DUPLICATE,   /* its (type, id) was seen in this table */
	RECORD_IGNORED,	    /* the model's table says that this type's records are wrong */
	RECORD_FAULTS
};

const char *record_fault_text(enum record_fault fault);

/* The first record of a table. */
struct global_record {
	uint8_t type;
	uint8_t stride;	    /* 8-byte words a record */
	uint16_t max_units; /* records that follow */
	uint8_t access;	    /* enum unit_access */
	uint64_t control;   /* address of the global control register */
};

struct unit_record {
	uint8_t counters;	/* num_regs */
	uint8_t control_offset; /* ctl_offset */
	uint8_t width;		/* bit_width */
	uint8_t counter_offset; /* ctr_offset */
	uint8_t status_offset;
	uint8_t access; /* enum unit_access */
	uint64_t control;
	uint16_t type; /* box_type */
	uint16_t id;   /* box_id */
};

/* -EINVAL where the stride is 0 or too small, or the record is empty. */
int discovery_decode_global(const uint64_t words[DISCOVERY_RECORD_WORDS],
			    struct global_record *out);

/*
 * Everything but RECORD_DUPLICATE, RECORD_IGNORED, and controls that lie athwart those of their
 * box (RECORD_BAD_ADDRESS) shows in the record itself.
 */
enum record_fault discovery_decode_unit(const uint64_t words[DISCOVERY_RECORD_WORDS],
					struct unit_record *out);

/* Where a PCI unit lies: domain 30:28, bus 27:20, device and function 19:12, offset 11:0. */
void discovery_decode_pci(uint64_t control, struct pci_location *at, uint64_t *offset);

/* One table, and what came of it. */
struct discovery_table {
	struct pci_location at; /* the function that pointed to it */
	int socket;
	unsigned die;  /* within the socket */
	uint64_t phys; /* where it lies */
	size_t bytes;  /* that were read of it */
	struct global_record global;
	unsigned faults[RECORD_FAULTS]; /* records, by what was wrong with them */
};

struct discovery {
	struct discovery_table *tables;
	size_t table_count;
	struct unit *units; /* by table, type and id */
	size_t unit_count;
};

/*
 * Reads every table. -ENODEV (EXIT_NO_UNIT) where there is none; EXIT_PERMISSION where it may not
 * be read. Tables that can't be used are left out with a warning in the platform's log.
 */
int discovery_read(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err);
void discovery_free(struct discovery *discovery);

#endif
