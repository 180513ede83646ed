/* SPDX-License-Identifier: BSD-3-Clause */
#include "tap.h"

#include <stdlib.h>

#include "linux/kernel/clock.h"
#include "platform/clock.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "tests/ops_copy.h"

#define FIRST_ROOM 1024

/* Returns the tap of a platform, whose ops are its first member. */
static struct tap *tap_of(struct platform *p)
{
	return (struct tap *)p->ops;
}

static void keep(struct tap *tap, struct access access)
{
	if (tap->count == tap->room) {
		const size_t room = tap->room ? 2 * tap->room : FIRST_ROOM;
		struct access *grown = reallocarray(tap->accesses, room, sizeof(*grown));

		if (!grown) {
			tap->failed = true;
			return;
		}
		tap->accesses = grown;
		tap->room = room;
	}
	tap->accesses[tap->count++] = access;
}

static int keep_read(struct platform *p, const struct reg *reg, uint64_t *value)
{
	keep(tap_of(p), (struct access){.reg = *reg});
	return tap_of(p)->inner->registers->read(p, reg, value);
}

static int keep_write(struct platform *p, const struct reg *reg, uint64_t value)
{
	keep(tap_of(p), (struct access){.reg = *reg, .write = true, .value = value});
	return tap_of(p)->inner->registers->write(p, reg, value);
}

/* Tells if a prepared read is direct: others call functions that are tapped themselves. */
static bool is_direct(const struct reg_handle *handle)
{
	return handle->map64 || handle->map32 || handle->fd >= 0;
}

static size_t keep_read_prepared(struct platform *p, const struct reg_handle *handles, size_t count,
				 uint64_t *values, int *failures)
{
	struct tap *tap = tap_of(p);

	for (size_t i = 0; i < count; i++)
		if (is_direct(&handles[i]))
			keep(tap, (struct access){.reg = *handles[i].reg});
	return tap->inner->registers->read_prepared(p, handles, count, values, failures);
}

static int keep_write_prepared(struct platform *p, const struct reg_handle *handle, uint64_t value)
{
	keep(tap_of(p), (struct access){.reg = *handle->reg, .write = true, .value = value});
	return tap_of(p)->inner->registers->write_prepared(p, handle, value);
}

/* Notes a read, without reading the clock for each: that would cost more than some reads. */
static void has_read(struct tap *tap)
{
	tap->reads++;
	if (tap->reads == 1)
		tap->first_ns = tap->last_ns = clock_monotonic();
	if (tap->reads == tap->last_read)
		tap->last_ns = clock_monotonic();
}

static int watch_read(struct platform *p, const struct reg *reg, uint64_t *value)
{
	int rc = tap_of(p)->inner->registers->read(p, reg, value);

	if (reg->space != REG_PCI)
		has_read(tap_of(p));
	return rc;
}

/* Reads a batch, of which only the beginning and the end are timed. */
static size_t watch_read_prepared(struct platform *p, const struct reg_handle *handles,
				  size_t count, uint64_t *values, int *failures)
{
	struct tap *tap = tap_of(p);

	if (!tap->reads)
		tap->first_ns = clock_monotonic();
	const size_t failed =
		tap->inner->registers->read_prepared(p, handles, count, values, failures);
	tap->reads += count;
	tap->last_ns = clock_monotonic();
	return failed;
}

static int watch_sleep_until(struct platform *p, uint64_t deadline, const sigset_t *wake,
			     int *signal_number)
{
	struct tap *tap = tap_of(p);
	int rc = tap->inner->clock->sleep_until(p, deadline, wake, signal_number);
	const uint64_t now = tap->inner->clock->now(p);

	tap->late_ns = now > deadline ? now - deadline : 0;
	return rc;
}

void tap_init(struct tap *tap, struct platform *platform)
{
	*tap = (struct tap){.inner = platform->ops, .platform = platform};
}

void tap_free(struct tap *tap)
{
	if (!tap->platform)
		return;
	tap_off(tap);
	free(tap->accesses);
}

void tap_record(struct tap *tap)
{
	ops_copy_init(&tap->ops, tap->inner);
	tap->ops.registers.read = keep_read;
	tap->ops.registers.write = keep_write;
	if (tap->inner->registers->read_prepared)
		tap->ops.registers.read_prepared = keep_read_prepared;
	if (tap->inner->registers->write_prepared)
		tap->ops.registers.write_prepared = keep_write_prepared;
	tap->platform->ops = &tap->ops.ops;
}

void tap_watch(struct tap *tap)
{
	ops_copy_init(&tap->ops, tap->inner);
	tap->ops.registers.read = watch_read;
	if (tap->inner->registers->read_prepared)
		tap->ops.registers.read_prepared = watch_read_prepared;
	tap->ops.clock.sleep_until = watch_sleep_until;
	tap->platform->ops = &tap->ops.ops;
}

void tap_off(struct tap *tap)
{
	tap->platform->ops = tap->inner;
}

void tap_forget(struct tap *tap)
{
	tap->count = 0;
	tap->last_read = tap->reads;
	tap->reads = 0;
	tap->first_ns = tap->last_ns = 0;
}
