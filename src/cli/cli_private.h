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
	EXIT_SIGNALLED = 128,  /* plus the number of the signal that ended cxlmon */
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

/* Prints the error in *last, unless its .code is 0. Then copies err to *last. */
void messages_keep_last(struct error *last, const struct error *err);

/* Copies a failure to *err, and returns its code. If the code is 0, leaves *err unchanged. */
int messages_pass_on(const struct error *failure, struct error *err);

/*
 * Prints a summary in one piece, or nothing if memory runs out. Arguments: see summary_print().
 */
void messages_summary(const struct summary *summary, const char *processor, uint64_t elapsed_ns,
		      FILE *stream, int width);

/*
 * If status is EXIT_NO_UNIT, and the run was not simulated (sim is NULL), prints how to try a
 * simulation.
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
 * Prints the first count characters of a help text. Lines that begin with a letter are joined to
 * paragraphs. Lines that begin with "Usage:" stay as they are. Lines that begin with a blank are
 * rows of two columns; rows of over 80 characters are wrapped in the second column.
 */
void help_text(FILE *out, const char *text, size_t count);

/*
 * habits.c: words that users of perf, turbostat, top, vmstat and PCM type out of habit, and hints
 * on cxlmon's equivalents. Look up only words that were refused.
 */

/* Place of the word in the command line. */
enum habit_place {
	HABIT_OPTION,
	HABIT_SUBCOMMAND, /* an option of a subcommand that is not the monitor */
	HABIT_PROCESSES,  /* an option of top, who or hot */
	HABIT_TIME,	  /* an option for an interval or a count; its hint ends in an example */
	HABIT_OPERAND,
	HABIT_NUMBER, /* an operand where a number is expected */
};

/* Returns a hint, such as "expected --csv", to be appended to the message; NULL: there is none. */
const char *habit_hint(enum habit_place place, const char *word);

/*
 * screen_defaults.c: a user's defaults for the screen, which no other output uses. They are lines
 * "NAME = VALUE" of the file cxlmon/screen in $XDG_CONFIG_HOME, or in ~/.config. The file must
 * belong to this process's user or to sudo's caller, and only its owner may write it.
 */

#define SCREEN_DEFAULTS_SIZE 1024

struct screen_defaults {
	char text[SCREEN_DEFAULTS_SIZE]; /* text of the file, into which options point */
	bool binary;			 /* the file has "units = GiB" */
};

/*
 * Reads the file, and sets the options that are in the file, but not on the command line. *defaults
 * must stay valid as long as the options. If the file does not exist, or this user may not read it,
 * changes no options and returns 0. Returns 0 or a negative errno. After an error, such as
 * ERROR_USAGE for a bad file, the options are unchanged.
 */
int screen_defaults_apply(struct screen_defaults *defaults, struct options *options,
			  struct error *err);

/*
 * health_process.c: a helper process that asks CXL devices for their health, again and again. So no
 * other process waits for slow devices. A mailbox takes any command, so only this process opens
 * mailboxes, and it reads nothing from other processes.
 */

struct health_process {
	int answers; /* socket with messages of health_answer_code(); -1: none */
};

/*
 * Starts the helper. Must be called before further threads are started and permissions are dropped.
 * root is "/", or another directory in which dev is. Returns 0 or a negative errno. If a device's
 * mailbox cannot be opened, answers about the device have that error.
 */
int health_process_start(const char *root, const struct cxl_device *devices, size_t count,
			 const struct sudo_user *caller, struct health_process *out,
			 struct error *err);

/*
 * Sets *out to the next answer. Does not wait. context: a struct health_process. Returns false if
 * there is no answer now. After the helper has ended, or sent an invalid answer, there are no more.
 */
bool health_process_next(void *context, struct health_answer *out);

/* Makes the helper end, without waiting for its end. */
void health_process_stop(const struct health_process *process);

/* replay_screen.c: plays a recording on the screen. */

/*
 * Checks that the screen can be shown. Returns 0 or a negative errno. ERROR_USAGE: there is no
 * terminal for it, or other options exclude it.
 */
int replay_screen_check(const struct options *options, struct error *err);

/*
 * Shows the samples at the speed at which they were taken, until the user quits or a signal comes.
 * After a signal other than SIGINT, sets options->status to EXIT_SIGNALLED plus its number. Returns
 * 0 or a negative errno: a sample cannot be read, the screen cannot be shown, or memory runs out.
 */
int replay_screen(struct options *options, struct replay *replay, struct error *err);

/*
 * calibration.c: reads the file options->calibration, made by cxlmon sweep --calibrate.
 * out->file and out->log point into options. Returns 0 or a negative errno:
 * - ERROR_USAGE: the file is not a calibration
 * - the error of a damaged file
 * - an error of playback_read_whole() or slowdown_fit()
 */
int calibration_read(const struct options *options, struct what_if *out, struct error *err);

/*
 * explain_weights.c: runs cxlmon explain --weights. options->recorded: recording of the program;
 * options->weights: recording of the sweep. Returns 0 or a negative errno. If a recording is
 * damaged, prints the result of its complete samples, and returns the error.
 */
int explain_weights(struct options *options, struct error *err);

/*
 * explain_hosts.c: runs cxlmon explain for the recordings of several hosts, options->operands.
 * Returns 0 or a negative errno, as hosts_read(). ERROR_USAGE: an option is only for one recording.
 */
int explain_hosts(struct options *options, struct error *err);

/*
 * compare_hosts.c: runs cxlmon compare for three or more recordings, options->operands. Returns 0
 * or a negative errno, as hosts_read(). ERROR_USAGE: an option is only for two recordings.
 */
int compare_hosts(const struct options *options, struct error *err);

/*
 * sweep_calibrate.c: runs cxlmon sweep --calibrate, and writes the calibration to options->output
 * ("-": standard output). Returns 0 or a negative errno. -EINTR: a signal ended it. Then the output
 * has the measurements so far, and options->status is EXIT_SIGNALLED plus the signal's number.
 */
int sweep_calibrate(struct options *options, struct error *err);

#endif
