/* SPDX-License-Identifier: BSD-3-Clause */
#include "log_write.h"

#include <inttypes.h>

void log_write_of(FILE *log, struct platform *p, const struct reg *reg, uint64_t value)
{
	char name[REG_NAME_SIZE];

	if (log)
		fprintf(log, "%.9f write %s value 0x%" PRIx64 "\n", (double)p->ops->now(p) / 1e9,
			reg_name(reg, name), value);
}
