/* SPDX-License-Identifier: BSD-3-Clause */
/* What a context measures, and whether it does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/context.h"
#include "platform/numlist.h"
#include "platform/text.h"

int context_settable(struct cxlmon_ctx *ctx)
{
	if (!ctx)
		return -EINVAL;
	return ctx->running ? error_set(&ctx->error, EXIT_USAGE, -EBUSY,
					"the context is measuring: stop it first")
			    : 0;
}

int context_check_running(struct cxlmon_ctx *ctx)
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

/* Replaces a text; NULL removes it. */
static int set_text(struct cxlmon_ctx *ctx, char **where, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		return error_no_memory(&ctx->error);
	free(*where);
	*where = copy;
	return 0;
}

int cxlmon_set_sim(struct cxlmon_ctx *ctx, const char *spec)
{
	const int rc = context_settable(ctx);

	return rc ? rc : set_text(ctx, &ctx->sim, spec);
}

int cxlmon_set_root(struct cxlmon_ctx *ctx, const char *directory)
{
	int rc = context_settable(ctx);

	if (!rc && directory && !*directory)
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "invalid root '': expected a directory");
	return rc ? rc : set_text(ctx, &ctx->root, directory);
}

int cxlmon_set_recording(struct cxlmon_ctx *ctx, const char *file)
{
	int rc = context_settable(ctx);

	if (!rc && file && !*file)
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "invalid recording '': expected a file");
	return rc ? rc : set_text(ctx, &ctx->recording, file);
}

int cxlmon_set_metrics(struct cxlmon_ctx *ctx, const char *groups)
{
	int rc = context_settable(ctx);

	if (!rc)
		rc = groups ? view_check_groups(groups, &ctx->error)
			    : missing(ctx, "metric groups");
	return rc ? rc : set_text(ctx, &ctx->metrics, groups);
}

/* A list of numbers; NULL: all. */
static int set_numbers(struct cxlmon_ctx *ctx, char **where, const char *what, const char *list)
{
	int rc = context_settable(ctx);

	if (!rc && list && !numlist_valid(list))
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "invalid %s '%s': expected numbers such as 0 or 0,2-3", what,
			       quoted(list).text);
	return rc ? rc : set_text(ctx, where, list);
}

int cxlmon_set_sockets(struct cxlmon_ctx *ctx, const char *list)
{
	return ctx ? set_numbers(ctx, &ctx->sockets, "sockets", list) : -EINVAL;
}

int cxlmon_set_ports(struct cxlmon_ctx *ctx, const char *list)
{
	return ctx ? set_numbers(ctx, &ctx->ports, "ports", list) : -EINVAL;
}

int cxlmon_set_devices(struct cxlmon_ctx *ctx, const char *names)
{
	int rc = context_settable(ctx);

	if (!rc && names && !view_devices_valid(names))
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "invalid devices '%s': expected names such as mem0 or mem0,mem2",
			       quoted(names).text);
	return rc ? rc : set_text(ctx, &ctx->devices, names);
}

/* Appends a copy of the text to a list. */
static int add_text(struct cxlmon_ctx *ctx, char ***list, size_t *count, const char *text)
{
	char **grown = reallocarray(*list, *count + 1, sizeof(*grown));

	if (!grown)
		return error_no_memory(&ctx->error);
	*list = grown;
	grown[*count] = NULL;
	const int rc = set_text(ctx, &grown[*count], text);
	*count += !rc;
	return rc;
}

int cxlmon_add_event(struct cxlmon_ctx *ctx, const char *spec)
{
	int rc = context_settable(ctx);

	if (!rc && !spec)
		rc = missing(ctx, "event");
	return rc ? rc : add_text(ctx, &ctx->events, &ctx->event_count, spec);
}

int cxlmon_add_metric(struct cxlmon_ctx *ctx, const char *definition)
{
	int rc = context_settable(ctx);

	if (!rc && !definition)
		rc = missing(ctx, "metric");
	return rc ? rc : add_text(ctx, &ctx->own_metrics, &ctx->own_metric_count, definition);
}

int cxlmon_set_interval_ns(struct cxlmon_ctx *ctx, uint64_t ns)
{
	int rc = context_settable(ctx);

	if (!rc && (ns < SESSION_MIN_INTERVAL_NS || ns > SESSION_MAX_INTERVAL_NS))
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "interval out of range: expected 100us to 1 year");
	if (!rc)
		ctx->interval_ns = ns;
	return rc;
}

int cxlmon_set_scope(struct cxlmon_ctx *ctx, enum cxlmon_scope finest)
{
	int rc = context_settable(ctx);

	if (!rc && (unsigned)finest >= SCOPE_COUNT)
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "invalid scope %d: expected one of enum cxlmon_scope", (int)finest);
	if (!rc)
		ctx->finest = (enum scope)finest;
	return rc;
}

int cxlmon_set_ownership(struct cxlmon_ctx *ctx, enum cxlmon_ownership ownership)
{
	int rc = context_settable(ctx);

	if (!rc && (unsigned)ownership > OWNERSHIP_FORCE)
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "invalid ownership %d: expected one of enum cxlmon_ownership",
			       (int)ownership);
	if (!rc)
		ctx->ownership = (enum ownership)ownership;
	return rc;
}

int cxlmon_set_backend(struct cxlmon_ctx *ctx, enum cxlmon_backend backend)
{
	int rc = context_settable(ctx);

	if (!rc && (unsigned)backend > BACKEND_AUTO)
		rc = error_set(&ctx->error, EXIT_USAGE, -EINVAL,
			       "invalid backend %d: expected one of enum cxlmon_backend",
			       (int)backend);
	if (!rc)
		ctx->backend = (enum session_backend)backend;
	return rc;
}
