/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-remote --sim=SPEC COMMAND [ARG]...
 *
 * Runs COMMAND, which is qemu with `-device x-pci-proxy-dev,fd=3`, and is the process behind this
 * device: each access of the guest to its BARs is one to a simulated processor (device.h). So
 * registers behave as the simulator's, and count its traffic. Ends with the status of COMMAND.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "device.h"
#include "link.h"
#include "memory.h"
#include "pci/config.h"
#include "tests/registers.h"
#include "tests/sim/faults.h"
#include "tests/sim/pcm_functions.h"

#define DEVICE_FD     3
#define HEADER_BYTES  64 /* bytes of configuration space, which has nothing more */
#define COMMAND_DWORD 0x04
#define SUBSYSTEM     0x2C
#define NO_CLASS      UINT32_C(0xFF000000) /* a class that is not defined */

struct remote {
	struct platform *platform;
	struct memory *memory;
	struct config *config;
	bool msr_failed; /* the last access to an MSR has failed */
	uint64_t sizes[DEVICE_BARS];
	uint32_t header[HEADER_BYTES / 4]; /* header of the function that the guest sees */
};

static uint64_t cpu_count(const struct remote *r)
{
	const struct sim_spec *spec = &sim_of(r->platform)->spec;

	return (uint64_t)spec->sockets * spec->cpus;
}

static uint64_t bar_address(const struct remote *r, unsigned bar)
{
	return r->header[PCI_BAR0 / 4 + bar] & ~UINT32_C(0xf);
}

static uint64_t read_header(const struct remote *r, uint64_t offset, unsigned bytes)
{
	uint32_t value = 0;

	if (offset + bytes <= HEADER_BYTES)
		memcpy(&value, (const char *)r->header + offset, bytes);
	return value;
}

/* Writes the header. Bits of a BAR within its size stay 0, so that its size can be read. */
static void write_header(struct remote *r, const struct link_message *m)
{
	const unsigned bar = (unsigned)(m->address - PCI_BAR0) / 4;

	if (m->address == COMMAND_DWORD)
		memcpy(&r->header[1], &m->value, m->bytes > 2 ? 2 : m->bytes);
	if (m->address < PCI_BAR0 || m->address % 4 || m->bytes != 4 || bar >= DEVICE_BARS)
		return;
	r->header[PCI_BAR0 / 4 + bar] = (uint32_t)(m->value & ~(r->sizes[bar] - 1));
	if (bar == DEVICE_MEMORY_BAR)
		memory_move(r->memory, bar_address(r, bar));
}

static uint64_t access_msr(struct remote *r, uint64_t offset, bool write, uint64_t value)
{
	struct platform *p = r->platform;
	const unsigned cpu = (unsigned)(offset / DEVICE_CPU_BYTES);
	const uint32_t msr = DEVICE_MSR_FIRST + (uint32_t)(offset % DEVICE_CPU_BYTES / 8);

	if (offset == r->sizes[DEVICE_MSR_BAR] - 8)
		return r->msr_failed;
	if (write)
		r->msr_failed = raw_msr_write(p, cpu, msr, value) != 0;
	else
		r->msr_failed = raw_msr_read(p, cpu, msr, &value) != 0;
	return r->msr_failed ? 0 : value;
}

static uint64_t access_bar(struct remote *r, const struct link_message *m)
{
	const bool write = m->command == LINK_BAR_WRITE;
	unsigned bar = 0;

	while (bar < DEVICE_BARS && (m->address < bar_address(r, bar) ||
				     m->address - bar_address(r, bar) >= r->sizes[bar]))
		bar++;
	const uint64_t offset = bar < DEVICE_BARS ? m->address - bar_address(r, bar) : 0;
	switch (bar) {
	case DEVICE_MEMORY_BAR:
		if (!write)
			return memory_read(r->memory, offset, m->bytes);
		memory_write(r->memory, offset, m->bytes, m->value);
		return 0;
	case DEVICE_CONFIG_BAR:
		if (!write)
			return config_read(r->config, offset, m->bytes);
		config_write(r->config, offset, m->bytes, (uint32_t)m->value);
		return 0;
	case DEVICE_MSR_BAR:
		return access_msr(r, offset, write, m->value);
	case DEVICE_NODE_BAR:
		if (!write)
			return (uint8_t)config_node(r->config, (uint8_t)offset);
		if (offset == DEVICE_PASS)
			sim_pass(sim_of(r->platform), m->value);
		return 0;
	default:
		return UINT64_MAX;
	}
}

/* Answers messages until qemu has gone. */
static void serve(struct remote *r, int fd)
{
	struct link_message m;
	uint64_t value;
	bool there = true;

	while (there && link_receive(fd, &m)) {
		value = 0;
		switch (m.command) {
		case LINK_MEMORY_LAYOUT:
		case LINK_INTERRUPTS:
			continue;
		case LINK_CONFIG_READ:
			value = read_header(r, m.address, m.bytes);
			break;
		case LINK_CONFIG_WRITE:
			write_header(r, &m);
			break;
		case LINK_BAR_READ:
		case LINK_BAR_WRITE:
			value = access_bar(r, &m);
			break;
		default:
			break;
		}
		there = link_answer(fd, value);
	}
}

static uint64_t power_of_two(uint64_t least)
{
	uint64_t power = 1;

	while (power < least)
		power *= 2;
	return power;
}

static void set_up(struct remote *r, const char *spec)
{
	const struct log silent = {.write = NULL};
	struct error why;

	if (platform_sim(spec, &silent, &r->platform, &why))
		errx(2, "%s", why.text);
	sim_add_pcm_functions(sim_of(r->platform));
	guard_disable(&r->platform->guard); /* the guest may write anything */
	r->memory = memory_new(r->platform);
	r->config = config_new(r->platform, r->memory);
	r->sizes[DEVICE_MEMORY_BAR] = memory_size(r->memory);
	r->sizes[DEVICE_CONFIG_BAR] = CONFIG_WINDOW_BYTES;
	r->sizes[DEVICE_MSR_BAR] = power_of_two(cpu_count(r) * DEVICE_CPU_BYTES + 8);
	r->sizes[DEVICE_NODE_BAR] = DEVICE_NODE_BYTES;
	r->header[0] = DEVICE_VENDOR | (uint32_t)DEVICE_ID << 16;
	r->header[2] = NO_CLASS;
	r->header[SUBSYSTEM / 4] = r->header[0];
}

static pid_t start(char **command, int fd, int other)
{
	const pid_t child = fork();

	if (child < 0)
		err(1, "fork");
	if (child)
		return child;
	close(other);
	if (fd == DEVICE_FD ? fcntl(fd, F_SETFD, 0) : dup2(fd, DEVICE_FD) < 0)
		err(127, "descriptor %d", DEVICE_FD);
	execvp(command[0], command);
	err(127, "%s", command[0]);
}

int main(int argc, char **argv)
{
	static const char option[] = "--sim=";
	struct remote r = {.platform = NULL};
	int pair[2], status;

	if (argc < 3 || strncmp(argv[1], option, strlen(option)))
		errx(2, "usage: cxlmon-remote --sim=SPEC COMMAND [ARG]...");
	set_up(&r, argv[1] + strlen(option));
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		err(1, "socketpair");
	const pid_t child = start(argv + 2, pair[1], pair[0]);
	close(pair[1]);
	serve(&r, pair[0]);
	close(pair[0]);
	if (waitpid(child, &status, 0) < 0)
		err(1, "waitpid");
	config_free(r.config);
	memory_free(r.memory);
	platform_destroy(r.platform);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
