/* SPDX-License-Identifier: BSD-3-Clause */
#include "json_at.h"

#include "unit.h"

static void forget(void *value)
{
	json_decref(value);
}

const json_t *json_kept(json_t *value)
{
	ck_assert_ptr_nonnull(value);
	at_end(forget, value);
	return value;
}

const json_t *json_of(const char *text)
{
	return json_kept(json_loads(text, 0, NULL));
}

const json_t *json_at(const json_t *root, const char *path)
{
	char name[64];

	for (; root && *path; path += strspn(path, ".")) {
		const int length = (int)strcspn(path, ".");

		snprintf(name, sizeof(name), "%.*s", length, path);
		root = json_is_array(root) ? json_array_get(root, strtoul(name, NULL, 10))
					   : json_object_get(root, name);
		path += length;
	}
	return root;
}

void assert_json(const json_t *root, const char *path, const char *expected)
{
	const json_t *value = json_at(root, path);
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

	ck_assert_msg(text && expected ? !strcmp(text, expected) : text == expected,
		      "%s is %s, expected %s", path, text ? text : "not there",
		      expected ? expected : "nothing");
	free(text);
}
