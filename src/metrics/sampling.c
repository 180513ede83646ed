/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/sampling.h"

#include <errno.h>

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

int sampling_wait(struct sampling *sampling, const sigset_t *wake, int *signal_number,
		  struct error *err)
{
	struct sample none;
	enum read_reason due;

	for (;;) {
		int rc = poller_wait(sampling->poller, wake, signal_number, &due, err);
		if (rc || due == READ_SAMPLE)
			return rc;
		rc = poller_read(sampling->poller, due, err);
		if (rc)
			return rc;
		decoder_add(sampling->decoder, poller_frame(sampling->poller), &none);
	}
}

int sampling_take(struct sampling *sampling, struct sample *out, struct error *err)
{
	const int rc = poller_read(sampling->poller, READ_SAMPLE, err);

	if (!rc)
		decoder_add(sampling->decoder, poller_frame(sampling->poller), out);
	return rc;
}
