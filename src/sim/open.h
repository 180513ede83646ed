/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform that a user chose: this machine, or a simulated one. */
#ifndef CXLMON_SIM_OPEN_H
#define CXLMON_SIM_OPEN_H

#include "session/session.h"

/* The simulated platform if sim is not NULL, else the Linux platform below root. Freed by
 * platform_destroy(). */
int platform_open(const char *sim, const char *root, const struct log *log, struct platform **out,
		  struct error *err);

/* session_open() on the platform that options->sim and root say. log is copied. */
int open_session(const struct session_options *options, const struct log *log, struct session *out,
		 struct error *err);

#endif
