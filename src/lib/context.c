/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of the library: what they measure; start, samples, stop, and waiting for several. */
#include "lib/context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"
#include "platform/clock.h"
#include "sim/sim.h"

/* Settings cannot be changed while it is running: -EBUSY. -EINVAL: NULL. */
static int check_settable(struct cxlmon_ctx *ctx)
{
	if (!ctx)
		return -EINVAL;
	return ctx->running ? error_set(&ctx->error, EXIT_USAGE, -EBUSY,
					"the context is measuring: stop it first")
			    : 0;
}

/* -EINVAL unless it is running. */
static int check_running(struct cxlmon_ctx *ctx)
{
	if (!ctx)
		return -EINVAL;
	return ctx->running ? 0
			    : error_set(&ctx->error, EXIT_USAGE, -EINVAL,
					"the context is not measuring: start it first");
}

static int missing(struct cxlmon_ctx *ctx, const char *what)
{
	return error_set(&ctx->error, EXIT_USAGE, -EINVAL, "no %s: NULL was given", what);
}

static bool not_empty(const char *text)
{
	return *text;
}

/* Replaces a text, if it is valid (NULL: any is); NULL removes it. */
static int set_text(struct cxlmon_ctx *ctx, const char **where, const char *text,
		    bool (*valid)(const char *text), const char *what, const char *expected)
{
	const int rc = check_settable(ctx);

	if (rc)
		return rc;
	if (text && valid && !valid(text))
		return error_set(&ctx->error, EXIT_USAGE, -EINVAL, "invalid %s '%s': expected %s",
				 what, quoted(text).text, expected);
	char *copy = text ? strdup(text) : NULL;
	if (text && !copy)
		return error_no_memory(&ctx->error);
	free((char *)*where);
	*where = copy;
	return 0;
}

int cxlmon_set_sim(struct cxlmon_ctx *ctx, const char *spec)
{
	return ctx ? set_text(ctx, &ctx->options.sim, spec, NULL, NULL, NULL) : -EINVAL;
}

int cxlmon_set_root(struct cxlmon_ctx *ctx, const char *directory)
{
	return ctx ? set_text(ctx, &ctx->options.root, directory, not_empty, "root", "a directory")
		   : -EINVAL;
}

int cxlmon_set_recording(struct cxlmon_ctx *ctx, const char *file)
{
	return ctx ? set_text(ctx, &ctx->recording, file, not_empty, "recording", "a file")
		   : -EINVAL;
}

int cxlmon_set_metrics(struct cxlmon_ctx *ctx, const char *groups)
{
	int rc = check_settable(ctx);

	if (!rc)
		rc = groups ? view_check_groups(groups, &ctx->error)
			    : missing(ctx, "metric groups");
	return rc ? rc : set_text(ctx, &ctx->options.view.groups, groups, NULL, NULL, NULL);
}

#define EXPECTED_NUMBERS "numbers such as 0 or 0,2-3"

int cxlmon_set_sockets(struct cxlmon_ctx *ctx, const char *list)
{
	return ctx ? set_text(ctx, &ctx->options.view.sockets, list, numlist_valid, "sockets",
			      EXPECTED_NUMBERS)
		   : -EINVAL;
}

int cxlmon_set_ports(struct cxlmon_ctx *ctx, const char *list)
{
	return ctx ? set_text(ctx, &ctx->options.view.ports, list, numlist_valid, "ports",
			      EXPECTED_NUMBERS)
		   : -EINVAL;
}

int cxlmon_set_devices(struct cxlmon_ctx *ctx, const char *names)
{
	return ctx ? set_text(ctx, &ctx->options.view.devices, names, view_devices_valid, "devices",
			      "names such as mem0 or mem0,mem2")
		   : -EINVAL;
}

/* Appends a copy of the text to a list. */
static int add_text(struct cxlmon_ctx *ctx, struct strings *list, const char *text,
		    const char *what)
{
	const int rc = check_settable(ctx);

	if (rc || !text)
		return rc ? rc : missing(ctx, what);
	char *copy = strdup(text);
	if (copy && !strings_add(list, copy))
		return 0;
	free(copy);
	return error_no_memory(&ctx->error);
}

int cxlmon_add_event(struct cxlmon_ctx *ctx, const char *spec)
{
	return ctx ? add_text(ctx, &ctx->options.events, spec, "event") : -EINVAL;
}

int cxlmon_add_metric(struct cxlmon_ctx *ctx, const char *definition)
{
	return ctx ? add_text(ctx, &ctx->options.metrics, definition, "metric") : -EINVAL;
}

int cxlmon_set_interval_ns(struct cxlmon_ctx *ctx, uint64_t ns)
{
	int rc = check_settable(ctx);

	if (!rc && (ns < SESSION_MIN_INTERVAL_NS || ns > SESSION_MAX_INTERVAL_NS))
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "interval out of range: expected 100us to 1 year");
	if (!rc)
		ctx->options.interval_ns = ns;
	return rc;
}

/* A member of an enum, from 0 to last. */
static int check_choice(struct cxlmon_ctx *ctx, const char *name, int choice, int last)
{
	const int rc = check_settable(ctx);

	return rc || (choice >= 0 && choice <= last)
		       ? rc
		       : error_set(&ctx->error, EXIT_USAGE, -EINVAL,
				   "invalid %s %d: expected one of enum cxlmon_%s", name, choice,
				   name);
}

int cxlmon_set_scope(struct cxlmon_ctx *ctx, enum cxlmon_scope finest)
{
	const int rc = check_choice(ctx, "scope", (int)finest, SCOPE_COUNT - 1);

	if (!rc)
		ctx->options.view.finest = (enum scope)finest;
	return rc;
}

int cxlmon_set_ownership(struct cxlmon_ctx *ctx, enum cxlmon_ownership ownership)
{
	const int rc = check_choice(ctx, "ownership", (int)ownership, OWNERSHIP_FORCE);

	if (!rc)
		ctx->options.ownership = (enum ownership)ownership;
	return rc;
}

int cxlmon_set_backend(struct cxlmon_ctx *ctx, enum cxlmon_backend backend)
{
	const int rc = check_choice(ctx, "backend", (int)backend, BACKEND_AUTO);

	if (!rc)
		ctx->options.backend = (enum session_backend)backend;
	return rc;
}

/* A timer as a file descriptor, for programs that wait for several things at once. */

#define AT_ONCE 1 /* ns; 0 would stop the timer */

/* Nanoseconds until something is due; 0: nothing will be. */
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

/* Sets the timer of cxlmon_fd(), if it was asked for, to when something is due. */
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
			return error_set(&ctx->error, EXIT_FAILED, -code, "no timer: %s",
					 strerror(code));
		ctx->timer = fd + 1;
		set_timer(ctx);
	}
	return ctx->timer - 1;
}

int cxlmon_dispatch(struct cxlmon_ctx *ctx)
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

/* Start, samples and stop. */

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

static void free_list(struct strings *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((char *)list->at[i]);
	strings_free(list);
}

static void free_options(struct session_options *options)
{
	const char *const texts[] = {options->sim,	   options->root,
				     options->view.groups, options->view.sockets,
				     options->view.ports,  options->view.devices};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free((char *)texts[i]);
	free_list(&options->events);
	free_list(&options->metrics);
}

struct cxlmon_ctx *cxlmon_unref(struct cxlmon_ctx *ctx)
{
	if (!ctx || --ctx->references)
		return NULL;
	reset(ctx);
	if (ctx->timer)
		close(ctx->timer - 1);
	free_options(&ctx->options);
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
	const struct cxlmon_ctx *ctx = context;

	if (ctx->log)
		ctx->log(ctx->log_data, (enum cxlmon_log_level)level, text);
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
	int rc = open_session(&wanted, &log, &ctx->session, &ctx->error);

	if (!rc)
		rc = session_start(&ctx->session, &ctx->error);
	return rc ? rc
		  : sampling_begin(&ctx->sampling, ctx->session.poller, &ctx->session.plan,
				   &ctx->error);
}

int cxlmon_start(struct cxlmon_ctx *ctx)
{
	int rc = check_settable(ctx);

	if (rc)
		return rc;
	reset(ctx);
	rc = ctx->recording ? recording_file_open(ctx->recording, NULL, &ctx->file, &ctx->error)
			    : start_session(ctx);
	ctx->view = ctx->recording ? &ctx->file.recording.view : &ctx->session.view;
	if (rc)
		reset(ctx);
	ctx->running = !rc;
	set_timer(ctx);
	return rc;
}

int cxlmon_wait(struct cxlmon_ctx *ctx)
{
	int signal_number, rc = check_running(ctx);

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
	int rc = check_running(ctx);

	if (!rc)
		rc = ctx->file.name ? read_recording(ctx) : take_sample(ctx);
	if (!rc)
		ctx->sampled = true;
	if (ctx)
		set_timer(ctx);
	return rc;
}

int cxlmon_stop(struct cxlmon_ctx *ctx)
{
	if (!ctx)
		return -EINVAL;
	ctx->running = false;
	set_timer(ctx);
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
