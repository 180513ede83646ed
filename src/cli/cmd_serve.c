/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon serve: the monitor, with an HTTP server where its output would be. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/monitor.h"
#include "cli/subcommands.h"
#include "platform/text.h"
#include "serve/listener.h"

static void help(void)
{
	fputs("Usage: cxlmon serve [OPTION]... [INTERVAL]\n"
	      "Serves what every CXL port of this machine does to Prometheus: OpenMetrics over HTTP,\n"
	      "at /metrics. INTERVAL is how often counters are read (default 1 s), however many\n"
	      "scrape, and however often.\n"
	      "\n"
	      "      --listen=ADDR:PORT where to listen (default " LISTENER_DEFAULT
	      ", this machine\n"
	      "                         alone); 0.0.0.0:PORT or [::]:PORT for everybody, port 0 for\n"
	      "                         any that is free\n"
	      "  -h, --help             show this help\n"
	      "\n"
	      "and of the monitor's options, which cxlmon --help explains: -m, -e, --events-from,\n"
	      "--rotate, --latency, -p, -s, --port, --device, --node, --sim, --root, --freeze,\n"
	      "--share, --force, -q, -v.\n"
	      "\n"
	      "Exit status: as cxlmon's, but 0 for SIGTERM and SIGINT, which end a service.\n",
	      stdout);
}

/*
 * Takes --listen out of the words that the monitor's options are read from. Its value may be a word
 * of its own.
 */
static int take_listen(int *argc, char **argv, const char **listen, struct error *err)
{
	static const char name[] = "--listen";
	const size_t length = sizeof(name) - 1;
	int kept = 1;

	for (int i = 1; i < *argc; i++) {
		if (strncmp(argv[i], name, length) || (argv[i][length] && argv[i][length] != '='))
			argv[kept++] = argv[i];
		else if (argv[i][length])
			*listen = argv[i] + length + 1;
		else if (i + 1 < *argc)
			*listen = argv[++i];
		else
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "no value for option '--listen': expected ADDR:PORT");
	}
	argv[kept] = NULL;
	*argc = kept;
	return 0;
}

/* What is said of an output, when there is none. */
static int check(const struct options *o, struct error *err)
{
	const char *what = o->format	? "--format"
			   : o->output	? "--output"
			   : o->command ? "COMMAND"
			   : o->count	? "COUNT"
					: NULL;

	if (!what)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "serve takes no %s: expected what cxlmon serve --help lists", what);
}

int cmd_serve(int argc, char **argv)
{
	const char *listen = LISTENER_DEFAULT;
	struct listen_address address;
	struct options options = {0};
	struct error err = {0};
	int rc = take_listen(&argc, argv, &listen, &err);

	if (!rc)
		rc = options_parse(argc, argv, &options, &err);
	if (!rc && options.help) {
		help();
		return fflush(stdout) || ferror(stdout) ? EXIT_FAILED : EXIT_OK;
	}
	if (!rc)
		rc = check(&options, &err);
	if (!rc)
		rc = listener_parse(listen, &address, &err);
	if (rc) {
		messages_error(&err);
		return (int)err.status;
	}
	options.listen = &address;
	return monitor_run(&options);
}
