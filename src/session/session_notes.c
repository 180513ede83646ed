/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a session about itself, once it is open. */
#include "session/session_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "platform/simulation.h"
#include "uncore/model/event.h"
#include "view/view_unmeasured.h"

#define EVENTS_TEXT_SIZE 384

struct uncounted {
	struct platform *platform;
	char names[EVENTS_TEXT_SIZE];
	size_t more; /* number of names that have no room */
};

static bool is_listed(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* Adds an event that is not simulated; events that the kernel names all are. */
static void add_uncounted(struct uncounted *list, const struct event *event)
{
	if (event->perf_alias ||
	    list->platform->ops->simulation->counts(list->platform, event->type,
						    event_control(event), event->offcore_rsp) ||
	    is_listed(list->names, event->name))
		return;
	if (strlen(list->names) + strlen(event->name) + sizeof(", ") > sizeof(list->names))
		list->more++;
	else
		text_list(list->names, sizeof(list->names), "%s", event->name);
}

/* Warns about requested events that a simulated machine does not count. */
void session_report_uncounted(const struct session *s)
{
	struct uncounted list = {.platform = s->platform};
	char more[40] = "";

	const struct simulation_ops *simulation = s->platform->ops->simulation;

	if (!simulation || !simulation->counts)
		return;
	for (size_t i = 0; i < s->events.count; i++)
		add_uncounted(&list, s->events.items[i].event);
	for (size_t i = 0; i < s->metrics.count; i++) {
		const struct program *program = &s->metrics.items[i]->program;

		for (size_t k = 0; k < program->operand_count; k++)
			add_uncounted(&list, program->operands[k].event);
	}
	if (list.more)
		snprintf(more, sizeof(more), " and %zu others", list.more);
	if (*list.names)
		log_write(&s->platform->log, LEVEL_WARNING,
			  "the simulation does not model these events, whose counts stay 0: %s%s",
			  list.names, more);
}

/* Source: 33.60 GB/s counted of 17.25 on an EPYC 9754 */
#define FLUSHED "clean lines that programs flush are counted again"

void session_report_mbm(const struct session *s)
{
	const struct resctrl_source *sources = &s->view.sources.resctrl;
	const struct log *log = &s->platform->log;
	const char *event = mbm_event_name(sources->event);
	size_t i = 0;

	while (i < s->others.count && s->others.steps[i].reg.space != REG_MBM)
		i++;
	if (sources->set)
		log_write(
			log, LEVEL_NOTE,
			"until this run ends, %s of resctrl counts only reads of CXL memory; its "
			"counts and those of mbm_total_bytes are cleared now and at the end; " FLUSHED,
			event);
	else if (sources->base.kind)
		log_write(log, LEVEL_NOTE,
			  "%s of resctrl counts reads of CXL memory already%s; " FLUSHED, event,
			  i < s->others.count ? ", until another cxlmon ends" : "");
}

/* Tells if a latency is shown that L3 caches sample. */
static bool shows_sampled_latency(const struct view *view)
{
	for (size_t c = 0; c < view->table.column_count; c++)
		for (size_t i = 0; i < view->table.columns[c].formulas.count; i++)
			if (view->table.columns[c].formulas.items[i]->mean_of_reads)
				return true;
	return false;
}

void session_report_limits(const struct session *s)
{
	const uint64_t bytes = s->machine.l3_bytes;
	char text[UNMEASURED_TEXT_SIZE], size[48] = "of a size that CPUID does not report";

	view_list_unmeasured(&s->view, false, text);
	if (*text)
		log_write(&s->platform->log, LEVEL_NOTE, "not measured here: %s", text);
	if (!s->machine.unsure_latency || !shows_sampled_latency(&s->view))
		return;
	if (bytes)
		snprintf(size, sizeof(size), "of %" PRIu64 " MiB", bytes >> 20);
	log_write(&s->platform->log, LEVEL_NOTE,
		  "latencies are estimates (~), and may be three times as high: L3 caches %s on %s "
		  "sample them in units of 10 ns as the kernel says, of 30 ns as a register "
		  "reference does; cxlmon selftest measures which",
		  size, s->machine.model->name);
}

static const char *how_read(const struct session *s)
{
	const struct plan *plan = &s->plan;
	size_t frozen = 0;

	if (!plan->unit_count)
		return s->view.sources.regions.base.kind ? "L3 caches count by region of memory"
							 : "read from the kernel's files";
	if (s->backend == BACKEND_PERF)
		return "counted by the kernel";
	for (size_t d = 0; d < plan->domain_count; d++)
		frozen += plan->domains[d].freezes;
	if (!frozen)
		return "read while running";
	if (frozen < plan->domain_count)
		return plan->global_freeze ? "frozen per socket, others read while running"
					   : "frozen per unit, others read while running";
	return plan->global_freeze ? "frozen per socket" : "frozen per unit";
}

void session_describe(const struct session *s)
{
	const struct machine *machine = &s->machine;
	const struct log *log = &s->platform->log;

	log_write(log, LEVEL_DETAIL, "%s%s: %zu socket%s, %zu uncore units, %zu %s%s",
		  s->options.sim ? "simulated " : "", machine_processor(machine),
		  machine->socket_count, machine->socket_count == 1 ? "" : "s",
		  machine->discovery.unit_count, machine->port_count,
		  machine->model->port_name ? machine->model->port_name : "CXL port",
		  machine->port_count == 1 ? "" : "s");
	log_write(log, LEVEL_DETAIL, "%zu events on %zu units, %s", s->plan.counter_count,
		  s->plan.unit_count, how_read(s));
	if (s->plan.max_rounds > 1)
		log_write(log, LEVEL_DETAIL, "up to %zu event groups are multiplexed on a unit",
			  s->plan.max_rounds);
}
