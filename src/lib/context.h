/* SPDX-License-Identifier: BSD-3-Clause */
/* struct cxlmon_ctx. Private to src/lib. */
#ifndef CXLMON_LIB_CONTEXT_H
#define CXLMON_LIB_CONTEXT_H

#include <locale.h>

#include "cxlmon.h"
#include "record/recording_file.h"
#include "session/sampling.h"
#include "session/session.h"

struct cxlmon_ctx {
	unsigned references;
	cxlmon_log_fn *log; /* NULL: messages are dropped */
	void *log_data;

	/* Settings; strings are copies, NULL: default. */
	struct session_options options;
	const char *recording; /* NULL: a machine is measured */

	/* Result of cxlmon_list_events(). */
	const struct event **listed;
	size_t listed_count;
	const struct model *listed_model;

	struct session session;	    /* all zero before the first start */
	struct recording_file file; /* all zero unless a recording is read */
	const struct table *table;  /* rows and columns; NULL: not available */
	bool sampled;		    /* rows and columns have values */
	bool running;
	bool ended; /* the recording has ended */
	int timer;  /* 1 + the descriptor of cxlmon_fd(); 0: not requested */
	struct sampling sampling;
	struct sample sample; /* the last one */
	struct error error;   /* from the last function that failed */

	locale_t c_locale;    /* locale for reading and writing numbers */
	locale_t host_locale; /* the calling thread's locale, in which log functions run */
};

/*
 * Checks that settings may be changed: -EBUSY while the context is running. -EINVAL: ctx is NULL.
 */
int context_check_settable(struct cxlmon_ctx *ctx);
void context_free_options(struct session_options *options);

/*
 * Calls a function in the C locale, in which decimal points are points. Only the calling thread
 * changes its locale, and restores it. Returns the function's result; -EINVAL: ctx is NULL.
 */
int context_in_c_locale(struct cxlmon_ctx *ctx, int (*function)(struct cxlmon_ctx *ctx));

#endif
