/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of the library: start, samples, stop, and waiting for several. */
#include "lib/context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"
#include "platform/clock.h"
#include "session/session.h"

/* Returns -EINVAL unless the context is running. */
static int check_running(struct cxlmon_ctx *ctx)
{
	if (!ctx)
		return -EINVAL;
	return ctx->running ? 0
			    : error_set(&ctx->error, ERROR_USAGE, -EINVAL,
					"the context is not measuring: start it first");
}

int context_in_c_locale(struct cxlmon_ctx *ctx, int (*function)(struct cxlmon_ctx *ctx))
{
	if (!ctx)
		return -EINVAL;
	ctx->host_locale = uselocale(ctx->c_locale);
	const int rc = function(ctx);
	uselocale(ctx->host_locale);
	return rc;
}

/* A timer as a file descriptor, for programs that wait for several things at once. */

#define AT_ONCE 1 /* ns; 0 would stop the timer */

/* Returns nanoseconds until the next work; 0: there will be none. */
static uint64_t time_left(const struct cxlmon_ctx *ctx)
{
	struct platform *p = ctx->session.platform;

	if (!ctx->running || ctx->ended)
		return 0;
	if (ctx->file.name || p->virtual_clock)
		return AT_ONCE;
	const uint64_t now = p->ops->clock->now(p), next = sampling_next(&ctx->sampling);

	return next > now ? next - now : AT_ONCE;
}

/* Sets the timer of cxlmon_fd(), if it was requested, to the next work. */
static void set_timer(const struct cxlmon_ctx *ctx)
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
			return error_set(&ctx->error, ERROR_FAILED, -code, "no timer: %s",
					 strerror(code));
		ctx->timer = fd + 1;
		set_timer(ctx);
	}
	return ctx->timer - 1;
}

static int dispatch_call(struct cxlmon_ctx *ctx)
{
	int signal_number, rc = check_running(ctx);

	if (rc)
		return rc;
	if (ctx->file.name)
		return 1;
	if (ctx->session.platform->virtual_clock) {
		rc = sampling_wait(&ctx->sampling, NULL, &signal_number, &ctx->error);
		return rc ? rc : 1;
	}
	rc = sampling_dispatch(&ctx->sampling, ctx->session.platform, &ctx->error);
	set_timer(ctx);
	return rc;
}

int cxlmon_dispatch(struct cxlmon_ctx *ctx)
{
	return context_in_c_locale(ctx, dispatch_call);
}

/* Start, samples and stop. */

_Static_assert((int)CXLMON_SCOPE_CPU == SCOPE_CPU && (int)CXLMON_SCOPE_SYSTEM == SCOPE_SYSTEM,
	       "scopes of the library are those of the table");
_Static_assert((int)CXLMON_LOG_WARNING == LEVEL_WARNING && (int)CXLMON_LOG_DETAIL == LEVEL_DETAIL,
	       "levels of the library are those of logs");
_Static_assert((int)CXLMON_OWNERSHIP_SHARE == OWNERSHIP_SHARE &&
		       (int)CXLMON_OWNERSHIP_FORCE == OWNERSHIP_FORCE,
	       "ownership is that of units");
_Static_assert((int)CXLMON_BACKEND_RAW == BACKEND_RAW && (int)CXLMON_BACKEND_PERF == BACKEND_PERF &&
		       (int)CXLMON_BACKEND_AUTO == BACKEND_AUTO,
	       "backends of the library are those of a session");
_Static_assert((int)CXLMON_STATUS_USAGE == ERROR_USAGE && (int)CXLMON_STATUS_IN_USE == ERROR_IN_USE,
	       "statuses of the library are kinds of errors");

const char *cxlmon_version(void)
{
	return CXLMON_VERSION;
}

int cxlmon_new(struct cxlmon_ctx **out)
{
	if (!out)
		return -EINVAL;
	struct cxlmon_ctx *ctx = calloc(1, sizeof(*ctx));

	*out = ctx;
	if (!ctx)
		return -ENOMEM;
	ctx->references = 1;
	ctx->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!ctx->c_locale) {
		free(ctx);
		*out = NULL;
		return -ENOMEM;
	}
	ctx->options = (struct session_options){
		.interval_ns = NS_PER_S, .view.finest = SCOPE_PORT, .backend = BACKEND_AUTO};
	return 0;
}

struct cxlmon_ctx *cxlmon_ref(struct cxlmon_ctx *ctx)
{
	if (ctx)
		ctx->references++;
	return ctx;
}

static int reset_context(struct cxlmon_ctx *ctx)
{
	session_close(&ctx->session);
	sampling_free(&ctx->sampling);
	if (ctx->file.name)
		recording_file_close(&ctx->file);
	ctx->file = (struct recording_file){.name = NULL};
	ctx->table = NULL;
	ctx->sampled = ctx->ended = false;
	ctx->sample = (struct sample){.counts = NULL};
	return 0;
}

struct cxlmon_ctx *cxlmon_unref(struct cxlmon_ctx *ctx)
{
	if (!ctx || --ctx->references)
		return NULL;
	context_in_c_locale(ctx, reset_context);
	freelocale(ctx->c_locale);
	if (ctx->timer)
		close(ctx->timer - 1);
	context_free_options(&ctx->options);
	free((char *)ctx->recording);
	free(ctx->listed);
	free(ctx);
	return NULL;
}

void cxlmon_set_log(struct cxlmon_ctx *ctx, cxlmon_log_fn *log, void *data)
{
	if (!ctx)
		return;
	ctx->log = log;
	ctx->log_data = data;
}

static void forward_log(void *context, enum log_level level, const char *text)
{
	struct cxlmon_ctx *ctx = context;

	if (!ctx->log)
		return;
	uselocale(ctx->host_locale);
	ctx->log(ctx->log_data, (enum cxlmon_log_level)level, text);
	ctx->host_locale = uselocale(ctx->c_locale);
}

static int start_session(struct cxlmon_ctx *ctx)
{
	const struct log log = {.write = forward_log, .context = ctx};
	struct session_options wanted = ctx->options;

	wanted.view.regions_instead = true;
	wanted.root = wanted.root ? wanted.root : "/";
	if (wanted.events.count)
		wanted.view.groups = NULL;
	else if (!wanted.view.groups && !wanted.metrics.count)
		wanted.view.groups = METRIC_DEFAULTS;
	int rc = session_open(&wanted, &log, &ctx->session, &ctx->error);

	if (!rc)
		session_report_limits(&ctx->session);

	if (!rc)
		rc = session_start(&ctx->session, &ctx->error);
	return rc ? rc
		  : sampling_begin(&ctx->sampling, ctx->session.poller, &ctx->session.plan,
				   &ctx->error);
}

static int start_context(struct cxlmon_ctx *ctx)
{
	int rc = context_check_settable(ctx);

	if (rc)
		return rc;
	reset_context(ctx);
	rc = ctx->recording ? recording_file_open(ctx->recording, NULL, &ctx->file, &ctx->error)
			    : start_session(ctx);
	ctx->table = ctx->recording ? &ctx->file.recording.table : &ctx->session.view.table;
	if (rc)
		reset_context(ctx);
	ctx->running = !rc;
	set_timer(ctx);
	return rc;
}

int cxlmon_start(struct cxlmon_ctx *ctx)
{
	return context_in_c_locale(ctx, start_context);
}

static int wait_for_sample(struct cxlmon_ctx *ctx)
{
	int signal_number, rc = check_running(ctx);

	if (!rc && !ctx->file.name)
		rc = sampling_wait(&ctx->sampling, NULL, &signal_number, &ctx->error);
	if (rc == -EINTR)
		error_set(&ctx->error, ERROR_FAILED, rc, "interrupted by a signal handler");
	return rc;
}

int cxlmon_wait(struct cxlmon_ctx *ctx)
{
	return context_in_c_locale(ctx, wait_for_sample);
}

/* Reads a sample of a recording. After an error, no rows are left. */
static int read_recording(struct cxlmon_ctx *ctx)
{
	const int rc = recording_file_next(&ctx->file, &ctx->error);

	ctx->ended = !rc;
	if (!rc)
		return error_set(&ctx->error, ERROR_NONE, -ENODATA, "%s: the recording has ended",
				 ctx->file.name);
	if (rc < 0) {
		ctx->running = ctx->sampled = false;
		ctx->table = NULL;
		return rc;
	}
	ctx->sample = ctx->file.recording.sample;
	return 0;
}

static int take_sample(struct cxlmon_ctx *ctx)
{
	const int rc = sampling_take(&ctx->sampling, &ctx->sample, &ctx->error);

	if (rc)
		return rc;
	decoder_report(ctx->sampling.decoder, &ctx->session.platform->log);
	view_update(&ctx->session.view, &ctx->sample);
	return 0;
}

static int sample_context(struct cxlmon_ctx *ctx)
{
	int rc = check_running(ctx);

	if (!rc)
		rc = ctx->file.name ? read_recording(ctx) : take_sample(ctx);
	if (!rc)
		ctx->sampled = true;
	set_timer(ctx);
	return rc;
}

int cxlmon_sample(struct cxlmon_ctx *ctx)
{
	return context_in_c_locale(ctx, sample_context);
}

static int stop_context(struct cxlmon_ctx *ctx)
{
	ctx->running = false;
	set_timer(ctx);
	return session_stop(&ctx->session, &ctx->error);
}

int cxlmon_stop(struct cxlmon_ctx *ctx)
{
	return context_in_c_locale(ctx, stop_context);
}

int cxlmon_backend(const struct cxlmon_ctx *ctx)
{
	return ctx && ctx->running && !ctx->file.name ? (int)ctx->session.backend : -EINVAL;
}

const char *cxlmon_error(const struct cxlmon_ctx *ctx)
{
	return ctx ? ctx->error.text : "no context: NULL was given";
}

const char *cxlmon_error_command(const struct cxlmon_ctx *ctx)
{
	return ctx ? ctx->error.command : "";
}

enum cxlmon_status cxlmon_status(const struct cxlmon_ctx *ctx)
{
	return ctx ? (enum cxlmon_status)ctx->error.kind : CXLMON_STATUS_USAGE;
}
