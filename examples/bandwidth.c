/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes of each CXL port, once a second: cc bandwidth.c $(pkg-config --cflags --libs
 * cxlmon) */
#include <cxlmon.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct cxlmon_ctx *ctx;
	int failed = cxlmon_new(&ctx);

	if (failed)
		return 1;
	cxlmon_set_sim(ctx, argc > 1 ? argv[1] : NULL); /* "spr": a simulated machine */
	cxlmon_set_metrics(ctx, "cxl");
	failed = cxlmon_start(ctx);
	const size_t reads = cxlmon_find_column(ctx, "cxl_mem_read_MBps");
	const size_t writes = cxlmon_find_column(ctx, "cxl_mem_write_MBps");

	for (int i = 0; i < 3 && !failed; i++) {
		failed = cxlmon_wait(ctx) || cxlmon_sample(ctx);
		for (size_t row = 0; row < cxlmon_row_count(ctx); row++)
			if (cxlmon_row_scope(ctx, row) == CXLMON_SCOPE_PORT)
				printf("socket %d port %d %s: read %.1f MB/s, write %.1f MB/s\n",
				       cxlmon_row_socket(ctx, row), cxlmon_row_port(ctx, row),
				       cxlmon_row_device(ctx, row), cxlmon_value(ctx, row, reads),
				       cxlmon_value(ctx, row, writes));
	}
	if (failed)
		fprintf(stderr, "%s\n", cxlmon_error(ctx));
	cxlmon_unref(ctx); /* restores the registers */
	return failed ? 1 : 0;
}
