/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/cxl/cxl_mailbox.h"
#include "linux/kernel/clock.h"
#include "linux/rights/rights.h"
#include "linux/run/packet.h"
#include "linux/run/process.h"
#include "platform/device_health.h"

#define ANSWERS	  STDIN_FILENO /* only descriptor, besides standard error and the mailboxes */
#define PERIOD_MS ((int)(DEVICE_HEALTH_PERIOD_NS / 1000000))

/*
 * Asks a mailbox. *mailbox: a descriptor, or the error of opening it. The mailbox of a device that
 * is gone is closed: while it is open, the device would return with another name.
 */
static void ask_mailbox(int *mailbox, size_t device)
{
	struct health_answer answer = {.device = device, .code = *mailbox};
	struct bytes bytes = {.failed = false};

	if (*mailbox >= 0)
		answer.code = cxl_mailbox_health(*mailbox, &answer.health);
	if (*mailbox >= 0 && answer.code == -ENXIO) {
		close(*mailbox);
		*mailbox = answer.code;
	}
	answer.at_ns = clock_monotonic();
	health_answer_code(&(struct coder){.out = &bytes}, &answer);
	/* a reader that is late gets the next answer */
	packet_send(ANSWERS, &bytes);
	bytes_free(&bytes);
}

__attribute__((noreturn)) static void run(const char *root, const struct cxl_device *devices,
					  size_t count, int answers, const struct sudo_user *caller)
{
	const struct rights_use use = {.role = RIGHTS_HEALTH, .caller = *caller};
	struct pollfd closed = {.fd = ANSWERS};
	int *mailboxes = calloc(count, sizeof(*mailboxes));

	if (!mailboxes || !helper_begin("cxlmon-health", &answers, 1))
		_exit(EXIT_FAILED);
	for (size_t i = 0; i < count; i++)
		mailboxes[i] = cxl_mailbox_open(root, devices[i].name);
	if (rights_give_up(&use, NULL))
		_exit(EXIT_FAILED);
	do
		for (size_t i = 0; i < count; i++)
			ask_mailbox(&mailboxes[i], i);
	while (!poll(&closed, 1, PERIOD_MS));
	_exit(EXIT_OK);
}

int health_process_start(const char *root, const struct cxl_device *devices, size_t count,
			 const struct sudo_user *caller, struct health_process *out,
			 struct error *err)
{
	int socket;
	const pid_t pid = helper_fork(&socket);

	if (pid == 0)
		run(root, devices, count, socket, caller);
	*out = (struct health_process){.answers = socket};
	if (pid > 0)
		return 0;
	return error_set(err, ERROR_FAILED, pid,
			 "the process that reads the health of devices cannot be started: %s",
			 strerror(-pid));
}

bool health_process_next(void *context, struct health_answer *out)
{
	struct health_process *process = context;
	struct packet_buffer buffer;
	struct coder c;
	const int got =
		process->answers < 0 ? 0 : packet_receive(process->answers, &buffer, &c, NULL);

	if (!got)
		return false;
	if (got > 0) {
		health_answer_code(&c, out);
		/* the reader checks the device's number */
		if (!c.bad && !c.left && out->at_ns <= clock_monotonic())
			return true;
	}
	close(process->answers);
	process->answers = -1;
	return false;
}

/* Closes the socket. A process that waits for a device ends later, as nobody's child. */
void health_process_stop(const struct health_process *process)
{
	if (process->answers >= 0)
		close(process->answers);
}
