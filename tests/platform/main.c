/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-platform --sim=SPEC [--log=FILE] [--trap] DIR
 *
 * Publishes a simulated processor as files below DIR, for cxlmon --root=DIR and, in a mount
 * namespace, for any other program. Prints "ready" when all files exist. Takes faults as lines on
 * standard input (faults.h). On SIGTERM or SIGINT it removes the files. With --trap every write of
 * programs with cxlmon-trap.so loaded reaches the simulator (fusefs.h).
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "faults.h"
#include "fusefs.h"
#include "linux/kernel/clock.h"
#include "loads.h"
#include "mirror.h"
#include "publish.h"
#include "sim/sim.h"
#include "tests/sim/pcm_functions.h"
#include "tests/sim/state.h"
#include "tree.h"

static const char *const published_directories[] = {"dev", "sys", "proc"};

static void refuse_used_directory(const char *root)
{
	for (size_t i = 0; i < 3; i++)
		if (rootfs_exists(root, "%s", published_directories[i]))
			errx(2, "%s/%s is there already: expected an empty directory", root,
			     published_directories[i]);
}

static void remove_files(const char *root)
{
	for (size_t i = 0; i < 3; i++)
		tree_remove(root, published_directories[i]);
}

static int signal_descriptor(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	int fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (fd < 0)
		err(1, "signalfd");
	return fd;
}

/* Carries out every line that has come; returns false at the end of input. */
static bool take_lines(const struct published *machine)
{
	static char line[256]; /* the part of the next line that was read */
	static size_t used;
	ssize_t got = read(STDIN_FILENO, line + used, sizeof(line) - 1 - used);

	if (got <= 0)
		return false;
	used += (size_t)got;
	line[used] = '\0';
	for (char *end; (end = strchr(line, '\n'));) {
		*end = '\0';
		faults_command(machine, line, stdout);
		used -= (size_t)(end + 1 - line);
		memmove(line, end + 1, used + 1);
	}
	if (used == sizeof(line) - 1)
		used = 0; /* too long for any command */
	return true;
}

#define OTHER_FILES 5

/* Serves all files in a single thread, so that the simulator needs no lock. */
static void serve(const struct published *machine, struct loads *loads, int signals)
{
	struct fusefs *const mounts[] = {machine->msrs, machine->registers, machine->resctrl};
	struct pollfd fds[OTHER_FILES + LOADS_FILES] = {{.fd = signals, .events = POLLIN},
							{.fd = STDIN_FILENO, .events = POLLIN}};

	for (size_t i = 0; i < 3; i++)
		fds[2 + i] = (struct pollfd){.fd = mounts[i] ? fusefs_fd(mounts[i]) : -1,
					     .events = POLLIN};
	uint64_t due = 0, nodes_due = 0;

	for (;;) {
		const uint64_t now = clock_monotonic();

		if (now >= due) {
			mirror_update(machine->mirror);
			due = mirror_due(machine->mirror, now);
		}
		if (now >= nodes_due) {
			publish_update_nodes(machine->root, machine->platform);
			publish_update_devices(machine->root, machine->platform);
			nodes_due = now + NODE_STATS_PERIOD_NS;
		}
		const uint64_t next = due < nodes_due ? due : nodes_due;
		const struct timespec wait = {.tv_nsec = (long)(next > now ? next - now : 0)};
		for (size_t i = 0; i < LOADS_FILES; i++)
			fds[OTHER_FILES + i] =
				(struct pollfd){.fd = loads->fds[i], .events = POLLIN};
		if (ppoll(fds, OTHER_FILES + LOADS_FILES, &wait, NULL) < 0 && errno != EINTR)
			err(1, "ppoll");
		if (fds[0].revents)
			return;
		for (size_t i = 0; i < 3; i++)
			if (fds[2 + i].revents && !fusefs_serve(mounts[i]))
				return;
		for (size_t i = 0; i < LOADS_FILES; i++)
			if (fds[OTHER_FILES + i].revents)
				loads_serve(loads, i);
		if (fds[1].revents && !take_lines(machine))
			fds[1].fd = -1;
	}
}

typedef struct fusefs *mounter(const char *directory, struct platform *p, FILE *log);

static struct fusefs *mount(const struct published *machine, const char *name, mounter *make,
			    FILE *log)
{
	char path[ROOTFS_PATH_SIZE];

	tree_directory(machine->root, "%s", name);
	if (rootfs_path(path, machine->root, "%s", name))
		errx(1, "path too long");
	struct fusefs *fs = make(path, machine->platform, log);
	if (fs)
		return fs;
	fusefs_free(machine->msrs);
	fusefs_free(machine->registers);
	remove_files(machine->root);
	errx(1, "FUSE cannot be mounted on %s", path);
}

static void publish(const char *root, struct platform *p, FILE *log, bool trap)
{
	struct published machine = {.root = root, .platform = p};
	const int signals = signal_descriptor();
	struct loads loads;

	publish_machine(root, p, trap ? REGFS_DIRECTORY : NULL);
	publish_node_files(root, p);
	machine.msrs = mount(&machine, "dev/cpu", msrfs_new, log);
	if (trap)
		machine.registers = mount(&machine, REGFS_DIRECTORY, regfs_new, log);
	if (sim_of(p)->spec.bmec)
		machine.resctrl = mount(&machine, "sys/fs/resctrl", resctrlfs_new, log);
	struct msrfs *msrs = fusefs_context(machine.msrs);
	if (publish_has_msrs(sim_of(p)))
		tree_directory(root, "sys/module/msr");
	else
		memset(msrs->hidden, true, msrs->cpus * sizeof(*msrs->hidden));
	machine.mirror = mirror_new(root, p, log, trap);
	loads_open(&loads, root, p);
	puts("ready");
	fflush(stdout);
	serve(&machine, &loads, signals);
	loads_close(&loads);
	mirror_free(machine.mirror);
	fusefs_free(machine.registers);
	fusefs_free(machine.resctrl);
	fusefs_free(machine.msrs);
	close(signals);
	remove_files(root);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"sim", required_argument, NULL, 's'},
		{"log", required_argument, NULL, 'l'},
		{"trap", no_argument, NULL, 't'},
		{NULL, 0, NULL, 0},
	};
	const char *spec = NULL, *log_name = NULL;
	bool trap = false;
	struct platform *p;
	struct error why;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 's')
			spec = optarg;
		else if (option == 'l')
			log_name = optarg;
		else if (option == 't')
			trap = true;
		else
			return 2;
	}
	if (!spec || optind + 1 != argc)
		errx(2, "usage: cxlmon-platform --sim=SPEC [--log=FILE] [--trap] DIR");

	const char *root = argv[optind];
	const bool made = !mkdir(root, 0755);
	const struct log silent = {.write = NULL};
	refuse_used_directory(root);
	if (platform_sim(spec, &silent, &p, &why))
		errx(2, "%s", why.text);
	sim_add_pcm_functions(sim_of(p));
	guard_disable(&p->guard); /* programs under test may write anything */
	FILE *log = log_name ? fopen(log_name, "ae") : NULL;
	if (log_name && !log)
		err(1, "%s", log_name);
	publish(root, p, log, trap);
	platform_destroy(p);
	if (log)
		fclose(log);
	if (made)
		rmdir(root);
	return 0;
}
