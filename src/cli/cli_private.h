/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations of the folder's smaller files, by file; the others have headers of their own. */
#ifndef CXLMON_CLI_CLI_PRIVATE_H
#define CXLMON_CLI_CLI_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/wrap.h"
#include "linux/rights/sudo_user.h"
#include "output/summary.h"
#include "platform/cxl.h"
#include "platform/device_health.h"
#include "record/recording_file.h"
#include "show/explain/what_if.h"

struct options;

/* common.c: exit statuses. Scripts rely on them. */

enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1,       /* failed while running */
	EXIT_USAGE = 2,	       /* wrong usage */
	EXIT_NO_UNIT = 3,      /* this machine has no unit that can be monitored */
	EXIT_PERMISSION = 4,   /* missing permission, or the kernel's configuration forbids it */
	EXIT_IN_USE = 5,       /* another program uses the counters */
	EXIT_CANNOT_RUN = 126, /* COMMAND was found but cannot be executed, as in shells */
	EXIT_NOT_FOUND = 127,  /* COMMAND was not found, as in shells */
	EXIT_SIGNALLED = 128,  /* + n: ended by signal n */
};

/* Returns the exit status of a command that ends with this kind of error. */
enum exit_status exit_status_of(enum error_kind kind);

/*
 * messages.c: messages on standard error, one line each, "cxlmon: ...", with their priority in
 * systemd's journal.
 */

/* Messages that are printed besides errors. */
enum verbosity {
	NOT_VERBOSE,
	QUIET,	 /* no other messages */
	VERBOSE, /* also details */
};

struct log messages_log(enum verbosity verbosity);

void messages_error(const struct error *err);

/* Prints the summary in one call, so that it stays together. */
void messages_summary(const struct summary *summary, const char *processor, uint64_t elapsed_ns,
		      FILE *stream, int width);

/* Proposes a simulation after EXIT_NO_UNIT, unless this was one (sim not NULL). */
void messages_try_simulation(int status, const char *sim);

/* Says which commands work on a machine that cannot measure bandwidth, as cxlmon doctor does. */
void doctor_suggest(const struct options *options);

/* Text wrapped between words. */

#define HELP_WIDTH  79
#define HELP_INDENT 25 /* indentation of an option's or subcommand's description */

/* Returns the columns of standard output, as wrapped_columns(). */
int wrapped_width(void);

/*
 * Prints the first characters of a help text on 80 columns. Lines that begin with a letter are
 * joined to paragraphs. Lines that begin with a blank or "Usage:" stay as they are.
 */
void help_text(FILE *out, const char *text, size_t count);

/*
 * habits.c: options that users of perf, turbostat, vmstat and PCM type out of habit, and cxlmon's
 * equivalents. A row is tried only after a word was refused, so that it never hides a valid word.
 */

/* Place of the word in the command line. */
enum habit_place {
	HABIT_OPTION,
	HABIT_OPERAND,
	HABIT_NUMBER, /* an interval or a count, or an operand in its place */
};

/* Returns the hint that follows "...: " in the message; NULL: no hint for this word. */
const char *habit_hint(enum habit_place place, const char *word);

/*
 * screen_defaults.c: a user's defaults for every screen, as lines "NAME = VALUE" of the file
 * cxlmon/screen in $XDG_CONFIG_HOME, or else ~/.config. They change only the screen: no other
 * output, file or command depends on them. For root, the file must be owned by root or by sudo's
 * caller, whose HOME some systems keep.
 */

#define SCREEN_DEFAULTS_SIZE 1024

struct screen_defaults {
	/* text of the file, into which strings of the options point */
	char text[SCREEN_DEFAULTS_SIZE];
	bool binary; /* units = GiB */
};

/*
 * Sets the options that were not given. Returns 0 also without a file. ERROR_USAGE: the file cannot
 * be used; the message does not show its contents.
 */
int screen_defaults_apply(struct screen_defaults *defaults, struct options *options,
			  struct error *err);

/*
 * health_process.c: a process that asks CXL devices for their health. It waits for slow devices, so
 * that no other process has to. Because the commands that a mailbox takes cannot be limited, only
 * this process has the descriptors, and it reads nothing from others.
 */

struct health_process {
	pid_t pid;   /* 0: not started */
	int answers; /* socket with packets of struct health_answer; -1: none */
};

/*
 * Starts the process while this one has its rights and a single thread. If a device's mailbox
 * cannot be opened, its answers are the error.
 */
int health_process_start(const char *root, const struct cxl_device *devices, size_t count,
			 const struct sudo_user *caller, struct health_process *out,
			 struct error *err);

/*
 * Takes the next answer. context: struct health_process. Returns false if there is none yet, or
 * after an impossible answer, which ends the connection.
 */
bool health_process_next(void *context, struct health_answer *out);

/* Lets the process end, without waiting for a device. */
void health_process_stop(struct health_process *process);

/* replay_screen.c: plays a recording on the screen. */

/* Fails with ERROR_USAGE without a terminal, or if other options conflict with the screen. */
int replay_screen_check(const struct options *options, struct error *err);

/*
 * Shows the samples one after another, as fast as they were taken, until the user quits. -EINTR: a
 * signal ended it; options->status has its number.
 */
int replay_screen(struct options *options, struct replay *replay, struct error *err);

/*
 * calibration.c: reads options->calibration, a file of cxlmon sweep --calibrate. processor: buffer
 * of the name in *out. ERROR_USAGE: not a calibration; ERROR_FAILED: as playback_series_read(),
 * damaged, or as slowdown_fit().
 */
int calibration_read(const struct options *options, struct what_if *out,
		     char processor[RECORDED_PROCESSOR_SIZE], struct error *err);

/*
 * explain_weights.c: runs cxlmon explain --weights for the program recorded in options->recorded,
 * with the sweep in options->weights.
 */
int explain_weights(struct options *options, struct error *err);

/*
 * sweep_calibrate.c: runs cxlmon sweep --calibrate; writes options->output ("-": standard output).
 */
int sweep_calibrate(struct options *options, struct error *err);

#endif
