/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line. */
#ifndef CXLMON_OPTIONS_H
#define CXLMON_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "metrics/view.h"
#include "output/sink.h"
#include "plan/plan.h"
#include "platform/error.h"
#include "session/session.h"

#define OPTIONS_MOST 64 /* times that an option may be repeated */

struct listen_address;

/* Whether a run ends with a summary on standard error. */
enum summary_policy {
	SUMMARY_AUTO, /* with COUNT or COMMAND, if that is a terminal */
	SUMMARY_ALWAYS,
	SUMMARY_NEVER,
};

struct options {
	uint64_t interval_ns;
	const char *interval_text; /* as it was given; NULL: it was not */
	uint64_t count;		   /* samples; 0: endless */
	char **command;		   /* NULL-terminated; NULL without one */

	const struct format *format;	  /* NULL: table on a terminal, else csv */
	const char *output;		  /* NULL: standard output */
	bool append;			  /* the output continues what is in the file */
	bool no_header;			  /* CSV without its header row */
	bool record;			  /* cxlmon record: the output is a recording */
	struct view_options view;	  /* without its events, which are looked up later */
	const char *events[OPTIONS_MOST]; /* arguments of -e */
	size_t event_count;
	const char *event_files[OPTIONS_MOST]; /* arguments of --events-from */
	size_t event_file_count;
	const char *metrics[OPTIONS_MOST]; /* arguments of --metric */
	size_t metric_count;
	const char *metric_files[OPTIONS_MOST]; /* arguments of --metrics-from */
	size_t metric_file_count;
	uint64_t rotate_ns; /* of --rotate; 0: the interval / number of event groups */
	const char *sim;    /* NULL: real hardware */
	const char *root;   /* "/" */
	enum session_backend backend;
	enum freeze_policy freeze;
	const struct listen_address
		*listen;	  /* cxlmon serve; NULL: samples are written to the output */
	enum ownership ownership; /* what to do about counters in use by others */
	bool groups_chosen;	  /* by -m */
	bool plain;		  /* a table instead of the screen */
	double link_MBps;	  /* of a port's link in one direction; 0: not known */
	enum summary_policy summary;
	bool quiet, verbose;
	bool help, version;
	const char *help_topic; /* of --help=TOPIC; NULL: none */
};

/* EXIT_USAGE, with a message that says what was expected. Strings in *out point into argv. */
int options_parse(int argc, char **argv, struct options *out, struct error *err);
/*
 * The same for cxlmon record. Its file ("-": standard output) is the first operand that does not
 * read as a number, or that of -o.
 */
int options_parse_record(int argc, char **argv, struct options *out, struct error *err);

/*
 * The index in argv of operand nth (from 0); argc where there are fewer. Options, their values and
 * what follows -- are no operands. valued (ends with NULL) names options of subcommands that have a
 * value and are not the monitor's; any other unknown option is taken as one without a value.
 */
int options_operand(int argc, char **argv, unsigned nth, const char *const *valued);

/* The help of each option of a topic; NULL: of the most common ones. */
void options_help(FILE *out, const char *topic);

/* "0", "1.5", "500ms", "100us", "1m": in nanoseconds. False: anything else. */
bool options_duration(const char *text, double *ns);
/* The same, from 100 us to a year. */
int options_interval(const char *text, uint64_t *ns, struct error *err);
/* COUNT: a whole number from 1. */
int options_count(const char *text, uint64_t *count, struct error *err);

#endif
