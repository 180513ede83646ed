/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon report: a recording as a page. */
#include <errno.h>
#include <stdio.h>

#include "cli/playback.h"
#include "cli/subcommands.h"
#include "cli/target.h"
#include "report/report_page.h"

static void help(void)
{
	fputs("Usage: cxlmon report FILE -o report.html\n"
	      "Draws a recording of cxlmon record as one HTML page: bandwidth and latency over\n"
	      "time, one against the other, and a table of figures. The page loads nothing, so\n"
	      "that it can be sent and kept as it is. FILE - is standard input.\n"
	      "\n"
	      "  -o, --output=FILE      write there instead of standard output\n"
	      "  -h, --help             show this help\n"
	      "\n"
	      "Exit status 1: the recording is damaged or has no end; what is whole was drawn.\n",
	      stdout);
}

static int write_page(const struct report *r, const struct error *flaw, const char *name,
		      struct error *err)
{
	struct playback_output output;
	int rc = playback_open_output(name, &output, err);

	if (rc)
		return rc;
	if (report_page(r, flaw, output.out))
		rc = error_no_memory(err);
	const int closed = playback_close_output(&output, rc ? NULL : err);
	return rc ? rc : closed;
}

/* What is wrong with the recording is said once the rest of it has been drawn. */
static int report(const struct playback *playback, struct error *err)
{
	struct report r = {.samples = 0};
	struct recording_file file;
	struct error flaw = {0};
	int rc = recording_file_open(playback->file, &file, err);

	if (!rc)
		rc = report_read(&file, &r, &flaw, err);
	if (!rc)
		rc = write_page(&r, &flaw, playback->output, err);
	if (!rc && flaw.code) {
		*err = flaw;
		rc = flaw.code;
	}
	report_free(&r);
	recording_file_close(&file);
	return rc;
}

int cmd_report(int argc, char **argv)
{
	struct playback playback;
	struct error err = {0};
	int rc = playback_parse(argc, argv, false, &playback, &err);

	if (!rc && playback.help)
		help();
	else if (!rc)
		rc = report(&playback, &err);
	return target_finish(argv[0], rc, &err);
}
