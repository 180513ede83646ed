/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a run of the monitor (cxlmon without a subcommand, record and serve), for
 * monitor*.c. */
#ifndef CXLMON_CLI_MONITOR_H
#define CXLMON_CLI_MONITOR_H

#include <limits.h>

#include "cli/cli_private.h"
#include "cli/command.h"
#include "cli/options.h"
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

/* In the order in which it is set up; released in reverse. */
struct monitor {
	struct options *options;	  /* with the user's defaults, if there is a screen */
	struct deferred_log deferred_log; /* keeps messages while there is a screen */
	struct log log;
	bool screen_wanted; /* the output is the live screen */
	struct screen_requests screen_requests;
	struct screen_setup screen;
	struct top_options top_options;
	struct top_watcher watcher; /* watches processes for the screen */
	struct screen_defaults defaults;
	char processor[128];		   /* the screen's title */
	char recording[48], list[48];	   /* that the screen saves, and of processes */
	struct error why_not, why_no_list; /* if it can't */
	struct sudo_user caller;	   /* the user who called sudo; COMMAND runs as that user */
	struct rlimit files; /* the limit of open files, which perf events may raise */
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
/* Fills m->screen. */
void monitor_keep_directory(struct monitor *m);
void monitor_prepare_screen(struct monitor *m, const char *processor);
/* Truncates the output, and makes the writer. */
int monitor_prepare_output(struct monitor *m, struct error *err);
/* Starts the writer. */
int monitor_begin_output(struct monitor *m, struct error *err);
/* After the registers were restored: waits until all samples are written, or can't be. */
int monitor_finish_output(struct monitor *m, struct error *err);

/*
 * monitor_processes.c. The screen of processes alone, until it is left, as ports can't be counted,
 * why. ERROR_NO_UNIT: no node is known to be CXL memory.
 */
int monitor_show_processes(struct monitor *m, const struct error *why, struct error *err);

/* To standard error, once the writer has ended. */
void monitor_print_summary(const struct monitor *m);

#endif
