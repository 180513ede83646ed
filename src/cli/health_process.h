/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that asks CXL devices for their health. It waits for slow devices, so that nobody else
 * has to; and as nobody can limit which commands a mailbox takes, it alone has the descriptors, and
 * reads nothing from anybody.
 */
#ifndef CXLMON_CLI_HEALTH_PROCESS_H
#define CXLMON_CLI_HEALTH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"
#include "platform/cxl.h"
#include "platform/device_health.h"

struct health_process {
	pid_t pid;   /* 0: none */
	int answers; /* -1: none; a pipe, from which struct health_answer are read without waiting
		      */
};

/*
 * Starts it while this process has its rights and a single thread. For devices whose mailbox can't
 * be opened, its answers are the error.
 */
int health_process_start(const char *root, const struct cxl_device *devices, size_t count,
			 const struct sudo_user *caller, struct health_process *out,
			 struct error *err);

/*
 * Takes the next answer. context: struct health_process. False: there is none yet, or it was one
 * that no device gives: then there will be none.
 */
bool health_process_next(void *context, struct health_answer *out);

/* Lets it end, without waiting for a device. */
void health_process_stop(struct health_process *process);

#endif
