/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer as a file descriptor, for programs that wait for several things at once. */
#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>

#include "lib/context.h"
#include "platform/number.h"

#define AT_ONCE 1 /* ns; 0 would stop the timer */

/* Nanoseconds until something is due; 0: nothing will be. */
static uint64_t time_left(const struct cxlmon_ctx *ctx)
{
	struct platform *p = ctx->session.platform;

	if (!ctx->running || ctx->ended)
		return 0;
	if (ctx->file.name || p->virtual_clock)
		return AT_ONCE;
	const uint64_t now = p->ops->now(p), next = sampling_next(&ctx->sampling);

	return next > now ? next - now : AT_ONCE;
}

void context_set_timer(const struct cxlmon_ctx *ctx)
{
	const uint64_t left = ctx->timer ? time_left(ctx) : 0;
	const struct itimerspec time = {.it_value = {.tv_sec = (time_t)(left / NS_PER_S),
						     .tv_nsec = (long)(left % NS_PER_S)}};

	if (ctx->timer)
		timerfd_settime(ctx->timer - 1, 0, &time, NULL);
}

int cxlmon_fd(struct cxlmon_ctx *ctx)
{
	if (!ctx)
		return -EINVAL;
	if (!ctx->timer) {
		const int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
		const int code = errno;

		if (fd < 0)
			return error_set(&ctx->error, EXIT_FAILED, -code, "no timer: %s",
					 strerror(code));
		ctx->timer = fd + 1;
		context_set_timer(ctx);
	}
	return ctx->timer - 1;
}

int cxlmon_dispatch(struct cxlmon_ctx *ctx)
{
	int signal_number, rc = context_check_running(ctx);

	if (rc)
		return rc;
	if (ctx->file.name)
		return 1;
	if (ctx->session.platform->virtual_clock) {
		rc = sampling_wait(&ctx->sampling, NULL, &signal_number, &ctx->error);
		return rc ? rc : 1;
	}
	rc = sampling_dispatch(&ctx->sampling, ctx->session.platform, &ctx->error);
	context_set_timer(ctx);
	return rc;
}
