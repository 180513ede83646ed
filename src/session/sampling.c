/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/sampling.h"
#include "platform/clock.h"

int sampling_begin(struct sampling *sampling, struct poller *poller, const struct plan *plan,
		   struct error *err)
{
	struct sample none;

	*sampling = (struct sampling){.poller = poller, .decoder = decoder_new(plan)};
	if (!sampling->decoder)
		return error_no_memory(err);
	decoder_add(sampling->decoder, poller_frame(poller), &none);
	return 0;
}

void sampling_free(struct sampling *sampling)
{
	decoder_free(sampling->decoder);
	sampling->decoder = NULL;
}

static int rotate_units(struct sampling *sampling, enum read_reason due, struct error *err)
{
	struct sample none;
	const int rc = poller_read(sampling->poller, due, err);

	if (!rc)
		decoder_add(sampling->decoder, poller_frame(sampling->poller), &none);
	return rc;
}

int sampling_wait(struct sampling *sampling, const sigset_t *wake, int *signal_number,
		  struct error *err)
{
	enum read_reason due;

	for (;;) {
		int rc = poller_wait(sampling->poller, wake, signal_number, &due, err);
		if (rc || due == READ_SAMPLE)
			return rc;
		rc = rotate_units(sampling, due, err);
		if (rc)
			return rc;
	}
}

uint64_t sampling_next(const struct sampling *sampling)
{
	uint64_t when;

	poller_next(sampling->poller, &when);
	return when;
}

int sampling_dispatch(struct sampling *sampling, struct platform *p, struct error *err)
{
	uint64_t when;
	int rc = 0;

	while (!rc) {
		const enum read_reason due = poller_next(sampling->poller, &when);

		if (when > p->ops->clock->now(p))
			return 0;
		if (due == READ_SAMPLE)
			return 1;
		rc = rotate_units(sampling, due, err);
	}
	return rc;
}

int sampling_take(struct sampling *sampling, struct sample *out, struct error *err)
{
	const int rc = poller_read(sampling->poller, READ_SAMPLE, err);

	if (!rc)
		decoder_add(sampling->decoder, poller_frame(sampling->poller), out);
	return rc;
}
