/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A seccomp filter for the files whose offsets are registers: pwrite64() only to the registers that
 * the guard allows, and no other call that writes there. libseccomp has no ranges, and one rule for
 * each register of each CPU would be too many, so that the filter is assembled here. It is a second
 * one: of two filters the stricter holds, and this one allows all other calls.
 *
 * Source: seccomp(2), Documentation/userspace-api/seccomp_filter.rst. Arguments are 64 bits wide,
 * little-endian; BPF loads 32. A descriptor is the lower half, as the kernel takes it.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "linux/rights.h"

#define FD     0 /* arguments of pwrite64() */
#define OFFSET 3

#define LOW(argument)  (offsetof(struct seccomp_data, args) + 8 * (argument))
#define HIGH(argument) (LOW(argument) + 4)
#define DENY	       (SECCOMP_RET_ERRNO | EPERM)

/* Inclusive. */
struct range {
	uint32_t first, last;
};

struct program {
	struct sock_filter code[BPF_MAXINSNS];
	size_t count; /* of instructions; more than BPF_MAXINSNS: too long */
};

static void emit(struct program *program, struct sock_filter instruction)
{
	if (program->count < BPF_MAXINSNS)
		program->code[program->count] = instruction;
	program->count++;
}

static void load(struct program *program, size_t offset)
{
	emit(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void finish(struct program *program, uint32_t action)
{
	emit(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Returns the action where the loaded value is in the range. */
static void finish_within(struct program *program, const struct range *range, uint32_t action)
{
	emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, range->first, 0, 2));
	emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, range->last, 1, 0));
	finish(program, action);
}

static bool same_registers(const struct register_file *a, const struct register_file *b)
{
	return a->space == b->space &&
	       (a->space != REG_PCI || !pci_location_compare(&a->pci, &b->pci));
}

/* The registers of a file that may be written; adjacent rules in one range. */
static void allow_registers(struct program *program, const struct guard *guard,
			    const struct register_file *file)
{
	struct range range = {0};
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
			finish_within(program, &range, SECCOMP_RET_ALLOW);
		range = (struct range){(uint32_t)rule->first, (uint32_t)rule->last};
		any = true;
	}
	if (any)
		finish_within(program, &range, SECCOMP_RET_ALLOW);
	finish(program, DENY);
}

/* The files [first, *next) have consecutive descriptors, and the same registers. */
static struct range next_files(const struct register_file *files, size_t count, size_t *next)
{
	const struct register_file *first = &files[*next];
	struct range range = {(uint32_t)first->fd, (uint32_t)first->fd};

	for (++*next; *next < count && files[*next].fd == (int)range.last + 1 &&
		      same_registers(&files[*next], first);
	     ++*next)
		range.last++;
	return range;
}

/* For each run of files: unless the descriptor is one of them, skip their registers. */
static void allow_writes(struct program *program, const struct guard *guard,
			 const struct register_file *files, size_t count)
{
	load(program, LOW(FD));
	for (size_t next = 0; next < count;) {
		const struct register_file *file = &files[next];
		const struct range fds = next_files(files, count, &next);

		emit(program,
		     (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, fds.first, 0, 1));
		emit(program,
		     (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, fds.last, 0, 1));
		const size_t skip = program->count;
		emit(program, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
		load(program, HIGH(OFFSET));
		emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
		finish(program, DENY);
		load(program, LOW(OFFSET));
		allow_registers(program, guard, file);
		if (program->count <= BPF_MAXINSNS)
			program->code[skip].k = (uint32_t)(program->count - skip - 1);
	}
	finish(program, DENY);
}

static void assemble(struct program *program, const struct guard *guard,
		     const struct register_file *files, size_t count)
{
	load(program, offsetof(struct seccomp_data, nr));
	emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_pwrite64, 0, 1));
	const size_t skip = program->count;
	emit(program, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
	emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 3, 0));
	emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_writev, 2, 0));
	emit(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_lseek, 1, 0));
	finish(program, SECCOMP_RET_ALLOW);
	load(program, LOW(FD));
	for (size_t next = 0; next < count;) {
		const struct range fds = next_files(files, count, &next);

		finish_within(program, &fds, DENY);
	}
	finish(program, SECCOMP_RET_ALLOW);
	if (program->count <= BPF_MAXINSNS)
		program->code[skip].k = (uint32_t)(program->count - skip - 1);
	allow_writes(program, guard, files, count);
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

static int install(struct program *program)
{
	const struct sock_fprog filter = {.len = (unsigned short)program->count,
					  .filter = program->code};

	if (program->count > BPF_MAXINSNS)
		return -E2BIG;
	const long rc =
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
	if (rc < 0)
		return -errno;
	return rc ? -ESRCH : 0; /* the thread that could not follow */
}

int rights_filter_registers(struct platform *platform)
{
	struct program *program = calloc(1, sizeof(*program));
	size_t count;
	struct register_file *files = list_files(platform, &count);
	int rc = -ENOMEM;

	if (program && files) {
		assemble(program, &platform->guard, files, count);
		rc = install(program);
	}
	free(files);
	free(program);
	return rc;
}
