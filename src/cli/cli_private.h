/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Declarations of the smaller files of src/cli, by file; the other files have headers of their own.
 */
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

/* common.c: exit statuses of cxlmon. Scripts rely on their numbers. */

enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1,       /* failed while running */
	EXIT_USAGE = 2,	       /* wrong usage */
	EXIT_NO_UNIT = 3,      /* this machine has no unit that can be monitored */
	EXIT_PERMISSION = 4,   /* missing permission, or the kernel's configuration forbids it */
	EXIT_IN_USE = 5,       /* another program uses the counters */
	EXIT_CANNOT_RUN = 126, /* COMMAND was found but cannot be executed, as in shells */
	EXIT_NOT_FOUND = 127,  /* COMMAND was not found, as in shells */
	EXIT_SIGNALLED = 128,  /* plus the number of the signal that ended it */
};

/* Returns the exit status for a kind of error. */
enum exit_status exit_status_of(enum error_kind kind);

/*
 * messages.c: messages on standard error, one line each, "cxlmon: ...", with a priority in
 * systemd's journal.
 */

/* Messages that are printed in addition to errors. */
enum verbosity {
	NOT_VERBOSE, /* warnings and notes */
	QUIET,	     /* none */
	VERBOSE,     /* warnings, notes and details */
};

/* Returns a log that prints these messages. Any thread may use it. */
struct log messages_log(enum verbosity verbosity);

/* Prints the text of an error. */
void messages_error(const struct error *err);

/* Keeps the last of several errors in *last, and prints the one before. */
void messages_keep_last(struct error *last, const struct error *err);

/*
 * Prints a summary in one piece; arguments as for summary_print(). Prints nothing if out of memory.
 */
void messages_summary(const struct summary *summary, const char *processor, uint64_t elapsed_ns,
		      FILE *stream, int width);

/*
 * Prints how to try a simulation if status is EXIT_NO_UNIT and sim is NULL: the run was not
 * simulated.
 */
void messages_try_simulation(int status, const char *sim);

/* cmd_doctor.c: prints which commands work on a machine that cannot measure bandwidth. */
void doctor_suggest(const struct options *options);

/* Text wrapped between words. */

#define HELP_WIDTH  79
#define HELP_INDENT 25 /* indentation of an option's or subcommand's description */

/* Returns the columns of standard output; 0: it is not a terminal, and lines are not wrapped. */
int wrapped_width(void);

/*
 * Prints the first count characters of a help text on 80 columns. Lines that begin with a letter
 * are joined to paragraphs. Lines that begin with a blank or "Usage:" stay as they are.
 */
void help_text(FILE *out, const char *text, size_t count);

/*
 * habits.c: words that users of perf, turbostat, vmstat and PCM type out of habit, with hints on
 * cxlmon's equivalents. A hint is looked up only after a word was refused, so that it never hides a
 * valid word.
 */

/* Place of the word in the command line. */
enum habit_place {
	HABIT_OPTION,
	HABIT_OPERAND,
	HABIT_NUMBER, /* a word in place of an interval or a count */
};

/* Returns a hint, such as "expected --csv", to be appended to the message; NULL: there is none. */
const char *habit_hint(enum habit_place place, const char *word);

/*
 * screen_defaults.c: a user's defaults for the screen, as lines "NAME = VALUE" of the file
 * cxlmon/screen in $XDG_CONFIG_HOME, or else ~/.config. Nothing else depends on them. The file must
 * belong to this process's user or sudo's caller, and be writable by no other.
 */

#define SCREEN_DEFAULTS_SIZE 1024

struct screen_defaults {
	/* text of the file. Strings of the options point into it */
	char text[SCREEN_DEFAULTS_SIZE];
	bool binary; /* the file has "units = GiB" */
};

/*
 * Reads the file, and sets the options that it has and the command line has not. *defaults must
 * outlive the options. Returns 0 also if there is no file. ERROR_USAGE: the file cannot be used;
 * the options are unchanged.
 */
int screen_defaults_apply(struct screen_defaults *defaults, struct options *options,
			  struct error *err);

/*
 * health_process.c: a process that asks CXL devices for their health, over and over. It waits for
 * slow devices, so that no other process has to. A mailbox takes any command: so only this process
 * has the mailboxes open, and it reads nothing from others.
 */

struct health_process {
	pid_t pid;   /* 0: not started */
	int answers; /* socket with messages of health_answer_code(); -1: none */
};

/*
 * Starts the process, from a process with one thread that still has its permissions. root:
 * directory of dev, "/". Returns 0 or a negative errno. If a device's mailbox cannot be opened, the
 * device's answers have that error.
 */
int health_process_start(const char *root, const struct cxl_device *devices, size_t count,
			 const struct sudo_user *caller, struct health_process *out,
			 struct error *err);

/*
 * Takes the next answer, without waiting. context: struct health_process. Returns false if there is
 * none yet, or if the process has ended or sent an impossible answer: then no more come.
 */
bool health_process_next(void *context, struct health_answer *out);

/* Tells the process to end, and does not wait for it. */
void health_process_stop(struct health_process *process);

/* replay_screen.c: plays a recording on the screen. */

/*
 * Checks that the screen can be shown. ERROR_USAGE: there is no terminal for it, or other options
 * conflict with it.
 */
int replay_screen_check(const struct options *options, struct error *err);

/*
 * Shows the samples one after another, as fast as they were taken, until the user quits or a signal
 * comes. After a signal other than SIGINT, options->status is EXIT_SIGNALLED plus its number.
 * Returns 0, or the negative errno of a sample that cannot be read.
 */
int replay_screen(struct options *options, struct replay *replay, struct error *err);

/*
 * calibration.c: reads the file options->calibration, made by cxlmon sweep --calibrate.
 * out->processor points into processor. ERROR_USAGE: it is not a calibration. Other errors: as
 * playback_series_read() and slowdown_fit(), or it is damaged.
 */
int calibration_read(const struct options *options, struct what_if *out,
		     char processor[RECORDED_PROCESSOR_SIZE], struct error *err);

/*
 * explain_weights.c: runs cxlmon explain --weights for the program recorded in the file
 * options->recorded, with the sweep in the file options->weights.
 */
int explain_weights(struct options *options, struct error *err);

/*
 * explain_hosts.c: runs cxlmon explain for the recordings of several hosts, options->operands.
 * Errors as hosts_read().
 */
int explain_hosts(struct options *options, struct error *err);

/*
 * compare_hosts.c: runs cxlmon compare for three or more recordings, options->operands. Errors as
 * hosts_read(). ERROR_USAGE: an option is for two recordings.
 */
int compare_hosts(const struct options *options, struct error *err);

/*
 * sweep_calibrate.c: runs cxlmon sweep --calibrate, and writes the calibration to options->output
 * ("-": standard output). -EINTR: a signal ended it; measurements up to then are kept, and
 * options->status is EXIT_SIGNALLED plus its number.
 */
int sweep_calibrate(struct options *options, struct error *err);

#endif
