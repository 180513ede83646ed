/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "linux/signals.h"
#include "who/scan.h"

int who_watch_wait(struct who_watch *watch, uint64_t ns, struct error *err)
{
	struct platform *p = watch->platform;
	int rc;

	do
		rc = p->ops->sleep_until(p, ns, watch->wake, &watch->signal_number);
	while (rc == -EINTR && (!watch->wake || watch->signal_number == SIGCHLD ||
				watch->signal_number == SIGNAL_KICK));
	return rc ? error_set(err, EXIT_FAILED, rc, "interrupted by a signal") : 0;
}
