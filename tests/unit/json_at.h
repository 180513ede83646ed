/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of JSON by their paths, such as "ports.5.node". */
#ifndef CXLMON_TEST_JSON_AT_H
#define CXLMON_TEST_JSON_AT_H

#include <jansson.h>

/* Return the value that a text has, or this value, which must exist, until the test has ended. */
const json_t *json_of(const char *text);
const json_t *json_kept(json_t *value);

/* Returns the value at a path; NULL: there is none. */
const json_t *json_at(const json_t *root, const char *path);

/* Asserts the text of the value at a path, such as "null", "\"mem0\"" or "[1,2.5]"; NULL: none. */
void assert_json(const json_t *root, const char *path, const char *expected);

#endif
