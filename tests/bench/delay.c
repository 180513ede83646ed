/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay.h"

#include "linux/clock.h"

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

void delay_init(struct delay *delay, struct platform *p)
{
	inner = p->ops;
	delay->ops = *p->ops;
	delay->ops.msr_read = msr_read;
	delay->ops.msr_write = msr_write;
	delay->ops.mmio_read = mmio_read;
	delay->ops.mmio_write = mmio_write;
	p->ops = &delay->ops;
}
