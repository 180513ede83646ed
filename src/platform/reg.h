/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access to registers of all spaces (enum reg_space). All accesses to hardware use these functions.
 * Functions that return int return 0 or a negative errno.
 *
 * Only one thread may call these functions, with one exception: if cpu_ops.set_affinity is not
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

/* Returns bits high to low of a value, both included; low <= high < 64. */
static inline uint64_t reg_bits(uint64_t value, unsigned high, unsigned low)
{
	return value >> low & ((UINT64_C(2) << (high - low)) - 1);
}

/*
 * Read or write a whole register. An 8-byte PCI register is accessed as two dwords, low half first.
 * After an error, *err names the register, the reason and the remedy. err may be NULL.
 *
 * -EACCES: the kernel refused the access, or the write guard (guard.h) refused the write, before it
 * reached the hardware.
 */
int reg_read(struct platform *p, const struct reg *reg, uint64_t *value, struct error *err);
int reg_write(struct platform *p, const struct reg *reg, uint64_t value, struct error *err);

/* Reads an aligned dword of a function's configuration space. offset is in bytes. */
int reg_read_pci(struct platform *p, struct pci_location at, unsigned offset, uint32_t *value);

/* Sets *err (if not NULL) for an access that failed with code, a negative errno. Returns code. */
int reg_error(struct platform *p, const struct reg *reg, bool write, int code, struct error *err);

/*
 * Writes back a value that was read from this register before. Does the same as reg_write(), but
 * also sets bits that the guard denies (guard_rule.denied).
 */
int reg_restore(struct platform *p, const struct reg *reg, uint64_t value, struct error *err);

/* A register that reg_prepare() has prepared for repeated access. */
struct reg_handle {
	const struct reg *reg; /* must outlive the handle; not owned */
	void *map64;	       /* mapped 8-byte register; else NULL */
	void *map32;	       /* mapped 4-byte register; else NULL */
	int fd;		       /* file that has the register at .offset; -1: none; not owned */
	uint32_t offset;       /* in bytes; the number of an MSR */
	bool direct;	       /* the guard allows writes by .map64, .map32 or .fd */
	uint64_t denied;       /* bits that .direct writes must not set: guard_rule.denied */
};

/*
 * Prepares a register: finds out how to access it, and if the guard allows to write it. Call it
 * again after reg->cpu or the guard has changed. Accesses no register, but may open the CPU's MSR
 * device. If that fails, the first access returns the error.
 */
void reg_prepare(struct platform *p, const struct reg *reg, struct reg_handle *out);

/* An open file whose offsets are registers. */
struct register_file {
	int fd;
	enum reg_space space;	 /* REG_MSR or REG_PCI */
	struct pci_location pci; /* REG_PCI: the function */
};

/*
 * Functions of a platform. Other code accesses registers by the functions outside this struct, such
 * as reg_read(), which check writes and make messages.
 */
struct register_ops {
	/*
	 * Read or write a whole register, or one dword in PCI space, without the guard. The first
	 * access opens the device, and leaves it open.
	 */
	int (*read)(struct platform *p, const struct reg *reg, uint64_t *value);
	int (*write)(struct platform *p, const struct reg *reg, uint64_t value);
	/* Sets *out to the reason for code, a negative errno of an access, and the remedy. */
	void (*explain)(struct platform *p, const struct reg *reg, bool write, int code,
			struct error *out);
	/*
	 * Opens the CPU's MSR device, so that it can still be accessed after rights_drop(). If that
	 * fails, the first access returns the error. NULL: the platform has no devices to open.
	 */
	void (*msr_open)(struct platform *p, unsigned cpu);
	/*
	 * Checks if MSRs of a CPU may be written, without writing one. Returns 0, or the error that
	 * a write would return. -ENOTSUP: unknown. Optional (may be NULL).
	 */
	int (*msr_may_write)(struct platform *p, unsigned cpu);
	/*
	 * Lists the open files through which registers can be written. The caller frees *out, even
	 * after an error. Call it after all registers are programmed: it closes files that are then
	 * no longer needed. 0 or -ENOMEM. NULL: the platform opens no such files.
	 */
	int (*files)(struct platform *p, struct register_file **out, size_t *count);

	/* Maps length bytes of physical memory from phys on. .mmio_unmap releases *out. */
	int (*mmio_map)(struct platform *p, uint64_t phys, size_t length, bool writable,
			struct mmio_window *out, struct error *err);
	void (*mmio_unmap)(struct platform *p, struct mmio_window *window);

	/* Fast access to prepared registers. All three functions are NULL, or none is. */

	/* Sets .map64, .map32, .fd and .offset of a handle whose .reg is set. */
	void (*prepare)(struct platform *p, struct reg_handle *handle);
	/* Implements reg_read_all(). */
	size_t (*read_prepared)(struct platform *p, const struct reg_handle *handles, size_t count,
				uint64_t *values, int *failures);
	/* Writes a register without the guard. handle->direct must be true. */
	int (*write_prepared)(struct platform *p, const struct reg_handle *handle, uint64_t value);
};

/* Implements reg_read_all() for a platform without register_ops.read_prepared. */
size_t reg_read_each(struct platform *p, const struct reg_handle *handles, size_t count,
		     uint64_t *values, int *failures);

/*
 * Reads count registers in order. A read that succeeds sets values[i], and leaves failures[i]
 * unchanged. A read that fails sets failures[i] to a negative errno; values[i] is then undefined.
 * Returns the number of failed reads.
 */
static inline size_t reg_read_all(struct platform *p, const struct reg_handle *handles,
				  size_t count, uint64_t *values, int *failures)
{
	return p->ops->registers->read_prepared
		       ? p->ops->registers->read_prepared(p, handles, count, values, failures)
		       : reg_read_each(p, handles, count, values, failures);
}

/* Writes a prepared register, with the guard's rules at the time of reg_prepare(). */
static inline int reg_write_prepared(struct platform *p, const struct reg_handle *handle,
				     uint64_t value, struct error *err)
{
	int rc;

	/* reg_write() makes the message if the guard refuses the value */
	if (!handle->direct || value & handle->denied)
		return reg_write(p, handle->reg, value, err);
	rc = p->ops->registers->write_prepared(p, handle, value);
	return rc ? reg_error(p, handle->reg, true, rc, err) : 0;
}

#endif
