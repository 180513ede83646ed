/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-platform --sim=SPEC [--log=FILE] DIR
 *
 * Publishes a simulated processor as files below DIR, for cxlmon --root=DIR and, in a mount
 * namespace, for any other program. Prints "ready" when all is there; takes faults as lines on
 * standard input (faults.h); on SIGTERM or SIGINT removes what it made.
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

#include "faults.h"
#include "linux/clock.h"
#include "mirror.h"
#include "msrfs.h"
#include "platform/rootfs.h"
#include "publish.h"
#include "sim/sim.h"
#include "tree.h"

static const char *const published_directories[] = {"dev", "sys", "proc"};

static void refuse_used_directory(const char *root)
{
	for (size_t i = 0; i < 3; i++)
		if (rootfs_exists(root, published_directories[i]))
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

/* Every line that has come; false at the end of input. */
static bool take_lines(const struct published *machine)
{
	static char line[256]; /* what has come of the next line */
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
		used = 0; /* nobody means a line this long */
	return true;
}

/* One thread does everything in turn, so that the simulator needs no lock. */
static void serve(const struct published *machine, int signals)
{
	struct pollfd fds[] = {
		{.fd = signals, .events = POLLIN},
		{.fd = msrfs_fd(machine->msrs), .events = POLLIN},
		{.fd = STDIN_FILENO, .events = POLLIN},
	};
	uint64_t due = 0;

	for (;;) {
		const uint64_t now = clock_monotonic();

		if (now >= due) {
			mirror_update(machine->mirror);
			due = now + MIRROR_PERIOD_NS;
		}
		const struct timespec wait = {.tv_nsec = (long)(due > now ? due - now : 0)};
		if (ppoll(fds, 3, &wait, NULL) < 0 && errno != EINTR)
			err(1, "ppoll");
		if (fds[0].revents)
			return;
		if (fds[1].revents && !msrfs_serve(machine->msrs))
			return;
		if (fds[2].revents && !take_lines(machine))
			fds[2].fd = -1;
	}
}

static void publish(const char *root, struct platform *p, FILE *log)
{
	struct published machine = {.root = root, .platform = p};
	const int signals = signal_descriptor();
	char cpu_directory[ROOTFS_PATH_SIZE];

	publish_machine(root, p);
	tree_directory(root, "dev/cpu");
	if (rootfs_path(cpu_directory, root, "dev/cpu"))
		errx(1, "path too long");
	machine.msrs = msrfs_new(cpu_directory, p, log);
	if (!machine.msrs) {
		remove_files(root);
		errx(1, "FUSE can't be mounted on %s", cpu_directory);
	}
	tree_directory(root, "sys/module/msr");
	machine.mirror = mirror_new(root, p, log);
	puts("ready");
	fflush(stdout);
	serve(&machine, signals);
	mirror_free(machine.mirror);
	msrfs_free(machine.msrs);
	close(signals);
	remove_files(root);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"sim", required_argument, NULL, 's'},
		{"log", required_argument, NULL, 'l'},
		{NULL, 0, NULL, 0},
	};
	const char *spec = NULL, *log_name = NULL;
	struct platform *p;
	struct error why;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 's')
			spec = optarg;
		else if (option == 'l')
			log_name = optarg;
		else
			return 2;
	}
	if (!spec || optind + 1 != argc)
		errx(2, "usage: cxlmon-platform --sim=SPEC [--log=FILE] DIR");

	const char *root = argv[optind];
	const bool made = !mkdir(root, 0755);
	const struct log silent = {.write = NULL};
	refuse_used_directory(root);
	if (platform_sim(spec, &silent, &p, &why))
		errx(2, "%s", why.text);
	p->guard.allow_all = true; /* what others write is theirs to decide */
	FILE *log = log_name ? fopen(log_name, "ae") : NULL;
	if (log_name && !log)
		err(1, "%s", log_name);
	publish(root, p, log);
	platform_destroy(p);
	if (log)
		fclose(log);
	if (made)
		rmdir(root);
	return 0;
}
