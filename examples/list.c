/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be measured here: cc list.c $(pkg-config --cflags --libs cxlmon) */
#include <cxlmon.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct cxlmon_ctx *ctx;

	if (cxlmon_new(&ctx))
		return 1;
	for (size_t i = 0; i < cxlmon_metric_count(); i++)
		printf("%s [%s]: %s\n", cxlmon_metric_name(i), cxlmon_metric_unit(i),
		       cxlmon_metric_help(i));
	cxlmon_set_sim(ctx, argc > 1 ? argv[1] : NULL); /* "spr": a simulated machine */
	const int failed = cxlmon_list_events(ctx);
	for (size_t i = 0; i < cxlmon_event_count(ctx); i++)
		printf("%s (%s): %s\n", cxlmon_event_name(ctx, i), cxlmon_event_unit(ctx, i),
		       cxlmon_event_help(ctx, i));
	if (failed)
		fprintf(stderr, "%s\n", cxlmon_error(ctx));
	cxlmon_unref(ctx);
	return failed ? 1 : 0;
}
