/* SPDX-License-Identifier: BSD-3-Clause */
/* What a context is. Private to src/lib. */
#ifndef CXLMON_LIB_CONTEXT_H
#define CXLMON_LIB_CONTEXT_H

#include "cxlmon.h"
#include "metrics/sampling.h"
#include "session/session.h"

struct cxlmon_ctx {
	unsigned references;
	cxlmon_log_fn *log; /* NULL drops remarks */
	void *log_data;

	/* what was asked for; NULL: nothing was said about it */
	char *sim, *root, *metrics;
	char **events;
	size_t event_count;
	uint64_t interval_ns;
	enum scope finest;
	enum ownership ownership;

	struct session session; /* all zero before the first start */
	bool opened;		/* so that rows and columns can be shown */
	bool running;
	struct sampling sampling;
	bool warned;	      /* of values that are empty */
	struct sample sample; /* the last one */
	struct error error;   /* of the last function that failed */
};

#endif
