/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the counts of a cell: the units that count the events of its formula, and their groups. */
#include "view/view_terms.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "plan/plan.h"
#include "platform/cxl.h"
#include "uncore/discovery/perf_units.h"
#include "uncore/units/cpmu.h"
#include "uncore/units/cpmu_events.h"
#include "view/view_columns.h"
#include "view/view_select.h"

/*
 * Results other than -ENOMEM: some unit cannot count an event of the formula; some unit was left
 * out.
 */
#define CANT_COUNT 1
#define LACKS_UNIT 2

static int add_link_term(struct view *view, struct request request, size_t link)
{
	if (array_room(&view->requests, view->request_count, 1, sizeof(*view->requests)) ||
	    array_room(&view->link_of_request, view->request_count, 1,
		       sizeof(*view->link_of_request)))
		return -ENOMEM;
	view->link_of_request[view->request_count] = link;
	view->requests[view->request_count++] = request;
	return 0;
}

int view_add_term(struct view *view, struct request request)
{
	return add_link_term(view, request, view->link_count);
}

static bool row_has_port(const struct row *row, const struct port *port)
{
	return (row->place.socket < 0 || row->place.socket == port->socket) &&
	       (row->place.port < 0 || row->place.port == (int)port->number);
}

/* Returns true if the row includes a unit that belongs to no port. */
static bool row_has_unit(const struct row *row, const struct unit *unit)
{
	return (row->place.socket < 0 || row->place.socket == unit->socket) &&
	       (row->place.cpu < 0 || row->place.cpu == (int)unit->cpu);
}

/*
 * Returns true if an earlier operand has this event: user-defined metrics take one under several
 * conditions.
 */
static bool repeats_earlier_event(const struct formula *formula, unsigned i)
{
	const struct event *event = formula_event(formula, i);

	for (unsigned k = 0; k < i; k++)
		if (formula_event(formula, k) == event)
			return true;
	return false;
}

/* Returns true if the events that are counted in this group on a unit fit on its counters. */
static bool group_fits(const struct formula *formula, unsigned group, const struct unit *unit)
{
	uint32_t allowed[FORMULA_EVENTS];
	unsigned counters[FORMULA_EVENTS];
	size_t count = 0, unassigned;
	const struct event *event;

	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		if (event->type == unit->type && !repeats_earlier_event(formula, i) &&
		    formula->groups[i] == group &&
		    !(formula->program->operands[i].may_lack && !unit_event_counters(unit, event)))
			allowed[count++] = unit_event_counters(unit, event);
	return !schedule_events(allowed, count, false, counters, &unassigned);
}

/*
 * Returns true if the unit can count event i together with the rest of its group. A multiplexed
 * formula with parts for each unit needs all its events on each unit.
 */
static bool can_count(const struct formula *formula, unsigned i, const struct unit *unit)
{
	const struct event *event = formula_event(formula, i);

	if (!unit->open || !unit_can_count(unit, event))
		return false;
	if (formula->groups[i] && !group_fits(formula, formula->groups[i], unit))
		return false;
	if (formula->same_group)
		return true;
	for (unsigned k = 0; (event = formula_event(formula, k)); k++)
		if ((k == i || formula->program->part_count) && !unit_event_counters(unit, event))
			return false;
	return true;
}

/* Returns true if a CPU can count each event of a table's formula, but not all of them at once. */
static bool lacks_counters(const struct formula *formula, const struct unit *unit)
{
	const struct event *event;

	if (!formula->same_group || !formula->number)
		return false;
	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		if (event->type != PMU_CORE || !unit_can_count(unit, event) ||
		    !unit_event_counters(unit, event))
			return false;
	return !group_fits(formula, formula->number, unit);
}

void view_report_unfit(const struct selection *selection)
{
	const struct machine *m = selection->machine;
	const struct formula *first = NULL;
	const struct unit *where = NULL;
	size_t left = 0;

	for (size_t u = 0; u < m->cpu_count; u++)
		for (size_t f = 0; f < selection->needed_count; f++)
			if (m->cpus[u].open && lacks_counters(selection->needed[f], &m->cpus[u]) &&
			    !left++) {
				first = selection->needed[f];
				where = &m->cpus[u];
			}
	if (left)
		log_write(
			&m->platform->log, LEVEL_WARNING,
			"%zu value%s of CPUs stay%s empty for lack of counters; first: cpu %u: too few "
			"are free for the %u events of %s, which are counted at the same time",
			left, left == 1 ? "" : "s", left == 1 ? "s" : "", where->cpu,
			first->program->operand_count, first->metric);
}

/* Adds event i of a formula on all units of its type that the port has. */
static int add_terms_of_port(struct view *view, const struct port *port, size_t link,
			     struct request request, const struct formula *formula, unsigned i)
{
	size_t nth = 0;
	int rc = 0;

	for (; !rc && (request.unit = view_port_unit(port, request.event->type, nth)); nth++)
		/* groups of the tables always fit on all counters of a port */
		rc = request.unit->open && (formula->number || can_count(formula, i, request.unit))
			     ? add_link_term(view, request, link)
			     : CANT_COUNT;
	return nth ? rc : CANT_COUNT;
}

/*
 * Adds event i of a formula on the row's ports, or only on its port if it is a single port's event.
 */
static int add_port_terms(struct view *view, const struct selection *selection,
			  const struct row *row, struct request request,
			  const struct formula *formula, unsigned i)
{
	const struct machine *m = selection->machine;
	const int number = formula->program->operands[i].port;
	int rc = 0;

	for (size_t p = 0; !rc && p < m->port_count; p++) {
		const struct port *port = &m->ports[p];

		if ((number >= 0 && (int)port->df_event != number) || !row_has_port(row, port) ||
		    !view_port_selected(selection->options, port))
			continue;
		if (!selection->ports[p] && view_port_may_have_memory(m, port))
			return LACKS_UNIT;
		if (!selection->ports[p])
			continue;
		rc = add_terms_of_port(view, port, p, request, formula, i);
	}
	return rc;
}

/* Returns the event of cpmu_events that is this bit of a group; NULL: none. */
static const struct event *find_bit(uint64_t group, unsigned bit)
{
	const uint64_t wanted = group >> 32 << 32 | UINT64_C(1) << bit;

	for (const struct event *event = cpmu_events; event->name; event++)
		if (event->modifiers == wanted && !event->optional)
			return event;
	return NULL;
}

/* Returns the link between a CPMU and its port or, if that is unknown, its device's link. */
static size_t link_of_cpmu(const struct view *view, const struct machine *m,
			   const struct cpmu *cpmu)
{
	const struct port *port = cpmu_port(m, cpmu);

	if (port)
		return (size_t)(port - m->ports);
	return cpmu->device ? m->port_count + (size_t)(cpmu->device - m->devices)
			    : view->link_count;
}

/*
 * Adds the events that a CPMU counts for an event. It is uncertain if one counter correctly adds up
 * several events of a clock: the specification demands a threshold of 1 in 13.2, which 8.2.7
 * describes as one count per clock. So each event of a sum gets its own counter, if there are
 * enough.
 */
static int add_cpmu_term(struct view *view, const struct selection *selection,
			 struct request request, const struct formula *formula)
{
	const uint64_t wanted = cpmu_events_of(request.unit->cpmu, request.event);
	const size_t link = link_of_cpmu(view, selection->machine, request.unit->cpmu);
	const struct event *parts[32];
	unsigned count = 0;

	for (unsigned bit = 0; bit < 32; bit++)
		if (wanted >> bit & 1)
			parts[count++] = find_bit(wanted, bit);
	bool split = selection->split_sums && formula->number && count > 1;
	for (unsigned i = 0; i < count; i++)
		split = split && parts[i] && unit_event_counters(request.unit, parts[i]);
	if (!split)
		return add_link_term(view, request, link);
	int rc = 0;
	for (unsigned i = 0; !rc && i < count; i++) {
		request.event = parts[i];
		rc = add_link_term(view, request, link);
	}
	return rc;
}

static bool cpmu_fits(const struct view *view, const struct unit *unit)
{
	const struct event *events[UNIT_MAX_COUNTERS];
	uint32_t allowed[UNIT_MAX_COUNTERS];
	unsigned counters[UNIT_MAX_COUNTERS];
	size_t count = 0, unassigned;

	for (size_t r = 0; r < view->request_count; r++) {
		const struct request *request = &view->requests[r];
		size_t i = 0;

		if (request->unit != unit)
			continue;
		while (i < count && events[i] != request->event)
			i++;
		if (i < count)
			continue;
		if (count == UNIT_MAX_COUNTERS)
			return false;
		events[count] = request->event;
		allowed[count++] = unit_event_counters(unit, request->event);
	}
	return !schedule_events(allowed, count, false, counters, &unassigned);
}

bool view_cpmus_fit(const struct view *view)
{
	for (size_t r = 0; r < view->request_count; r++)
		if (view->requests[r].unit->cpmu && !cpmu_fits(view, view->requests[r].unit))
			return false;
	return true;
}

/*
 * Adds the CPMUs that count an event, of a port, or of the function with that PCI address. A device
 * may have several, each for a part of it: they are added up, and a sum without one of them would
 * be too small. An event that a device lacks may count as 0, but not one that it may have on a CPMU
 * that cannot be used.
 */
static int add_cpmus(struct view *view, const struct selection *selection, const struct port *port,
		     const char *pci, struct request request, const struct formula *formula,
		     unsigned i)
{
	const bool may_lack = formula->program->operands[i].may_lack;
	const struct machine *m = selection->machine;
	const size_t before = view->request_count;
	bool is_known = !m->cpmu_error.code;
	int rc = 0;

	for (size_t c = 0; !rc && c < m->cpmu_count; c++) {
		struct cpmu *cpmu = &m->cpmus[c];

		if (port ? cpmu_port(m, cpmu) != port : strcmp(cpmu->pci_text, pci) != 0)
			continue;
		is_known = true;
		request.unit = &cpmu->unit;
		if (!cpmu->is_part && can_count(formula, i, &cpmu->unit))
			rc = add_cpmu_term(view, selection, request, formula);
		else if (cpmu->is_part || cpmu_counts(cpmu, request.event) ||
			 cpmu_hides(cpmu, request.event))
			rc = CANT_COUNT;
	}
	return rc || view->request_count > before || (may_lack && is_known) ? rc : CANT_COUNT;
}

static int add_cpmu_terms(struct view *view, const struct selection *selection,
			  const struct row *row, struct request request,
			  const struct formula *formula, unsigned i)
{
	const struct machine *m = selection->machine;
	int rc = 0;

	if (row->place.kind == ROW_DEVICE)
		return add_cpmus(view, selection, NULL, row->place.pci, request, formula, i);
	for (size_t p = 0; !rc && p < m->port_count; p++)
		if (selection->ports[p] && row_has_port(row, &m->ports[p]))
			rc = add_cpmus(view, selection, &m->ports[p], "", request, formula, i);
	return rc;
}

/* Returns true if a unit's count is missing in a sum. If CPUs have no PMU, none of them is. */
static bool is_left_out(const struct selection *selection, const struct formula *formula,
			const struct unit *unit)
{
	return !unit->open && !formula->cross_check &&
	       (unit->type != PMU_CORE || !selection->core_error.code);
}

static int add_unit_terms(struct view *view, const struct selection *selection,
			  const struct row *row, struct request request,
			  const struct formula *formula, unsigned i)
{
	struct unit *unit;
	int rc = 0;

	for (size_t u = 0; !rc && (unit = machine_unit(selection->machine, request.event->type, u));
	     u++) {
		if (unit->type != request.event->type || unit->absent ||
		    (unit->no_region && request.event->needs_region) ||
		    !view_unit_selected(selection, unit) || !row_has_unit(row, unit))
			continue;
		request.unit = unit;
		if (can_count(formula, i, unit))
			rc = view_add_term(view, request);
		else if (!formula->any_unit || (formula->cross_check && unit->still))
			/* a sum without it would be too small */
			rc = is_left_out(selection, formula, unit) ? LACKS_UNIT : CANT_COUNT;
	}
	return rc;
}

/* Returns true if the formula counts the same traffic as the ports of the row. */
static bool can_cross_check(const struct selection *selection, const struct row *row,
			    const struct formula *formula)
{
	const struct view_options *options = selection->options;

	if (!selection->cross_check || view_selects_ports(options) || row_scope(row) == SCOPE_PORT)
		return false;
	return !formula->of_all_sockets || (row->place.kind == ROW_SYSTEM && !options->sockets);
}

const struct formula *view_row_formula(const struct view *view, const struct selection *selection,
				       const struct row *row, const struct metric *metric,
				       unsigned a)
{
	const bool custom = custom_metric_of(selection->options->custom, metric);

	if (row->place.kind == ROW_DEVICE && !view_is_of_devices(selection, metric))
		return NULL;
	if (row->place.kind == ROW_DEVICE && !custom)
		return view_formula_of(metric, formulas_find_device(selection->formulas,
								    metric_formulas(metric), a));
	if (!row_can_have(row, metric) ||
	    (metric->share_of && view_counted(view, row)->subject == SIZE_MAX))
		return NULL;
	const struct formula *formula = view_formula(selection, metric, a);
	return formula && formula->of_socket && row_scope(row) == SCOPE_PORT ? NULL : formula;
}

/*
 * Returns true if the formula has events of single ports, but the row has none of those ports. It
 * may lack some, because the number of ports differs by socket.
 */
static bool lacks_ports(const struct view *view, const struct formula *formula,
			const struct alternative *alternative)
{
	bool of_ports = false;

	for (unsigned i = 0; i < formula->program->operand_count; i++) {
		if (formula->program->operands[i].port < 0)
			continue;
		if (view_terms(view, alternative)[i].count)
			return false;
		of_ports = true;
	}
	return of_ports;
}

/* Returns LACKS_UNIT if the machine has, or may have, units that count the event; 0: none. */
static int may_be_hidden(const struct selection *selection, const struct event *event)
{
	const struct machine *m = selection->machine;

	return perf_units_hide(m->model, &m->pmus, event->type) ? LACKS_UNIT : 0;
}

/* Returns 0 if the row can have all metrics that a formula names. */
static int check_named(const struct view *view, const struct row *row, size_t column,
		       const struct program *program)
{
	const size_t r = (size_t)(row - view->table.rows);

	for (unsigned k = 0; k < program->metric_count; k++) {
		const size_t c = view->table.columns[column].named[k];
		const struct alternative *alternatives =
			&view->alternatives[(r * table_all_columns(&view->table) + c) *
					    ALTERNATIVES];
		bool counted = c == view->mbm_column, lacks_unit = false;

		for (unsigned a = 0; a < ALTERNATIVES; a++) {
			counted |= alternatives[a].formula != NULL;
			lacks_unit |= alternatives[a].lacks_unit;
		}
		if (!counted)
			return lacks_unit ? LACKS_UNIT : CANT_COUNT;
	}
	return 0;
}

/* Returns a request for event i of a formula, without its unit. */
static struct request request_of(const struct selection *selection, const struct formula *formula,
				 unsigned i)
{
	const struct event *event = formula_event(formula, i);
	const bool custom = !formula->number;

	return (struct request){
		.event = event,
		.group = formula->pinned && custom ? 0 : formula->groups[i],
		.staggered = selection->staggered && formula->any_unit && event->type == PMU_CHA &&
			     (!custom || formula->same_group),
		.pinned = formula->pinned,
	};
}

/* Adds the terms of event i of a formula, and stores their range. */
static int add_terms(struct view *view, const struct selection *selection, const struct row *row,
		     const struct formula *formula, unsigned i)
{
	const struct program_operand *operand = &formula->program->operands[i];
	const struct request request = request_of(selection, formula, i);
	const uint16_t type = request.event->type;
	const size_t first = view->request_count;
	int rc;

	if (array_room(&view->terms, view->terms_count, 1, sizeof(*view->terms)))
		return -ENOMEM;
	if (type == PMU_CPMU)
		rc = add_cpmu_terms(view, selection, row, request, formula, i);
	else if (view_is_port_pmu_type(type) || operand->port >= 0)
		rc = add_port_terms(view, selection, row, request, formula, i);
	else
		rc = add_unit_terms(view, selection, row, request, formula, i);
	view->terms[view->terms_count++] = (struct terms){first, view->request_count - first};
	if (rc || view->request_count > first || operand->port >= 0)
		return rc;
	return operand->may_lack ? may_be_hidden(selection, request.event) : CANT_COUNT;
}

/* Adds the terms of all events of a formula. */
static int add_all_terms(struct view *view, const struct selection *selection,
			 const struct row *row, const struct formula *formula,
			 struct alternative *out)
{
	const struct program *program = formula->program;
	const size_t requests = view->request_count;
	int rc = 0;

	out->first_terms = view->terms_count;
	for (unsigned i = 0; !rc && i < program->operand_count; i++)
		rc = add_terms(view, selection, row, formula, i);
	if (rc)
		return rc;
	const bool has_inputs = view->request_count > requests || program->metric_count;
	return has_inputs && !lacks_ports(view, formula, out) ? 0 : CANT_COUNT;
}

int view_make_alternative(struct view *view, const struct selection *selection,
			  const struct row *row, size_t column, unsigned a, struct alternative *out)
{
	const struct formula *formula =
		view_row_formula(view, selection, row, view->table.columns[column].metric, a);
	const size_t requests = view->request_count, terms = view->terms_count;

	if (!formula || (formula->cross_check && !can_cross_check(selection, row, formula)))
		return 0;
	int rc = check_named(view, row, column, formula->program);
	if (!rc)
		rc = add_all_terms(view, selection, row, formula, out);
	if (!rc)
		out->formula = formula;
	if (rc <= 0)
		return rc;
	view->request_count = requests;
	view->terms_count = terms;
	*out = (struct alternative){.lacks_unit = rc == LACKS_UNIT};
	return 0;
}

/*
 * Events that the CHAs must count: a group for each latency, and single events, of which some are
 * only for cross-checks.
 */
struct cha_events {
	size_t latencies, singles, cross_checks;
	bool beside; /* others, which are not latencies */
};

/* Adds a user-defined metric's events, unless its latency is itself a column. */
static void add_own_events(const struct view *view, const struct selection *selection,
			   const struct formula *formula, struct cha_events *events)
{
	const struct custom_metric *custom = NULL;
	const struct event *event;
	bool chas = false;

	for (size_t i = 0; i < selection->options->custom->count; i++)
		if (&selection->options->custom->items[i]->at_once == formula)
			custom = selection->options->custom->items[i];
	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		chas |= event->type == PMU_CHA;
	if (!custom || !chas)
		return;
	if (!custom->shared || !formula->any_unit)
		events->beside = true;
	else
		events->latencies += table_find(&view->table, custom->shared->metric) == SIZE_MAX;
}

/* Returns true if a formula of the tables counts events of CHAs, of which some are enough. */
static bool is_of_some_chas(const struct formula *formula)
{
	return formula->number && formula->any_unit && formula_event(formula, 0)->type == PMU_CHA;
}

static bool has_event(const struct formula *formula, const struct event *event)
{
	const struct event *own;

	for (unsigned i = 0; (own = formula_event(formula, i)); i++)
		if (own == event)
			return true;
	return false;
}

/*
 * Returns true if the event takes no more counters for the needed formula f: a latency's group has
 * it, or a formula that comes first, which cross-checks do last.
 */
static bool is_counted_before(const struct selection *selection, size_t f,
			      const struct event *event)
{
	const bool check = selection->needed[f]->cross_check;

	for (size_t i = 0; i < selection->needed_count; i++) {
		const struct formula *other = selection->needed[i];
		const bool first = other->cross_check == check ? i < f : check;

		if (is_of_some_chas(other) && (other->same_group || first) &&
		    has_event(other, event))
			return true;
	}
	return false;
}

/* Counts the events of a formula that no latency's group has. */
static size_t single_events(const struct selection *selection, size_t f)
{
	const struct event *event;
	size_t count = 0;

	for (unsigned i = 0; (event = formula_event(selection->needed[f], i)); i++)
		count += !is_counted_before(selection, f, event);
	return count;
}

/*
 * Counts the requests to CHAs. An event of -e would be counted only in some seconds on staggered
 * units.
 */
static struct cha_events cha_events_of(const struct view *view, const struct selection *selection)
{
	const struct view_options *options = selection->options;
	struct cha_events events = {.latencies = 0};

	for (size_t i = 0; i < selection->needed_count; i++) {
		const struct formula *formula = selection->needed[i];

		if (!formula->number)
			add_own_events(view, selection, formula, &events);
		else if (formula->cross_check)
			events.cross_checks += single_events(selection, i);
		else if (is_of_some_chas(formula) && formula->same_group)
			events.latencies++;
		else if (is_of_some_chas(formula))
			events.singles += single_events(selection, i);
	}
	for (size_t i = 0; i < options->event_count; i++)
		events.beside |= options->events[i].event->type == PMU_CHA;
	return events;
}

static size_t fewest_chas(const struct machine *m)
{
	size_t fewest = SIZE_MAX;

	for (size_t s = 0; s < m->socket_count; s++) {
		size_t chas = 0;

		for (size_t i = 0; i < m->discovery.unit_count; i++)
			chas += m->discovery.units[i].open &&
				m->discovery.units[i].type == PMU_CHA &&
				m->discovery.units[i].socket == m->sockets[s];
		if (chas && chas < fewest)
			fewest = chas;
	}
	return fewest;
}

/* Returns the CHAs for these events: a latency leaves one of four counters for a single event. */
static size_t needed_chas(size_t latencies, size_t singles)
{
	return latencies + (singles > latencies ? (singles - latencies + 3) / 4 : 0);
}

/*
 * Chooses how latencies share CHAs. If each socket has a CHA for each group, all groups count all
 * the time, each on its own CHAs. Cross-checks are left out if the CHAs suffice only for the rest.
 */
void view_choose_latency(const struct view *view, struct selection *selection)
{
	const struct log *log = &selection->machine->platform->log;
	const size_t chas = fewest_chas(selection->machine);
	const struct cha_events events = cha_events_of(view, selection);
	const bool spatial = selection->options->latency == LATENCY_SPATIAL;
	const size_t needed = needed_chas(events.latencies, events.singles);

	if (!events.latencies)
		return;
	selection->staggered = spatial && chas >= needed && !events.beside;
	selection->cross_check =
		selection->staggered &&
		chas >= needed_chas(events.latencies, events.singles + events.cross_checks);
	if (events.beside)
		log_write(log, LEVEL_NOTE, "latencies are multiplexed with other events of CHAs");
	else if (events.latencies > 1 && spatial && !selection->staggered)
		log_write(log, LEVEL_NOTE, "%zu CHA%s per socket for %zu latencies: multiplexed",
			  chas, chas == 1 ? "" : "s", events.latencies);
}
