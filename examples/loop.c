/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of the whole system, until a key is pressed: cc loop.c $(pkg-config --cflags --libs cxlmon)
 */
#include <cxlmon.h>
#include <poll.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct cxlmon_ctx *ctx;
	int failed = cxlmon_new(&ctx);

	if (failed)
		return 1;
	cxlmon_set_sim(ctx, argc > 1 ? argv[1] : NULL); /* "spr": a simulated machine */
	failed = cxlmon_start(ctx);
	const size_t reads = cxlmon_find_column(ctx, "cxl_mem_read_MBps");
	struct pollfd fds[] = {{.fd = cxlmon_fd(ctx), .events = POLLIN},
			       {.fd = 0, .events = POLLIN}};

	while (!failed && poll(fds, 2, -1) > 0 && !fds[1].revents) {
		const int due = cxlmon_dispatch(ctx);
		failed = due < 0 || (due == 1 && cxlmon_sample(ctx));
		if (due == 1 && !failed)
			printf("%.1f MB/s\n", cxlmon_value(ctx, cxlmon_row_count(ctx) - 1, reads));
		fflush(stdout);
	}
	if (failed)
		fprintf(stderr, "%s\n", cxlmon_error(ctx));
	cxlmon_unref(ctx); /* restores the registers */
	return failed ? 1 : 0;
}
