/* SPDX-License-Identifier: BSD-3-Clause */
/* What cxlmon record needs besides the monitor: checks of its file, and the header. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/monitor_private.h"
#include "output/output_file.h"

int monitor_check_recording(const struct monitor *m, struct error *err)
{
	const char *name = m->options->output;

	if (isatty(m->fd))
		return error_set(
			err, EXIT_USAGE, -EINVAL,
			"can't write a recording to a terminal: expected a file, or a pipe to "
			"cxlmon replay -");
	const int rc = name ? output_check_empty(m->fd, name, "record", err) : 0;
	if (rc)
		return rc;
	return recording_check_size(&m->session.view)
		       ? error_set(err, EXIT_FAILED, -E2BIG,
				   "%s: too many rows for a recording: choose fewer events, or "
				   "--per=socket",
				   name ? name : "standard output")
		       : 0;
}

static void add_option(struct recording_info *about, const char *name, const char *value)
{
	if (value && about->option_count < RECORDING_OPTIONS)
		about->options[about->option_count++] =
			(struct recording_option){.name = name, .value = value};
}

static const char *last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* COMMAND's arguments may be private. */
static void add_origin(struct monitor *m)
{
	const struct options *o = m->options;

	for (size_t i = 0; i < o->notes.count; i++)
		add_option(&m->about, "note", o->notes.at[i]);
	if (o->host && !gethostname(m->host, sizeof(m->host) - 1))
		add_option(&m->about, "host", m->host);
	if (o->command)
		add_option(&m->about, "command", last_name(o->command[0]));
}

/* Options that the rows don't show. File names stay out: they may be private. */
static void add_options(struct recording_info *about, const struct options *o)
{
	add_option(about, "sim", o->session.sim ? last_name(o->session.sim) : NULL);
	add_option(about, "metrics", o->session.view.groups);
	add_option(about, "per", scope_names[o->session.view.finest]);
	add_option(about, "socket", o->session.view.sockets);
	add_option(about, "port", o->session.view.ports);
	add_option(about, "device", o->session.view.devices);
	add_option(about, "node", o->session.view.nodes);
	if (o->session.view.latency == LATENCY_ROTATE)
		add_option(about, "latency", "rotate");
	if (o->session.ownership == OWNERSHIP_SHARE)
		add_option(about, "share", "yes");
}

void monitor_describe_recording(struct monitor *m)
{
	m->about = (struct recording_info){
		.program = CXLMON_VERSION,
		.processor = machine_processor(&m->session.machine),
		.interval_ns = m->options->session.interval_ns,
		.started_ns = m->session.platform->ops->wall(m->session.platform),
	};
	add_options(&m->about, m->options);
	add_origin(m);
}
