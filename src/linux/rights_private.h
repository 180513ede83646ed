/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seccomp filters of ranges, which libseccomp does not have. Of several filters of a process the
 * strictest holds.
 *
 * Source: seccomp(2), Documentation/userspace-api/seccomp_filter.rst. Arguments are 64 bits wide,
 * little-endian; BPF loads 32. A descriptor is the lower half, as the kernel takes it.
 */
#ifndef CXLMON_RIGHTS_PRIVATE_H
#define CXLMON_RIGHTS_PRIVATE_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/rights.h"

#define BPF_SYSTEM_CALL	     offsetof(struct seccomp_data, nr)
#define BPF_ARGUMENT_LOW(n)  (offsetof(struct seccomp_data, args) + 8 * (n))
#define BPF_ARGUMENT_HIGH(n) (BPF_ARGUMENT_LOW(n) + 4)

#define BPF_ALLOW SECCOMP_RET_ALLOW
#define BPF_DENY  (SECCOMP_RET_ERRNO | EPERM)

/* Inclusive. */
struct bpf_range {
	uint32_t first, last;
};

struct bpf_code {
	struct sock_filter instructions[BPF_MAXINSNS];
	size_t count; /* more than BPF_MAXINSNS: too long */
};

/* Loads 32 bits of struct seccomp_data. */
void bpf_load(struct bpf_code *code, size_t offset);

/*
 * Compares what was loaded (BPF_JEQ, BPF_JGE, BPF_JGT, BPF_JSET), and skips that many of the next
 * instructions.
 */
void bpf_compare(struct bpf_code *code, unsigned test, uint32_t value, uint8_t if_true,
		 uint8_t if_false);

/* A jump to where bpf_land() is called with what this returns. */
size_t bpf_jump(struct bpf_code *code);
void bpf_land(struct bpf_code *code, size_t jump);

void bpf_finish(struct bpf_code *code, uint32_t action);
/* Only where what was loaded is in the range. */
void bpf_finish_within(struct bpf_code *code, const struct bpf_range *range, uint32_t action);

/* In all threads. -E2BIG: it is too long; else 0 or a negative errno. */
int bpf_install(struct bpf_code *code);

/* Shared by the files that drop rights. */

/*
 * The sanitizers' run time makes other system calls, above all at exit, where it opens files of
 * /proc and traces the process to find leaks.
 */
#if defined(__SANITIZE_ADDRESS__)
#define RIGHTS_INSTRUMENTED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RIGHTS_INSTRUMENTED true
#endif
#endif
#ifndef RIGHTS_INSTRUMENTED
#define RIGHTS_INSTRUMENTED false
#endif

#endif
