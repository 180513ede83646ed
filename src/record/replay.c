/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/replay.h"

int replay_init(struct replay *replay, struct recording_file *file, enum scope finest,
		uint64_t interval_ns, struct error *err)
{
	*replay = (struct replay){.file = file, .interval_ns = interval_ns, .due_ns = interval_ns};
	return aggregate_init(&replay->aggregate, &file->recording.view, finest)
		       ? error_no_memory(err)
		       : 0;
}

void replay_free(struct replay *replay)
{
	aggregate_free(&replay->aggregate);
}

/* Whether the row ends with this sample: the next one would be further away from its end. */
static bool is_due(struct replay *r)
{
	r->elapsed_ns += r->file->length_ns;
	if (!r->interval_ns)
		return true;
	const uint64_t reached = r->elapsed_ns + r->file->recording.about.interval_ns / 2;
	if (reached < r->due_ns)
		return false;
	r->due_ns = (reached / r->interval_ns + 1) * r->interval_ns;
	return true;
}

int replay_next(struct replay *r, struct error *err)
{
	while (!r->at_end) {
		const int rc = recording_file_next(r->file, &r->why);

		r->at_end = rc <= 0;
		r->ended = rc;
		if (rc > 0 && aggregate_add(&r->aggregate, &r->file->recording.sample))
			return error_no_memory(err);
		if (r->aggregate.samples && (r->at_end || is_due(r))) {
			aggregate_close(&r->aggregate);
			return 1;
		}
	}
	if (r->ended)
		*err = r->why;
	return r->ended;
}
