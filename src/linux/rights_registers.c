/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A seccomp filter for the files whose offsets are registers: pwrite64() of one whole register that
 * the guard allows, and no other call that writes there. libseccomp has no ranges, and one rule for
 * each register of each CPU would be too many, so that the filter is assembled here. It allows all
 * other calls.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "linux/rights.h"
#include "linux/rights_private.h"

#define FD     0 /* arguments of pwrite64() */
#define LENGTH 2
#define OFFSET 3

#define MSR_BYTES 8 /* of one write: an MSR's number is its offset, */
#define PCI_BYTES 4 /* a dword's is that of its first byte */

static bool same_registers(const struct register_file *a, const struct register_file *b)
{
	return a->space == b->space &&
	       (a->space != REG_PCI || !pci_location_compare(&a->pci, &b->pci));
}

static void allow_range(struct bpf_code *code, struct bpf_range range, enum reg_space space)
{
	if (space == REG_PCI)
		range.last -= PCI_BYTES - 1; /* where the last dword begins */
	bpf_finish_within(code, &range, BPF_ALLOW);
}

/* The registers of a file that may be written; adjacent rules in one range. */
static void allow_registers(struct bpf_code *code, const struct guard *guard,
			    const struct register_file *file)
{
	struct bpf_range range = {0};
	bool any = false;

	for (size_t i = 0; i < guard->count; i++) {
		const struct guard_rule *rule = &guard->rules[i];
		const struct register_file ruled = {.space = rule->space, .pci = rule->pci};

		if (!rule->mask || !same_registers(file, &ruled))
			continue;
		if (any && rule->first <= (uint64_t)range.last + 1) {
			if (rule->last > range.last)
				range.last = (uint32_t)rule->last;
			continue;
		}
		if (any)
			allow_range(code, range, file->space);
		range = (struct bpf_range){(uint32_t)rule->first, (uint32_t)rule->last};
		any = true;
	}
	if (any)
		allow_range(code, range, file->space);
	bpf_finish(code, BPF_DENY);
}

static void require(struct bpf_code *code, size_t argument, uint32_t value)
{
	bpf_load(code, argument);
	bpf_compare(code, BPF_JEQ, value, 1, 0);
	bpf_finish(code, BPF_DENY);
}

/* Both halves of the length, and an offset below 4 GiB, which is left loaded. */
static void require_one_register(struct bpf_code *code, enum reg_space space)
{
	require(code, BPF_ARGUMENT_HIGH(LENGTH), 0);
	require(code, BPF_ARGUMENT_LOW(LENGTH), space == REG_PCI ? PCI_BYTES : MSR_BYTES);
	require(code, BPF_ARGUMENT_HIGH(OFFSET), 0);
	bpf_load(code, BPF_ARGUMENT_LOW(OFFSET));
	if (space != REG_PCI)
		return;
	bpf_compare(code, BPF_JSET, PCI_BYTES - 1, 0, 1);
	bpf_finish(code, BPF_DENY);
}

/* The files [first, *next) have consecutive descriptors, and the same registers. */
static struct bpf_range next_files(const struct register_file *files, size_t count, size_t *next)
{
	const struct register_file *first = &files[*next];
	struct bpf_range range = {(uint32_t)first->fd, (uint32_t)first->fd};

	for (++*next; *next < count && files[*next].fd == (int)range.last + 1 &&
		      same_registers(&files[*next], first);
	     ++*next)
		range.last++;
	return range;
}

/* For each run of files: unless the descriptor is one of them, skip their registers. */
static void allow_writes(struct bpf_code *code, const struct guard *guard,
			 const struct register_file *files, size_t count)
{
	bpf_load(code, BPF_ARGUMENT_LOW(FD));
	for (size_t next = 0; next < count;) {
		const struct register_file *file = &files[next];
		const struct bpf_range fds = next_files(files, count, &next);

		bpf_compare(code, BPF_JGE, fds.first, 0, 1);
		bpf_compare(code, BPF_JGT, fds.last, 0, 1);
		const size_t skip = bpf_jump(code);
		require_one_register(code, file->space);
		allow_registers(code, guard, file);
		bpf_land(code, skip);
	}
	bpf_finish(code, BPF_DENY);
}

static void assemble(struct bpf_code *code, const struct guard *guard,
		     const struct register_file *files, size_t count)
{
	bpf_load(code, BPF_SYSTEM_CALL);
	bpf_compare(code, BPF_JEQ, __NR_pwrite64, 0, 1);
	const size_t skip = bpf_jump(code);
	bpf_compare(code, BPF_JEQ, __NR_write, 3, 0);
	bpf_compare(code, BPF_JEQ, __NR_writev, 2, 0);
	bpf_compare(code, BPF_JEQ, __NR_lseek, 1, 0);
	bpf_finish(code, BPF_ALLOW);
	bpf_load(code, BPF_ARGUMENT_LOW(FD));
	for (size_t next = 0; next < count;) {
		const struct bpf_range fds = next_files(files, count, &next);

		bpf_finish_within(code, &fds, BPF_DENY);
	}
	bpf_finish(code, BPF_ALLOW);
	bpf_land(code, skip);
	allow_writes(code, guard, files, count);
}

static int by_fd(const void *a, const void *b)
{
	const struct register_file *x = a, *y = b;

	return (x->fd > y->fd) - (x->fd < y->fd);
}

/* Sorted by descriptor; to be freed. NULL: out of memory. */
static struct register_file *list_files(struct platform *p, size_t *count)
{
	*count = p->ops->register_files ? p->ops->register_files(p, NULL, 0) : 0;
	struct register_file *files = calloc(*count + 1, sizeof(*files));

	if (files && *count) {
		p->ops->register_files(p, files, *count);
		qsort(files, *count, sizeof(*files), by_fd);
	}
	return files;
}

int rights_filter_registers(struct platform *platform)
{
	struct bpf_code *code = calloc(1, sizeof(*code));
	size_t count;

	if (platform->ops->settle)
		platform->ops->settle(platform);
	struct register_file *files = list_files(platform, &count);
	int rc = -ENOMEM;

	if (code && files) {
		assemble(code, &platform->guard, files, count);
		rc = bpf_install(code);
	}
	free(files);
	free(code);
	return rc;
}
