/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * State of a run of the monitor (cxlmon without a subcommand, record, serve, explain and top), for
 * the files monitor*.c.
 */
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

/* The state of a run, in the order in which it is set up. */
struct monitor {
	struct options *options; /* with the user's defaults (.defaults) if there is a screen */
	struct deferred_log deferred_log; /* keeps messages while the screen is shown */
	struct log log;			  /* log for messages of the run */
	struct progress progress; /* line with the number of samples, while they are taken */
	uint64_t taken;		  /* number of samples that the writer has printed */
	bool screen_wanted;	  /* the output is the live screen */
	struct screen_requests screen_requests; /* the screen's requests to the sampling thread */
	struct screen_setup screen;
	struct top_options top_options;
	struct top_watcher watcher; /* watches processes for the screen */
	struct screen_defaults defaults;
	char processor[128];		   /* name of the processor, as the screen shows it */
	char recording[48], list[48];	   /* files that the screen saves: samples, processes */
	struct error why_not, why_no_list; /* why it cannot save these; .code 0: it can */
	struct sudo_user caller;	   /* the user who called sudo; COMMAND runs as that user */
	struct rlimit files; /* limit of open files at the start; perf events may raise it */
	struct session session;
	struct recording_info info;
	char host[HOST_NAME_MAX + 1]; /* name of this host, for .info */
	int fd;			      /* descriptor of the output; -1: none */
	struct file_process file;     /* helper that replaces the output, or opens it again */
	bool replaces;		      /* .file replaces the output by each sample, and .fd is -1 */
	bool reopens; /* SIGHUP makes .file open the output again, instead of ending the run */
	off_t end;    /* --append: offset of the first new row; else 0 */
	struct health_process health; /* asks devices for their health; .answers -1: none */
	struct serving *serving;      /* output of cxlmon serve; NULL: none */
	struct signals signals;
	struct command command;
	struct writer *writer;	 /* NULL: not made, or freed */
	bool writing;		 /* the writer was started */
	struct summary *summary; /* NULL: none is wanted */

	uint64_t started_ns, ended_ns; /* start and end of sampling, by the platform's clock */
	uint64_t samples;	       /* number of samples passed to the writer */
	uint64_t lost_readings;	       /* as sample.lost_readings, of all samples; set at the end */
	int ended_by;		       /* signal that ended the run; 0: none */
	uint64_t samples_when_ended;   /* .samples when that signal came */
	bool second_signal; /* another signal came: do not wait for the writer or COMMAND */
};

/* Functions that return int return 0 or a negative errno, and set *err. */

/* Notes the signal that ends the run. */
void monitor_end_by(struct monitor *m, int signal_number);
/* Returns true if a signal does not end the run: it only reports something, or is for COMMAND. */
bool monitor_signal_is_benign(const struct monitor *m, int signal_number);

/*
 * monitor_output.c. Opens the output, without changing the file, and starts its helper .file. For
 * cxlmon serve, starts the HTTP server.
 */
int monitor_open_output(struct monitor *m, struct error *err);
/*
 * Starts the helper .file, by which the screen saves files in the working directory. Sets
 * .recording and .list and, if the helper cannot be started, .why_not and .why_no_list.
 */
void monitor_keep_directory(struct monitor *m);
/* Sets .screen and .processor. processor: name of the processor. */
void monitor_prepare_screen(struct monitor *m, const char *processor);
/* Truncates the output, and makes the summary and the writer. */
int monitor_prepare_output(struct monitor *m, struct error *err);
/*
 * Returns the terminal for a line with the number of samples. NULL: the line is not shown, because
 * standard error is not a terminal, COUNT is missing, COMMAND is given, or samples are printed at
 * once.
 */
FILE *monitor_progress_terminal(const struct options *options);
/* Starts the writer. For cxlmon serve, also checks that the HTTP server still runs. */
int monitor_begin_output(struct monitor *m, struct error *err);
/*
 * Waits until all samples are written or writing has failed, and frees the writer. Call it after
 * registers were restored. Does nothing without a writer.
 */
int monitor_finish_output(struct monitor *m, struct error *err);

/*
 * monitor_processes.c. Shows the screen with processes only, until the user quits. why: reason why
 * ports cannot be counted, for the screen. ERROR_NO_UNIT: no node is known to be CXL memory.
 */
int monitor_show_processes(struct monitor *m, const struct error *why, struct error *err);

/* Prints the summary, if there is one, to standard error. Call it after monitor_finish_output(). */
void monitor_print_summary(const struct monitor *m);

#endif
