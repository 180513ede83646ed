/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay.h"

#include "linux/kernel/clock.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "tests/ops_copy.h"

/* The platform's own. One bench measures one platform, and the tap may stand in front of this. */
static const struct platform_ops *inner;

unsigned delay_of(enum reg_space space)
{
	return space == REG_MSR ? DELAY_MSR_NS : DELAY_MEMORY_NS;
}

static uint64_t wait_since(uint64_t start, uint64_t ns)
{
	for (;;) {
		const uint64_t now = clock_monotonic();

		if (now - start >= ns)
			return now;
	}
}

uint64_t delay_access(unsigned ns)
{
	return wait_since(clock_monotonic(), ns);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	const uint64_t start = clock_monotonic();
	const int rc = inner->registers->read(p, reg, value);

	wait_since(start, delay_of(reg->space));
	return rc;
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	const uint64_t start = clock_monotonic();
	const int rc = inner->registers->write(p, reg, value);

	wait_since(start, delay_of(reg->space));
	return rc;
}

/* There is a file, so to speak: registers are reached as on hardware, without being looked up. */
static void prepare(struct platform *p, struct reg_handle *handle)
{
	(void)p;
	handle->fd = 0;
	handle->offset = delay_of(handle->reg->space);
}

#define IS_WRITTEN (UINT32_C(1) << 31) /* in the offset of a register that freezes */

/*
 * All counters count nanoseconds: the simulator takes longer than some registers to find what they
 * hold, and would be measured instead. What freezes them holds 0 between two readings.
 */
static size_t read_prepared(struct platform *p, const struct reg_handle *handles, size_t count,
			    uint64_t *values, int *failures)
{
	(void)p;
	(void)failures; /* none fails */
	for (size_t i = 0; i < count; i++) {
		const uint64_t ended = delay_access(handles[i].offset & ~IS_WRITTEN);

		values[i] = handles[i].offset & IS_WRITTEN ? 0 : ended;
	}
	return 0;
}

/* Freezes and unfreezes, of which these counters know nothing. */
static int write_prepared(struct platform *p, const struct reg_handle *handle, uint64_t value)
{
	(void)p;
	(void)value;
	/* the poller's own, which it does not change itself */
	((struct reg_handle *)handle)->offset |= IS_WRITTEN;
	delay_access(handle->offset & ~IS_WRITTEN);
	return 0;
}

/* The simulator's clock takes longer to compute than the real one takes to be read. */
static uint64_t now(struct platform *p)
{
	(void)p;
	return clock_monotonic();
}

static uint64_t wall(struct platform *p)
{
	(void)p;
	return clock_utc();
}

static int sleep_until(struct platform *p, uint64_t deadline, const sigset_t *wake,
		       int *signal_number)
{
	(void)p;
	return clock_sleep_until(deadline, wake, signal_number);
}

void delay_init(struct delay *delay, struct platform *p)
{
	inner = p->ops;
	ops_copy_init(&delay->ops, p->ops);
	delay->ops.registers.read = read_register;
	delay->ops.registers.write = write_register;
	delay->ops.registers.prepare = prepare;
	delay->ops.registers.read_prepared = read_prepared;
	delay->ops.registers.write_prepared = write_prepared;
	delay->ops.clock.now = now;
	delay->ops.clock.wall = wall;
	delay->ops.clock.sleep_until = sleep_until;
	p->ops = &delay->ops.ops;
}
