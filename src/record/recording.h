/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording: the rows of a view, sample by sample, with all that it takes to show them again
 * without the machine. Bytes in memory on both sides: files are the caller's. The format is
 * described in docs/recording.md.
 */
#ifndef CXLMON_RECORDING_H
#define CXLMON_RECORDING_H

#include "metrics/view.h"
#include "platform/error.h"
#include "poller/sample.h"
#include "record/bytes.h"

#define RECORDING_VERSION 1
#define RECORDING_OPTIONS 24

struct recording_option {
	const char *name, *value;
};

/* What is known of the run besides its rows. */
struct recording_info {
	const char *program;   /* the version of cxlmon that wrote it: "0.1.0" */
	const char *processor; /* "Sapphire Rapids" */
	uint64_t interval_ns;
	uint64_t started_ns;				    /* since 1970 in UTC */
	struct recording_option options[RECORDING_OPTIONS]; /* in the words of the command line */
	size_t option_count;
};

/* Each adds bytes to out: what a recording begins with, a sample that the view shows, the end. */
void recording_put_header(struct bytes *out, const struct recording_info *about,
			  const struct view *view);
void recording_put_sample(struct bytes *out, const struct view *view, const struct sample *sample);
void recording_put_end(struct bytes *out, uint64_t samples);

/* Whether a view is larger than a recording may be: 0 or -E2BIG. */
int recording_check_size(const struct view *view);

enum recording_item {
	RECORDING_NOTHING, /* more bytes are needed */
	RECORDING_HEADER,  /* the first thing that is found */
	RECORDING_SAMPLE,
	RECORDING_OTHER, /* something that a later version has added */
	RECORDING_END,	 /* the last */
};

/* What has been found so far. Starts as {0}; freed by recording_free(). */
struct recording {
	struct recording_info about;
	struct view view;     /* its values are those of the latest sample */
	struct sample sample; /* the latest, without counts */
	uint64_t samples;     /* that were found */

	/* behind it */
	enum recording_item last;
	struct bytes header, body; /* texts point into them */
	struct metric *metrics;
	struct value *values;
	struct box *boxes;
	struct unit *units;
	struct event *events;
};

/*
 * Takes what data begins with; *used bytes of it are done with then. 0, or -EBADMSG where that is
 * damaged or no recording, -ENOTSUP where it is of a later version, -ENOMEM. After a failure,
 * *recording is only good to be freed.
 */
int recording_decode(struct recording *recording, const void *data, size_t size, size_t *used,
		     enum recording_item *found, struct error *err);
void recording_free(struct recording *recording);

#endif
