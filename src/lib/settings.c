/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that set the subject of a context's measurement. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lib/context.h"

int context_check_settable(struct cxlmon_ctx *ctx)
{
	if (!ctx)
		return -EINVAL;
	return ctx->running ? error_set(&ctx->error, ERROR_USAGE, -EBUSY,
					"the context is measuring: stop it first")
			    : 0;
}

static int refuse_missing(struct cxlmon_ctx *ctx, const char *what)
{
	return error_set(&ctx->error, ERROR_USAGE, -EINVAL, "no %s: NULL was given", what);
}

static bool not_empty(const char *text)
{
	return *text;
}

/* Replaces a string if it is valid (valid NULL: always); NULL removes it. */
static int set_text(struct cxlmon_ctx *ctx, const char **where, const char *text,
		    bool (*valid)(const char *text), const char *what, const char *expected)
{
	const int rc = context_check_settable(ctx);

	if (rc)
		return rc;
	if (text && valid && !valid(text))
		return error_set(&ctx->error, ERROR_USAGE, -EINVAL, "invalid %s '%s': expected %s",
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
	int rc = context_check_settable(ctx);

	if (!rc)
		rc = groups ? view_check_groups(groups, &ctx->error)
			    : refuse_missing(ctx, "metric groups");
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
	return ctx ? set_text(ctx, &ctx->options.view.devices, names, cxl_device_list_valid,
			      "devices", "names such as mem0 or mem0,mem2")
		   : -EINVAL;
}

/* Appends a copy of a string to a list. */
static int add_text(struct cxlmon_ctx *ctx, struct strings *list, const char *text,
		    const char *what)
{
	const int rc = context_check_settable(ctx);

	if (rc || !text)
		return rc ? rc : refuse_missing(ctx, what);
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
	int rc = context_check_settable(ctx);

	if (!rc && (ns < SESSION_MIN_INTERVAL_NS || ns > SESSION_MAX_INTERVAL_NS))
		rc = error_set(&ctx->error, ERROR_USAGE, -EINVAL,
			       "interval out of range: expected 100us to 1 year");
	if (!rc)
		ctx->options.interval_ns = ns;
	return rc;
}

/* Checks a member of an enum, from 0 to last. */
static int check_choice(struct cxlmon_ctx *ctx, const char *name, int choice, int last)
{
	const int rc = context_check_settable(ctx);

	return rc || (choice >= 0 && choice <= last)
		       ? rc
		       : error_set(&ctx->error, ERROR_USAGE, -EINVAL,
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

static void free_list(struct strings *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((char *)list->at[i]);
	strings_free(list);
}

void context_free_options(struct session_options *options)
{
	const char *const texts[] = {options->sim,	   options->root,
				     options->view.groups, options->view.sockets,
				     options->view.ports,  options->view.devices};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free((char *)texts[i]);
	free_list(&options->events);
	free_list(&options->metrics);
}
