/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon register allowlist: prints the guard's rules for MSRs as an allowlist for the msr-safe
 * module. Each line has a register, the mask of writable bits, and a comment.
 */
#include <inttypes.h>
#include <stdio.h>

#include "cli/common.h"
#include "platform/guard.h"
#include "uncore/machine.h"

int register_print_allowlist(struct options *options, struct platform *p, struct error *err)
{
	struct machine machine;
	int rc = machine_open(p, &machine, err);

	(void)options;
	if (!rc && machine.uncore_error.kind == ERROR_PERMISSION) {
		*err = machine.uncore_error; /* the list would be incomplete */
		rc = err->code;
	}
	if (!rc)
		rc = machine_allow_all(&machine, err);
	if (!rc)
		printf("# MSR      write mask         # cxlmon %s on %s\n", CXLMON_VERSION,
		       machine.model->name);
	for (size_t i = 0; !rc && i < p->guard.count; i++) {
		const struct guard_rule *rule = &p->guard.rules[i];

		for (uint64_t msr = rule->first; rule->space == REG_MSR && msr <= rule->last; msr++)
			printf("0x%08" PRIx64 " 0x%016" PRIx64 " # %s\n", msr, rule->mask,
			       rule->what);
	}
	machine_close(&machine);
	return rc;
}
