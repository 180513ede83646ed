/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/selftest/share.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int wrong(struct error *err, const char *member, const char *expected)
{
	return error_set(err, EXIT_USAGE, -EINVAL, "%s: expected %s", member, expected);
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
		return wrong(err, name, "a short text");
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
		return wrong(err, name, "a number up to 65535");
	*out = (int)json_integer_value(value);
	return 0;
}

static int get_verdict(const json_t *object, const char **out, struct error *err)
{
	const char *given;
	int rc = get_text(object, "verdict", false, &given, err);

	if (rc)
		return rc;
	for (enum judgement i = JUDGED_NOT_COUNTED; i <= JUDGED_UNSEEN; i++)
		if (!strcmp(judgement_names[i], given)) {
			*out = judgement_names[i];
			return 0;
		}
	return wrong(err, "verdict", "agrees, off, unseen, unclear or not_counted");
}

/* A step in which something is not known, or nothing was moved, has no ratio. */
static int get_ratios(const json_t *steps, struct shared_formula *f, struct error *err)
{
	size_t i;
	json_t *step;

	if (!json_is_array(steps) || json_array_size(steps) > STEPS)
		return wrong(err, "steps", "an array of 15 at most");
	json_array_foreach(steps, i, step)
	{
		const json_t *moved = json_object_get(step, "moved");
		const json_t *counted = json_object_get(step, "counted");
		const double ratio = json_number_value(counted) / json_number_value(moved);

		if (json_is_number(moved) && json_is_number(counted) && isfinite(ratio) &&
		    json_number_value(moved) > 0)
			f->ratios[f->ratio_count++] = ratio;
	}
	return 0;
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
	if (!rc)
		rc = get_verdict(object, &f->verdict, err);
	f->candidate = json_is_true(json_object_get(object, "candidate"));
	return rc ? rc : get_ratios(json_object_get(object, "steps"), f, err);
}

static int get_formulas(const json_t *root, struct shared_test *out, struct error *err)
{
	const json_t *formulas = json_object_get(root, "formulas");
	const size_t count = json_array_size(formulas);
	int rc = 0;

	if (!json_is_array(formulas) || count > SHARE_FORMULAS)
		return wrong(err, "formulas", "an array of 1024 at most");
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
		return error_set(err, EXIT_USAGE, -EINVAL, "line %d: %s", why.line,
				 quoted(why.text).text);
	const json_t *schema = json_object_get(out->root, "cxlmon_selftest");
	if (json_integer_value(schema) != SHARE_SCHEMA)
		return wrong(err, "cxlmon_selftest",
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
