/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-trap.so, for LD_PRELOAD: makes each access to registers in memory of a published machine
 * (cxlmon-platform --trap) reach the simulator.
 *
 * A program that maps the machine's dev/mem or a resourceN gets inaccessible memory instead. A load
 * or a store there faults. The handler reads or writes the file of the same register below
 * dev/registers (../fusefs.h) at its offset, puts a loaded value into the register of the
 * instruction, and continues after it. So no write is lost, and each thread waits only for its own.
 * Everything else, and any file of a real machine, is mapped as usual.
 *
 * Limitations:
 *   - only the instructions of instruction.h; at any other the process prints its bytes and aborts;
 *   - a mapping is unmapped as a whole;
 *   - a program that handles SIGSEGV itself, after its first mapping, is not served any more;
 *   - an access takes as long as a system call and two process switches do.
 *
 * State is kept in static tables, because a fault brings no context along.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "instruction.h"

#define EXPORTED     __attribute__((visibility("default")))
#define MAX_MAPPINGS 1024
#define FUNCTIONS    "/sys/bus/pci/devices/"
#define MEMORY	     "/dev/mem"
#define REGISTERS    "/dev/registers/"
#define BEING_MADE   ((uintptr_t)1) /* a base below every address */
#define LONGEST_MOVE 15
#define PATH_PARTS   64 /* longest addition to a path */

struct mapping {
	_Atomic uintptr_t base; /* 0: free. Set last, and cleared first */
	size_t length;
	off_t offset; /* offset in the file */
	int fd;
};

static struct mapping mappings[MAX_MAPPINGS];
static struct sigaction before; /* the previous action for other faults */

/*
 * Ends the process with a message, only by system calls, because a signal handler may use nothing
 * else.
 */
__attribute__((noreturn)) static void give_up(const char *why)
{
	(void)!write(STDERR_FILENO, "cxlmon-trap: ", 13);
	(void)!write(STDERR_FILENO, why, strlen(why));
	(void)!write(STDERR_FILENO, "\n", 1);
	abort();
}

__attribute__((noreturn)) static void give_up_on(const uint8_t *code)
{
	static const char digits[] = "0123456789abcdef";
	char text[64 + 3 * LONGEST_MOVE] = "neither a load nor a store that is known:";
	size_t used = strlen(text);

	for (unsigned i = 0; i < LONGEST_MOVE; i++) {
		text[used++] = ' ';
		text[used++] = digits[code[i] >> 4];
		text[used++] = digits[code[i] & 15];
	}
	text[used] = '\0';
	give_up(text);
}

static const struct mapping *find(uintptr_t address)
{
	for (size_t i = 0; i < MAX_MAPPINGS; i++) {
		const uintptr_t base = atomic_load(&mappings[i].base);

		if (base > BEING_MADE && address >= base && address - base < mappings[i].length)
			return &mappings[i];
	}
	return NULL;
}

/* Returns a register by its number in the order of encodings. */
static greg_t *general_register(ucontext_t *context, int number)
{
	static const int places[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
				     REG_RSI, REG_RDI, REG_R8,	REG_R9,	 REG_R10, REG_R11,
				     REG_R12, REG_R13, REG_R14, REG_R15};

	return &context->uc_mcontext.gregs[places[number]];
}

/*
 * Writes at the file's position, because cxlmon's seccomp filter refuses pwrite() on files of this
 * trap.
 */
static ssize_t write_at(int fd, const void *value, unsigned bytes, off_t offset)
{
	static atomic_flag positioned = ATOMIC_FLAG_INIT;
	ssize_t moved;

	while (atomic_flag_test_and_set(&positioned))
		syscall(SYS_sched_yield);
	moved = syscall(SYS_lseek, fd, offset, SEEK_SET);
	if (moved >= 0)
		moved = syscall(SYS_write, fd, value, bytes);
	atomic_flag_clear(&positioned);
	return moved;
}

/*
 * Reads or writes a register. System calls replace pread(), at which a thread may be cancelled.
 * Returns false if the machine has gone.
 */
static bool transfer(bool store, int fd, void *value, unsigned bytes, off_t offset)
{
	ssize_t moved;

	do {
		moved = store ? write_at(fd, value, bytes, offset)
			      : syscall(SYS_pread64, fd, value, bytes, offset);
	} while (moved < 0 && errno == EINTR);
	if (moved == bytes)
		return true;
	if (moved >= 0 || (errno != ENOTCONN && errno != ECONNABORTED))
		give_up("an access to a register failed");
	return false;
}

static void perform(const struct mapping *mapping, uintptr_t address, ucontext_t *context)
{
	greg_t *next = &context->uc_mcontext.gregs[REG_RIP];
	const uint8_t *code = (const uint8_t *)*next;
	const off_t offset = mapping->offset + (off_t)(address - atomic_load(&mapping->base));
	struct instruction move;
	uint64_t value = 0;

	if (!instruction_decode(code, &move))
		give_up_on(code);
	greg_t *reg = move.reg == INSTRUCTION_CONSTANT ? NULL : general_register(context, move.reg);
	if (move.store) {
		value = reg ? (uint64_t)*reg : move.constant;
		transfer(true, mapping->fd, &value, move.bytes, offset);
	} else {
		/* a load returns all ones if the machine has gone */
		if (!transfer(false, mapping->fd, &value, move.bytes, offset))
			value = move.bytes == 8 ? UINT64_MAX : UINT32_MAX;
		*reg = (greg_t)value;
	}
	*next += move.length;
}

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
	const uintptr_t address = (uintptr_t)info->si_addr;
	const struct mapping *mapping = find(address);
	const int saved = errno;

	if (mapping)
		perform(mapping, address, context);
	else /* the instruction faults again, and the previous action handles that */
		sigaction(signal_number, &before, NULL);
	errno = saved;
}

/*
 * Installs the handler, before the first mapping is handed out. It blocks all signals, so that
 * none comes between an access and its result.
 */
static void handle_faults(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, now;

	if (sigaction(SIGSEGV, NULL, &now))
		give_up("no way to handle faults");
	if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault)
		return;
	before = now;
	sigfillset(&action.sa_mask);
	if (sigaction(SIGSEGV, &action, NULL))
		give_up("no way to handle faults");
}

/*
 * Names the twin of a file: ROOT/dev/registers/mem for ROOT/dev/mem, ROOT/dev/registers/F/X for
 * ROOT/sys/bus/pci/devices/F/X. ROOT of a path without one is TRAP_ROOT of the environment: the
 * machine whose files are mounted in the place of this machine's.
 */
static bool find_twin(const char *path, char *twin, size_t size)
{
	const char *function = strstr(path, FUNCTIONS), *mounted = getenv("TRAP_ROOT");
	const size_t length = strlen(path), memory = strlen(MEMORY);
	const bool is_memory = length >= memory && !strcmp(path + length - memory, MEMORY);

	if (!function && !is_memory)
		return false;
	const size_t prefix = function ? (size_t)(function - path) : length - memory;

	return snprintf(twin, size, "%s%.*s" REGISTERS "%s", !prefix && mounted ? mounted : "",
			(int)prefix, path,
			function ? function + strlen(FUNCTIONS) : "mem") < (int)size;
}

/* Opens the file below dev/registers that is the twin of fd's file; -1: it has none. */
static int open_twin(int fd, bool writable)
{
	char name[PATH_PARTS], path[PATH_MAX], twin[PATH_MAX + PATH_PARTS];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	const ssize_t length = readlink(name, path, sizeof(path) - 1);
	if (length < 0)
		return -1;
	path[length] = '\0';
	if (!find_twin(path, twin, sizeof(twin)))
		return -1;
	return open(twin, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
}

static struct mapping *claim(void)
{
	for (size_t i = 0; i < MAX_MAPPINGS; i++) {
		uintptr_t unused = 0;

		if (atomic_compare_exchange_strong(&mappings[i].base, &unused, BEING_MADE))
			return &mappings[i];
	}
	give_up("too many mappings");
}

static void *map_as_ever(void *address, size_t length, int protection, int flags, int fd,
			 off_t offset)
{
	return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

static void *map_registers(size_t length, off_t offset, int twin)
{
	void *base = map_as_ever(NULL, length, PROT_NONE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED) {
		close(twin);
		return base;
	}
	struct mapping *mapping = claim();
	mapping->length = length;
	mapping->offset = offset;
	mapping->fd = twin;
	handle_faults();
	atomic_store(&mapping->base, (uintptr_t)base);
	return base;
}

EXPORTED void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	const int saved = errno;
	const bool registers = fd >= 0 && !address && flags & MAP_SHARED;
	const int twin = registers ? open_twin(fd, protection & PROT_WRITE) : -1;

	if (twin < 0) {
		errno = saved;
		return map_as_ever(address, length, protection, flags, fd, offset);
	}
	return map_registers(length, offset, twin);
}

EXPORTED void *mmap64(void *address, size_t length, int protection, int flags, int fd,
		      off64_t offset) __attribute__((alias("mmap")));

EXPORTED int munmap(void *address, size_t length)
{
	for (size_t i = 0; i < MAX_MAPPINGS; i++) {
		uintptr_t base = (uintptr_t)address;

		if (base <= BEING_MADE ||
		    !atomic_compare_exchange_strong(&mappings[i].base, &base, BEING_MADE))
			continue;
		close(mappings[i].fd);
		atomic_store(&mappings[i].base, 0);
	}
	return (int)syscall(SYS_munmap, address, length);
}

/*
 * Keeps SIGSEGV unblocked: a fault with a blocked signal ends the process, and some threads block
 * all signals.
 */
EXPORTED int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	int (*next)(int, const sigset_t *, sigset_t *);
	sigset_t without;

	*(void **)&next = dlsym(RTLD_NEXT, "pthread_sigmask");
	if (set && how != SIG_UNBLOCK) {
		without = *set;
		sigdelset(&without, SIGSEGV);
		set = &without;
	}
	return next(how, set, old);
}
