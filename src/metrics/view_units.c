/* SPDX-License-Identifier: BSD-3-Clause */
/* Which units a view needs, whether they answer, and how its latencies share the CHAs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "metrics/expression.h"
#include "metrics/view_parts.h"
#include "platform/numlist.h"

bool view_is_port_box(uint16_t box)
{
	return box == BOX_CXLCM || box == BOX_CXLDP;
}

bool view_selected(const char *list, int number)
{
	return !list || numlist_contains(list, (unsigned)number);
}

/* Whether a list such as "mem0,mem2" has the name. */
static bool has_name(const char *list, const char *name)
{
	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == strlen(name) && !strncmp(at, name, strlen(name)))
			return true;
	return false;
}

static bool device_selected(const struct view_options *o, const struct port *port)
{
	if (!o->devices && !o->nodes)
		return true;
	return port->device && (!o->devices || has_name(o->devices, port->device->name)) &&
	       (!o->nodes ||
		(port->device->node >= 0 && view_selected(o->nodes, port->device->node)));
}

bool view_port_selected(const struct view_options *options, const struct port *port)
{
	return view_selected(options->sockets, port->socket) &&
	       view_selected(options->ports, (int)port->number) && device_selected(options, port);
}

bool view_selects_ports(const struct view_options *options)
{
	return options->ports || options->devices || options->nodes;
}

int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err)
{
	char names[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < m->port_count; i++) {
		const struct cxl_device *device = m->ports[i].device;

		if (device_selected(options, &m->ports[i]))
			return 0;
		if (device && used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used,
						 device->node < 0 ? "%s%s" : "%s%s (node %d)",
						 used ? ", " : "", device->name, device->node);
	}
	if (!options->devices && !options->nodes)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL, "no CXL port is selected by %s%s: %s%s",
			 options->devices ? "--device" : "",
			 !options->nodes    ? ""
			 : options->devices ? " and --node"
					    : "--node",
			 used ? "behind ports there are " : "no device is known behind any port",
			 names);
}

struct unit *view_port_unit(const struct port *port, uint16_t box)
{
	return box == BOX_CXLCM ? port->cxlcm : box == BOX_CXLDP ? port->cxldp : NULL;
}

/* Calls visit for every formula of the columns; stops at the first that returns not 0. */
typedef int formula_visitor(struct choice *choice, const struct formula *formula, void *context,
			    struct error *err);

static int each_formula(const struct view *view, struct choice *choice, formula_visitor *visit,
			void *context, struct error *err)
{
	int rc = 0;

	for (size_t c = 0; c < view->column_count; c++) {
		for (unsigned way = 0; !rc && way < EXPRESSIONS; way++) {
			const struct formula *formula =
				model_formula(choice->machine->model, view->columns[c]->name, way);

			if (formula)
				rc = visit(choice, formula, context, err);
		}
	}
	return rc;
}

const struct event *view_formula_event(const struct choice *choice, const struct formula *formula,
				       unsigned i)
{
	if (i >= FORMULA_EVENTS || !formula->events[i])
		return NULL;
	return model_event(choice->machine->model, formula->events[i]);
}

static int open_port_units(struct choice *choice, const struct formula *formula, void *context,
			   struct error *err)
{
	const struct event *event;
	int rc = 0;

	for (unsigned i = 0; !rc && (event = view_formula_event(choice, formula, i)); i++) {
		struct unit *unit = view_port_unit(context, event->box);

		if (unit)
			rc = unit_open(choice->machine->platform, unit, err);
	}
	return rc;
}

/* Marks the ports that are asked for and can be opened. */
int view_choose_ports(const struct view *view, struct choice *choice, struct error *err)
{
	const struct machine *m = choice->machine;
	struct error last = {0};
	size_t asked = 0, usable = 0;

	for (size_t i = 0; i < m->port_count; i++) {
		struct port *port = &m->ports[i];

		if (!view_port_selected(choice->options, port))
			continue;
		asked++;
		choice->ports[i] = !each_formula(view, choice, open_port_units, port, &last);
		if (choice->ports[i])
			usable++;
		else
			log_write(&m->platform->log, LEVEL_WARNING,
				  "socket %d port %u is left out: %s", port->socket, port->number,
				  last.text);
	}
	if (m->port_count && !asked)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "none of the %zu CXL ports of this machine is selected by "
				 "--socket and --port%s",
				 m->port_count,
				 choice->options->devices || choice->options->nodes
					 ? " together with --device and --node"
					 : "");
	if (asked && !usable)
		return error_set(err, last.status, last.code, "%s", last.text);
	return 0;
}

/* The units of a type that don't belong to a port: those of the uncore, or the CPUs. */
struct unit *view_first_unit(const struct machine *m, uint16_t box, size_t *count)
{
	*count = box == BOX_CORE ? m->cpu_count : m->discovery.unit_count;
	return box == BOX_CORE ? m->cpus : m->discovery.units;
}

/* One that doesn't answer is left out; where rights are missing, all of them would be. */
static int open_units_of(struct choice *choice, uint16_t box, struct error *err)
{
	struct platform *p = choice->machine->platform;
	struct error why = {0};
	size_t count;
	struct unit *units = view_first_unit(choice->machine, box, &count);

	for (size_t i = 0; i < choice->opened_count; i++)
		if (choice->opened[i] == box)
			return 0;
	if (choice->opened_count < sizeof(choice->opened) / sizeof(choice->opened[0]))
		choice->opened[choice->opened_count++] = box;
	for (size_t i = 0; i < count; i++) {
		if (units[i].type != box ||
		    !view_selected(choice->options->sockets, units[i].socket) ||
		    !unit_open(p, &units[i], &why))
			continue;
		if (why.status != EXIT_FAILED)
			return error_set(err, why.status, why.code, "%s", why.text);
		log_write(&p->log, LEVEL_WARNING, "left out: %s", why.text);
	}
	return 0;
}

/* The NMI watchdog, on most servers, or perf. */
static void report_busy(const struct machine *m)
{
	size_t busy = 0;

	for (size_t i = 0; i < m->cpu_count; i++)
		busy += m->cpus[i].open && m->cpus[i].busy;
	if (busy)
		log_write(
			&m->platform->log, LEVEL_NOTE,
			"on %zu CPU%s core counters are in use, by the NMI watchdog or perf, and left "
			"alone",
			busy, busy == 1 ? "" : "s");
}

static int open_socket_units(struct choice *choice, const struct formula *formula, void *context,
			     struct error *err)
{
	const struct event *event;
	int rc = 0;

	(void)context;
	for (unsigned i = 0;
	     !rc && !formula->cross_check && (event = view_formula_event(choice, formula, i)); i++)
		if (!view_is_port_box(event->box))
			rc = open_units_of(choice, event->box, err);
	return rc;
}

int view_choose_units(const struct view *view, struct choice *choice, struct error *err)
{
	int rc = each_formula(view, choice, open_socket_units, NULL, err);

	report_busy(choice->machine);
	return rc;
}

/* How many groups the CHAs need: what takes a whole CHA, and single events between. */
struct cha_load {
	size_t latencies, opinions;
};

static int count_load(struct choice *choice, const struct formula *formula, void *context,
		      struct error *err)
{
	struct cha_load *load = context;

	(void)err;
	load->latencies += formula->any_unit && formula->same_group &&
			   view_formula_event(choice, formula, 0)->box == BOX_CHA;
	for (unsigned i = 0; formula->cross_check && view_formula_event(choice, formula, i); i++)
		load->opinions++;
	return 0;
}

/* A latency leaves one of four counters free. */
static size_t groups_needed(const struct cha_load *load)
{
	const size_t rest = load->opinions > load->latencies ? load->opinions - load->latencies : 0;

	return load->latencies + (rest + 3) / 4;
}

static size_t fewest_chas(const struct machine *m)
{
	size_t fewest = SIZE_MAX;

	for (size_t s = 0; s < m->socket_count; s++) {
		size_t chas = 0;

		for (size_t i = 0; i < m->discovery.unit_count; i++)
			chas += m->discovery.units[i].open &&
				m->discovery.units[i].type == BOX_CHA &&
				m->discovery.units[i].socket == m->sockets[s];
		if (chas && chas < fewest)
			fewest = chas;
	}
	return fewest;
}

/*
 * With a CHA for each group all of them count all the time, each on its own CHAs. Second opinions
 * must not keep latencies from that.
 */
void view_choose_spread(const struct view *view, struct choice *choice)
{
	const size_t chas = fewest_chas(choice->machine);
	struct cha_load load = {0};

	each_formula(view, choice, count_load, &load, NULL);
	if (!load.latencies)
		return;
	choice->spread = choice->options->latency == LATENCY_SPATIAL && chas >= load.latencies;
	choice->verify = choice->spread && chas >= groups_needed(&load);
	if (load.latencies > 1 && choice->options->latency == LATENCY_SPATIAL && !choice->spread)
		log_write(&choice->machine->platform->log, LEVEL_NOTE,
			  "%zu CHA%s a socket for %zu kinds of latency: they take turns", chas,
			  chas == 1 ? "" : "s", load.latencies);
}
