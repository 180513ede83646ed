/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded into cxlmon by LD_PRELOAD: once the last filter is set, tries from inside what somebody
 * would try who has taken the process over. Appends a line per attempt to $CXLMON_ATTACK: the
 * program, the attempt, and "refused (errno)" or "DONE". $CXLMON_VICTIM is a file that everybody
 * may write, in a directory of the same kind, so that only the sandbox protects it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORTED    __attribute__((visibility("default")))
#define MAX_FD	    256
#define MISC_ENABLE 0x1a0 /* IA32_MISC_ENABLE: no register of performance monitoring */

static int report = -1;
static char victim[PATH_MAX], beside[PATH_MAX + 8];
static const uint64_t value = 0x850089;

static long read_shadow(void)
{
	return open("/etc/shadow", O_RDONLY);
}

static long make_cron_job(void)
{
	return open("/etc/cron.d/cxlmon-attack", O_WRONLY | O_CREAT, 0644);
}

static long write_file(void)
{
	return open(victim, O_WRONLY);
}

static long make_file(void)
{
	return open(beside, O_WRONLY | O_CREAT, 0644);
}

/* With the flags of the temporary file that replaces an output. */
static long make_temporary(void)
{
	return open(beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static long change_mode(void)
{
	return chmod(victim, 04777);
}

static long change_owner(void)
{
	return chown(victim, 0, 0);
}

static long rename_file(void)
{
	return rename(victim, beside);
}

static long remove_file(void)
{
	return unlink(victim);
}

static long link_file(void)
{
	return link(victim, beside);
}

static long make_directory(void)
{
	return mkdir(beside, 0700);
}

static long run_program(void)
{
	char *const none[] = {NULL};

	return execve("/bin/true", none, none);
}

static long fork_process(void)
{
	const long child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (!child)
		_exit(0);
	return child;
}

static long trace_parent(void)
{
	return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static long write_memory_of_parent(void)
{
	char byte = 0;
	struct iovec own = {&byte, 1}, others = {&byte, 1};

	return process_vm_writev(getppid(), &own, 1, &others, 1, 0);
}

static long connect_out(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

static long connect_locally(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static long kill_parent(void)
{
	return kill(getppid(), 0);
}

static long kill_all(void)
{
	return kill(-1, 0);
}

static long become_root(void)
{
	return syscall(SYS_setuid, 0);
}

static long become_root_again(void)
{
	return syscall(SYS_setresuid, 0, 0, 0);
}

static long map(int fd, int protection, int flags)
{
	return mmap(NULL, 4096, protection, flags, fd, 0) == MAP_FAILED ? -1 : 0;
}

static long map_code(void)
{
	return map(-1, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS);
}

static long map_report(void)
{
	return map(report, PROT_READ, MAP_SHARED);
}

static long open_memory(void)
{
	return open("/dev/mem", O_RDWR);
}

static long mount_something(void)
{
	return mount("none", "/mnt", "tmpfs", 0, NULL);
}

static long new_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}

static long load_module(void)
{
	return syscall(SYS_init_module, "", 0, "");
}

static long load_bpf(void)
{
	return syscall(SYS_bpf, 0, NULL, 0);
}

static long make_ring(void)
{
	return syscall(SYS_io_uring_setup, 1, NULL);
}

static long make_memfd(void)
{
	return memfd_create("attack", 0);
}

static long show_memory(void)
{
	return prctl(PR_SET_DUMPABLE, 1);
}

static const struct {
	const char *name;
	long (*try)(void);
} attempts[] = {
	{"read /etc/shadow", read_shadow},
	{"create in /etc/cron.d", make_cron_job},
	{"open to write", write_file},
	{"create", make_file},
	{"create a temporary file", make_temporary},
	{"chmod", change_mode},
	{"chown", change_owner},
	{"rename", rename_file},
	{"unlink", remove_file},
	{"link", link_file},
	{"mkdir", make_directory},
	{"execve", run_program},
	{"fork", fork_process},
	{"ptrace", trace_parent},
	{"write another's memory", write_memory_of_parent},
	{"socket", connect_out},
	{"unix socket", connect_locally},
	{"kill the parent", kill_parent},
	{"kill all", kill_all},
	{"setuid", become_root},
	{"setresuid", become_root_again},
	{"map code", map_code},
	{"map a file", map_report},
	{"open /dev/mem", open_memory},
	{"mount", mount_something},
	{"unshare", new_namespace},
	{"init_module", load_module},
	{"bpf", load_bpf},
	{"io_uring", make_ring},
	{"memfd", make_memfd},
	{"show memory", show_memory},
};

static void tell(const char *name, long result)
{
	char line[256];
	const int length = result < 0 ? snprintf(line, sizeof(line), "%s: %s: refused (%d)\n",
						 program_invocation_short_name, name, errno)
				      : snprintf(line, sizeof(line), "%s: %s: DONE\n",
						 program_invocation_short_name, name);

	(void)!write(report, line, (size_t)length);
}

/* Whether the descriptor is an MSR device. */
static bool is_msr(int fd)
{
	char name[32], path[PATH_MAX];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	const ssize_t length = readlink(name, path, sizeof(path) - 1);
	return length > 4 && !memcmp(path + length - 4, "/msr", 4);
}

static void attack_registers(const bool *msrs)
{
	for (int fd = 0; fd < MAX_FD; fd++) {
		if (!msrs[fd])
			continue;
		tell("write MSR 0x1a0", pwrite(fd, &value, sizeof(value), MISC_ENABLE));
		tell("seek to MSR 0x1a0", lseek(fd, MISC_ENABLE, SEEK_SET));
		tell("write at the position", write(fd, &value, sizeof(value)));
		tell("map an MSR device", map(fd, PROT_READ, MAP_SHARED));
		tell("duplicate an MSR device", dup(fd));
	}
}

/* The last step of rights_filter(). */
EXPORTED int seccomp_load(const scmp_filter_ctx filter)
{
	int (*real)(scmp_filter_ctx);
	bool msrs[MAX_FD];

	*(void **)&real = dlsym(RTLD_NEXT, "seccomp_load");
	for (int fd = 0; fd < MAX_FD; fd++)
		msrs[fd] = is_msr(fd);
	const int rc = real(filter);
	if (report < 0)
		return rc;
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		tell(attempts[i].name, attempts[i].try());
	attack_registers(msrs);
	return rc;
}

__attribute__((constructor)) static void prepare(void)
{
	const char *file = getenv("CXLMON_ATTACK"), *name = getenv("CXLMON_VICTIM");

	if (!file || !name)
		return;
	snprintf(victim, sizeof(victim), "%s", name);
	snprintf(beside, sizeof(beside), "%s.new", victim);
	report = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}
