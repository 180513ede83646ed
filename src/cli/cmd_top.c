/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon top: shows the users of CXL memory, live: as the screen's page of processes, a table, CSV
 * or JSON.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/common.h"
#include "linux/rights/rights.h"
#include "linux/rights/sudo_user.h"
#include "linux/run/signals.h"
#include "platform/clock.h"
#include "poller/timetable.h"
#include "probe/top/top_print.h"
#include "show/screen/screen.h"

/* State of top without a screen: one process, with the rights of cxlmon-top. */
struct top_command {
	const struct options *options;
	struct top_options top_options;
	struct top *top;
	struct top_list list;
	top_printer *print;
	struct top_sheet sheet;
	struct common_output file;
	struct signals signals;
	struct sudo_user caller;
};

static int open_machine(struct top_command *c, struct error *err)
{
	const struct options *o = c->options;

	c->top = calloc(1, sizeof(*c->top));
	if (!c->top)
		return error_no_memory(err);
	top_prepare(&c->top_options, c->top);
	c->top->by = o->by;
	int rc = top_open(c->top, err);
	if (!rc && c->top->p->virtual_clock && !o->count)
		rc = error_set(err, ERROR_USAGE, -EINVAL,
			       "top: a virtual clock does not wait: expected COUNT after INTERVAL, "
			       "or --sim without clock=virtual");
	if (!rc)
		rc = top_begin(c->top, err);
	if (!rc && c->top->summary.why_not.code)
		log_write(&o->log, LEVEL_WARNING, "only memory is shown: %s",
			  c->top->summary.why_not.text);
	return rc;
}

static int open_table(struct top_command *c, struct error *err)
{
	const struct options *o = c->options;
	const int rc = common_open_output(o->output, CONTENTS_EMPTIED, &c->file, err);

	if (rc)
		return rc;
	c->print = o->format == &format_csv    ? top_csv
		   : o->format == &format_json ? top_json
					       : top_table;
	c->sheet = (struct top_sheet){
		.out = c->file.out, .by = o->by, .width = common_table_size(c->file.fd).ws_col};
	return 0;
}

/* Restricts the rest of the run to reading files of procfs. */
static int confine_top(const struct top_command *c, struct error *err)
{
	const struct rights_use use = {.role = RIGHTS_WATCHER,
				       .caller = c->caller,
				       .root = c->options->session.root,
				       .perf_events = c->top->loads.handles,
				       .perf_event_count = c->top->loads.handle_count,
				       .samples = true};

	tzset(); /* /etc/localtime may still be read */
	const int rc = rights_drop(&use, &c->options->log, err);
	return rc ? rc : rights_filter(&use, &c->options->log, err);
}

/* Waits, and reads samples meanwhile. A virtual clock does not advance between waits. */
static int wait_until(const struct top_command *c, uint64_t next, int *signal_number)
{
	struct platform *p = c->top->p;
	const struct clock_ops *clock = p->ops->clock;
	int rc = 0;

	while ((!rc || *signal_number == SIGCHLD || *signal_number == SIGNAL_KICK) &&
	       clock->now(p) < next) {
		const uint64_t soon = clock->now(p) + LOAD_READ_NS;

		rc = clock->sleep_until(p, soon < next && !p->virtual_clock ? soon : next,
					&c->signals.wake, signal_number);
		top_read(c->top);
	}
	return rc;
}

static int show_update(struct top_command *c, uint64_t missed, struct error *err)
{
	const struct top_choice choice = {.by = c->top->by,
					  .sort = c->top->by ? TOP_SORT_READ : TOP_SORTS};
	struct top_list *list = &c->list;

	if (top_list_take(list, &c->top->summary, c->top->rows))
		return error_no_memory(err);
	top_list_arrange(list, &choice);
	c->print(&c->sheet,
		 &(struct top_shown){&list->summary, list->lines, list->count, (double)missed});
	return common_flush_output(&c->file, err);
}

/* Shows updates until COUNT or a signal ends the run. */
static int run_updates(struct top_command *c, int *signal_number, struct error *err)
{
	struct platform *p = c->top->p;
	struct deadlines deadlines;
	int rc = 0;

	deadlines_start(&deadlines, p->ops->clock->now(p), c->options->session.interval_ns);
	for (uint64_t updates = 1; !rc; updates++) {
		if (wait_until(c, deadlines.next, signal_number) == -EINTR)
			return 0;
		const uint64_t missed = deadlines_advance(&deadlines, p->ops->clock->now(p));
		rc = top_update(c->top, err);
		if (!rc)
			rc = show_update(c, missed, err);
		if (updates == c->options->count)
			break;
	}
	*signal_number = 0;
	return rc;
}

static int run_batch(struct options *o, const struct cxl_node_choice *choice, struct error *err)
{
	struct top_command c = {.options = o,
				.top_options = {.root = o->session.root,
						.sim = o->session.sim,
						.choice = *choice,
						.pids = o->hot.pids,
						.cgroup = o->hot.cgroup,
						.without_pages = true,
						.caller = &c.caller}};
	int signal_number = 0, rc = sudo_user_find(&c.caller, err);

	if (rc)
		return rc;
	signals_block(&c.signals);
	rc = open_machine(&c, err);
	if (!rc)
		rc = open_table(&c, err);
	if (!rc)
		rc = confine_top(&c, err);
	if (!rc)
		rc = run_updates(&c, &signal_number, err);
	/* Ctrl-C after an update is the normal end of a run without COUNT */
	if (signal_number && (signal_number != SIGINT || !c.sheet.updates))
		o->status = EXIT_SIGNALLED + signal_number;
	if (c.top)
		top_close(c.top);
	free(c.top);
	top_list_free(&c.list);
	return c.file.out ? common_close_output(&c.file, rc, err) : rc;
}

static int run_top(struct options *o, struct error *err)
{
	const struct cxl_node_choice choice = {.nodes = o->session.view.nodes,
					       .devices = o->session.view.devices};
	int rc;

	const bool batch =
		o->top.batch || o->format || o->output_given || o->plain || o->operand_count > 1;

	o->session.interval_ns = NS_PER_S;
	rc = common_take_interval(o, err);
	if (rc)
		return rc;
	if (batch || !screen_supported(&o->log))
		return run_batch(o, &choice, err);
	if (o->by)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "top: on the screen, g changes the kind of rows: expected --by=%s "
				 "with --batch, --csv or --json",
				 row_by_names[o->by]);
	/* ports of all nodes */
	o->session.view.nodes = o->session.view.devices = NULL;
	o->session.view.finest = SCOPE_PORT;
	o->top.choice = choice;
	o->top.first = true;
	return monitor_run(o, err);
}

static const char *const kinds[] = {"process", "cgroup", "container", "vm", "user", NULL};

static const struct option_row rows[] = {
	OPTIONS_PROCESSES,
	{OPTION_BY, .choices = kinds,
	 .help = "show rows by process (default), cgroup, container, vm or user in tables, CSV and JSON"},
	{OPTION_MEMBER(FLAG, top.batch), .name = "batch", .letter = 'b',
	 .help = "print a table at each interval (default without a terminal)"},
	{OPTION_MEMBER(FLAG, plain), .name = "plain", .help = "print tables, like --batch"},
	{OPTION_FORMAT, .choices = options_row_formats,
	 .help = "print as table, csv or json instead of the screen"},
	{OPTION_FORMAT_CSV, .help = "print CSV, like --format=csv"},
	{OPTION_FORMAT_JSON,
	 .help = "print JSON Lines, one object per interval, like --format=json"},
	{OPTION_OUTPUT, .help = "write to FILE instead of standard output", OPTION_FILE_EXPECTED},
	OPTIONS_COUNTING,
	{.name = NULL},
};

const struct subcommand cmd_top = {
	.name = "top",
	.purpose = "show who uses CXL memory, live: processes, and ports",
	.hint = "who uses CXL?",
	.run = run_top,
	.usage = "Usage: cxlmon top [OPTION]... [INTERVAL [COUNT]]\n"
		 "Shows, live, which processes have memory on CXL nodes, and how much they read "
		 "there, by\n"
		 "sampled loads. Tab switches to the ports and back; ? explains keys and "
		 "columns.\n"
		 "\n",
	.options = rows,
	.notes = "\n"
		 "  sudo cxlmon top                    every second\n"
		 "  sudo cxlmon top --csv --by=user 1 60\n"
		 "  cxlmon top --sim=gnr               simulated processes\n"
		 "\n"
		 "If loads cannot be sampled, it shows only memory, and says why.\n",
	.operands = 2,
};
