/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/reg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "platform/guard.h"
#include "platform/mbm.h"
#include "platform/pci.h"
#include "platform/platform.h"

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
	case REG_MBM:
		snprintf(name, REG_NAME_SIZE, "%s of ", mbm_event_name(reg->address));
		text_append(name, REG_NAME_SIZE,
			    reg->cpu == MBM_EVERY_CACHE ? "all L3 caches" : "L3 cache %u",
			    reg->cpu);
		break;
	}
	return name;
}

int reg_error(struct platform *p, const struct reg *reg, bool write, int code, struct error *err)
{
	char name[REG_NAME_SIZE];
	struct error reason = {0};

	if (!err)
		return code;
	p->ops->registers->explain(p, reg, write, code, &reason);
	error_set(err, reason.kind, code, "%s: %s failed: %s", reg_name(reg, name),
		  write ? "write" : "read", reason.text);
	error_hint(err, reason.command);
	return code;
}

/* Reads the dwords of a PCI register, low half first. */
static int read_dwords(struct platform *p, const struct reg *reg, uint64_t *value)
{
	struct reg dword = reg_pci(reg->pci, (unsigned)reg->address);
	uint64_t low, high = 0;
	int rc = p->ops->registers->read(p, &dword, &low);

	dword.address += 4;
	if (!rc && reg->bytes == 8)
		rc = p->ops->registers->read(p, &dword, &high);
	if (!rc)
		*value = high << 32 | low;
	return rc;
}

static int write_dwords(struct platform *p, const struct reg *reg, uint64_t value)
{
	struct reg dword = reg_pci(reg->pci, (unsigned)reg->address);
	int rc = p->ops->registers->write(p, &dword, (uint32_t)value);

	dword.address += 4;
	return rc || reg->bytes == 4 ? rc : p->ops->registers->write(p, &dword, value >> 32);
}

int reg_read(struct platform *p, const struct reg *reg, uint64_t *value, struct error *err)
{
	const int rc = reg->space == REG_PCI ? read_dwords(p, reg, value)
					     : p->ops->registers->read(p, reg, value);

	return rc ? reg_error(p, reg, false, rc, err) : 0;
}

int reg_read_pci(struct platform *p, struct pci_location at, unsigned offset, uint32_t *value)
{
	const struct reg reg = reg_pci(at, offset);
	uint64_t dword;
	const int rc = p->ops->registers->read(p, &reg, &dword);

	if (!rc)
		*value = (uint32_t)dword;
	return rc;
}

static int write_unchecked(struct platform *p, const struct reg *reg, uint64_t value,
			   struct error *err)
{
	const int rc = reg->space == REG_PCI ? write_dwords(p, reg, value)
					     : p->ops->registers->write(p, reg, value);

	return rc ? reg_error(p, reg, true, rc, err) : 0;
}

static int refuse_write(const struct reg *reg, uint64_t value, const struct guard_rule *rule,
			struct error *err)
{
	char name[REG_NAME_SIZE];

	reg_name(reg, name);
	if (!rule || !rule->mask)
		return error_set(err, ERROR_PERMISSION, -EACCES,
				 "%s: not written: not one of the performance monitoring registers "
				 "that cxlmon may write on this machine",
				 name);
	return error_set(err, ERROR_PERMISSION, -EACCES,
			 "%s: 0x%" PRIx64 " not written: bits 0x%" PRIx64 " of %s are reserved, "
			 "are status bits, or enable an interrupt that nothing handles",
			 name, value, value & rule->denied, rule->what);
}

int reg_write(struct platform *p, const struct reg *reg, uint64_t value, struct error *err)
{
	const struct guard_rule *rule = guard_find(&p->guard, reg);

	if (p->guard.allow_all || (rule && rule->mask && !(value & rule->denied)))
		return write_unchecked(p, reg, value, err);
	return refuse_write(reg, value, rule, err);
}

int reg_restore(struct platform *p, const struct reg *reg, uint64_t value, struct error *err)
{
	const struct guard_rule *rule = guard_find(&p->guard, reg);

	if (p->guard.allow_all || (rule && rule->mask))
		return write_unchecked(p, reg, value, err);
	return refuse_write(reg, value, rule, err);
}

void reg_prepare(struct platform *p, const struct reg *reg, struct reg_handle *out)
{
	const struct guard_rule *rule = guard_find(&p->guard, reg);

	*out = (struct reg_handle){
		.reg = reg,
		.fd = -1,
		.denied = p->guard.allow_all || !rule ? 0 : rule->denied,
	};
	if (p->ops->registers->prepare)
		p->ops->registers->prepare(p, out);
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
