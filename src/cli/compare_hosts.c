/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon compare with the recordings of several hosts: a table of their means. */
#include <errno.h>
#include <stdio.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/hosts_read.h"

/* Refuses options whose meaning needs A and B. */
static int refuse_options(const struct options *options, struct error *err)
{
	const struct {
		bool given;
		const char *what, *expected;
	} refused[] = {
		{options->output_given, "page", "expected cxlmon report FILE FILE... -o PAGE"},
		{options->conditions.count, "--fail-if", "expected two, A and B"},
		{options->scope_chosen, "--per", "hosts are compared by their means"},
		{options->format == &format_csv, "CSV", "expected --json"},
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (refused[i].given)
			return error_set(err, ERROR_USAGE, -EINVAL,
					 "compare: three or more recordings have no %s: %s",
					 refused[i].what, refused[i].expected);
	return 0;
}

static int print_hosts(const struct options *options, const struct hosts *hosts, struct error *err)
{
	if (options->format == &format_json)
		return common_print_json(options, hosts_json(hosts), err);
	hosts_table(hosts, wrapped_width(), stdout);
	return 0;
}

int compare_hosts(const struct options *options, struct error *err)
{
	struct hosts hosts = {.count = 0};
	struct error failure = {.code = 0};
	int rc = refuse_options(options, err);

	if (!rc)
		rc = hosts_read(options, NULL, &hosts, &failure, err);
	if (!rc)
		rc = print_hosts(options, &hosts, err);
	/* messages follow the output */
	fflush(stdout);
	if (!rc)
		rc = messages_pass_on(&failure, err);
	hosts_free(&hosts);
	return rc;
}
