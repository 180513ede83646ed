/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers: MSRs, MMIO, PCI configuration space, and settings of resctrl (mbm.h) behind one
 * interface. All hardware access goes through these functions.
 */
#ifndef CXLMON_REG_H
#define CXLMON_REG_H

#include <stdint.h>

#include "platform/platform.h"

struct reg {
	enum reg_space space;
	uint8_t bytes;			  /* width of an access: 8, or 4 (MMIO and PCI) */
	unsigned cpu;			  /* MSR; MBM: the L3 cache */
	struct pci_location pci;	  /* PCI */
	const struct mmio_window *window; /* MMIO, mapped; not owned */
	/* MSR number, physical address, offset in configuration space, or enum mbm_event */
	uint64_t address;
};

#define REG_NAME_SIZE 64

/*
 * Writes "cpu 12 msr 0x2ff0", "mmio 0xfb022800", "pci 0000:7f:0c.0 offset 0x438" or
 * "mbm_local_bytes of L3 cache 3". Returns name.
 */
const char *reg_name(const struct reg *reg, char name[REG_NAME_SIZE]);

static inline struct reg reg_msr(unsigned cpu, uint32_t msr)
{
	return (struct reg){.space = REG_MSR, .bytes = 8, .cpu = cpu, .address = msr};
}

/* A dword of configuration space; offset in bytes. */
static inline struct reg reg_pci(struct pci_location at, unsigned offset)
{
	return (struct reg){.space = REG_PCI, .bytes = 4, .pci = at, .address = offset};
}

/* 4 or 8 bytes; offset is aligned to them and lies within the window. */
static inline struct reg reg_mmio(const struct mmio_window *window, uint64_t offset, uint8_t bytes)
{
	return (struct reg){.space = REG_MMIO,
			    .bytes = bytes,
			    .window = window,
			    .address = window->phys + offset};
}

/*
 * Reads or writes a whole register; an 8-byte PCI register is accessed as two dwords, low half
 * first. On failure returns a negative errno, and *err (which may be NULL) names the register, what
 * the kernel reported and what to do. -EACCES: the guard does not allow the write; nothing was
 * written.
 */
int reg_read(struct platform *p, const struct reg *reg, uint64_t *value, struct error *err);
int reg_write(struct platform *p, const struct reg *reg, uint64_t value, struct error *err);

/* One aligned dword of configuration space. 0 or a negative errno. */
int reg_read_pci(struct platform *p, struct pci_location at, unsigned offset, uint32_t *value);

/* Reports a failed access of these two. Returns code, a negative errno. */
int reg_error(struct platform *p, const struct reg *reg, bool write, int code, struct error *err);

/*
 * As reg_write(), for a value that was read from this register before (or contains other programs'
 * bits that were): denied bits of the guard rule, such as interrupt enables, may be restored.
 */
int reg_restore(struct platform *p, const struct reg *reg, uint64_t value, struct error *err);

/*
 * A register prepared for repeated access: how to access it and whether it may be written is
 * determined once, by reg_prepare().
 */
struct reg_handle {
	const struct reg *reg; /* not owned */
	void *map64;	       /* mapped 8-byte register; else NULL */
	void *map32;	       /* mapped 4-byte register, used for writes only; else NULL */
	int fd;		       /* file with the register at offset; -1: none */
	uint32_t offset;
	bool direct;	 /* the guard allows writes, by map64, map32 or fd */
	uint64_t denied; /* as in struct guard_rule */
};

/* Fills *out; call it again when the register has moved (reg->cpu). Accesses no hardware. */
void reg_prepare(struct platform *p, const struct reg *reg, struct reg_handle *out);

/* reg_read_all() for a platform without read_prepared. */
size_t reg_read_each(struct platform *p, const struct reg_handle *handles, size_t count,
		     uint64_t *values, int *failures);

/*
 * Reads count registers into values, in order. Where a read fails, failures[i] is set to a negative
 * errno; other elements of failures stay unchanged. Returns the number of failed reads.
 */
static inline size_t reg_read_all(struct platform *p, const struct reg_handle *handles,
				  size_t count, uint64_t *values, int *failures)
{
	return p->ops->read_prepared ? p->ops->read_prepared(p, handles, count, values, failures)
				     : reg_read_each(p, handles, count, values, failures);
}

/* As reg_write(), with the guard rules at the time of reg_prepare(). */
static inline int reg_write_prepared(struct platform *p, const struct reg_handle *handle,
				     uint64_t value, struct error *err)
{
	int rc;

	/* the guard makes the message of a refusal */
	if (!handle->direct || value & handle->denied)
		return reg_write(p, handle->reg, value, err);
	rc = p->ops->write_prepared(p, handle, value);
	return rc ? reg_error(p, handle->reg, true, rc, err) : 0;
}

#endif
