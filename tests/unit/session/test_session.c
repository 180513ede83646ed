/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session.h"

#include "sim/sim.h"
#include "unit.h"

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

TEST_LOOP(test_where_nothing_can_be_frozen_always_freezing_is_warned_of, COUNT_OF(freezing))
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
