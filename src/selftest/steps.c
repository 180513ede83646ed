/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/steps.h"

const struct step step_table[STEPS] = {
	{.kind = STEP_IDLE},
	{.kind = STEP_READS, .read_share = 1, .part = 1},
	{.kind = STEP_READS, .read_share = 1, .part = 0.5},
	{.kind = STEP_READS, .read_share = 1, .part = 0.25},
	{.kind = STEP_IDLE},
	{.kind = STEP_WRITES, .read_share = 0, .part = 1},
	{.kind = STEP_WRITES, .read_share = 0, .part = 0.5},
	{.kind = STEP_WRITES, .read_share = 0, .part = 0.25},
	{.kind = STEP_IDLE},
	{.kind = STEP_MIX, .read_share = 2 / 3.0, .part = 1},
	{.kind = STEP_MIX, .read_share = 2 / 3.0, .part = 0.5},
	{.kind = STEP_MIX, .read_share = 2 / 3.0, .part = 0.25},
	{.kind = STEP_IDLE},
	{.kind = STEP_CHASE},
	{.kind = STEP_IDLE},
};

const char *const step_names[STEP_KINDS] = {
	[STEP_IDLE] = "idle", [STEP_READS] = "reads", [STEP_WRITES] = "writes",
	[STEP_MIX] = "mix",   [STEP_CHASE] = "chase",
};
