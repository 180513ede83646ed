/* SPDX-License-Identifier: BSD-3-Clause */
/* struct cxlmon_ctx. Private to src/lib. */
#ifndef CXLMON_LIB_CONTEXT_H
#define CXLMON_LIB_CONTEXT_H

#include "counts/sampling.h"
#include "cxlmon.h"
#include "record/recording_file.h"
#include "session/session.h"

struct cxlmon_ctx {
	unsigned references;
	cxlmon_log_fn *log; /* NULL: messages are dropped */
	void *log_data;

	/* settings, of which the texts are copies; NULL: default */
	struct session_options options;
	const char *recording; /* NULL: a machine is measured */

	/* the result of cxlmon_list_events() */
	const struct event **listed;
	size_t listed_count;
	const struct model *listed_model;

	struct session session;	    /* all zero before the first start */
	struct recording_file file; /* all zero unless a recording is read */
	const struct view *view;    /* rows and columns; NULL: not available */
	bool sampled;		    /* they have values */
	bool running;
	bool ended; /* the recording */
	int timer;  /* 1 + the descriptor of cxlmon_fd(); 0: not asked for */
	struct sampling sampling;
	struct sample sample; /* the last one */
	struct error error;   /* from the last function that failed */
};

#endif
