/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of one check of cxlmon doctor. */
#ifndef CXLMON_DOCTOR_FINDING_H
#define CXLMON_DOCTOR_FINDING_H

#include <stdbool.h>

#include "platform/error.h"

enum verdict {
	VERDICT_NOT_RUN, /* a check before it has found that no other makes sense */
	VERDICT_PASS,
	VERDICT_WARN, /* monitoring works, with limits that the user should know */
	VERDICT_FAIL, /* monitoring does not work */
	VERDICT_SKIP, /* not applicable here, or blocked by another check */
};

struct finding {
	enum verdict verdict;
	bool blocked;	    /* a SKIP because another check did not pass */
	struct error error; /* text: the reason; command: what to run; status: of a FAIL */
};

/* Each sets *out. The text is cut to the size of that of a struct error. */
__attribute__((format(printf, 2, 3))) void doctor_pass(struct finding *out, const char *format,
						       ...);
__attribute__((format(printf, 3, 4))) void doctor_warn(struct finding *out, const char *command,
						       const char *format, ...);
__attribute__((format(printf, 3, 4))) void doctor_skip(struct finding *out, bool blocked,
						       const char *format, ...);
void doctor_fail(struct finding *out, const struct error *why); /* text, command and status */

/*
 * For a run as root. Where root is not allowed something, as in a container, sudo would change
 * nothing: the advice is to look at root's capabilities. Other commands lose their sudo, unless
 * the run was started by sudo: the user's shell, which they are pasted into, is not root's then.
 */
void doctor_advise_root(struct finding *finding, bool by_sudo);

#endif
