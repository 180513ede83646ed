/* SPDX-License-Identifier: BSD-3-Clause */
#include "hot/counters.h"

#include <math.h>

#include "sim/sim.h"

int hot_counters_open(struct hot_counters *counters, const struct session_options *options,
		      const struct log *log, struct error *err)
{
	struct session_options wanted = *options;

	/* of all ports: nodes may be of any memory */
	wanted.view.nodes = wanted.view.devices = NULL;
	*counters = (struct hot_counters){.cxl = SIZE_MAX, .dram = SIZE_MAX};
	const int rc = open_session(&wanted, log, &counters->session, err);
	if (rc)
		return rc;
	counters->cxl = view_find_column(&counters->session.view, "cxl_mem_read_MBps");
	counters->dram = view_find_column(&counters->session.view, "dram_read_MBps");
	return 0;
}

int hot_counters_start(struct hot_counters *counters, struct error *err)
{
	struct session *session = &counters->session;
	const int rc = session_start(session, err);

	return rc ? rc : sampling_begin(&counters->sampling, session->poller, &session->plan, err);
}

int hot_counters_wait(struct hot_counters *counters, const sigset_t *wake, int *signal_number,
		      struct error *err)
{
	return sampling_wait(&counters->sampling, wake, signal_number, err);
}

int hot_counters_take(struct hot_counters *counters, struct error *err)
{
	const int rc = sampling_take(&counters->sampling, &counters->sample, err);

	if (!rc)
		view_update(&counters->session.view, &counters->sample);
	return rc;
}

/* The row of the system is the last one of metrics. */
static double value_of(const struct hot_counters *counters, size_t column)
{
	const struct view *view = &counters->session.view;
	const size_t rows = view_metric_rows(view);

	return rows && column != SIZE_MAX ? view->rows[rows - 1].values[column].number : NAN;
}

double hot_counters_cxl(const struct hot_counters *counters)
{
	return value_of(counters, counters->cxl);
}

double hot_counters_dram(const struct hot_counters *counters)
{
	return value_of(counters, counters->dram);
}

int hot_counters_close(struct hot_counters *counters, struct error *err)
{
	sampling_free(&counters->sampling);
	const int rc = session_stop(&counters->session, err);
	session_close(&counters->session);
	return rc;
}
