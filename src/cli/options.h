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

#define OPTIONS_MOST 64 /* that an option may be repeated */

struct listen_address;

struct options {
	uint64_t interval_ns;
	uint64_t count; /* samples; 0: endless */
	char **command; /* NULL-terminated; NULL without one */

	const struct format *format;	  /* NULL: by where the output goes */
	const char *output;		  /* NULL: standard output */
	bool record;			  /* the output is a recording */
	struct view_options view;	  /* its events are found later, from those below */
	const char *events[OPTIONS_MOST]; /* as typed behind -e */
	size_t event_count;
	const char *event_files[OPTIONS_MOST]; /* behind --events-from */
	size_t event_file_count;
	uint64_t rotate_ns; /* 0: a turn for each group in an interval */
	const char *sim;    /* NULL: real hardware */
	const char *root;   /* "/" */
	enum freeze_policy freeze;
	const struct listen_address *listen; /* for cxlmon serve; NULL: samples are written */
	enum ownership ownership;	     /* of counters that somebody else uses */
	bool groups_chosen;		     /* by -m */
	bool plain;			     /* no screen, but a table */
	double link_MBps;		     /* of a port's link in one direction; 0: not known */
	bool quiet, verbose;
	bool help, version;
};

/* Strings in *out point into argv. EXIT_USAGE with one line that says what was expected. */
int options_parse(int argc, char **argv, struct options *out, struct error *err);
/* Likewise of cxlmon record, whose first operand is the file: "-" stands for standard output. */
int options_parse_record(int argc, char **argv, struct options *out, struct error *err);

void options_help(FILE *out);

/* "1", "0.5", "500ms", "100us": nanoseconds, from 100 us to a year. */
int options_interval(const char *text, uint64_t *ns, struct error *err);

#endif
