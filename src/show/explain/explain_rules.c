/* SPDX-License-Identifier: BSD-3-Clause */
/* All rules: see explain_private.h. */
#include "show/explain/explain_private.h"

#define LIST(name) &rule_##name,
const struct rule *const explain_rules[] = {FOR_EACH_RULE(LIST) NULL};
_Static_assert(sizeof(explain_rules) / sizeof(explain_rules[0]) - 1 <= RULES_MOST,
	       "findings.not_checked has room for all");

/* clang-format off */
const struct rule explain_nothing = {
	.name = "nothing_found", .of = SYSTEM, .busy = true,
	.shows = {"cxl_mem_read_MBps", "cxl_mem_write_MBps", "cxl_read_latency_ns"},
	.sentence = "Nothing that was checked limits CXL",
};
/* clang-format on */
