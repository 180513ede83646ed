/* SPDX-License-Identifier: BSD-3-Clause */
/* A context of the library: its settings, session and last sample. Private to src/lib. */
#ifndef CXLMON_LIB_CONTEXT_H
#define CXLMON_LIB_CONTEXT_H

#include <locale.h>

#include "cxlmon.h"
#include "record/recording_file.h"
#include "session/sampling.h"
#include "session/session.h"

struct cxlmon_ctx {
	unsigned references; /* number of references; the context is freed at 0 */
	cxlmon_log_fn *log;  /* receives log messages; NULL: messages are dropped */
	void *log_data;	     /* first argument of .log */

	/* settings; strings are copies, freed by context_free_options(); NULL: default */
	struct session_options options;
	const char *recording; /* name of the file to read, owned; NULL: a machine is measured */

	/* Result of cxlmon_list_events(). */
	const struct event **listed; /* array, owned, of constant events */
	size_t listed_count;
	const struct model *listed_model; /* processor of these events */

	struct session session;	    /* all zero before the first start */
	struct recording_file file; /* all zero unless a recording is read */
	const struct table *table;  /* table of .session or .file; NULL: none */
	bool sampled;		    /* .table and .sample have values of a sample */
	bool running;		    /* from cxlmon_start() to cxlmon_stop() or a bad recording */
	bool ended;		    /* the recording has ended */
	int timer;		    /* 1 + the descriptor of cxlmon_fd(); 0: not requested */
	struct sampling sampling;   /* unused while a recording is read */
	struct sample sample;	    /* last sample */
	struct error error;	    /* error of the last function that failed */

	locale_t c_locale;    /* locale with decimal points, owned */
	locale_t host_locale; /* locale of the calling thread, in which .log runs; not owned */
};

/*
 * Returns 0 if settings may be changed. If the context is running, sets ctx->error and returns
 * -EBUSY. If ctx is NULL, returns -EINVAL.
 */
int context_check_settable(struct cxlmon_ctx *ctx);
/* Frees the strings of a context's options. */
void context_free_options(struct session_options *options);

/*
 * Calls a function in the C locale, and then restores the thread's locale. Returns the function's
 * result. If ctx is NULL, returns -EINVAL.
 */
int context_in_c_locale(struct cxlmon_ctx *ctx, int (*function)(struct cxlmon_ctx *ctx));

#endif
