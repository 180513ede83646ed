/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a run of the monitor (cxlmon without a subcommand, record and serve), for
 * monitor*.c. */
#ifndef CXLMON_CLI_MONITOR_H
#define CXLMON_CLI_MONITOR_H

#include <limits.h>

#include "cli/command.h"
#include "cli/options.h"
#include "linux/rights/rights.h"
#include "linux/rights/sudo_user.h"
#include "linux/run/signals.h"
#include "output/file_process.h"
#include "output/summary.h"
#include "output/writer.h"
#include "platform/kernel_stats.h"
#include "session/session.h"
#include "show/screen/screen.h"
#include "show/serve/serving.h"

/*
 * What a user wants of every screen: lines "NAME = VALUE" of the file cxlmon/screen in
 * $XDG_CONFIG_HOME, or else ~/.config. They choose what is shown, and nothing else: no other
 * output, file or command depends on them. Root's must be a file of root's, or of sudo's caller,
 * whose HOME some systems keep.
 */

#define SCREEN_DEFAULTS_SIZE 1024

struct screen_defaults {
	char text[SCREEN_DEFAULTS_SIZE]; /* that strings of the options point into */
	bool binary;			 /* units = GiB */
};

/*
 * Sets the options that were not given. 0, also without a file. EXIT_USAGE: the file can't be
 * taken; its contents are not in the message.
 */
int screen_defaults_apply(struct screen_defaults *defaults, struct options *options,
			  struct error *err);

/*
 * A process that asks CXL devices for their health. It waits for slow devices, so that nobody else
 * has to; and as nobody can limit which commands a mailbox takes, it alone has the descriptors, and
 * reads nothing from anybody.
 */

struct health_process {
	pid_t pid;   /* 0: none */
	int answers; /* -1: none; a pipe, from which struct health_answer are read without waiting
		      */
};

/*
 * Starts it while this process has its rights and a single thread. For devices whose mailbox can't
 * be opened, its answers are the error.
 */
int health_process_start(const char *root, const struct cxl_device *devices, size_t count,
			 const struct sudo_user *caller, struct health_process *out,
			 struct error *err);

/* Takes the next answer. context: struct health_process. False: there is none yet. */
bool health_process_next(void *context, struct health_answer *out);

/* Lets it end, without waiting for a device. */
void health_process_stop(struct health_process *process);

/* In the order in which it is set up; released in reverse. */
struct monitor {
	const struct options *options;
	struct deferred_log deferred_log; /* keeps messages while there is a screen */
	struct log log;
	bool screen_wanted; /* the output is the live screen */
	struct screen_requests screen_requests;
	struct screen_setup screen;
	struct options screen_options; /* what .options is then: with the user's defaults */
	struct screen_defaults defaults;
	char processor[128];	 /* the screen's title */
	char recording[48];	 /* that the screen saves */
	struct error why_not;	 /* if it can't */
	struct sudo_user caller; /* the user who called sudo; COMMAND runs as that user */
	struct rlimit files;	 /* the limit of open files, which perf events may raise */
	struct session session;
	struct recording_info info;
	char host[HOST_NAME_MAX + 1]; /* named in about */
	int fd;			      /* the output; -1: none */
	struct file_process file;     /* replaces the output, or opens it again */
	bool replaces; /* each sample replaces the output, by that process: fd is -1 */
	bool reopens;  /* SIGHUP opens the output again, instead of ending the run */
	off_t end;     /* with --append: where the first row is written */
	struct health_process health; /* asks devices; .answers -1: none */
	struct serving *serving;      /* the HTTP server of cxlmon serve; NULL: none */
	struct signals signals;
	struct command command;
	struct writer *writer;	 /* NULL: not made, or joined */
	bool writing;		 /* the writer was started */
	struct summary *summary; /* NULL: none is wanted */

	uint64_t started_ns, ended_ns; /* sampling, by the platform's clock */
	uint64_t samples;	       /* passed to the writer */
	uint64_t failed_reads;	       /* units that could not be read */
	int ended_by;		       /* signal; 0: none */
	uint64_t samples_when_ended;   /* before that signal came */
	bool second_signal;	       /* has come: waits for neither writer nor COMMAND */
};

/* Notes the signal that ends the run. */
void monitor_end_by(struct monitor *m, int signal_number);
/* Whether a signal says that something has happened, and does not end the run. */
bool monitor_signal_is_benign(const struct monitor *m, int signal_number);

/* monitor_output.c. Opens the output without changing it. */
int monitor_open_output(struct monitor *m, struct error *err);
/* Truncates the output, and makes the writer. */
int monitor_prepare_output(struct monitor *m, struct error *err);
/* Starts the writer. */
int monitor_begin_output(struct monitor *m, struct error *err);
/* After the registers were restored: waits until all samples are written, or can't be. */
int monitor_finish_output(struct monitor *m, struct error *err);

/* To standard error, once the writer has ended. */
void monitor_print_summary(const struct monitor *m);

#endif
