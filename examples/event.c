/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts an event, by name or by its code, on every unit that has it. */
#include <cxlmon.h>
#include <stdio.h>

static void print_warning(void *data, enum cxlmon_log_level level, const char *text)
{
	(void)data;
	if (level == CXLMON_LOG_WARNING)
		fprintf(stderr, "%s\n", text);
}

int main(int argc, char **argv)
{
	const char *event = argc > 1 ? argv[1] : "cxlcm/event=0x02,umask=0x10,name=sent/";
	struct cxlmon_ctx *ctx;
	int failed = cxlmon_new(&ctx);

	if (failed)
		return 1;
	cxlmon_set_log(ctx, print_warning, NULL);
	cxlmon_set_sim(ctx, argc > 2 ? argv[2] : NULL);
	failed = cxlmon_add_event(ctx, event) || cxlmon_set_interval_ns(ctx, 100000000) ||
		 cxlmon_start(ctx) || cxlmon_wait(ctx) || cxlmon_sample(ctx);
	for (size_t row = 0; !failed && row < cxlmon_row_count(ctx); row++)
		printf("socket %d %s %d: %s %.0f in %.3f s, %.0f a second\n",
		       cxlmon_row_socket(ctx, row), cxlmon_row_unit(ctx, row),
		       cxlmon_row_box(ctx, row), cxlmon_row_event(ctx, row),
		       cxlmon_row_events(ctx, row), cxlmon_row_interval_s(ctx, row),
		       cxlmon_row_events_per_s(ctx, row));
	if (failed)
		fprintf(stderr, "%s\n", cxlmon_error(ctx));
	cxlmon_unref(ctx);
	return failed ? 1 : 0;
}
