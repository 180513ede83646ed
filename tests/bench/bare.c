/* SPDX-License-Identifier: BSD-3-Clause */
#include "bare.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "platform/guard.h"
#include "platform/reg.h"

/* Data of one access, complete, so that nothing is looked up during it. */
struct bare_access {
	enum { READ_FILE, WRITE_FILE, LOAD_4, LOAD_8, STORE_4, STORE_8, DELAY, SIMULATED } kind;
	int fd;
	off_t offset;
	void *place;
	uint64_t value;
	const struct access *simulated; /* access of the tap */
};

static int open_msr(struct bare *bare, unsigned cpu)
{
	char path[ROOTFS_PATH_SIZE];

	if (cpu >= bare->fd_count) {
		bare->fds = reallocarray(bare->fds, cpu + 1, sizeof(*bare->fds));
		if (!bare->fds)
			errx(1, "out of memory");
		while (bare->fd_count <= cpu)
			bare->fds[bare->fd_count++] = -1;
	}
	if (bare->fds[cpu] < 0) {
		if (rootfs_path(path, bare->subject->options->root, "dev/cpu/%u/msr", cpu))
			errx(1, "path too long");
		bare->fds[cpu] = open(path, O_RDWR | O_CLOEXEC);
	}
	if (bare->fds[cpu] < 0)
		err(1, "%s", path);
	return bare->fds[cpu];
}

static struct bare_access translate(struct bare *bare, const struct access *a)
{
	struct bare_access out = {.simulated = a, .value = a->value, .kind = SIMULATED};

	if (bare->subject->options->slow) {
		out.kind = DELAY;
		out.offset = delay_of(a->reg.space);
	}
	if (bare->subject->options->sim)
		return out;
	switch (a->reg.space) {
	case REG_MSR:
		out.kind = a->write ? WRITE_FILE : READ_FILE;
		out.fd = open_msr(bare, a->reg.cpu);
		out.offset = (off_t)a->reg.address;
		break;
	case REG_MMIO:
		out.place = (char *)a->reg.window->base + (a->reg.address - a->reg.window->phys);
		if (a->reg.bytes == 8)
			out.kind = a->write ? STORE_8 : LOAD_8;
		else
			out.kind = a->write ? STORE_4 : LOAD_4;
		break;
	case REG_PCI:
	case REG_MBM:
		errx(1, "no bare loop for registers in configuration space, or settings");
	}
	return out;
}

static void make_room(struct bare *bare, size_t count)
{
	if (count <= bare->room)
		return;
	bare->accesses = reallocarray(bare->accesses, count, sizeof(*bare->accesses));
	bare->values = reallocarray(bare->values, count, sizeof(*bare->values));
	if (!bare->accesses || !bare->values)
		errx(1, "out of memory");
	/* touches the pages before they are measured */
	memset(bare->values, 0, count * sizeof(*bare->values));
	bare->room = count;
}

void bare_take(struct bare *bare, struct subject *s)
{
	bare->subject = s;
	tap_record(&s->tap);
	tap_forget(&s->tap);
	subject_sample(s);
	tap_off(&s->tap);
	/* without this frame, the decoder would not know about a rotation in it */
	subject_decode(s);
	if (s->tap.failed)
		errx(1, "out of memory");
	make_room(bare, s->tap.count);
	bare->count = s->tap.count;
	for (size_t i = 0; i < bare->count; i++)
		bare->accesses[i] = translate(bare, &s->tap.accesses[i]);
}

static int simulate(struct platform *p, const struct access *a, uint64_t *value)
{
	return a->write ? p->ops->registers->write(p, &a->reg, a->value)
			: p->ops->registers->read(p, &a->reg, value);
}

static bool make(struct platform *p, const struct bare_access *a, uint64_t *value)
{
	switch (a->kind) {
	case READ_FILE:
		return pread(a->fd, value, sizeof(*value), a->offset) == sizeof(*value);
	case WRITE_FILE:
		return pwrite(a->fd, &a->value, sizeof(a->value), a->offset) == sizeof(a->value);
	case LOAD_4:
		*value = *(const volatile uint32_t *)a->place;
		return true;
	case LOAD_8:
		*value = *(const volatile uint64_t *)a->place;
		return true;
	case STORE_4:
		*(volatile uint32_t *)a->place = (uint32_t)a->value;
		return true;
	case STORE_8:
		*(volatile uint64_t *)a->place = a->value;
		return true;
	case DELAY:
		*value = delay_access((unsigned)a->offset);
		return true;
	case SIMULATED:
		return !simulate(p, a->simulated, value);
	}
	return false;
}

void bare_run(struct bare *bare)
{
	struct platform *p = bare->subject->platform;

	for (size_t i = 0; i < bare->count; i++)
		if (!make(p, &bare->accesses[i], &bare->values[i]))
			errx(1, "access %zu of the bare loop failed", i);
}

void bare_free(struct bare *bare)
{
	for (size_t i = 0; i < bare->fd_count; i++)
		if (bare->fds[i] >= 0)
			close(bare->fds[i]);
	free(bare->fds);
	free(bare->accesses);
	free(bare->values);
}
