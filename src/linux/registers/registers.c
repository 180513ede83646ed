/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/registers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "linux/kernel/limits.h"
#include "linux/memory/resctrl.h"
#include "linux/registers/msr_device.h"
#include "linux/registers/pci_bus.h"
#include "linux/system/linux_platform.h"
#include "platform/reg.h"

static int grow_msrs(struct linux_platform *l, size_t count)
{
	struct msr_handle *grown = realloc(l->msrs, count * sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	l->msrs = grown;
	for (; l->msr_count < count; l->msr_count++)
		l->msrs[l->msr_count] = (struct msr_handle){.fd = -1};
	return 0;
}

static int get_handle(struct platform *p, unsigned cpu, const struct msr_handle **out)
{
	struct linux_platform *l = linux_of(p);
	int rc = 0;

	if (cpu >= l->msr_count)
		rc = grow_msrs(l, (size_t)cpu + 1);
	if (!rc && l->msrs[cpu].fd < 0)
		rc = msr_open(&l->msrs[cpu], l->root, cpu);
	if (!rc)
		*out = &l->msrs[cpu];
	return rc;
}

static void open_msr(struct platform *p, unsigned cpu)
{
	const struct msr_handle *ignored;

	/* the first access reports errors */
	get_handle(p, cpu, &ignored);
}

static int may_write_msr(struct platform *p, unsigned cpu)
{
	const struct msr_handle *handle;
	int rc = get_handle(p, cpu, &handle);
	return rc ? rc : msr_may_write(handle);
}

static int register_files(struct platform *p, struct register_file **out, size_t *count)
{
	const struct linux_platform *l = linux_of(p);

	*out = NULL;
	*count = 0;
	if (array_room(out, 0, l->msr_count + 1, sizeof(**out)))
		return -ENOMEM;
	for (size_t cpu = 0; cpu < l->msr_count; cpu++)
		if (l->msrs[cpu].fd >= 0)
			(*out)[(*count)++] =
				(struct register_file){.fd = l->msrs[cpu].fd, .space = REG_MSR};
	return l->bus ? pci_bus_files(l->bus, out, count) : 0;
}

int linux_open_bus(struct platform *p, struct error *err)
{
	struct linux_platform *l = linux_of(p);
	return l->bus ? 0 : pci_bus_open(l->root, &l->bus, err);
}

static int mmio_map(struct platform *p, uint64_t phys, size_t length, bool writable,
		    struct mmio_window *out, struct error *err)
{
	int rc = linux_open_bus(p, err);
	return rc ? rc
		  : memory_map(linux_of(p)->root, linux_of(p)->bus, phys, length, writable, out,
			       err);
}

static void mmio_unmap(struct platform *p, struct mmio_window *window)
{
	(void)p;
	memory_unmap(window);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	const struct msr_handle *handle;
	uint32_t dword;
	int rc;

	switch (reg->space) {
	case REG_MSR:
		rc = get_handle(p, reg->cpu, &handle);
		return rc ? rc : msr_read(handle->fd, (uint32_t)reg->address, value);
	case REG_MMIO:
		*value = memory_load(reg->window, reg->address - reg->window->phys, reg->bytes);
		return 0;
	case REG_PCI:
		rc = linux_open_bus(p, NULL);
		if (!rc)
			rc = pci_bus_read(linux_of(p)->bus, reg->pci, (unsigned)reg->address,
					  &dword);
		if (!rc)
			*value = dword;
		return rc;
	case REG_MBM:
		return resctrl_get(linux_of(p)->resctrl, reg->cpu, reg->address, value);
	}
	return -EINVAL;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	const struct msr_handle *handle;
	int rc;

	switch (reg->space) {
	case REG_MSR:
		rc = get_handle(p, reg->cpu, &handle);
		return rc ? rc : msr_write(handle->fd, (uint32_t)reg->address, value);
	case REG_MMIO:
		memory_store(reg->window, reg->address - reg->window->phys, reg->bytes, value);
		return 0;
	case REG_PCI:
		rc = linux_open_bus(p, NULL);
		return rc ? rc
			  : pci_bus_write(linux_of(p)->bus, reg->pci, (unsigned)reg->address,
					  (uint32_t)value);
	case REG_MBM:
		return resctrl_set(linux_of(p)->resctrl, reg->cpu, reg->address, value);
	}
	return -EINVAL;
}

static void prepare_register(struct platform *p, struct reg_handle *handle)
{
	const struct reg *reg = handle->reg;
	const struct msr_handle *msr;

	if (reg->space == REG_MMIO)
		*(reg->bytes == 8 ? &handle->map64 : &handle->map32) =
			(char *)reg->window->base + (reg->address - reg->window->phys);
	if (reg->space != REG_MSR || get_handle(p, reg->cpu, &msr))
		return;
	handle->fd = msr->fd;
	handle->offset = (uint32_t)reg->address;
}

/* Current position in a read of several registers. */
struct position {
	const struct reg_handle *handle, *end;
	uint64_t *value;
};

/* Reads mapped registers, first 8-byte ones, then 4-byte ones, up to the first of another kind. */
static inline struct position load_mapped(struct position at)
{
	for (; at.handle < at.end && at.handle->map64; at.handle++, at.value++)
		*at.value = *(const volatile uint64_t *)at.handle->map64;
	for (; at.handle < at.end && at.handle->map32; at.handle++, at.value++)
		*at.value = *(const volatile uint32_t *)at.handle->map32;
	return at;
}

/* Reads registers in files, up to the first that is not in a file or fails (*rc). */
static inline struct position read_files(struct position at, int *rc)
{
	for (*rc = 0; at.handle < at.end && at.handle->fd >= 0; at.handle++, at.value++) {
		*rc = msr_read(at.handle->fd, at.handle->offset, at.value);
		if (*rc)
			break;
	}
	return at;
}

/* Reads registers in runs of one kind of access: most consecutive registers have the same kind. */
static size_t read_prepared(struct platform *p, const struct reg_handle *handles, size_t count,
			    uint64_t *values, int *failures)
{
	struct position at = {handles, handles + count, values};
	size_t failed = 0;
	int rc;

	while (at.handle < at.end) {
		at = read_files(load_mapped(at), &rc);
		if (at.handle == at.end || ((at.handle->map64 || at.handle->map32) && !rc))
			continue;
		if (!rc)
			rc = reg_read(p, at.handle->reg, at.value, NULL);
		if (rc) {
			failures[at.handle - handles] = rc;
			failed++;
		}
		at.handle++;
		at.value++;
	}
	return failed;
}

static int write_prepared(struct platform *p, const struct reg_handle *handle, uint64_t value)
{
	(void)p;
	if (handle->map64)
		*(volatile uint64_t *)handle->map64 = value;
	else if (handle->map32)
		*(volatile uint32_t *)handle->map32 = (uint32_t)value;
	else
		return msr_write(handle->fd, handle->offset, value);
	return 0;
}

static void explain_failure(struct platform *p, const struct reg *reg, bool write, int code,
			    struct error *out)
{
	const struct linux_platform *l = linux_of(p);

	if (reg->space == REG_MSR) {
		msr_explain(l->root, reg->cpu, reg->cpu < l->msr_count && l->msrs[reg->cpu].safe,
			    write, code, out);
		return;
	}
	if (reg->space == REG_MBM) {
		resctrl_explain(l->root, code, out);
		return;
	}
	if (reg->space == REG_PCI && (code == -EPERM || code == -EACCES)) {
		if (write && code == -EPERM &&
		    lockdown_explain(l->root, "writes of PCI configuration space", code, out))
			return;
		error_set(out, ERROR_PERMISSION, code,
			  "without CAP_SYS_ADMIN the kernel allows reads of the first 64 bytes "
			  "only, and no writes; " ERROR_RUN_AS_ROOT);
		error_hint(out, ERROR_COMMAND_AS_ROOT);
		return;
	}
	error_set(out, code == -EPERM || code == -EACCES ? ERROR_PERMISSION : ERROR_FAILED, code,
		  "%s", strerror(-code));
}

const struct register_ops linux_registers = {
	.read = read_register,
	.write = write_register,
	.explain = explain_failure,
	.msr_open = open_msr,
	.msr_may_write = may_write_msr,
	.files = register_files,
	.mmio_map = mmio_map,
	.mmio_unmap = mmio_unmap,
	.prepare = prepare_register,
	.read_prepared = read_prepared,
	.write_prepared = write_prepared,
};

void linux_registers_close(struct linux_platform *l)
{
	for (size_t i = 0; i < l->msr_count; i++)
		if (l->msrs[i].fd >= 0)
			close(l->msrs[i].fd);
	free(l->msrs);
	pci_bus_close(l->bus);
}
