/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of the library: start, samples and stop. */
#include "lib/context.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/number.h"
#include "sim/open.h"

_Static_assert((int)CXLMON_SCOPE_CPU == SCOPE_CPU && (int)CXLMON_SCOPE_SYSTEM == SCOPE_SYSTEM,
	       "scopes of the library are those of the view");
_Static_assert((int)CXLMON_LOG_WARNING == LEVEL_WARNING && (int)CXLMON_LOG_DETAIL == LEVEL_DETAIL,
	       "levels of the library are those of logs");
_Static_assert((int)CXLMON_OWNERSHIP_SHARE == OWNERSHIP_SHARE &&
		       (int)CXLMON_OWNERSHIP_FORCE == OWNERSHIP_FORCE,
	       "ownership is that of units");
_Static_assert((int)CXLMON_BACKEND_RAW == BACKEND_RAW && (int)CXLMON_BACKEND_PERF == BACKEND_PERF &&
		       (int)CXLMON_BACKEND_AUTO == BACKEND_AUTO,
	       "backends of the library are those of a session");
_Static_assert((int)CXLMON_STATUS_USAGE == EXIT_USAGE && (int)CXLMON_STATUS_IN_USE == EXIT_IN_USE,
	       "statuses of the library are exit statuses");

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
	ctx->interval_ns = NS_PER_S;
	ctx->finest = SCOPE_PORT;
	ctx->backend = BACKEND_AUTO;
	return 0;
}

struct cxlmon_ctx *cxlmon_ref(struct cxlmon_ctx *ctx)
{
	if (ctx)
		ctx->references++;
	return ctx;
}

static void reset(struct cxlmon_ctx *ctx)
{
	session_close(&ctx->session);
	sampling_free(&ctx->sampling);
	if (ctx->file.name)
		recording_file_close(&ctx->file);
	ctx->file = (struct recording_file){.name = NULL};
	ctx->view = NULL;
	ctx->sampled = ctx->ended = false;
	ctx->sample = (struct sample){.counts = NULL};
}

struct cxlmon_ctx *cxlmon_unref(struct cxlmon_ctx *ctx)
{
	if (!ctx || --ctx->references)
		return NULL;
	reset(ctx);
	if (ctx->timer)
		close(ctx->timer - 1);
	for (size_t i = 0; i < ctx->event_count; i++)
		free(ctx->events[i]);
	free(ctx->events);
	for (size_t i = 0; i < ctx->own_metric_count; i++)
		free(ctx->own_metrics[i]);
	free(ctx->own_metrics);
	free(ctx->sim);
	free(ctx->root);
	free(ctx->metrics);
	free(ctx->sockets);
	free(ctx->ports);
	free(ctx->devices);
	free(ctx->recording);
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
	const struct cxlmon_ctx *ctx = context;

	if (ctx->log)
		ctx->log(ctx->log_data, (enum cxlmon_log_level)level, text);
}

static int open_recording(struct cxlmon_ctx *ctx)
{
	const int rc = recording_file_open(ctx->recording, &ctx->file, &ctx->error);

	ctx->view = rc ? NULL : &ctx->file.recording.view;
	return rc;
}

static int start_session(struct cxlmon_ctx *ctx)
{
	const struct log log = {.write = forward_log, .context = ctx};
	const char *groups = ctx->metrics	     ? ctx->metrics
			     : ctx->own_metric_count ? NULL
						     : SESSION_METRICS;
	const struct session_options wanted = {
		.sim = ctx->sim,
		.root = ctx->root ? ctx->root : "/",
		.backend = ctx->backend,
		.view = {.groups = ctx->event_count ? NULL : groups,
			 .finest = ctx->finest,
			 .sockets = ctx->sockets,
			 .ports = ctx->ports,
			 .devices = ctx->devices},
		.events = (const char *const *)ctx->events,
		.event_count = ctx->event_count,
		.metrics = (const char *const *)ctx->own_metrics,
		.metric_count = ctx->own_metric_count,
		.ownership = ctx->ownership,
		.interval_ns = ctx->interval_ns,
	};
	int rc = open_session(&wanted, &log, &ctx->session, &ctx->error);

	if (!rc)
		rc = session_start(&ctx->session, &ctx->error);
	if (!rc)
		rc = sampling_begin(&ctx->sampling, ctx->session.poller, &ctx->session.plan,
				    &ctx->error);
	ctx->view = rc ? NULL : &ctx->session.view;
	return rc;
}

int cxlmon_start(struct cxlmon_ctx *ctx)
{
	int rc = context_settable(ctx);

	if (rc)
		return rc;
	reset(ctx);
	rc = ctx->recording ? open_recording(ctx) : start_session(ctx);
	if (rc)
		reset(ctx);
	ctx->running = !rc;
	context_set_timer(ctx);
	return rc;
}

int cxlmon_wait(struct cxlmon_ctx *ctx)
{
	int signal_number, rc = context_check_running(ctx);

	if (!rc && !ctx->file.name)
		rc = sampling_wait(&ctx->sampling, NULL, &signal_number, &ctx->error);
	if (rc == -EINTR)
		error_set(&ctx->error, EXIT_FAILED, rc, "interrupted by a signal handler");
	return rc;
}

/* What is damaged cannot be shown any more. */
static int read_recording(struct cxlmon_ctx *ctx)
{
	const int rc = recording_file_next(&ctx->file, &ctx->error);

	ctx->ended = !rc;
	if (!rc)
		return error_set(&ctx->error, EXIT_OK, -ENODATA, "%s: the recording has ended",
				 ctx->file.name);
	if (rc < 0) {
		ctx->running = ctx->sampled = false;
		ctx->view = NULL;
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

int cxlmon_sample(struct cxlmon_ctx *ctx)
{
	int rc = context_check_running(ctx);

	if (!rc)
		rc = ctx->file.name ? read_recording(ctx) : take_sample(ctx);
	if (!rc)
		ctx->sampled = true;
	if (ctx)
		context_set_timer(ctx);
	return rc;
}

int cxlmon_stop(struct cxlmon_ctx *ctx)
{
	if (!ctx)
		return -EINVAL;
	ctx->running = false;
	context_set_timer(ctx);
	return session_stop(&ctx->session, &ctx->error);
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
	return ctx ? (enum cxlmon_status)ctx->error.status : CXLMON_STATUS_USAGE;
}
