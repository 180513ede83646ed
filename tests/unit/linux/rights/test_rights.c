/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/rights/rights.h"

#include <cap-ng.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/perf/perf.h"
#include "linux/rights/rights_writes.h"
#include "linux/run/process.h"
#include "linux/system/linux_platform.h"
#include "output/output_file.h"
#include "platform/guard.h"
#include "platform/perf.h"
#include "platform/reg.h"
#include "process/load_run.h"
#include "unit.h"

static const struct sudo_user sudo_caller = {.known = true, .uid = 4242, .gid = 4343};

#define NOBODY "65534"

/* Returns the use of a monitor that root, or the caller by sudo, has started. */
static struct rights_use use_of(bool with_caller)
{
	struct rights_use use = {.role = RIGHTS_MONITOR};

	if (with_caller)
		use.caller = sudo_caller;
	return use;
}

static int drop(bool with_caller)
{
	const struct rights_use use = use_of(with_caller);

	return rights_drop(&use, &silent_log, NULL);
}

/* State of a child process, for the test to see. */
struct finding {
	char status[4096]; /* /proc/self/status, or a thread's */
	long value;
	int error; /* errno */
};

/* The state, in memory that the test and its child share. */
static struct finding *found;

static void share(void)
{
	found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	ck_assert_ptr_ne(found, MAP_FAILED);
}

static void read_status(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = read(fd, found->status, sizeof(found->status) - 1);

	found->status[got > 0 ? got : 0] = '\0';
	close(fd);
}

/* Calls a function in a child, because dropped privileges cannot be regained. 0: it succeeded. */
static int in_child(void (*what)(int), int argument)
{
	int status;
	pid_t child = fork();

	if (!child) {
		what(argument);
		_exit(0);
	}
	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

static void must(int rc)
{
	if (rc)
		_exit(99);
}

static void assert_line(const char *name, const char *value)
{
	char line[128];

	snprintf(line, sizeof(line), "\n%s:\t%s\n", name, value);
	assert_contains(found->status, line);
}

static void drop_and_look(int with_caller)
{
	struct rlimit core;

	/* a user namespace may forbid it */
	if (!geteuid())
		setgroups(1, &(const gid_t){4343});
	must(drop(with_caller));
	must(prctl(PR_GET_KEEPCAPS));
	must(getrlimit(RLIMIT_CORE, &core) || core.rlim_max);
	read_status("/proc/self/status");
	found->value = prctl(PR_GET_DUMPABLE);
}

static const char *const capability_sets[] = {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"};

TREE_FIXTURE(share, NULL)

TEST(test_no_capability_is_left_and_no_program_can_give_new_ones)
{
	/* the bounding set stays as it is for a process that may not change it */
	const size_t sets = geteuid() ? 3 : COUNT_OF(capability_sets);

	ck_assert_int_eq(in_child(drop_and_look, false), 0);
	for (size_t i = 0; i < sets; i++)
		assert_line(capability_sets[i], "0000000000000000");
	assert_line("NoNewPrivs", "1");
}

TEST(test_nobody_looks_into_its_memory)
{
	if (!rights_can_filter()) /* a sanitizer must be able to */
		return;
	ck_assert_int_eq(in_child(drop_and_look, false), 0);
	ck_assert_int_eq(found->value, 0);
}

ROOT_TEST(test_root_becomes_nobody_without_groups_and_by_sudo_the_caller)
{
	ck_assert_int_eq(in_child(drop_and_look, false), 0);
	assert_line("Groups", " ");
	assert_line("Uid", NOBODY "\t" NOBODY "\t" NOBODY "\t" NOBODY);
	assert_line("Gid", NOBODY "\t" NOBODY "\t" NOBODY "\t" NOBODY);
	ck_assert_int_eq(in_child(drop_and_look, true), 0);
	assert_line("Uid", "4242\t4242\t4242\t4242");
	assert_line("Gid", "4343\t4343\t4343\t4343");
}

static void drop_without_setuid(int unused)
{
	(void)unused;
	must(capng_get_caps_process());
	must(capng_update(CAPNG_DROP, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_SETUID));
	must(capng_apply(CAPNG_SELECT_CAPS));
	drop_and_look(false);
}

/* In a container the run goes on, and has no capabilities either. */
ROOT_TEST(test_who_may_not_change_the_user_stays_root_without_capabilities)
{
	ck_assert_int_eq(in_child(drop_without_setuid, 0), 0);
	assert_line("Uid", "0\t0\t0\t0");
	assert_line("CapPrm", "0000000000000000");
}

/* Drops privileges with ambient capabilities, which programs that it starts would also have. */
static void drop_as_the_service(int unused)
{
	static const unsigned capabilities[] = {CAP_SYS_RAWIO, CAP_SYS_ADMIN, CAP_DAC_OVERRIDE};

	(void)unused;
	must(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0));
	must(setresgid(4343, 4343, 4343) || setresuid(4242, 4242, 4242));
	capng_clear(CAPNG_SELECT_CAPS);
	for (size_t i = 0; i < COUNT_OF(capabilities); i++)
		must(capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED | CAPNG_INHERITABLE,
				  capabilities[i]));
	must(capng_apply(CAPNG_SELECT_CAPS));
	for (size_t i = 0; i < COUNT_OF(capabilities); i++)
		must(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capabilities[i], 0, 0));
	/* as before the change of the user */
	must(prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 1));
	drop_and_look(false);
}

ROOT_TEST(test_a_service_that_is_no_root_keeps_its_user_and_no_capability)
{
	ck_assert_int_eq(in_child(drop_as_the_service, 0), 0);
	assert_line("Uid", "4242\t4242\t4242\t4242");
	for (size_t i = 0; i < COUNT_OF(capability_sets); i++)
		if (strcmp(capability_sets[i], "CapBnd") != 0) /* CAP_SETPCAP would empty it */
			assert_line(capability_sets[i], "0000000000000000");
	assert_line("NoNewPrivs", "1");
	if (rights_can_filter()) /* a sanitizer must be able to look into it */
		ck_assert_int_eq(found->value, 0);
}

static char logs[PATH_MAX];

static void keep_a_file(struct rights_use use)
{
	const int status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

	use.role = RIGHTS_FILE;
	use.directory = open(logs, O_PATH | O_DIRECTORY | O_CLOEXEC);
	must(use.directory < 0 || status < 0);
	must(rights_drop(&use, &silent_log, NULL));
	must(read(status, found->status, sizeof(found->status) - 1) <= 0);
	found->value = open("/../../../../../../etc/passwd", O_RDONLY);
	found->error = errno;
}

static void drop_to_keep_a_file(int with_caller)
{
	keep_a_file(use_of(with_caller));
}

static void drop_to_keep_a_file_as_the_caller(int unused)
{
	struct rights_use use = use_of(true);

	(void)unused;
	use.never_root = true;
	keep_a_file(use);
}

/* The process cannot leave the directory, even without Landlock. */
ROOT_TEST(test_who_keeps_a_file_stays_root_for_files_where_they_are_not_the_users)
{
	tree_directory("logs");
	strcpy(logs, tree_path("logs"));
	ck_assert_int_eq(in_child(drop_to_keep_a_file, false), 0);
	assert_line("Uid", NOBODY "\t" NOBODY "\t" NOBODY "\t0");
	assert_line("Gid", NOBODY "\t" NOBODY "\t" NOBODY "\t0");
	assert_line("CapPrm", "0000000000000000");
	assert_line("CapEff", "0000000000000000");
	ck_assert_int_eq(found->value, -1);
	ck_assert_int_eq(found->error, ENOENT);
	ck_assert_int_eq(in_child(drop_to_keep_a_file_as_the_caller, 0), 0);
	assert_line("Uid", "4242\t4242\t4242\t4242");
	ck_assert_int_eq(found->error, ENOENT);
	ck_assert_int_eq(chown(logs, 4242, 4343), 0);
	ck_assert_int_eq(in_child(drop_to_keep_a_file, true), 0);
	assert_line("Uid", "4242\t4242\t4242\t4242");
	ck_assert_int_eq(found->error, ENOENT);
}

static void drop_to_open(int unused)
{
	const struct rights_use use = {.role = RIGHTS_OPENER};

	(void)unused;
	must(rights_drop(&use, &silent_log, NULL));
	read_status("/proc/self/status");
}

/* CAP_SYS_PTRACE is bit 19, CAP_CHECKPOINT_RESTORE bit 40: linux/capability.h. */
TEST(test_who_opens_files_of_processes_keeps_two_capabilities)
{
	if (geteuid() || !linux_permitted(CAP_SYS_PTRACE) ||
	    !linux_permitted(CAP_CHECKPOINT_RESTORE))
		return;
	ck_assert_int_eq(in_child(drop_to_open, 0), 0);
	assert_line("Uid", NOBODY "\t" NOBODY "\t" NOBODY "\t" NOBODY);
	assert_line("CapPrm", "0000010000080000");
	assert_line("CapEff", "0000010000080000");
	assert_line("CapBnd", "0000000000000000");
}

/* Runs a helper that has stopped to answer. It holds the only other end of *alive. */
__attribute__((noreturn)) static void hang(int alive, bool stopped)
{
	const struct rights_use use = {.role = RIGHTS_SYMBOLS};
	const pid_t self = getpid();

	must(!helper_begin("hanging", &alive, 1));
	must(rights_give_up(&use, NULL));
	must(write(STDIN_FILENO, &self, sizeof(self)) != sizeof(self));
	if (stopped)
		raise(SIGSTOP);
	for (;;)
		sched_yield();
}

TEST_LOOP(test_a_helper_that_is_busy_or_stopped_ends_with_its_run, 2)
{
	struct pollfd ended = {.events = POLLIN};
	int ends[2], status;
	pid_t helper;

	ck_assert_int_eq(pipe(ends), 0);
	const pid_t run = fork();
	if (!run) {
		if (!fork())
			hang(ends[1], _i);
		pause();
		_exit(1);
	}
	close(ends[1]);
	ck_assert_int_eq(read(ends[0], &helper, sizeof(helper)), sizeof(helper));
	ck_assert_int_eq(kill(run, SIGKILL), 0);
	ck_assert_int_eq(waitpid(run, &status, 0), run);
	ended.fd = ends[0];
	const int ready = poll(&ended, 1, 20000);
	if (!ready)
		kill(helper, SIGKILL);
	ck_assert_int_eq(ready, 1);
	close(ends[0]);
}

TEST(test_a_helper_does_not_begin_after_its_run_has_ended)
{
	ck_assert(helper_end_with(getppid()));
	ck_assert(!helper_end_with(getpid()));
	ck_assert_int_eq(prctl(PR_SET_PDEATHSIG, 0), 0);
}

/* Sends SIGKILL to a COMMAND of root's, or of the caller's. */
static void kill_command(int of_caller)
{
	struct rights_use use = use_of(of_caller);
	int ends[2];
	char byte;

	must(pipe(ends));
	pid_t child = fork();
	if (!child) {
		if (of_caller)
			must(sudo_user_become(&sudo_caller));
		must(write(ends[1], "x", 1) != 1);
		pause();
	}
	must(read(ends[0], &byte, 1) != 1);
	use.child = child;
	use.child_is_root = !of_caller;
	must(rights_drop(&use, &silent_log, NULL));
	read_status("/proc/self/status");
	found->value = kill(child, SIGKILL);
	if (!found->value)
		waitpid(child, NULL, 0);
}

ROOT_TEST(test_command_can_still_be_ended)
{
	ck_assert_int_eq(in_child(kill_command, true), 0);
	ck_assert_int_eq(found->value, 0);
	assert_line("CapEff", "0000000000000000");
	ck_assert_int_eq(in_child(kill_command, false), 0);
	ck_assert_int_eq(found->value, 0);
	assert_line("CapEff", "0000000000000020"); /* CAP_KILL: the filter limits it to COMMAND */
	assert_line("Uid", NOBODY "\t" NOBODY "\t" NOBODY "\t" NOBODY);
}

/* Traces the process as a debugger of the caller would. */
static void trace_as_caller(int unused)
{
	int ends[2], status;
	char byte;

	(void)unused;
	must(pipe(ends));
	pid_t monitor = fork();
	if (!monitor) {
		must(drop(true));
		must(write(ends[1], "x", 1) != 1);
		pause();
	}
	must(read(ends[0], &byte, 1) != 1);
	pid_t tracer = fork();
	if (!tracer) {
		char path[64];

		must(sudo_user_become(&sudo_caller));
		snprintf(path, sizeof(path), "/proc/%d/mem", monitor);
		_exit(open(path, O_RDONLY) >= 0);
	}
	must(waitpid(tracer, &status, 0) != tracer);
	found->value = status;
	kill(monitor, SIGKILL);
	waitpid(monitor, NULL, 0);
}

TEST(test_the_caller_can_not_look_into_it)
{
	if (geteuid() || !rights_can_filter())
		return;
	ck_assert_int_eq(in_child(trace_as_caller, 0), 0);
	ck_assert_int_eq(found->value, 0);
}

static void rehearse_and_look(int unused)
{
	(void)unused;
	must(rights_drop_rawio(NULL));
	found->value = linux_capable(CAP_SYS_RAWIO);
	read_status("/proc/self/status");
}

/* CAP_SYS_RAWIO is bit 17: linux/capability.h. */
ROOT_TEST(test_registers_are_programmed_without_the_right_that_is_dropped_later)
{
	const char *line;

	ck_assert_int_eq(in_child(rehearse_and_look, 0), 0);
	line = strstr(found->status, "CapEff:\t");
	ck_assert_ptr_nonnull(line);
	ck_assert_uint_eq(strtoull(line + 8, NULL, 16) >> 17 & 1, 0);
	ck_assert_int_eq(found->value, false);
	/* capabilities to start COMMAND remain: CAP_SETGID and CAP_SETUID */
	ck_assert_uint_eq(strtoull(line + 8, NULL, 16) >> 6 & 3, 3);
}

/* The filter. */

static void filter_for(const struct rights_use *use)
{
	must(rights_drop(use, &silent_log, NULL));
	must(rights_filter(use, &silent_log, NULL));
}

static void filter_role(enum rights_role role)
{
	const struct rights_use use = {.role = role};

	filter_for(&use);
}

static void filter(void)
{
	filter_role(RIGHTS_MONITOR);
}

static char path[PATH_MAX]; /* file "file" in the test's directory */

/* Returns the place of the file. */
static struct file_place place(void)
{
	struct file_place file = {.name = "file"};
	char directory[PATH_MAX];

	snprintf(directory, sizeof(directory), "%.*s", (int)(strlen(path) - strlen("/file")), path);
	file.directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	must(file.directory < 0);
	return file;
}

#define PARENT	 (-12345) /* stands for the parent's process id */
#define A(value) (const void *)(intptr_t)(value)

/* Calls with their arguments. */
static const struct {
	long number;
	const void *arguments[6];
} forbidden[] = {
	{SYS_clone, {A(SIGCHLD)}},
	{SYS_openat, {A(AT_FDCWD), path, A(O_WRONLY)}},
	{SYS_openat, {A(AT_FDCWD), path, A(O_RDWR)}},
	{SYS_openat, {A(AT_FDCWD), "/tmp/cxlmon-never-created", A(O_RDONLY | O_CREAT), A(0600)}},
	{SYS_openat, {A(AT_FDCWD), path, A(O_RDONLY | O_TRUNC)}},
	{SYS_execve, {"/bin/true", (char *const[]){NULL}}},
	{SYS_socket, {A(AF_UNIX), A(SOCK_STREAM)}},
	{SYS_mmap,
	 {NULL, A(4096), A(PROT_READ | PROT_EXEC), A(MAP_PRIVATE | MAP_ANONYMOUS), A(-1)}},
	{SYS_fchmodat, {A(AT_FDCWD), path, A(0777)}},
	{SYS_kill, {A(PARENT)}},
	{SYS_kill, {A(0)}}, /* the process group */
	{SYS_kill, {A(-1)}},
	{SYS_tgkill, {A(1), A(1)}},
	{SYS_ptrace},
	{SYS_ioctl, {A(STDIN_FILENO), A(TIOCSTI), "x"}}, /* types into the terminal */
	{SYS_setuid},
	{SYS_sched_setaffinity, {A(0), A(sizeof(cpu_set_t)), &(const cpu_set_t){{1}}}},
	{SYS_prctl, {A(PR_SET_DUMPABLE), A(1)}},
};

static long call_forbidden(int which)
{
	const void *const *a = forbidden[which].arguments;

	return syscall(forbidden[which].number, a[0] == A(PARENT) ? A(getppid()) : a[0], a[1], a[2],
		       a[3], a[4], a[5]);
}

static void try_forbidden(int which)
{
	filter_role(which < COUNT(forbidden) ? RIGHTS_MONITOR : RIGHTS_HTTP);
	errno = 0;
	found->value = call_forbidden(which % COUNT(forbidden));
	found->error = errno;
}

TEST_LOOP(test_what_is_not_needed_is_refused_and_kills_nobody, 2 * COUNT(forbidden))
{
	if (!rights_can_filter())
		return;
	tree_file("file", "text");
	strcpy(path, tree_path("file"));
	ck_assert_int_eq(in_child(try_forbidden, _i), 0);
	ck_assert_int_eq(found->value, -1);
	ck_assert_int_eq(found->error, EPERM);
}

#ifdef __x86_64__
/* Makes a call by the number of another ABI, which ends the process. */
static void call_by_number_of(int i386)
{
	long result = i386 ? 20 : SYS_getpid | 0x40000000; /* getpid() of i386, and of x32 */

	filter();
	if (i386)
		__asm__ volatile("int $0x80" : "+a"(result) : : "memory");
	else
		__asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
}

TEST(test_calls_of_another_abi_are_refused)
{
	if (!rights_can_filter())
		return;
	ck_assert(WIFSIGNALED(in_child(call_by_number_of, true)));
	ck_assert(WIFSIGNALED(in_child(call_by_number_of, false)));
}
#endif

/* Makes allowed calls, as rootfs_line(), a sink and the journal do. */
static void use_what_is_allowed(int fd)
{
	char text[8] = "";
	struct stat st;
	const struct timespec soon = {.tv_nsec = 1};
	int file;

	filter();
	file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	must(file < 0 || read(file, text, sizeof(text) - 1) != sizeof(text) - 1);
	must(fstat(file, &st) || lseek(file, 0, SEEK_SET) || close(file));
	must(write(fd, "TEXT", 4) != 4 || pread(fd, text, 4, 0) != 4 || fsync(fd));
	must(ftruncate(fd, 2) || fdatasync(fd) || fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 4096));
	must(flock(fd, LOCK_EX | LOCK_NB) || flock(fd, LOCK_UN));
	must(nanosleep(&soon, NULL));
	free(malloc(1 << 20));
	must(isatty(fd) || errno != ENOTTY);
	must(raise(0));
}

static void keep_file_as(enum rights_role role, struct file_place *file)
{
	*file = place();
	const struct rights_use use = {.role = role, .directory = file->directory};

	must(rights_drop(&use, &silent_log, NULL));
	must(rights_restrict_files(&use, &silent_log, NULL));
	must(rights_filter(&use, &silent_log, NULL));
}

/* Opens the file again, and a new one. */
static void open_files_again(int role)
{
	const struct sudo_user nobody = {.known = false};
	struct file_place file;

	keep_file_as((enum rights_role)role, &file);
	int fd = output_open_again(&file, "", &nobody, &(struct error){0});
	must(fd < 0);
	must(write(fd, "text", 4) != 4 || close(fd));
	strcpy(file.name, "other");
	must(output_open_again(&file, "", &nobody, &(struct error){0}) < 0);
	if (!rights_can_filter())
		return;
	errno = 0;
	must(!openat(file.directory, "third", O_WRONLY | O_CREAT, 0600) || errno != EPERM);
}

TEST(test_a_file_that_was_renamed_may_be_opened_again)
{
	tree_file("file", "text");
	strcpy(path, tree_path("file"));
	/* else the result depends on the user and on Landlock */
	if (!rights_can_filter())
		return;
	ck_assert_int_eq(in_child(open_files_again, RIGHTS_MONITOR), 99 << 8);
	ck_assert_int_eq(in_child(open_files_again, RIGHTS_FILE), 0);
}

static void replace_files(int role)
{
	struct file_place file;

	keep_file_as((enum rights_role)role, &file);
	must(replace_file(&file, "text", 4));
}

TEST(test_what_ends_a_run_is_allowed)
{
	tree_file("file", "text");
	strcpy(path, tree_path("file"));
	int fd = open(path, O_RDWR | O_CLOEXEC);

	ck_assert_int_eq(in_child(use_what_is_allowed, fd), 0);
	close(fd);
	ck_assert_int_eq(chmod(path, 0604), 0);
	ck_assert_int_eq(in_child(replace_files, RIGHTS_FILE), 0);
	strcpy(path, tree_path("file"));
	if (rights_can_filter())
		ck_assert_int_eq(in_child(replace_files, RIGHTS_MONITOR), 99 << 8);
}

/* Files with registers: MSRs on two CPUs, a PCI function; and another file. */
enum { MSR_FILES = 2, PCI_FILE = MSR_FILES, OTHER_FILE, FILE_COUNT };

static int files[FILE_COUNT];

static int list_files(struct platform *p, struct register_file **out, size_t *count)
{
	(void)p;
	*out = calloc(OTHER_FILE, sizeof(**out));
	*count = OTHER_FILE;
	for (size_t i = 0; i < OTHER_FILE; i++)
		(*out)[i] = (struct register_file){.fd = files[i],
						   .space = i < MSR_FILES ? REG_MSR : REG_PCI};
	return 0;
}

static const struct {
	int file;
	uint64_t offset;
	size_t length;
	bool allowed;
} register_writes[] = {
	{0, 0x186, 8, true},
	{MSR_FILES - 1, 0x187, 8, true},
	{MSR_FILES - 1, 0x2ff0, 8, true},
	{0, 0x185, 8, false},
	{0, 0x188, 8, false},
	{0, 0x1a0, 8, false},	    /* IA32_MISC_ENABLE */
	{0, 0x10, 8, false},	    /* a rule that allows no bit */
	{0, 0x100000186, 8, false}, /* the driver would take the lower half */
	{0, 0x440, 4, false},	    /* a register of the PCI function */
	{0, 0x186, 0, false},
	{0, 0x186, 4, false},
	{0, 0x186, 7, false},
	{0, 0x186, 9, false},
	{0, 0x186, 16, false}, /* the driver writes the register twice */
	{0, 0x186, UINT64_C(0x100000008), false},
	{PCI_FILE, 0x438, 4, true},
	{PCI_FILE, 0x43c, 4, true},
	{PCI_FILE, 0x440, 4, true}, /* the next rule, which is adjacent */
	{PCI_FILE, 0x444, 4, true}, /* the last dword of the next rule */
	{PCI_FILE, 0x434, 4, false},
	{PCI_FILE, 0x448, 4, false},
	{PCI_FILE, 0x437, 4, false},
	{PCI_FILE, 0x439, 4, false},
	{PCI_FILE, 0x43a, 4, false},
	{PCI_FILE, 0x445, 4, false}, /* its end is beyond */
	{PCI_FILE, 0x447, 4, false},
	{PCI_FILE, 0x450, 4, false}, /* a rule that ends within the dword */
	{PCI_FILE, 0x438, 0, false},
	{PCI_FILE, 0x438, 1, false},
	{PCI_FILE, 0x438, 2, false},
	{PCI_FILE, 0x438, 3, false},
	{PCI_FILE, 0x438, 5, false},
	{PCI_FILE, 0x438, 8, false},
	{PCI_FILE, 0x438, 716, false},
	{PCI_FILE, 0x438, UINT64_C(0x100000004), false},
	{PCI_FILE, 0x100000438, 4, false},
	{PCI_FILE, 0x186, 4, false},
	{OTHER_FILE, 0x186, 8, false},
};

static const struct guard_rule register_rules[] = {
	{.space = REG_MSR, .first = 0x10, .last = 0x10},
	{.space = REG_MSR, .first = 0x186, .last = 0x186, .mask = 1},
	{.space = REG_MSR, .first = 0x187, .last = 0x187, .mask = 1},
	{.space = REG_MSR, .first = 0x2ff0, .last = 0x2ff0, .mask = 1},
	{.space = REG_PCI, .first = 0x438, .last = 0x43f, .mask = 1},
	{.space = REG_PCI, .first = 0x440, .last = 0x447, .mask = 1},
	{.space = REG_PCI, .first = 0x450, .last = 0x452, .mask = 1},
};

static void filter_registers(void)
{
	static const struct register_ops listed_registers = {
		.files = list_files,
	};

	static const struct platform_ops ops = {
		.registers = &listed_registers,
	};
	static struct platform platform = {.ops = &ops};
	const struct rights_use use = {.role = RIGHTS_MONITOR, .platform = &platform};

	for (size_t i = 0; i < COUNT_OF(register_rules); i++)
		must(guard_allow(&platform.guard, &register_rules[i]));
	for (size_t i = 0; i < FILE_COUNT; i++)
		files[i] = memfd_create("registers", MFD_CLOEXEC);
	filter_for(&use);
}

static void write_register(int which)
{
	static const char bytes[1024];
	const size_t length = register_writes[which].length;

	filter_registers();
	/* a length beyond the buffer only reaches the filter */
	found->value =
		pwrite(files[register_writes[which].file], length > sizeof(bytes) ? NULL : bytes,
		       length, (off_t)register_writes[which].offset);
	found->error = errno;
}

TEST_LOOP(test_only_registers_that_the_guard_allows_can_be_written, COUNT_OF(register_writes))
{
	if (!rights_can_filter())
		return;
	ck_assert_int_eq(in_child(write_register, _i), 0);
	ck_assert_int_eq(found->value,
			 register_writes[_i].allowed ? (long)register_writes[_i].length : -1);
	if (!register_writes[_i].allowed)
		ck_assert_int_eq(found->error, EPERM);
}

/* Writes by write(), for which the driver uses the file's position. */
static void write_at_position(int file)
{
	struct iovec one = {.iov_base = "12345678", .iov_len = 8};
	const int fd = (filter_registers(), files[file]);

	found->value = lseek(fd, 0x1a0, SEEK_SET) >= 0;
	found->value += write(fd, one.iov_base, 8) >= 0;
	found->value += writev(fd, &one, 1) >= 0;
	found->value += pwritev(fd, &one, 1, 0x1a0) >= 0;
	found->value += dup(fd) >= 0;
	found->value += mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED;
	found->error = errno;
}

TEST(test_registers_can_be_written_by_no_other_call)
{
	if (!rights_can_filter())
		return;
	for (int file = 0; file < OTHER_FILE; file++) {
		ck_assert_int_eq(in_child(write_at_position, file), 0);
		ck_assert_int_eq(found->value, 0);
		ck_assert_int_eq(found->error, EPERM);
	}
}

/* Perf events: two of the run, and one of another program. */
enum { OWN_EVENTS = 2, STRANGER = OWN_EVENTS, EVENT_COUNT };

static int events[EVENT_COUNT];

static struct linux_platform this_machine = {.root = (char *)"/"};

static int open_clock(int leader)
{
	const struct perf_event clock = {
		.type = PERF_TYPE_SOFTWARE, .config = {PERF_COUNT_SW_CPU_CLOCK}, .leader = leader};

	return linux_perf_open(&this_machine.base, &clock);
}

static bool can_open_events(const char *test)
{
	const int event = open_clock(-1);

	if (event >= 0)
		close(event);
	else
		fprintf(stderr, "%s: skipped: %s\n", test, strerror(-event));
	return event >= 0;
}

static void open_events(void)
{
	events[0] = close_at_end(open_clock(-1));
	must(events[0] < 0);
	events[1] = close_at_end(open_clock(events[0]));
	events[STRANGER] = close_at_end(open_clock(-1));
	must(events[1] < 0 || events[STRANGER] < 0);
}

/*
 * Becomes a user to whom an administrator gave CAP_PERFMON, by a file's capability or an ambient
 * one.
 */
static void become_perfmon(bool ambient)
{
	must(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0));
	must(setresuid(4242, 4242, 4242));
	capng_clear(CAPNG_SELECT_CAPS);
	must(capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_PERFMON));
	if (ambient)
		must(capng_update(CAPNG_ADD, CAPNG_INHERITABLE, CAP_PERFMON));
	must(capng_apply(CAPNG_SELECT_CAPS));
	if (ambient)
		must(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_PERFMON, 0, 0));
}

/* Counts as a monitor does through the kernel. */
static void count_with_rights_dropped(void)
{
	const struct rights_use use = {.role = RIGHTS_MONITOR,
				       .root = "/",
				       .perf_events = events,
				       .perf_event_count = OWN_EVENTS};
	struct perf_reading reading;

	open_events();
	must(rights_drop_rawio(NULL));
	must(rights_drop(&use, &silent_log, NULL));
	read_status("/proc/self/status");
	must(rights_restrict_files(&use, &silent_log, NULL));
	must(rights_filter(&use, &silent_log, NULL));
	must(linux_perf_enable(&this_machine.base, events[0], true));
	must(linux_perf_read(&this_machine.base, events[0], &reading));
	must(linux_perf_enable(&this_machine.base, events[0], false));
	must(reading.count != 2 || !reading.enabled_ns);
	must(linux_perf_read(&this_machine.base, events[STRANGER], &reading));
	linux_perf_close(&this_machine.base, events[0]);
}

static void count_as_root(int unused)
{
	(void)unused;
	count_with_rights_dropped();
}

static void count_as_perfmon(int ambient)
{
	become_perfmon(ambient);
	count_with_rights_dropped();
}

TEST(test_perf_events_count_on_without_any_right)
{
	if (!can_open_events(__func__))
		return;
	ck_assert_int_eq(in_child(count_as_root, 0), 0);
	assert_line("CapPrm", "0000000000000000");
	assert_line("CapEff", "0000000000000000");
}

TEST(test_perf_events_count_for_a_user_with_cap_perfmon_alone)
{
	if (geteuid() || !can_open_events(__func__))
		return;
	for (int ambient = 0; ambient <= 1; ambient++) {
		ck_assert_int_eq(in_child(count_as_perfmon, ambient), 0);
		assert_line("Uid", "4242\t4242\t4242\t4242");
		for (size_t i = 0; i < COUNT_OF(capability_sets); i++)
			if (strcmp(capability_sets[i], "CapBnd"))
				assert_line(capability_sets[i], "0000000000000000");
	}
}

static const struct {
	int event;
	unsigned long request;
	bool allowed;
} event_requests[] = {
	{0, PERF_EVENT_IOC_ENABLE, true},
	{0, PERF_EVENT_IOC_DISABLE, true},
	{1, PERF_EVENT_IOC_ENABLE, true},
	{0, PERF_EVENT_IOC_RESET, false},
	{0, PERF_EVENT_IOC_REFRESH, false},
	{0, PERF_EVENT_IOC_PERIOD, false},
	{0, PERF_EVENT_IOC_SET_OUTPUT, false},
	{0, PERF_EVENT_IOC_SET_BPF, false},
	{0, PERF_EVENT_IOC_ID, false},
	{STRANGER, PERF_EVENT_IOC_ENABLE, false},
	{STRANGER, PERF_EVENT_IOC_DISABLE, false},
};

static void request_event(int which)
{
	const int own[] = {-1, events[1], events[0],
			   -1}; /* in any order; some could not be opened */
	const struct rights_use use = {
		.role = RIGHTS_MONITOR, .perf_events = own, .perf_event_count = COUNT_OF(own)};

	filter_for(&use);
	found->value = ioctl(events[event_requests[which].event], event_requests[which].request, 0);
	found->error = errno;
}

TEST_LOOP(test_only_perf_events_of_the_run_are_started_and_stopped, COUNT_OF(event_requests))
{
	if (!rights_can_filter() || !can_open_events(__func__))
		return;
	open_events();
	ck_assert_int_eq(in_child(request_event, _i), 0);
	ck_assert_int_eq(found->value, event_requests[_i].allowed ? 0 : -1);
	if (!event_requests[_i].allowed)
		ck_assert_int_eq(found->error, EPERM);
}

/* Requests a period of an event that has none: EINVAL shows that the filter let the call pass. */
static void request_period(int event)
{
	const struct rights_use use = {.role = RIGHTS_MONITOR,
				       .perf_events = events,
				       .perf_event_count = 2,
				       .samples = true};
	uint64_t period = 1000;

	filter_for(&use);
	found->value = ioctl(events[event], PERF_EVENT_IOC_PERIOD, &period);
	found->error = errno;
}

TEST(test_only_sampled_events_of_the_run_get_another_period)
{
	if (!rights_can_filter() || !can_open_events(__func__))
		return;
	open_events();
	ck_assert_int_eq(in_child(request_period, 0), 0);
	ck_assert_int_eq(found->error, EINVAL);
	ck_assert_int_eq(in_child(request_period, STRANGER), 0);
	ck_assert_int_eq(found->error, EPERM);
}

static void request_without_events(int unused)
{
	(void)unused;
	filter();
	found->value = !ioctl(events[0], PERF_EVENT_IOC_ENABLE, 0);
	found->value += !ioctl(events[0], PERF_EVENT_IOC_DISABLE, 0);
	found->value += open_clock(-1) >= 0;
	found->error = errno;
}

TEST(test_a_run_without_perf_events_can_not_open_or_start_any)
{
	if (!rights_can_filter() || !can_open_events(__func__))
		return;
	open_events();
	ck_assert_int_eq(in_child(request_without_events, 0), 0);
	ck_assert_int_eq(found->value, 0);
	ck_assert_int_eq(found->error, EPERM);
}

/* cxlmon-top opens events on request, or before, if it cannot then. */
enum { OPENS_LATER, OPENED_BEFORE, WAYS_TO_SAMPLE };

static struct rights_use use_before_sampling(int way)
{
	return (struct rights_use){.role = RIGHTS_WATCHER,
				   .starts_sampling = true,
				   .opens_events = way == OPENS_LATER};
}

static int try_page_faults(struct sampler **sampler, struct error *err)
{
	const struct load_sampling sampling = {
		.events = {load_run_event(1)}, .event_count = 1, .mappings = MAPPINGS_ALL};

	return linux_sampler_open(&this_machine.base, &sampling, sampler, err);
}

/* Tells if this kernel has the CPUs: a published machine may have more. */
static bool can_sample(const char *test)
{
	struct sampler *sampler;
	struct error why;

	if (try_page_faults(&sampler, &why)) {
		fprintf(stderr, "%s: skipped: %s\n", test, why.text);
		return false;
	}
	sampler->ops->destroy(sampler);
	return true;
}

static struct sampler *open_page_faults(void)
{
	struct sampler *sampler;

	must(try_page_faults(&sampler, NULL));
	return sampler;
}

static void count_own_sample(void *context, const struct sample_record *record)
{
	*(size_t *)context +=
		record->kind == RECORD_SAMPLE && record->sample.pid == (uint32_t)getpid();
}

static void sample_page_faults(int way)
{
	struct rights_use use = use_before_sampling(way);
	struct sampler *sampler = way == OPENED_BEFORE ? open_page_faults() : NULL;
	size_t samples = 0;

	must(rights_give_up(&use, NULL));
	if (!sampler)
		sampler = open_page_faults();
	must(sampler->ops->enable(sampler, true));
	use.perf_events = sampler->handles;
	use.perf_event_count = sampler->handle_count;
	use.samples = true;
	must(rights_begin_sampling(&use, NULL));
	read_status("/proc/self/status");
	*(volatile char *)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0) = 1;
	sampler->ops->read(sampler, count_own_sample, &samples);
	must(!samples);
	must(sampler->ops->set_period(sampler, 0, 2));
	/* sampling can be stopped for a while */
	must(sampler->ops->enable(sampler, false));
	must(sampler->ops->enable(sampler, true));
	found->value = open_clock(-1) >= 0;
	found->value += mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, sampler->handles[0],
			     0) != MAP_FAILED;
	found->error = errno;
}

/* CAP_DAC_READ_SEARCH is bit 2, CAP_SYS_PTRACE bit 19, CAP_PERFMON bit 38: linux/capability.h. */
TEST_LOOP(test_who_samples_opens_no_more_events_and_keeps_two_capabilities, WAYS_TO_SAMPLE)
{
	if (geteuid() || !can_open_events(__func__) || !can_sample(__func__))
		return;
	ck_assert_int_eq(in_child(sample_page_faults, _i), 0);
	assert_line("CapPrm", "0000000000080004");
	assert_line("CapEff", "0000000000080004");
	if (!rights_can_filter())
		return;
	ck_assert_int_eq(found->value, 0);
	ck_assert_int_eq(found->error, EPERM);
}

static void wait_to_be_asked(int way)
{
	const struct rights_use use = use_before_sampling(way);

	must(rights_give_up(&use, NULL));
	read_status("/proc/self/status");
	found->value = open_clock(-1) >= 0;
	found->error = errno;
}

ROOT_TEST(test_who_opens_events_later_keeps_the_capability_for_it)
{
	if (!linux_permitted(CAP_PERFMON))
		return;
	ck_assert_int_eq(in_child(wait_to_be_asked, OPENS_LATER), 0);
	assert_line("Uid", NOBODY "\t" NOBODY "\t" NOBODY "\t" NOBODY);
	assert_line("CapPrm", "0000004000080004");
	assert_line("CapBnd", "0000000000000000");
	ck_assert_int_eq(in_child(wait_to_be_asked, OPENED_BEFORE), 0);
	assert_line("CapPrm", "0000000000080004");
	if (!rights_can_filter())
		return;
	assert_line("NoNewPrivs", "1");
	assert_line("Seccomp", "2");
	ck_assert_int_eq(found->value, 0);
	ck_assert_int_eq(found->error, EPERM);
}

/* Filters more runs of descriptors than the filter has room for: they must be refused. */
static void filter_too_many(int count)
{
	int *apart = calloc((size_t)count, sizeof(*apart));

	must(!apart);
	for (int i = 0; i < count; i++)
		apart[i] = 10 + 2 * i;
	must(drop(false));
	found->value = rights_filter_perf(apart, (size_t)count);
	free(apart);
}

TEST(test_a_filter_takes_many_perf_events)
{
	if (!rights_can_filter())
		return;
	ck_assert_int_eq(in_child(filter_too_many, 1000), 0);
	ck_assert_int_eq(found->value, 0);
	ck_assert_int_eq(in_child(filter_too_many, 2000), 0);
	ck_assert_int_eq(found->value, -E2BIG);
}

/* Landlock. */

static void open_file(int flags)
{
	const struct rights_use use = {.role = RIGHTS_MONITOR};

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	must(rights_restrict_files(&use, &silent_log, NULL));
	found->value = open(path, flags, 0600);
	found->error = errno;
}

TEST(test_landlock_leaves_no_file_to_open)
{
	if (!rights_landlock_version())
		return;
	tree_file("file", "text");
	strcpy(path, tree_path("file"));
	ck_assert_int_eq(in_child(open_file, O_RDONLY), 0);
	ck_assert_int_eq(found->error, EACCES);
	ck_assert_int_eq(in_child(open_file, O_WRONLY), 0);
	ck_assert_int_eq(found->error, EACCES);
	strcat(path, ".new");
	ck_assert_int_eq(in_child(open_file, O_WRONLY | O_CREAT), 0);
	ck_assert_int_eq(found->error, EACCES);
	ck_assert_int_ne(access(path, F_OK), 0);
}

/* Replaces "folder/file", and tries files outside the folder. */
static void replace_in_folder(int unused)
{
	const struct file_place file = place();
	const struct rights_use use = {.role = RIGHTS_FILE, .directory = file.directory};
	char outside[PATH_MAX + 16];

	(void)unused;
	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	must(rights_restrict_files(&use, &silent_log, NULL));
	must(replace_file(&file, "new", 3));
	snprintf(outside, sizeof(outside), "%.*s/../outside", (int)(strlen(path) - 5), path);
	found->value = open(outside, O_RDONLY) >= 0;
	found->value += open(outside, O_WRONLY) >= 0;
	found->value += rename(path, outside) == 0;
	found->value += unlink(outside) == 0;
	found->value += mkdir(path, 0700) == 0;
	strcat(outside, ".new");
	found->value += open(outside, O_WRONLY | O_CREAT, 0600) >= 0;
}

TEST(test_landlock_leaves_the_folder_of_a_file_that_is_kept)
{
	if (!rights_landlock_version())
		return;
	tree_file("folder/file", "text");
	tree_file("outside", "text");
	strcpy(path, tree_path("folder/file"));
	ck_assert_int_eq(in_child(replace_in_folder, 0), 0);
	ck_assert_int_eq(found->value, 0);
}

/* Takes a connection that waits on the listener, if it may. */
static void take_connection(int listener)
{
	filter_role(listener < 0 ? RIGHTS_MONITOR : RIGHTS_HTTP);
	errno = 0;
	const int fd = accept4(abs(listener), NULL, NULL, SOCK_CLOEXEC);
	found->value = fd >= 0 && send(fd, "x", 1, MSG_NOSIGNAL) == 1 && !shutdown(fd, SHUT_WR);
	found->error = errno;
}

TEST(test_connections_are_taken_only_by_who_serves)
{
	const struct sockaddr_un address = {.sun_family = AF_UNIX}; /* the kernel names it */
	struct sockaddr_un name;
	socklen_t size = sizeof(name);
	const int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	if (!rights_can_filter())
		return;
	ck_assert_int_eq(bind(listener, (const struct sockaddr *)&address, sizeof(sa_family_t)), 0);
	ck_assert_int_eq(listen(listener, 2), 0);
	getsockname(listener, (struct sockaddr *)&name, &size);
	const int client = socket(AF_UNIX, SOCK_STREAM, 0);
	ck_assert_int_eq(connect(client, (struct sockaddr *)&name, size), 0);
	ck_assert_int_eq(in_child(take_connection, -listener), 0);
	ck_assert_int_eq(found->value, false);
	ck_assert_int_eq(found->error, EPERM);
	ck_assert_int_eq(in_child(take_connection, listener), 0);
	ck_assert_int_eq(found->value, true);
	close(client);
	close(listener);
}

/* Sends a datagram to an address that the socket is not connected to. */
static void send_to_stranger(int fd)
{
	const struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/stranger"};

	filter_role(RIGHTS_HTTP);
	errno = 0;
	found->value = sendto(fd, "x", 1, 0, (const struct sockaddr *)&address, sizeof(address));
	found->error = errno;
}

TEST(test_who_serves_sends_to_nobody_else)
{
	if (!rights_can_filter())
		return;
	const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	ck_assert_int_eq(in_child(send_to_stranger, fd), 0);
	ck_assert_int_eq(found->error, EPERM);
	close(fd);
}

static void end_command(int unused)
{
	int status = 0;

	(void)unused;
	pid_t child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	const struct rights_use use = {
		.role = RIGHTS_MONITOR, .child = child, .child_is_root = true};
	filter_for(&use);
	found->value = kill(child, SIGKILL);
	must(waitpid(child, &status, 0) != child);
	found->error = status;
}

TEST(test_command_and_no_other_process_gets_signals)
{
	ck_assert_int_eq(in_child(end_command, 0), 0);
	ck_assert_int_eq(found->value, 0);
	ck_assert_int_eq(found->error, SIGKILL);
}

static int thread_pipe[2];

static void *wait_in_thread(void *unused)
{
	char byte;

	(void)unused;
	found->value = gettid();
	must(read(thread_pipe[0], &byte, 1) != 1);
	read_status("/proc/thread-self/status");
	return NULL;
}

static void filter_all_threads(int unused)
{
	pthread_t thread;

	(void)unused;
	must(drop(false));
	must(pipe(thread_pipe));
	must(pthread_create(&thread, NULL, wait_in_thread, NULL));
	const struct rights_use use = use_of(false);
	must(rights_filter(&use, &silent_log, NULL));
	must(write(thread_pipe[1], "x", 1) != 1);
	must(pthread_join(thread, NULL));
}

TEST(test_threads_that_run_already_are_filtered_too)
{
	if (!rights_can_filter())
		return;
	ck_assert_int_eq(in_child(filter_all_threads, 0), 0);
	assert_line("Seccomp", "2");
	assert_line("CapEff", "0000000000000000");
}

/* The caller of sudo. */

static const struct {
	const char *uid, *gid;
	bool known, refused;
} environments[] = {
	{NULL, NULL, false, false},
	{NULL, "1000", false, false},
	{"1000", "1001", true, false},
	{"4294967294", "0", true, false},
	{"0", "0", false, false}, /* root called it */
	{"1000", NULL, false, true},
	{"", "1000", false, true},
	{"1000", "", false, true},
	{" 1000", "1000", false, true},
	{"1000 ", "1000", false, true},
	{"+1000", "1000", false, true},
	{"-1", "1000", false, true},
	{"0x10", "1000", false, true},
	{"root", "root", false, true},
	{"4294967295", "1000", false, true}, /* (uid_t)-1: "leave it as it is" */
	{"4294967296", "1000", false, true}, /* 0, cut to 32 bits */
	{"1000", "4294967296", false, true},
	{"18446744073709551616", "1000", false, true},
	{"1000\n0", "1000", false, true},
};

static void put(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

FIXTURE(share, NULL)

ROOT_TEST_LOOP(test_numbers_of_the_caller_are_taken_strictly, COUNT_OF(environments))
{
	struct sudo_user caller;
	struct error err = {0};

	put("SUDO_UID", environments[_i].uid);
	put("SUDO_GID", environments[_i].gid);
	int rc = sudo_user_find(&caller, &err);
	ck_assert_int_eq(rc, environments[_i].refused ? -EINVAL : 0);
	if (rc) {
		ck_assert_int_eq(err.kind, ERROR_USAGE);
		assert_contains(err.text, "unset SUDO_UID SUDO_GID");
		return;
	}
	ck_assert_int_eq(caller.known, environments[_i].known);
	ck_assert_uint_eq(caller.uid, caller.known ? strtoul(environments[_i].uid, NULL, 10) : 0);
	ck_assert_uint_eq(caller.gid, caller.known ? strtoul(environments[_i].gid, NULL, 10) : 0);
}

static void find_as_user(int unused)
{
	struct sudo_user caller;

	(void)unused;
	must(setresuid(65534, 65534, 65534));
	must(sudo_user_find(&caller, NULL));
	found->value = caller.known;
}

ROOT_TEST(test_who_is_not_root_was_called_by_nobody)
{
	put("SUDO_UID", "hostile");
	ck_assert_int_eq(in_child(find_as_user, 0), 0);
	ck_assert_int_eq(found->value, false);
}

static void become_and_look(int known)
{
	const struct sudo_user caller = {.known = known, .uid = 4242, .gid = 4343};

	must(sudo_user_become(&caller));
	read_status("/proc/self/status");
}

ROOT_TEST(test_a_caller_is_become_for_good_with_the_groups)
{
	ck_assert_int_eq(in_child(become_and_look, true), 0);
	assert_line("Uid", "4242\t4242\t4242\t4242");
	assert_line("Gid", "4343\t4343\t4343\t4343");
	assert_line("Groups", "4343 ");
	assert_line("CapPrm", "0000000000000000");
	ck_assert_int_eq(in_child(become_and_look, false), 0);
	assert_line("Uid", "0\t0\t0\t0");
}
