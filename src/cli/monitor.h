/* SPDX-License-Identifier: BSD-3-Clause */
/* State of a run of the monitor (cxlmon without a subcommand, record and serve), for monitor*.c. */
#ifndef CXLMON_CLI_MONITOR_H
#define CXLMON_CLI_MONITOR_H

#include <limits.h>

#include "cli/cli_private.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "linux/rights/rights.h"
#include "linux/rights/sudo_user.h"
#include "linux/run/signals.h"
#include "output/file_process.h"
#include "output/summary.h"
#include "output/writer.h"
#include "probe/top/top_watcher.h"
#include "session/session.h"
#include "show/screen/screen.h"
#include "show/serve/serving.h"

/* State, in the order of setting up; released in reverse. */
struct monitor {
	struct options *options;	  /* with the user's defaults, if there is a screen */
	struct deferred_log deferred_log; /* keeps messages while there is a screen */
	struct log log;
	struct progress progress; /* shown while samples are taken that are printed later */
	uint64_t taken;		  /* samples that the writer has taken, for .progress */
	bool screen_wanted;	  /* the output is the live screen */
	struct screen_requests screen_requests;
	struct screen_setup screen;
	struct top_options top_options;
	struct top_watcher watcher; /* watches processes for the screen */
	struct screen_defaults defaults;
	char processor[128]; /* the screen's title */
	/* names of the files that the screen saves: one for samples, one for processes */
	char recording[48], list[48];
	struct error why_not, why_no_list; /* reasons why the screen cannot save them */
	struct sudo_user caller;	   /* the user who called sudo; COMMAND runs as that user */
	struct rlimit files; /* the limit of open files, which perf events may raise */
	struct session session;
	struct recording_info info;
	char host[HOST_NAME_MAX + 1]; /* name in about */
	int fd;			      /* the output; -1: none */
	struct file_process file;     /* helper that replaces the output, or opens it again */
	bool replaces; /* each sample replaces the output, by that helper: fd is -1 */
	bool reopens;  /* SIGHUP opens the output again, instead of ending the run */
	off_t end;     /* end of the file before the first row, with --append */
	struct health_process health; /* helper that asks devices; .answers -1: none */
	struct serving *serving;      /* the HTTP server of cxlmon serve; NULL: none */
	struct signals signals;
	struct command command;
	struct writer *writer;	 /* NULL: not made, or joined */
	bool writing;		 /* the writer was started */
	struct summary *summary; /* NULL: none is wanted */

	uint64_t started_ns, ended_ns; /* start and end of sampling, by the platform's clock */
	uint64_t samples;	       /* passed to the writer */
	uint64_t failed_reads;	       /* units that could not be read */
	int ended_by;		       /* signal that ended the run; 0: none */
	uint64_t samples_when_ended;   /* samples before that signal */
	/* another signal came: waits for neither writer nor COMMAND */
	bool second_signal;
};

/* Notes the signal that ends the run. */
void monitor_end_by(struct monitor *m, int signal_number);
/* Returns whether a signal only reports an event, and does not end the run. */
bool monitor_signal_is_benign(const struct monitor *m, int signal_number);

/* monitor_output.c. Opens the output without changing it. */
int monitor_open_output(struct monitor *m, struct error *err);
/* Fills m->screen. */
void monitor_keep_directory(struct monitor *m);
void monitor_prepare_screen(struct monitor *m, const char *processor);
/* Truncates the output, and makes the writer. */
int monitor_prepare_output(struct monitor *m, struct error *err);
/*
 * Returns the terminal on which to show how many samples are left: there is one, and they are not
 * printed there. Else NULL.
 */
FILE *monitor_progress_terminal(const struct options *options);
/* Starts the writer. */
int monitor_begin_output(struct monitor *m, struct error *err);
/* After the registers were restored: waits until all samples are written or writing has failed. */
int monitor_finish_output(struct monitor *m, struct error *err);

/*
 * monitor_processes.c. Shows only the screen of processes until it is left. why: the reason why
 * ports cannot be counted. ERROR_NO_UNIT: no known node is CXL memory.
 */
int monitor_show_processes(struct monitor *m, const struct error *why, struct error *err);

/* Prints the summary to standard error, once the writer has ended. */
void monitor_print_summary(const struct monitor *m);

#endif
