/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay.h"

#include <err.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "linux/kernel/clock.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "tests/ops_copy.h"

/* The platform's own ops. One bench measures one platform, and the tap may wrap this. */
static const struct platform_ops *inner;

static const struct plan *plan; /* plan of the counters that count */

struct written {
	struct reg reg;
	uint64_t value; /* latest value */
};

/* Registers that were written. */
static struct written *written;
static size_t written_count;

static bool is_same(const struct reg *a, const struct reg *b)
{
	return a->space == b->space && a->address == b->address && a->cpu == b->cpu &&
	       a->window == b->window && !memcmp(&a->pci, &b->pci, sizeof(a->pci));
}

/* Returns the written value of a register; NULL: it was not written. */
static struct written *find_written(const struct reg *reg)
{
	for (size_t i = 0; i < written_count; i++)
		if (is_same(&written[i].reg, reg))
			return &written[i];
	return NULL;
}

static void note_written(const struct reg *reg, uint64_t value)
{
	struct written *found = find_written(reg);

	if (!found) {
		written = reallocarray(written, written_count + 1, sizeof(*written));
		if (!written)
			errx(1, "out of memory");
		found = &written[written_count++];
		*found = (struct written){.reg = *reg};
	}
	found->value = value;
}

static bool is_counter(const struct reg *reg)
{
	for (size_t i = 0; i < plan->counter_count; i++)
		if (is_same(&plan->counters[i].reg, reg))
			return true;
	return false;
}

void delay_set_plan(const struct plan *counting)
{
	plan = counting;
}

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

	note_written(reg, value);
	wait_since(start, delay_of(reg->space));
	return rc;
}

/* Parts of the offset of a prepared register. */
#define DELAY_BITS 12		       /* time of an access, then the number of a control */
#define IS_WRITTEN (UINT32_C(1) << 31) /* the control freezes */

/* Prepares a register as one in a file: it is then accessed without a look-up, as on hardware. */
static void prepare(struct platform *p, struct reg_handle *handle)
{
	size_t number = 0;

	(void)p;
	if (!is_counter(handle->reg)) {
		if (!find_written(handle->reg))
			note_written(handle->reg, 0);
		number = (size_t)(find_written(handle->reg) - written) + 1;
	}
	handle->fd = 0;
	handle->offset = delay_of(handle->reg->space) | (uint32_t)number << DELAY_BITS;
}

static unsigned delay_of_prepared(const struct reg_handle *handle)
{
	return handle->offset & ((1U << DELAY_BITS) - 1);
}

/*
 * Reads registers. All counters count nanoseconds: the simulator takes longer than some registers
 * to compute their values, and would be measured instead. A control holds its written value; a
 * control that freezes counters holds 0 between two readings.
 */
static size_t read_prepared(struct platform *p, const struct reg_handle *handles, size_t count,
			    uint64_t *values, int *failures)
{
	(void)p;
	(void)failures; /* none fails */
	for (size_t i = 0; i < count; i++) {
		const uint64_t ended = delay_access(delay_of_prepared(&handles[i]));
		const size_t control = (handles[i].offset & ~IS_WRITTEN) >> DELAY_BITS;

		values[i] = handles[i].offset & IS_WRITTEN ? 0
			    : control			   ? written[control - 1].value
							   : ended;
	}
	return 0;
}

/* Freezes and unfreezes, without an effect on these counters. */
static int write_prepared(struct platform *p, const struct reg_handle *handle, uint64_t value)
{
	const uint64_t start = clock_monotonic();

	(void)p;
	/* the poller's own handle, which it does not change itself */
	((struct reg_handle *)handle)->offset |= IS_WRITTEN;
	note_written(handle->reg, value);
	wait_since(start, delay_of_prepared(handle));
	return 0;
}

/* Reads the real clock: the simulator's takes longer to compute. */
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
