/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One register, wherever it lives, and the one door through which all hardware is touched.
 */
#ifndef CXLMON_REG_H
#define CXLMON_REG_H

#include <stdint.h>

#include "platform/platform.h"

struct reg {
	enum reg_space space;
	uint8_t bytes;			  /* width of an access: 8, or 4 (MMIO and PCI) */
	unsigned cpu;			  /* MSR */
	struct pci_location pci;	  /* PCI */
	const struct mmio_window *window; /* MMIO; not owned */
	uint64_t address; /* MSR number, physical address, or offset in configuration space */
};

#define REG_NAME_SIZE 64

/* "cpu 12 msr 0x2ff0", "mmio 0xfb022800", "pci 0000:7f:0c.0 offset 0x438". Returns name. */
const char *reg_name(const struct reg *reg, char name[REG_NAME_SIZE]);

/*
 * Reads or writes the whole register; a PCI register of 8 bytes is two dwords, low half first.
 * On failure a negative errno is returned and *err, unless NULL, holds the register, what the
 * kernel said and what to do. A write that the guard doesn't allow reaches no device: -EACCES.
 */
int reg_read(struct platform *p, const struct reg *reg, uint64_t *value, struct error *err);
int reg_write(struct platform *p, const struct reg *reg, uint64_t value, struct error *err);

/*
 * The same for a value that was found in the register, or has bits of others that were: one that
 * asks for interrupts may be put back, though it is never set anew.
 */
int reg_restore(struct platform *p, const struct reg *reg, uint64_t value, struct error *err);

/*
 * A register that is accessed again and again: how it is reached, and whether it may be written,
 * are decided once.
 */
struct reg_handle {
	const struct reg *reg; /* not owned */
	void *map64;	       /* where it is mapped; NULL: it isn't, or isn't 8 bytes wide */
	void *map32;	       /* likewise, of 4 bytes; for writing alone */
	int fd;		       /* a file that has it at offset; -1: there is none */
	uint32_t offset;
	bool writable;
	uint64_t denied; /* bits that are never written */
};

/* Anew for a register that is reached in another way than before. Touches no register. */
void reg_prepare(struct platform *p, const struct reg *reg, struct reg_handle *out);

/*
 * Reads registers into values, one after the other. What could not be read has a negative errno in
 * failures, which are left alone otherwise. Returns how many could not.
 */
size_t reg_read_all(struct platform *p, const struct reg_handle *handles, size_t count,
		    uint64_t *values, int *failures);

/* As reg_write(); the guard was asked by reg_prepare(), and what it allowed it still allows. */
int reg_write_prepared(struct platform *p, const struct reg_handle *handle, uint64_t value,
		       struct error *err);

#endif
