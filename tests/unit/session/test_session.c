/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"

#include <string.h>

#include "sim/open.h"
#include "suites.h"
#include "support.h"

static unsigned warnings;

static void count_warnings(void *context, enum log_level level, const char *text)
{
	(void)context;
	if (level != LEVEL_WARNING)
		return;
	warnings++;
	assert_contains(text, "no freeze register: --freeze=always has no effect");
}

static const struct {
	const char *sim;
	enum freeze_policy freeze;
	unsigned warnings;
} freezing[] = {
	{"spr,clock=virtual", FREEZE_ALWAYS, 0},
	{"turin,clock=virtual", FREEZE_AUTO, 0},
	{"turin,clock=virtual", FREEZE_NEVER, 0},
	{"turin,clock=virtual", FREEZE_ALWAYS, 1},
};

START_TEST(test_where_nothing_can_be_frozen_always_freezing_is_warned_of)
{
	const struct log log = {.write = count_warnings};
	const struct session_options options = {
		.sim = freezing[_i].sim,
		.root = "/",
		.backend = BACKEND_RAW,
		.view = {.groups = "dram", .finest = SCOPE_PORT},
		.freeze = freezing[_i].freeze,
		.interval_ns = NS_PER_S,
	};
	struct session session;
	struct error err;

	warnings = 0;
	ck_assert_msg(!open_session(&options, &log, &session, &err), "%s", err.text);
	ck_assert_msg(!session_start(&session, &err), "%s", err.text);
	session_close(&session);
	ck_assert_uint_eq(warnings, freezing[_i].warnings);
}
END_TEST

Suite *suite_session(void)
{
	Suite *suite = suite_create("session");
	TCase *tc = tcase_create("freezing");

	tcase_add_loop_test(tc, test_where_nothing_can_be_frozen_always_freezing_is_warned_of, 0,
			    COUNT_OF(freezing));
	suite_add_tcase(suite, tc);
	return suite;
}
