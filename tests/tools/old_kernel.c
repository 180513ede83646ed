/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-old_kernel COMMAND [ARGUMENT]...: runs it without the system calls that came after Linux
 * 4.18, the oldest kernel that cxlmon is for: they give ENOSYS.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * Sources: the kernel's arch/x86/entry/syscalls/syscall_64.tbl, whose last one in 4.18 is rseq,
 * 334, and include/uapi/asm-generic/unistd.h: rseq, 293. From 424 on numbers are the same
 * everywhere.
 */
#ifdef __x86_64__
#define FIRST_NEW 335
#else
#define FIRST_NEW 294
#endif
#define LAST_NEW 600

int main(int argc, char **argv)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int rc = filter ? 0 : -ENOMEM;

	if (argc < 2)
		return 2;
	for (int number = FIRST_NEW; !rc && number <= LAST_NEW; number++)
		rc = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
	if (!rc)
		rc = seccomp_load(filter);
	if (rc) {
		fprintf(stderr, "cxlmon-old_kernel: %s\n", strerror(-rc));
		return 1;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
