/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/rights_private.h"

#include <sys/syscall.h>
#include <unistd.h>

static void emit(struct bpf_code *code, struct sock_filter instruction)
{
	if (code->count < BPF_MAXINSNS)
		code->instructions[code->count] = instruction;
	code->count++;
}

void bpf_load(struct bpf_code *code, size_t offset)
{
	emit(code, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

void bpf_compare(struct bpf_code *code, unsigned test, uint32_t value, uint8_t if_true,
		 uint8_t if_false)
{
	emit(code, (struct sock_filter)BPF_JUMP((uint16_t)(BPF_JMP | test | BPF_K), value, if_true,
						if_false));
}

size_t bpf_jump(struct bpf_code *code)
{
	emit(code, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
	return code->count;
}

void bpf_land(struct bpf_code *code, size_t jump)
{
	if (code->count <= BPF_MAXINSNS)
		code->instructions[jump - 1].k = (uint32_t)(code->count - jump);
}

void bpf_finish(struct bpf_code *code, uint32_t action)
{
	emit(code, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

void bpf_finish_within(struct bpf_code *code, const struct bpf_range *range, uint32_t action)
{
	bpf_compare(code, BPF_JGE, range->first, 0, 2);
	bpf_compare(code, BPF_JGT, range->last, 1, 0);
	bpf_finish(code, action);
}

int bpf_install(struct bpf_code *code)
{
	const struct sock_fprog filter = {.len = (unsigned short)code->count,
					  .filter = code->instructions};

	if (code->count > BPF_MAXINSNS)
		return -E2BIG;
	const long rc =
		syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
	if (rc < 0)
		return -errno;
	return rc ? -ESRCH : 0; /* the thread that could not follow */
}
