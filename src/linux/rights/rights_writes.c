/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source: seccomp(2), Documentation/userspace-api/seccomp_filter.rst. Arguments are 64 bits wide,
 * little-endian; BPF loads 32. A descriptor is the lower half, as in the kernel.
 */
#include "linux/rights/rights_writes.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/guard.h"
#include "platform/reg.h"

#define BPF_SYSTEM_CALL	     offsetof(struct seccomp_data, nr)
#define BPF_ARGUMENT_LOW(n)  (offsetof(struct seccomp_data, args) + 8 * (n))
#define BPF_ARGUMENT_HIGH(n) (BPF_ARGUMENT_LOW(n) + 4)

#define BPF_ALLOW SECCOMP_RET_ALLOW
#define BPF_DENY  (SECCOMP_RET_ERRNO | EPERM)

/* An inclusive range. */
struct bpf_range {
	uint32_t first, last;
};

struct bpf_code {
	struct sock_filter instructions[BPF_MAXINSNS];
	size_t count; /* more than BPF_MAXINSNS: too long */
};

static void emit_instruction(struct bpf_code *code, struct sock_filter instruction)
{
	if (code->count < BPF_MAXINSNS)
		code->instructions[code->count] = instruction;
	code->count++;
}

/* Loads 32 bits of struct seccomp_data. */
static void bpf_load(struct bpf_code *code, size_t offset)
{
	emit_instruction(code,
			 (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

/*
 * Compares the loaded value (BPF_JEQ, BPF_JGE, BPF_JGT, BPF_JSET), and skips a number of the next
 * instructions.
 */
static void bpf_compare(struct bpf_code *code, unsigned test, uint32_t value, uint8_t if_true,
			uint8_t if_false)
{
	emit_instruction(code, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | test | BPF_K),
							    value, if_true, if_false));
}

/* Emits a jump. bpf_land() with the returned value sets its destination. */
static size_t bpf_jump(struct bpf_code *code)
{
	emit_instruction(code, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
	return code->count;
}

static void bpf_land(struct bpf_code *code, size_t jump)
{
	if (code->count <= BPF_MAXINSNS)
		code->instructions[jump - 1].k = (uint32_t)(code->count - jump);
}

static void bpf_finish(struct bpf_code *code, uint32_t action)
{
	emit_instruction(code, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* Finishes only if the loaded value is in the range. */
static void bpf_finish_within(struct bpf_code *code, const struct bpf_range *range, uint32_t action)
{
	bpf_compare(code, BPF_JGE, range->first, 0, 2);
	bpf_compare(code, BPF_JGT, range->last, 1, 0);
	bpf_finish(code, action);
}

/* Installs the filter in all threads. -E2BIG: it is too long; else 0 or a negative errno. */
static int bpf_install(struct bpf_code *code)
{
	const struct sock_fprog filter = {.len = (unsigned short)code->count,
					  .filter = code->instructions};

	if (code->count > BPF_MAXINSNS)
		return -E2BIG;
	const long rc =
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
	if (rc < 0)
		return -errno;
	return rc ? -ESRCH : 0; /* rc is the thread that could not be synchronized */
}

/*
 * Files whose offsets are registers: pwrite64() is allowed for one whole register that the guard
 * allows, and no other call writes there. One rule for each register of each CPU would be too many.
 */

#define FD	0 /* argument of pwrite64() and ioctl() */
#define LENGTH	2 /* argument of pwrite64() */
#define OFFSET	3
#define REQUEST 1 /* argument of ioctl() */

#define MSR_BYTES 8 /* one write; the offset is the MSR's number */
#define PCI_BYTES 4 /* one write; the offset is the dword's first byte */

static bool same_registers(const struct register_file *a, const struct register_file *b)
{
	return a->space == b->space &&
	       (a->space != REG_PCI || !pci_location_compare(&a->pci, &b->pci));
}

static void allow_range(struct bpf_code *code, struct bpf_range range, enum reg_space space)
{
	if (space == REG_PCI)
		range.last -= PCI_BYTES - 1; /* first byte of the last dword */
	bpf_finish_within(code, &range, BPF_ALLOW);
}

/* Allows the writable registers of a file; adjacent rules make one range. */
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

static void require_argument(struct bpf_code *code, size_t argument, uint32_t value)
{
	bpf_load(code, argument);
	bpf_compare(code, BPF_JEQ, value, 1, 0);
	bpf_finish(code, BPF_DENY);
}

/*
 * Requires a length of one register in both halves, and an offset below 4 GiB, which stays loaded.
 */
static void require_one_register(struct bpf_code *code, enum reg_space space)
{
	require_argument(code, BPF_ARGUMENT_HIGH(LENGTH), 0);
	require_argument(code, BPF_ARGUMENT_LOW(LENGTH), space == REG_PCI ? PCI_BYTES : MSR_BYTES);
	require_argument(code, BPF_ARGUMENT_HIGH(OFFSET), 0);
	bpf_load(code, BPF_ARGUMENT_LOW(OFFSET));
	if (space != REG_PCI)
		return;
	bpf_compare(code, BPF_JSET, PCI_BYTES - 1, 0, 1);
	bpf_finish(code, BPF_DENY);
}

/*
 * Returns descriptors of the files [first, *next), which are consecutive and have the same
 * registers.
 */
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

/* Allows writes by run of files: code for other descriptors skips the run's registers. */
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

static void assemble_registers(struct bpf_code *code, const struct guard *guard,
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

int rights_filter_registers(struct platform *p)
{
	struct bpf_code *code = calloc(1, sizeof(*code));
	struct register_file *files = NULL;
	size_t count = 0;
	int rc = !code			    ? -ENOMEM
		 : p->ops->registers->files ? p->ops->registers->files(p, &files, &count)
					    : 0;

	if (count)
		qsort(files, count, sizeof(*files), by_fd);
	if (!rc) {
		assemble_registers(code, &p->guard, files, count);
		rc = bpf_install(code);
	}
	free(files);
	free(code);
	return rc;
}

/*
 * Perf events: only those of the run are started and stopped, and get other periods. load_filter()
 * allows no other ioctl() of perf events.
 */

static int by_number(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* Allows events. Those that were opened in sequence have consecutive descriptors. */
static void allow_events(struct bpf_code *code, const int *sorted, size_t count)
{
	size_t i = 0;

	while (i < count && sorted[i] < 0)
		i++;
	while (i < count) {
		struct bpf_range range = {(uint32_t)sorted[i], (uint32_t)sorted[i]};

		for (i++; i < count && sorted[i] <= (int)range.last + 1; i++)
			range.last = (uint32_t)sorted[i];
		bpf_finish_within(code, &range, BPF_ALLOW);
	}
	bpf_finish(code, BPF_DENY);
}

static void assemble_perf(struct bpf_code *code, const int *sorted, size_t count)
{
	bpf_load(code, BPF_SYSTEM_CALL);
	bpf_compare(code, BPF_JEQ, __NR_ioctl, 1, 0);
	bpf_finish(code, BPF_ALLOW);
	bpf_load(code, BPF_ARGUMENT_LOW(REQUEST));
	bpf_compare(code, BPF_JEQ, PERF_EVENT_IOC_ENABLE, 3, 0);
	bpf_compare(code, BPF_JEQ, PERF_EVENT_IOC_DISABLE, 2, 0);
	bpf_compare(code, BPF_JEQ, (uint32_t)PERF_EVENT_IOC_PERIOD, 1, 0);
	bpf_finish(code, BPF_ALLOW);
	bpf_load(code, BPF_ARGUMENT_LOW(FD));
	allow_events(code, sorted, count);
}

int rights_filter_perf(const int *events, size_t count)
{
	struct bpf_code *code = calloc(1, sizeof(*code));
	int *sorted = calloc(count, sizeof(*sorted));
	int rc = -ENOMEM;

	if (code && sorted) {
		memcpy(sorted, events, count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), by_number);
		assemble_perf(code, sorted, count);
		rc = bpf_install(code);
	}
	free(sorted);
	free(code);
	return rc;
}
