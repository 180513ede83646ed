/* SPDX-License-Identifier: BSD-3-Clause */
#include "tap.h"

#include <stdlib.h>

#include "linux/clock.h"
#include "platform/reg.h"

#define FIRST_ROOM 1024

/* The platform's ops are the first member of the tap. */
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

static int keep_msr_read(struct platform *p, unsigned cpu, uint32_t msr, uint64_t *value)
{
	struct tap *tap = tap_of(p);

	keep(tap, (struct access){.space = REG_MSR, .cpu = cpu, .address = msr, .bytes = 8});
	return tap->inner->msr_read(p, cpu, msr, value);
}

static int keep_msr_write(struct platform *p, unsigned cpu, uint32_t msr, uint64_t value)
{
	struct tap *tap = tap_of(p);

	keep(tap, (struct access){.space = REG_MSR,
				  .write = true,
				  .cpu = cpu,
				  .address = msr,
				  .bytes = 8,
				  .value = value});
	return tap->inner->msr_write(p, cpu, msr, value);
}

static int keep_pci_read(struct platform *p, struct pci_location at, unsigned offset,
			 uint32_t *value)
{
	struct tap *tap = tap_of(p);

	keep(tap, (struct access){.space = REG_PCI, .pci = at, .address = offset, .bytes = 4});
	return tap->inner->pci_read(p, at, offset, value);
}

static int keep_pci_write(struct platform *p, struct pci_location at, unsigned offset,
			  uint32_t value)
{
	struct tap *tap = tap_of(p);

	keep(tap, (struct access){.space = REG_PCI,
				  .write = true,
				  .pci = at,
				  .address = offset,
				  .bytes = 4,
				  .value = value});
	return tap->inner->pci_write(p, at, offset, value);
}

static int keep_mmio_read(struct platform *p, const struct mmio_window *window, uint64_t offset,
			  unsigned bytes, uint64_t *value)
{
	struct tap *tap = tap_of(p);

	keep(tap, (struct access){
			  .space = REG_MMIO, .window = window, .address = offset, .bytes = bytes});
	return tap->inner->mmio_read(p, window, offset, bytes, value);
}

static int keep_mmio_write(struct platform *p, const struct mmio_window *window, uint64_t offset,
			   unsigned bytes, uint64_t value)
{
	struct tap *tap = tap_of(p);

	keep(tap, (struct access){.space = REG_MMIO,
				  .write = true,
				  .window = window,
				  .address = offset,
				  .bytes = bytes,
				  .value = value});
	return tap->inner->mmio_write(p, window, offset, bytes, value);
}

/* What a prepared read makes of other functions is kept there. */
static bool is_direct(const struct reg_handle *handle)
{
	return handle->map64 || handle->fd >= 0;
}

static size_t keep_read_prepared(struct platform *p, const struct reg_handle *handles, size_t count,
				 uint64_t *values, int *failures)
{
	struct tap *tap = tap_of(p);

	for (size_t i = 0; i < count; i++) {
		const struct reg *reg = handles[i].reg;
		const uint64_t base = reg->space == REG_MMIO ? reg->window->phys : 0;

		if (is_direct(&handles[i]))
			keep(tap, (struct access){.space = reg->space,
						  .cpu = reg->cpu,
						  .window = reg->window,
						  .address = reg->address - base,
						  .bytes = reg->bytes});
	}
	return tap->inner->read_prepared(p, handles, count, values, failures);
}

static int keep_write_prepared(struct platform *p, const struct reg_handle *handle, uint64_t value)
{
	const struct reg *reg = handle->reg;
	const uint64_t base = reg->space == REG_MMIO ? reg->window->phys : 0;

	keep(tap_of(p), (struct access){.space = reg->space,
					.write = true,
					.cpu = reg->cpu,
					.window = reg->window,
					.address = reg->address - base,
					.bytes = reg->bytes,
					.value = value});
	return tap_of(p)->inner->write_prepared(p, handle, value);
}

/* Reading the clock at each read would cost more than some reads. */
static void has_read(struct tap *tap)
{
	tap->reads++;
	if (tap->reads == 1)
		tap->first_ns = tap->last_ns = clock_monotonic();
	if (tap->reads == tap->last_read)
		tap->last_ns = clock_monotonic();
}

static int watch_msr_read(struct platform *p, unsigned cpu, uint32_t msr, uint64_t *value)
{
	int rc = tap_of(p)->inner->msr_read(p, cpu, msr, value);

	has_read(tap_of(p));
	return rc;
}

static int watch_mmio_read(struct platform *p, const struct mmio_window *window, uint64_t offset,
			   unsigned bytes, uint64_t *value)
{
	int rc = tap_of(p)->inner->mmio_read(p, window, offset, bytes, value);

	has_read(tap_of(p));
	return rc;
}

/* Of a batch of reads only the beginning and the end are timed. */
static size_t watch_read_prepared(struct platform *p, const struct reg_handle *handles,
				  size_t count, uint64_t *values, int *failures)
{
	struct tap *tap = tap_of(p);

	if (!tap->reads)
		tap->first_ns = clock_monotonic();
	const size_t failed = tap->inner->read_prepared(p, handles, count, values, failures);
	tap->reads += count;
	tap->last_ns = clock_monotonic();
	return failed;
}

static int watch_sleep_until(struct platform *p, uint64_t deadline, const sigset_t *wake,
			     int *signal_number)
{
	struct tap *tap = tap_of(p);
	int rc = tap->inner->sleep_until(p, deadline, wake, signal_number);
	const uint64_t now = tap->inner->now(p);

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
	tap->ops = *tap->inner;
	tap->ops.msr_read = keep_msr_read;
	tap->ops.msr_write = keep_msr_write;
	tap->ops.pci_read = keep_pci_read;
	tap->ops.pci_write = keep_pci_write;
	tap->ops.mmio_read = keep_mmio_read;
	tap->ops.mmio_write = keep_mmio_write;
	if (tap->inner->read_prepared)
		tap->ops.read_prepared = keep_read_prepared;
	if (tap->inner->write_prepared)
		tap->ops.write_prepared = keep_write_prepared;
	tap->platform->ops = &tap->ops;
}

void tap_watch(struct tap *tap)
{
	tap->ops = *tap->inner;
	tap->ops.msr_read = watch_msr_read;
	tap->ops.mmio_read = watch_mmio_read;
	if (tap->inner->read_prepared)
		tap->ops.read_prepared = watch_read_prepared;
	tap->ops.sleep_until = watch_sleep_until;
	tap->platform->ops = &tap->ops;
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
