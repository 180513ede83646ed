/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/apply_weights.h"

#include <errno.h>
#include <sys/resource.h>

#include "base/rootfs.h"
#include "cli/command.h"
#include "linux/memory/node_weights.h"
#include "linux/run/signals.h"

/* For users whose cxlmon is killed, which can't put back. */
static void say_how_to_put_back(const struct node_weights *files, const struct log *log)
{
	char path[ROOTFS_PATH_SIZE];

	for (size_t k = 0; k < files->count; k++)
		if (!rootfs_path(path, files->root, NODE_WEIGHTS "/%s", files->files[k].name))
			log_write(log, LEVEL_NOTE,
				  "if cxlmon is killed, put back: echo %s | sudo tee %s",
				  files->files[k].before, path);
}

/* Until COMMAND ends, or a signal asks to end, which COMMAND gets, too: that signal, else 0. */
static int wait_for(struct command *command, const struct signals *signals)
{
	while (!command_poll(command)) {
		const int number = sigwaitinfo(&signals->wake, NULL);

		if (number <= 0 || number == SIGCHLD || number == SIGNAL_KICK || number == SIGALRM)
			continue;
		command_forward(command, number);
		return number;
	}
	return 0;
}

static int run(struct options *options, struct node_weights *files, const struct signals *signals,
	       struct error *err)
{
	struct command_inherits inherits = {.mask = signals->before};
	struct command command = {.pid = 0};
	struct sudo_user caller;
	struct error why;
	int ended_by = 0;

	getrlimit(RLIMIT_NOFILE, &inherits.files);
	int rc = sudo_user_find(&caller, err);
	if (!rc)
		rc = node_weights_set(files, &options->log, err);
	if (rc)
		return rc;
	rc = command_start(&command, options->command, &caller, &inherits, err);
	if (!rc)
		ended_by = wait_for(&command, signals);
	/* now: COMMAND may take its time to end, and who has sent a signal may not wait */
	const int left = node_weights_put_back(files, &options->log, &why);
	if (!rc && ended_by)
		wait_for(&command, signals);
	if (left)
		*err = why;
	options->status = ended_by ? EXIT_SIGNALLED + ended_by : command.status;
	return left ? left : rc;
}

int apply_weights(struct options *options, const struct weights *weights, struct error *err)
{
	struct node_weights files;
	struct signals signals;
	int nodes[INTERLEAVE_NODES];

	if (!weights_advised(weights))
		return error_set(err, EXIT_FAILED, -ENODATA,
				 "explain: no weights would be better: none was set, and %s not "
				 "started",
				 options->command[0]);
	for (size_t k = 0; k < weights->nodes.count; k++)
		nodes[k] = weights->nodes.nodes[k].node;
	int rc = node_weights_read(options->session.root, nodes, weights->best.weights,
				   weights->nodes.count, &files, err);
	if (!rc) {
		say_how_to_put_back(&files, &options->log);
		signals_block(&signals);
		rc = run(options, &files, &signals, err);
	}
	node_weights_close(&files);
	return rc;
}
