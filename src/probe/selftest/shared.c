/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/share.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int refuse_member(struct error *err, const char *member, const char *expected)
{
	return error_set(err, ERROR_USAGE, -EINVAL, "%s: expected %s", member, expected);
}

/* One that may be null only if it is optional: "" then. */
static int get_text(const json_t *object, const char *name, bool optional, const char **out,
		    struct error *err)
{
	const json_t *value = json_object_get(object, name);

	*out = "";
	if (optional && (!value || json_is_null(value)))
		return 0;
	if (!json_is_string(value) || json_string_length(value) >= SHARE_TEXT ||
	    strlen(json_string_value(value)) != json_string_length(value) ||
	    !share_is_text(json_string_value(value)))
		return refuse_member(err, name, "a short text");
	*out = json_string_value(value);
	return 0;
}

/* -1: null. */
static int get_small(const json_t *object, const char *name, int *out, struct error *err)
{
	const json_t *value = json_object_get(object, name);

	*out = -1;
	if (!value || json_is_null(value))
		return 0;
	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    json_integer_value(value) > UINT16_MAX)
		return refuse_member(err, name, "a number up to 65535");
	*out = (int)json_integer_value(value);
	return 0;
}

static int get_judged_as(const json_t *object, enum judged_as *out, struct error *err)
{
	const char *given;
	int rc = get_text(object, "judged_as", false, &given, err);

	for (*out = JUDGED_AS_RATE; !rc && strcmp(judged_as_names[*out], given) != 0; ++*out)
		if (*out == JUDGED_AS_LATENCY_FROM_CORE)
			return refuse_member(err, "judged_as",
					     "rate, latency or latency_from_core");
	return rc;
}

/* NAN: null. */
static int get_figure(const json_t *object, const char *name, double *out, struct error *err)
{
	const json_t *value = json_object_get(object, name);

	*out = json_is_number(value) ? json_number_value(value) : NAN;
	if (!value || (!json_is_null(value) && !(*out >= 0)))
		return refuse_member(err, name, "a number from 0 on, or null");
	return 0;
}

static int get_step(const json_t *object, struct judge_figures *out, struct error *err)
{
	int rc = get_figure(object, "moved", &out->moved, err);

	return rc ? rc : get_figure(object, "counted", &out->counted, err);
}

/* A step in which something is not known, or nothing was moved, has no ratio. */
static struct judged take_step(struct shared_formula *f, enum judged_as as,
			       const struct judge_figures *figures)
{
	const double idle = as == JUDGED_AS_RATE ? figures->idle : 0;
	const double ratio = (figures->counted - idle) / figures->moved;

	if (figures->moved > 0 && isfinite(ratio))
		f->ratios[f->ratio_count++] = ratio;
	return judge_step(as, figures);
}

static int judge_steps(const json_t *object, struct shared_formula *f, struct error *err)
{
	const json_t *steps = json_object_get(object, "steps");
	struct judge_figures figures;
	struct judged judged[STEPS];
	enum judged_as as;
	size_t count = 0;
	int rc = get_judged_as(object, &as, err);

	if (!rc)
		rc = get_figure(object, "idle", &figures.idle, err);
	if (!rc)
		rc = get_figure(object, "noise", &figures.noise, err);
	if (!rc && (!json_is_array(steps) || json_array_size(steps) > STEPS))
		rc = refuse_member(err, "steps", "an array of 15 at most");
	while (!rc && count < json_array_size(steps)) {
		rc = get_step(json_array_get(steps, count), &figures, err);
		if (!rc)
			judged[count++] = take_step(f, as, &figures);
	}
	f->judged = judge_all(judged, count);
	return rc;
}

static int get_formula(const json_t *object, struct shared_formula *f, struct error *err)
{
	int rc = get_text(object, "metric", false, &f->metric, err);

	if (!rc)
		rc = get_text(object, "source", true, &f->source, err);
	if (!rc)
		rc = get_text(object, "backend", false, &f->backend, err);
	if (!rc)
		rc = get_text(object, "memory", false, &f->memory, err);
	if (!rc)
		rc = get_text(object, "device", true, &f->device, err);
	f->candidate = json_is_true(json_object_get(object, "candidate"));
	return rc ? rc : judge_steps(object, f, err);
}

static int get_formulas(const json_t *root, struct shared_test *out, struct error *err)
{
	const json_t *formulas = json_object_get(root, "formulas");
	const size_t count = json_array_size(formulas);
	int rc = 0;

	if (!json_is_array(formulas) || count > SHARE_FORMULAS)
		return refuse_member(err, "formulas", "an array of 1024 at most");
	out->formulas = calloc(count + 1, sizeof(*out->formulas));
	if (!out->formulas)
		return error_no_memory(err);
	while (!rc && out->count < count) {
		rc = get_formula(json_array_get(formulas, out->count), &out->formulas[out->count],
				 err);
		out->count++;
	}
	return rc;
}

static int get_processor(const json_t *root, struct shared_test *out, struct error *err)
{
	const json_t *processor = json_object_get(root, "processor");
	int rc = get_text(processor, "name", true, &out->processor, err);

	if (!rc)
		rc = get_text(processor, "vendor", true, &out->vendor, err);
	if (!rc)
		rc = get_text(processor, "microcode", true, &out->microcode, err);
	if (!rc)
		rc = get_small(processor, "family", &out->family, err);
	if (!rc)
		rc = get_small(processor, "model", &out->model, err);
	if (!rc)
		rc = get_small(processor, "stepping", &out->stepping, err);
	out->simulated = json_is_true(json_object_get(processor, "simulated"));
	return rc;
}

int shared_test_decode(const char *text, size_t size, struct shared_test *out, struct error *err)
{
	json_error_t why;
	int rc;

	*out = (struct shared_test){.root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why)};
	if (!out->root)
		return error_set(err, ERROR_USAGE, -EINVAL, "line %d: %s", why.line,
				 quoted(why.text).text);
	const json_t *schema = json_object_get(out->root, "cxlmon_selftest");
	if (json_integer_value(schema) != SHARE_SCHEMA)
		return refuse_member(err, "cxlmon_selftest",
				     "1: not a file of selftest --share, or of a newer one");
	rc = get_text(out->root, "cxlmon", false, &out->cxlmon, err);
	if (!rc)
		rc = get_text(out->root, "kernel", true, &out->kernel, err);
	if (!rc)
		rc = get_processor(out->root, out, err);
	return rc ? rc : get_formulas(out->root, out, err);
}

void shared_test_free(struct shared_test *test)
{
	free(test->formulas);
	json_decref(test->root);
	*test = (struct shared_test){.root = NULL};
}
