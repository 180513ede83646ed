/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access to registers of all spaces through one interface. All hardware access uses these
 * functions. Functions that return int return 0 or a negative errno. If cpu_ops.set_affinity is not
 * NULL, several threads may call reg_read_all() and reg_write_prepared() at once.
 */
#ifndef CXLMON_PLATFORM_REG_H
#define CXLMON_PLATFORM_REG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/pci.h"
#include "platform/platform.h"
#include "platform/reg_address.h"

#define REG_NAME_SIZE 64

/*
 * Writes "cpu 12 msr 0x2ff0", "mmio 0xfb022800", "pci 0000:7f:0c.0 offset 0x438" or
 * "mbm_local_bytes of L3 cache 3". Returns name.
 */
const char *reg_name(const struct reg *reg, char name[REG_NAME_SIZE]);

/* Returns the bits high:low of a value, inclusive, as manuals number them. high < 64. */
static inline uint64_t reg_bits(uint64_t value, unsigned high, unsigned low)
{
	return value >> low & ((UINT64_C(2) << (high - low)) - 1);
}

/*
 * Read or write a whole register; an 8-byte PCI register is accessed as two dwords, low half first.
 * After an error *err (which may be NULL) names the register, the kernel's report and the remedy.
 * -EACCES: the write guard refused, and nothing was written, or the kernel refused; *err says
 * which.
 */
int reg_read(struct platform *p, const struct reg *reg, uint64_t *value, struct error *err);
int reg_write(struct platform *p, const struct reg *reg, uint64_t value, struct error *err);

/* Reads one aligned dword of configuration space; offset in bytes. */
int reg_read_pci(struct platform *p, struct pci_location at, unsigned offset, uint32_t *value);

/* Sets *err (or NULL) for an access that failed with code, a negative errno. Returns code. */
int reg_error(struct platform *p, const struct reg *reg, bool write, int code, struct error *err);

/*
 * Writes like reg_write(), but may also set bits that the guard denies (interrupt enables, status):
 * for values that were read from this register before.
 */
int reg_restore(struct platform *p, const struct reg *reg, uint64_t value, struct error *err);

/*
 * A register prepared for repeated access: reg_prepare() determines once how to access it, and if
 * it may be written.
 */
struct reg_handle {
	const struct reg *reg; /* not owned: must outlive the handle */
	void *map64;	       /* mapped 8-byte register; else NULL */
	void *map32;	       /* mapped 4-byte register; else NULL */
	int fd;		       /* file that has the register at .offset; -1: none; not owned */
	uint32_t offset;
	bool direct;	 /* the guard allows writes, by map64, map32 or fd */
	uint64_t denied; /* guard_rule.denied: bits that must not be set */
};

/*
 * Sets *out; must be called again after reg->cpu or the guard has changed. Accesses no register,
 * but may open the CPU's MSR device. Errors show at the first access.
 */
void reg_prepare(struct platform *p, const struct reg *reg, struct reg_handle *out);

/* An open file whose offsets are registers. */
struct register_file {
	int fd;
	enum reg_space space;	 /* REG_MSR or REG_PCI */
	struct pci_location pci; /* its function, if .space is REG_PCI */
};

/* The platform's part of the functions of this header, which other code calls instead. */
struct register_ops {
	/*
	 * Read and write a whole register, or one dword in PCI space, without the guard. The first
	 * access opens the device, which stays open.
	 */
	int (*read)(struct platform *p, const struct reg *reg, uint64_t *value);
	int (*write)(struct platform *p, const struct reg *reg, uint64_t value);
	/* Sets *out to the reason for code (a negative errno) of an access, and the remedy. */
	void (*explain)(struct platform *p, const struct reg *reg, bool write, int code,
			struct error *out);
	/*
	 * Opens the CPU's MSR device now, so that it can still be accessed after rights_drop().
	 * Failures are reported by the first access. NULL: there is no device to open.
	 */
	void (*msr_open)(struct platform *p, unsigned cpu);
	/*
	 * Checks, without writing an MSR, if MSRs of a CPU may be written. 0, or the error of a
	 * refused write. -ENOTSUP, or NULL: unknown.
	 */
	int (*msr_may_write)(struct platform *p, unsigned cpu);
	/*
	 * Closes files that are not needed after all registers are programmed, and lists the open
	 * files through which registers can be written. The caller frees *out, also after failure.
	 * 0 or -ENOMEM. NULL: the platform opens no such file.
	 */
	int (*files)(struct platform *p, struct register_file **out, size_t *count);

	/* Maps length bytes of physical memory. *out is released by .mmio_unmap. */
	int (*mmio_map)(struct platform *p, uint64_t phys, size_t length, bool writable,
			struct mmio_window *out, struct error *err);
	void (*mmio_unmap)(struct platform *p, struct mmio_window *window);

	/* Faster access to registers that are accessed repeatedly; all three may be NULL. */

	/* Sets .map64, .map32, .fd and .offset for handle->reg. */
	void (*prepare)(struct platform *p, struct reg_handle *handle);
	/* Implements reg_read_all(). */
	size_t (*read_prepared)(struct platform *p, const struct reg_handle *handles, size_t count,
				uint64_t *values, int *failures);
	/* Writes a register whose handle has .direct, without the guard. */
	int (*write_prepared)(struct platform *p, const struct reg_handle *handle, uint64_t value);
};

/* Implements reg_read_all() for a platform without read_prepared. */
size_t reg_read_each(struct platform *p, const struct reg_handle *handles, size_t count,
		     uint64_t *values, int *failures);

/*
 * Reads count registers into values, in order. If read i fails, failures[i] is set to a negative
 * errno, and values[i] is undefined; a read that succeeds does not change failures[i]. Returns the
 * number of failed reads.
 */
static inline size_t reg_read_all(struct platform *p, const struct reg_handle *handles,
				  size_t count, uint64_t *values, int *failures)
{
	return p->ops->registers->read_prepared
		       ? p->ops->registers->read_prepared(p, handles, count, values, failures)
		       : reg_read_each(p, handles, count, values, failures);
}

/* Writes like reg_write(), but with the guard's rules at the time of reg_prepare(). */
static inline int reg_write_prepared(struct platform *p, const struct reg_handle *handle,
				     uint64_t value, struct error *err)
{
	int rc;

	/* the guard makes the message of a refusal */
	if (!handle->direct || value & handle->denied)
		return reg_write(p, handle->reg, value, err);
	rc = p->ops->registers->write_prepared(p, handle, value);
	return rc ? reg_error(p, handle->reg, true, rc, err) : 0;
}

#endif
