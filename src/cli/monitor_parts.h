/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the live monitor share. Private to it. */
#ifndef CXLMON_MONITOR_PARTS_H
#define CXLMON_MONITOR_PARTS_H

#include "cli/command.h"
#include "cli/options.h"
#include "linux/signals.h"
#include "linux/sudo_user.h"
#include "output/writer.h"
#include "screen/screen.h"
#include "serve/serving.h"
#include "session/session.h"

/* Everything a run holds, in the order in which it is made; released in reverse. */
struct monitor {
	const struct options *options;
	struct held held; /* what the log says while there is a screen */
	struct log log;
	bool live; /* the output is a screen */
	struct mailbox mailbox;
	struct screen_setup screen;
	char processor[128];	 /* its title */
	struct sudo_user caller; /* of sudo, as whom COMMAND runs */
	struct session session;
	struct recording_info about;
	int fd;			 /* where the output goes; -1: nowhere */
	struct serving *serving; /* instead of an output; NULL: none */
	struct signals signals;
	struct command command;
	struct writer *writer; /* NULL: not started, or joined */

	uint64_t samples;   /* that were handed to the writer */
	uint64_t missed;    /* deadlines */
	uint64_t postponed; /* samples */
	uint64_t frozen_ns; /* sum of each sample's longest */
	uint64_t lost_units;
	bool trouble_said;
	int ended_by;		     /* signal; 0: none */
	uint64_t samples_when_ended; /* before that signal came */
	bool hurried;		     /* by a second signal */
};

/* A signal has come that ends the run. */
void monitor_end_by(struct monitor *m, int signal_number);

/* monitor_setup.c: everything up to the first register write, and the end of it all. */
int monitor_set_up(struct monitor *m, struct error *err);
void monitor_release(struct monitor *m);

/* monitor_output.c: opens the output without changing it; empties it, and starts the writer; */
int monitor_open_output(struct monitor *m, struct error *err);
int monitor_begin_output(struct monitor *m, struct error *err);
/* waits until all is written, or can't be. The registers have been put back. */
int monitor_finish_output(struct monitor *m, struct error *err);

/* monitor_recording.c: whether the output, which is open, may become a recording; what it says
 * of the run. */
int monitor_check_recording(const struct monitor *m, struct error *err);
void monitor_describe_recording(struct monitor *m);

/* monitor_sampling.c: takes samples until COUNT, COMMAND, a signal or the writer ends them. */
int monitor_sample(struct monitor *m, struct error *err);

#endif
