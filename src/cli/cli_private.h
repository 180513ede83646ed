/* SPDX-License-Identifier: BSD-3-Clause */
/* The smaller files of this folder, each with its name; the others have headers of their own. */
#ifndef CXLMON_CLI_CLI_PRIVATE_H
#define CXLMON_CLI_CLI_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
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

/* The exit status of a command that ends with this kind of error. */
enum exit_status exit_status_of(enum error_kind kind);

/*
 * messages.c: standard error, one line a message, "cxlmon: ...", in systemd's journal with its
 * priority.
 */

/* Which messages are printed besides errors. */
enum verbosity {
	NOT_VERBOSE,
	QUIET,	 /* nothing */
	VERBOSE, /* details, too */
};

struct log messages_log(enum verbosity verbosity);

void messages_error(const struct error *err);

/* Written by one call, so that it stays together. */
void messages_summary(const struct summary *summary, const char *processor, uint64_t elapsed_ns,
		      FILE *stream, int width);

/* After EXIT_NO_UNIT of a machine that was no simulation (sim NULL): how to do without. */
void messages_try_simulation(int status, const char *sim);

/* Says which commands work on a machine that cannot measure bandwidth; as cxlmon doctor does. */
void doctor_suggest(const struct options *options);

/* Text in lines that end between words. */

#define HELP_WIDTH  79
#define HELP_INDENT 25 /* of what an option or a subcommand does */

/* Columns of the terminal at standard output; 0: it is none, and lines are as long as they are. */
int wrapped_width(void);

/*
 * Prints text, and a newline. The line has `used` columns already; those that follow are indented.
 * None has more than width columns, unless a single word has. Where width is 0, or too narrow for
 * that, it is one line.
 */
void wrapped_print(FILE *out, const char *text, int used, int indent, int width);

/*
 * Prints the first characters of a help text on 80 columns: lines that begin with a letter are
 * joined to paragraphs. Others, which begin with a blank or "Usage:", stay lines of their own.
 */
void help_text(FILE *out, const char *text, size_t count);

/* How many characters of text are whole words that fit; all of them if room is 0. */
int wrapped_cut(const char *text, int room);

/*
 * habits.c: options that users of perf, turbostat, vmstat and PCM type out of habit, and the
 * options of cxlmon. A row is tried only after a word was refused, so that none of them hides a
 * valid word.
 */

/* Where the word stood. */
enum habit_place {
	HABIT_OPTION,
	HABIT_OPERAND,
	HABIT_NUMBER, /* an operand, too, where an interval or a count was expected */
};

/* The hint behind "...: " in the message. NULL: no habit is known. */
const char *habit_hint(enum habit_place place, const char *word);

/*
 * screen_defaults.c: what a user wants of every screen, as lines "NAME = VALUE" of the file
 * cxlmon/screen in $XDG_CONFIG_HOME, or else ~/.config. They choose what is shown, and nothing
 * else: no other output, file or command depends on them. Root's must be a file of root's, or of
 * sudo's caller, whose HOME some systems keep.
 */

#define SCREEN_DEFAULTS_SIZE 1024

struct screen_defaults {
	char text[SCREEN_DEFAULTS_SIZE]; /* strings of the options point into it */
	bool binary;			 /* units = GiB */
};

/*
 * Sets the options that were not given. 0, also without a file. ERROR_USAGE: the file can't be
 * taken; its contents are not in the message.
 */
int screen_defaults_apply(struct screen_defaults *defaults, struct options *options,
			  struct error *err);

/*
 * health_process.c: a process that asks CXL devices for their health. It waits for slow devices, so
 * that nobody else has to; and as nobody can limit which commands a mailbox takes, it alone has the
 * descriptors, and reads nothing from anybody.
 */

struct health_process {
	pid_t pid;   /* 0: none */
	int answers; /* -1: none; a socket with packets of struct health_answer */
};

/*
 * Starts it while this process has its rights and a single thread. For devices whose mailbox can't
 * be opened, its answers are the error.
 */
int health_process_start(const char *root, const struct cxl_device *devices, size_t count,
			 const struct sudo_user *caller, struct health_process *out,
			 struct error *err);

/*
 * Takes the next answer. context: struct health_process. False: there is none yet, or it was one
 * that no device gives: then there will be none.
 */
bool health_process_next(void *context, struct health_answer *out);

/* Lets it end, without waiting for a device. */
void health_process_stop(struct health_process *process);

/* replay_screen.c: a recording on the screen. */

/* Fails with ERROR_USAGE without a terminal, or if other options conflict with the screen. */
int replay_screen_check(const struct options *options, struct error *err);

/*
 * Shows the samples one after another, as fast as they were taken, until somebody quits; -EINTR: by
 * a signal, whose number is in options->status.
 */
int replay_screen(struct options *options, struct replay *replay, struct error *err);

/*
 * calibration.c: reads the file in options->calibration, of cxlmon sweep --calibrate. processor:
 * room for the name in *out. ERROR_USAGE: not a calibration; ERROR_FAILED: as
 * playback_series_read(), it is damaged, or see slowdown_fit().
 */
int calibration_read(const struct options *options, struct what_if *out,
		     char processor[RECORDED_PROCESSOR_SIZE], struct error *err);

/*
 * explain_weights.c: cxlmon explain --weights, of the program in options->recorded, by the sweep in
 * options->weights.
 */
int explain_weights(struct options *options, struct error *err);

/* sweep_calibrate.c: cxlmon sweep --calibrate, into options->output ("-": standard output). */
int sweep_calibrate(struct options *options, struct error *err);

#endif
