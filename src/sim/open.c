/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/open.h"

#include "linux/linux.h"
#include "sim/sim.h"

int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err)
{
	return sim ? platform_sim(sim, log, out, err) : platform_linux(root, log, out, err);
}

int open_session(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err)
{
	struct platform *platform;
	const int rc = platform_open(options->sim, options->root, log, &platform, err);

	*out = (struct session){.platform = NULL};
	return rc ? rc : session_open(options, platform, out, err);
}
