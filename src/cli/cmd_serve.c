/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon serve: the monitor with an HTTP server as its output. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/common.h"
#include "linux/run/service_manager.h"
#include "show/serve/listener.h"
#include "show/serve/serving.h"

/* lowest port without root: no exporter is read as rarely, in seconds */
#define LOWEST_USER_PORT 1024
#define LOWEST_TCP_PORT	 80 /* lowest port served on; no socket has as many CXL ports */

/* Refuses the monitor's options about output. */
static int refuse_output_options(const struct options *o, struct error *err)
{
	const char *what = o->format			  ? "--format"
			   : o->output			  ? "--output"
			   : o->no_header		  ? "--no-header"
			   : o->plain			  ? "--plain"
			   : o->link_GBps > 0		  ? "--link-GBps"
			   : o->command			  ? "COMMAND"
			   : o->count			  ? "COUNT"
			   : o->summary == SUMMARY_ALWAYS ? "--summary"
							  : NULL;

	if (!what)
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL, "serve takes no %s: see cxlmon serve --help",
			 what);
}

/* Refuses a TCP port that was given as the interval or with --port, which chooses CXL ports. */
static int refuse_tcp_port(const struct options *o, struct error *err)
{
	uint64_t number;

	if (o->interval_text && text_number(o->interval_text, &number) &&
	    number >= LOWEST_USER_PORT)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "'%s' would be an interval in seconds: expected "
				 "--listen=ADDR:PORT for the address to listen on, such as "
				 "--listen=" LISTENER_DEFAULT ", or %ss for such an interval",
				 o->interval_text, o->interval_text);

	if (!o->session.view.ports || !text_number(o->session.view.ports, &number) ||
	    number < LOWEST_TCP_PORT)
		return 0;
	return options_usage(err, "not the number of a CXL port", o->session.view.ports,
			     "expected --listen=ADDR:PORT for the address to listen on, such as "
			     "--listen=" LISTENER_DEFAULT);
}

static int run_serve(struct options *options, struct error *err)
{
	struct notify notify;
	int rc = refuse_output_options(options, err);

	if (!rc)
		rc = refuse_tcp_port(options, err);
	if (!rc)
		rc = listener_choose(options->listen_text, &options->listen, err);
	if (rc)
		return rc;
	/* with events and no metrics chosen, only the events are counted and served */
	if (!options->groups_chosen && options->session.view.groups)
		options->session.view.groups = SERVING_METRICS;
	options->serve = options->session.serves = true;
	rc = monitor_run(options, err);
	/* systemd would count a service that ends before it was ready as failed */
	if (options->status == EXIT_NO_UNIT && !notify_open(&notify, NULL)) {
		notify_send(&notify, "READY=1\nSTATUS=This machine has nothing to monitor.");
		notify_close(&notify);
	}
	return rc;
}

static void print_notes(FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *names = open_memstream(&text, &size);

	if (!names)
		return;
	fputs("Options of the monitor (see cxlmon help all):", names);
	for (const struct option_row *row = monitor_options; row->name; row++)
		if (subcommand_shares(&cmd_serve, row))
			fprintf(names, row->letter ? " -%.1s," : " --%s,",
				row->letter ? &row->letter : row->name);
	fclose(names);
	text[size - 1] = '.';
	putc('\n', out);
	wrapped_print(out, text, 0, 0, HELP_WIDTH);
	fputs("\nExit status: as of cxlmon, except 0 for SIGTERM and SIGINT.\n", out);
	free(text);
}

static const struct option_row rows[] = {
	{OPTION_MEMBER(STRING, listen_text), .name = "listen", .argument = "ADDR:PORT",
	 .help = "listen on this address (default " LISTENER_DEFAULT ": local only);\n"
		 "0.0.0.0:PORT or [::]:PORT for all interfaces; port 0 chooses a\n"
		 "free one; not with a socket that systemd has passed"},
	OPTION_SHOW_HELP,
	{.name = NULL},
};

const struct subcommand cmd_serve = {
	.name = "serve",
	.purpose = "serve OpenMetrics over HTTP, for Prometheus",
	.run = run_serve,
	.usage =
		"Usage: cxlmon serve [OPTION]... [INTERVAL]\n"
		"Serves the metrics of the CXL ports of this machine as OpenMetrics over HTTP, at\n"
		"/metrics, for Prometheus. Counters are read every INTERVAL (default 1 s), independent of\n"
		"how often they are scraped. Without -m these are the metrics that the alerts and the\n"
		"dashboard in docs/how-to/prometheus.md need: " SERVING_METRICS ".\n"
		"\n",
	.options = rows,
	.monitor = OPTION_NOT_SERVE,
	.print_notes = print_notes,
};
