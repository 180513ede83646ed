/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/identity.h"

#include "base/text.h"
#include "platform/platform.h"

#define TRIES 4 /* retries if the pid passes from one process to another */

static void read_facts(struct platform *p, struct process_identity *out)
{
	const struct process_ops *ops = p->ops->processes;
	char path[ROOTFS_PATH_SIZE];
	struct listed_process listed;

	ops->name(p, out->pid, out->name);
	const char *cgroup = ops->cgroup(p, out->pid, path);
	printable(cgroup ? cgroup : "", out->cgroup, sizeof(out->cgroup));
	if (ops->status(p, out->pid, &listed) <= 0)
		return;
	out->resident = listed.resident;
	out->uid = listed.uid;
	ops->user(p, listed.uid, out->user);
}

static bool has_pid(struct platform *p, unsigned pid, uint64_t started)
{
	struct process_stat stat;

	return p->ops->processes->stat(p, pid, 0, &stat) && stat.started == started;
}

void process_describe(struct platform *p, unsigned pid, struct process_identity *out)
{
	struct process_stat stat;

	for (unsigned i = 0; i < TRIES && p->ops->processes->stat(p, pid, 0, &stat); i++) {
		*out = (struct process_identity){
			.pid = pid, .started = stat.started, .uid = OWNER_UNKNOWN};
		read_facts(p, out);
		if (has_pid(p, pid, stat.started))
			return;
	}
	*out = (struct process_identity){.pid = pid, .ended = true, .uid = OWNER_UNKNOWN};
}
