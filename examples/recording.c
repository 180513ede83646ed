/* SPDX-License-Identifier: BSD-3-Clause */
/* Every value of a recording: cc recording.c $(pkg-config --cflags --libs cxlmon) */
#include <cxlmon.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct cxlmon_ctx *ctx;

	if (cxlmon_new(&ctx))
		return 1;
	cxlmon_set_recording(ctx, argc > 1 ? argv[1] : "-");
	int rc = cxlmon_start(ctx);
	while (!rc && !(rc = cxlmon_sample(ctx)))
		for (size_t row = 0; row < cxlmon_row_count(ctx); row++)
			for (size_t column = 0; column < cxlmon_column_count(ctx); column++)
				printf("%llu %d %d %s %.3f\n",
				       (unsigned long long)cxlmon_time_ns(ctx),
				       cxlmon_row_socket(ctx, row), cxlmon_row_port(ctx, row),
				       cxlmon_column_name(ctx, column),
				       cxlmon_value(ctx, row, column));
	const int status = cxlmon_status(ctx); /* 0 at the end of a complete recording */
	if (status)
		fprintf(stderr, "%s\n", cxlmon_error(ctx));
	cxlmon_unref(ctx);
	return status;
}
