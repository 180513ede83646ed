/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/reg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

const char *reg_name(const struct reg *reg, char name[REG_NAME_SIZE])
{
	const struct pci_location *at = &reg->pci;

	switch (reg->space) {
	case REG_MSR:
		snprintf(name, REG_NAME_SIZE, "cpu %u msr 0x%" PRIx64, reg->cpu, reg->address);
		break;
	case REG_MMIO:
		snprintf(name, REG_NAME_SIZE, "mmio 0x%" PRIx64, reg->address);
		break;
	case REG_PCI:
		snprintf(name, REG_NAME_SIZE, "pci %04x:%02x:%02x.%x offset 0x%" PRIx64, at->domain,
			 at->bus, at->device, at->function, reg->address);
		break;
	}
	return name;
}

int reg_error(struct platform *p, const struct reg *reg, bool write, int code, struct error *err)
{
	char name[REG_NAME_SIZE];
	struct reason reason = {0};

	if (!err)
		return code;
	p->ops->explain(p, reg, write, code, &reason);
	error_set(err, reason.status, code, "%s: %s failed: %s", reg_name(reg, name),
		  write ? "write" : "read", reason.text);
	error_hint(err, reason.command);
	return code;
}

static int read_pci_dwords(struct platform *p, const struct reg *reg, uint64_t *value)
{
	uint32_t half[2] = {0, 0};

	for (unsigned i = 0; i < reg->bytes / 4U; i++) {
		int rc = p->ops->pci_read(p, reg->pci, (unsigned)reg->address + 4 * i, &half[i]);
		if (rc)
			return rc;
	}
	*value = (uint64_t)half[1] << 32 | half[0];
	return 0;
}

static int write_pci_dwords(struct platform *p, const struct reg *reg, uint64_t value)
{
	for (unsigned i = 0; i < reg->bytes / 4U; i++) {
		int rc = p->ops->pci_write(p, reg->pci, (unsigned)reg->address + 4 * i,
					   (uint32_t)(value >> (32 * i)));
		if (rc)
			return rc;
	}
	return 0;
}

int reg_read(struct platform *p, const struct reg *reg, uint64_t *value, struct error *err)
{
	int rc = -EINVAL;

	switch (reg->space) {
	case REG_MSR:
		rc = p->ops->msr_read(p, reg->cpu, (uint32_t)reg->address, value);
		break;
	case REG_MMIO:
		rc = p->ops->mmio_read(p, reg->window, reg->address - reg->window->phys, reg->bytes,
				       value);
		break;
	case REG_PCI:
		rc = read_pci_dwords(p, reg, value);
		break;
	}
	return rc ? reg_error(p, reg, false, rc, err) : 0;
}

static int write_unchecked(struct platform *p, const struct reg *reg, uint64_t value,
			   struct error *err)
{
	int rc = -EINVAL;

	switch (reg->space) {
	case REG_MSR:
		rc = p->ops->msr_write(p, reg->cpu, (uint32_t)reg->address, value);
		break;
	case REG_MMIO:
		rc = p->ops->mmio_write(p, reg->window, reg->address - reg->window->phys,
					reg->bytes, value);
		break;
	case REG_PCI:
		rc = write_pci_dwords(p, reg, value);
		break;
	}
	return rc ? reg_error(p, reg, true, rc, err) : 0;
}

static int refuse(const struct reg *reg, uint64_t value, const struct guard_rule *rule,
		  struct error *err)
{
	char name[REG_NAME_SIZE];

	reg_name(reg, name);
	if (!rule || !rule->mask)
		return error_set(err, EXIT_PERMISSION, -EACCES,
				 "%s: not written: not one of the performance monitoring registers "
				 "that cxlmon may write on this machine",
				 name);
	return error_set(err, EXIT_PERMISSION, -EACCES,
			 "%s: 0x%" PRIx64 " not written: bits 0x%" PRIx64 " of %s are reserved, "
			 "are status bits, or enable an interrupt that nothing handles",
			 name, value, value & rule->denied, rule->what);
}

int reg_write(struct platform *p, const struct reg *reg, uint64_t value, struct error *err)
{
	const struct guard_rule *rule = guard_find(&p->guard, reg);

	if (p->guard.allow_all || (rule && rule->mask && !(value & rule->denied)))
		return write_unchecked(p, reg, value, err);
	return refuse(reg, value, rule, err);
}

int reg_restore(struct platform *p, const struct reg *reg, uint64_t value, struct error *err)
{
	const struct guard_rule *rule = guard_find(&p->guard, reg);

	if (p->guard.allow_all || (rule && rule->mask))
		return write_unchecked(p, reg, value, err);
	return refuse(reg, value, rule, err);
}

void reg_prepare(struct platform *p, const struct reg *reg, struct reg_handle *out)
{
	const struct guard_rule *rule = guard_find(&p->guard, reg);

	*out = (struct reg_handle){
		.reg = reg,
		.fd = -1,
		.denied = p->guard.allow_all || !rule ? 0 : rule->denied,
	};
	if (p->ops->prepare)
		p->ops->prepare(p, out);
	out->direct = (p->guard.allow_all || (rule && rule->mask)) &&
		      (out->map64 || out->map32 || out->fd >= 0);
}

size_t reg_read_each(struct platform *p, const struct reg_handle *handles, size_t count,
		     uint64_t *values, int *failures)
{
	size_t failed = 0;

	for (size_t i = 0; i < count; i++) {
		const int rc = reg_read(p, handles[i].reg, &values[i], NULL);

		if (rc) {
			failures[i] = rc;
			failed++;
		}
	}
	return failed;
}
