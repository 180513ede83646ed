/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"

#include "linux/linux.h"
#include "session/session_private.h"
#include "sim/sim.h"
#include "uncore/devices/cpmus.h"

int session_open_on(const struct session_options *options, struct platform *platform,
		    struct session *out, struct error *err)
{
	*out = (struct session){.options = *options, .platform = platform};
	platform->reader_cpus = options->cpus;
	const bool needs_units = options->events.count || options->metrics.count ||
				 options->metric_files.count || view_needs_units(&options->view);
	const int rc = needs_units			  ? session_use_units(out, err)
		       : view_wants_units(&options->view) ? session_use_units_if_any(out, err)
							  : session_use_no_units(out, err);

	if (rc)
		return rc;
	if (options->backend == BACKEND_PERF)
		cpmus_report_driver(&out->machine);
	view_bind(&out->view, &out->plan);
	session_report_uncounted(out);
	session_report_mbm(out);
	session_describe(out);
	if (options->rotation_ns)
		poller_set_rotation(out->poller, options->rotation_ns);
	return 0;
}

int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err)
{
	return sim ? platform_sim(sim, log, out, err) : platform_linux(root, log, out, err);
}

int session_open(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err)
{
	struct platform *platform;
	const int rc = platform_open(options->sim, options->root, log, &platform, err);

	*out = (struct session){.platform = NULL};
	return rc ? rc : session_open_on(options, platform, out, err);
}

void session_close(struct session *session)
{
	session_release(session);
	platform_destroy(session->platform);
	*session = (struct session){.platform = NULL};
}
