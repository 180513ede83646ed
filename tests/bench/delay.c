/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay.h"

#include "linux/clock.h"
#include "platform/reg.h"

/* The platform's own. One bench measures one platform, and the tap may stand in front of this. */
static const struct platform_ops *inner;

static void wait_since(uint64_t start, uint64_t ns)
{
	while (clock_monotonic() - start < ns)
		;
}

static int msr_read(struct platform *p, unsigned cpu, uint32_t msr, uint64_t *value)
{
	const uint64_t start = clock_monotonic();
	const int rc = inner->msr_read(p, cpu, msr, value);

	wait_since(start, DELAY_MSR_NS);
	return rc;
}

static int msr_write(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value)
{
	const uint64_t start = clock_monotonic();
	const int rc = inner->msr_write(p, cpu, msr, value);

	wait_since(start, DELAY_MSR_NS);
	return rc;
}

static int mmio_read(struct platform *p, const struct mmio_window *window, uint64_t offset,
		     unsigned bytes, uint64_t *value)
{
	const uint64_t start = clock_monotonic();
	const int rc = inner->mmio_read(p, window, offset, bytes, value);

	wait_since(start, DELAY_MEMORY_NS);
	return rc;
}

static int mmio_write(struct platform *p, const struct mmio_window *window, uint64_t offset,
		      unsigned bytes, uint64_t value)
{
	const uint64_t start = clock_monotonic();
	const int rc = inner->mmio_write(p, window, offset, bytes, value);

	wait_since(start, DELAY_MEMORY_NS);
	return rc;
}

/* There is a file, so to speak: registers are reached as on hardware, without being looked up. */
static void prepare(struct platform *p, struct reg_handle *handle)
{
	(void)p;
	handle->fd = 0;
}

static size_t read_prepared(struct platform *p, const struct reg_handle *handles, size_t count,
			    uint64_t *values, int *failures)
{
	(void)failures; /* no simulated register fails */
	for (size_t i = 0; i < count; i++) {
		const struct reg *reg = handles[i].reg;

		if (reg->space == REG_MSR)
			msr_read(p, reg->cpu, (uint32_t)reg->address, &values[i]);
		else
			mmio_read(p, reg->window, reg->address - reg->window->phys, reg->bytes,
				  &values[i]);
	}
	return 0;
}

static int write_prepared(struct platform *p, const struct reg_handle *handle, uint64_t value)
{
	const struct reg *reg = handle->reg;

	if (reg->space == REG_MSR)
		return msr_write(p, reg->cpu, (uint32_t)reg->address, value);
	return mmio_write(p, reg->window, reg->address - reg->window->phys, reg->bytes, value);
}

void delay_init(struct delay *delay, struct platform *p)
{
	inner = p->ops;
	delay->ops = *p->ops;
	delay->ops.msr_read = msr_read;
	delay->ops.msr_write = msr_write;
	delay->ops.mmio_read = mmio_read;
	delay->ops.mmio_write = mmio_write;
	delay->ops.prepare = prepare;
	delay->ops.read_prepared = read_prepared;
	delay->ops.write_prepared = write_prepared;
	p->ops = &delay->ops;
}
