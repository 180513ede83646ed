/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attacks on cxlmon from inside, loaded by LD_PRELOAD: once the last filter is set, does things
 * that an attacker would try who has taken the process over. Appends a line per attempt to
 * $CXLMON_ATTACK: the program, the attempt, and "refused (errno)" or "DONE". Lines before these
 * have the open descriptors and the allowed system calls; lines after them have the writes of
 * registers that reach the hardware. With $CXLMON_NO_LANDLOCK the kernel has no Landlock.
 * $CXLMON_VICTIM is a world-writable file in a world-writable directory, so that only the sandbox
 * protects it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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
#define MAX_FD	    1024
#define MISC_ENABLE 0x1a0 /* IA32_MISC_ENABLE: not a register of performance monitoring */

static int report = -1;
static char name[16]; /* name of the process */
static char victim[PATH_MAX], beside[PATH_MAX + 8];
static char own_page[8192];
static const uint64_t value = 0x850089;

/* Closes the descriptor, because descriptors are listed again at a further filter. */
static long and_close(long fd)
{
	return fd < 0 ? fd : close((int)fd);
}

static long read_shadow(void)
{
	return and_close(open("/etc/shadow", O_RDONLY));
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

/* Flags of the temporary file that replaces an output. */
#define TEMPORARY (O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)

static long make_temporary(void)
{
	return open(beside, TEMPORARY, 0600);
}

static long make_temporary_cron_job(void)
{
	return open("/etc/cron.d/cxlmon-attack", TEMPORARY, 0644);
}

static long make_temporary_above(void)
{
	return open("../../../../../../../../../etc/cron.d/cxlmon-attack", TEMPORARY, 0644);
}

/* Flags of an output that is opened again. */
#define REOPENED (O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)

static long write_file_again(void)
{
	return open(victim, REOPENED);
}

static long write_shadow(void)
{
	return open("/etc/shadow", REOPENED);
}

static long write_shadow_above(void)
{
	return open("../../../../../../../../../etc/shadow", REOPENED);
}

static long make_file_again(void)
{
	return open(beside, REOPENED | O_CREAT | O_EXCL, 0644);
}

/*
 * Makes a program that is root's for everybody, in the directory of cxlmon-file, which stays root
 * for files.
 */
#define KEPT_DIRECTORY STDOUT_FILENO
#define PROGRAM_NAME   "program"

static long make_program(void)
{
	return openat(KEPT_DIRECTORY, PROGRAM_NAME, TEMPORARY, 04755);
}

static long make_program_again(void)
{
	return openat(KEPT_DIRECTORY, PROGRAM_NAME, REOPENED | O_CREAT | O_EXCL, 02755);
}

static long turn_into_program(void)
{
	const int fd = openat(KEPT_DIRECTORY, PROGRAM_NAME, TEMPORARY, 0600);
	const long rc = fchmod(fd, 04755);
	const int why = errno;

	unlinkat(KEPT_DIRECTORY, PROGRAM_NAME, 0);
	errno = why;
	return rc;
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

static long clone_process(unsigned long flags)
{
	const long child = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);

	if (!child)
		_exit(0);
	return child;
}

static long fork_process(void)
{
	return clone_process(0);
}

/* Starts a process that shares memory, and waits for it. */
static long share_memory(void)
{
	return clone_process(CLONE_VM | CLONE_VFORK);
}

static long fork_into_namespace(void)
{
	return clone_process(CLONE_NEWUSER);
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

/* Returns a page of this process. A device's page would be treated the same: both are refused. */
static void *page(void)
{
	return (void *)((uintptr_t)own_page & ~(uintptr_t)4095);
}

static long remap(void)
{
	return mremap(page(), 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0;
}

static long protect(void)
{
	return mprotect(page(), 4096, PROT_READ | PROT_WRITE);
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

static long open_event(void)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
				       .type = PERF_TYPE_SOFTWARE,
				       .config = PERF_COUNT_SW_CPU_CLOCK};

	return and_close(syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC));
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
	{"create a temporary file in /etc/cron.d", make_temporary_cron_job},
	{"create a temporary file above", make_temporary_above},
	{"open again", write_file_again},
	{"open /etc/shadow to write", write_shadow},
	{"open /etc/shadow above to write", write_shadow_above},
	{"create again", make_file_again},
	{"create a set-user-ID program", make_program},
	{"create a set-group-ID program", make_program_again},
	{"turn a file into a set-user-ID program", turn_into_program},
	{"chmod", change_mode},
	{"chown", change_owner},
	{"rename", rename_file},
	{"unlink", remove_file},
	{"link", link_file},
	{"mkdir", make_directory},
	{"execve", run_program},
	{"fork", fork_process},
	{"fork, sharing memory", share_memory},
	{"fork into a namespace", fork_into_namespace},
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
	{"mremap", remap},
	{"mprotect", protect},
	{"open /dev/mem", open_memory},
	{"mount", mount_something},
	{"unshare", new_namespace},
	{"init_module", load_module},
	{"bpf", load_bpf},
	{"io_uring", make_ring},
	{"memfd", make_memfd},
	{"open an event", open_event},
	{"show memory", show_memory},
};

static void tell(const char *attempt, long result)
{
	char line[256];
	const int length = result < 0
				   ? snprintf(line, sizeof(line), "%s: %s: refused (%d)\n", name,
					      attempt, errno)
				   : snprintf(line, sizeof(line), "%s: %s: DONE\n", name, attempt);

	(void)!write(report, line, (size_t)length);
}

/* Kinds of descriptors: those whose offsets are registers, and those of perf events. */
enum kind { OTHER, MSR, PCI, EVENT };

static enum kind kind_of(int fd)
{
	char link[32], path[PATH_MAX];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	const ssize_t length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	if (!strcmp(path, "anon_inode:[perf_event]"))
		return EVENT;
	const char *base = strrchr(path, '/');
	if (!base)
		return OTHER;
	return !strcmp(base, "/msr") ? MSR : !strcmp(base, "/config") ? PCI : OTHER;
}

/*
 * Finds the writes of a descriptor that reach its driver: without data to write, the driver
 * returns EFAULT, and the filter EPERM. Appends "reach KIND LENGTH OFFSET" for each.
 */
static void find_reach(int fd, const char *kind, uint64_t first, uint64_t end)
{
	static const size_t lengths[] = {1,  2,	 3,   4,    5,		 7,	      8,       9,
					 12, 16, 716, 4096, 0x100000004, 0x100000008, SIZE_MAX};

	for (uint64_t offset = first; offset < end; offset++)
		for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
			if (pwrite(fd, NULL, lengths[i], (off_t)offset) >= 0 || errno != EPERM)
				dprintf(report, "%s: reach %s %zu 0x%lx\n", name, kind, lengths[i],
					(unsigned long)offset);
}

static void find_all_reach(const enum kind *kinds)
{
	bool msr_found = false; /* every MSR device has the same registers */

	for (int fd = 0; fd < MAX_FD; fd++) {
		if (kinds[fd] == PCI) {
			find_reach(fd, "PCI", 0, 4096);
			find_reach(fd, "PCI", 0x100000000, 0x100001000);
		} else if (kinds[fd] == MSR && !msr_found) {
			msr_found = true;
			find_reach(fd, "MSR", 0, 0x3000);
			find_reach(fd, "MSR", 0xc0000000, 0xc0001000);
			find_reach(fd, "MSR", 0xc0010000, 0xc0011000);
			find_reach(fd, "MSR", 0x100000000, 0x100003000);
		}
	}
}

static void attack_registers(const enum kind *kinds)
{
	for (int fd = 0; fd < MAX_FD; fd++) {
		if (kinds[fd] != MSR)
			continue;
		tell("write MSR 0x1a0", pwrite(fd, &value, sizeof(value), MISC_ENABLE));
		tell("seek to MSR 0x1a0", lseek(fd, MISC_ENABLE, SEEK_SET));
		tell("write at the position", write(fd, &value, sizeof(value)));
		tell("map an MSR device", map(fd, PROT_READ, MAP_SHARED));
		tell("duplicate an MSR device", dup(fd));
	}
}

static void attack_events(const enum kind *kinds)
{
	for (int fd = 0; fd < MAX_FD; fd++) {
		if (kinds[fd] == EVENT) {
			tell("reset an event", ioctl(fd, PERF_EVENT_IOC_RESET, 0));
			tell("map an event", map(fd, PROT_READ, MAP_SHARED));
			tell("duplicate an event", dup(fd));
		}
	}
}

/* Appends "has PATH" for each descriptor except the report's. */
static void list_descriptors(void)
{
	for (int fd = 0; fd < MAX_FD; fd++) {
		char link[32], path[PATH_MAX];

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		const ssize_t length = fd == report ? -1 : readlink(link, path, sizeof(path) - 1);
		if (length > 0)
			dprintf(report, "%s: has %.*s\n", name, (int)length, path);
	}
}

/* Spares the report if a process closes all other descriptors, and lists those that it keeps. */
EXPORTED int close_range(unsigned first, unsigned last, int flags)
{
	const unsigned kept = report < 0 ? 0 : (unsigned)report;

	if (flags || kept < first || kept > last)
		return (int)syscall(SYS_close_range, first, last, flags);
	if (kept > first && syscall(SYS_close_range, first, kept - 1, flags))
		return -1;
	const int rc = (int)syscall(SYS_close_range, kept + 1, last, flags);
	prctl(PR_GET_NAME, name);
	list_descriptors(); /* before /proc is out of reach */
	return rc;
}

/* Appends "allows CALL" for each call that load_filter() adds. */
EXPORTED int seccomp_rule_add_array(scmp_filter_ctx filter, uint32_t action, int call,
				    unsigned count, const struct scmp_arg_cmp *conditions)
{
	int (*real)(scmp_filter_ctx, uint32_t, int, unsigned, const struct scmp_arg_cmp *);
	char *(*resolve)(uint32_t, int);

	*(void **)&resolve = dlsym(RTLD_NEXT, "seccomp_syscall_resolve_num_arch");
	char *allowed = resolve(SCMP_ARCH_NATIVE, call);
	*(void **)&real = dlsym(RTLD_NEXT, "seccomp_rule_add_array");
	prctl(PR_GET_NAME, name);
	if (report >= 0)
		dprintf(report, "%s: allows %s%s\n", name, allowed, count ? "(limited)" : "");
	free(allowed);
	return real(filter, action, call, count, conditions);
}

/* Runs the attacks after the last step of rights_filter(). */
EXPORTED int seccomp_load(const scmp_filter_ctx filter)
{
	int (*real)(scmp_filter_ctx);
	enum kind kinds[MAX_FD];

	*(void **)&real = dlsym(RTLD_NEXT, "seccomp_load");
	for (int fd = 0; fd < MAX_FD; fd++)
		kinds[fd] = kind_of(fd);
	prctl(PR_GET_NAME, name);
	list_descriptors();
	const int rc = real(filter);
	if (report < 0)
		return rc;
	for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++)
		tell(attempts[i].name, attempts[i].try());
	attack_registers(kinds);
	attack_events(kinds);
	find_all_reach(kinds);
	dprintf(report, "%s: tried all\n", name);
	return rc;
}

/* Makes the kernel answer as one before 5.13. */
static void take_landlock_away(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {sizeof(code) / sizeof(code[0]), code};

	/* needed by users without CAP_SYS_ADMIN */
	prctl(PR_SET_NO_NEW_PRIVS, geteuid() != 0, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		abort();
}

__attribute__((constructor)) static void prepare(void)
{
	const char *file = getenv("CXLMON_ATTACK"), *found = getenv("CXLMON_VICTIM");

	if (!file || !found)
		return;
	if (getenv("CXLMON_NO_LANDLOCK"))
		take_landlock_away();
	snprintf(victim, sizeof(victim), "%s", found);
	snprintf(beside, sizeof(beside), "%s.new", victim);
	report = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}
