/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that set up a view share. Private to the view. */
#ifndef CXLMON_VIEW_PARTS_H
#define CXLMON_VIEW_PARTS_H

#include "metrics/view.h"

/* What is selected of a machine while a view is set up. */
struct choice {
	struct machine *machine;
	const struct view_options *options;
	bool *ports;	 /* by port: shown */
	uint16_t *types; /* of units that the columns need, in the order of their formulas */
	size_t type_count;
	bool spread; /* latencies are measured side by side */
	bool verify; /* second opinions are measured */
};

/* view_select.c: which ports and units are needed; no register is accessed. */
bool view_is_port_box(uint16_t box);
bool view_selected(const char *list, int number); /* a NULL list has every number */
bool view_port_selected(const struct view_options *options, const struct port *port);
bool view_selects_ports(const struct view_options *options); /* some, by what is theirs alone */
/* EXIT_USAGE where no port has a device that is asked for; names those that there are. */
int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err);
struct unit *view_port_unit(const struct port *port, uint16_t box);
/* The ith event of a formula; NULL behind the last. */
const struct event *view_formula_event(const struct choice *choice, const struct formula *formula,
				       unsigned i);
/* Calls visit for every formula of the columns. */
typedef void formula_visitor(struct choice *choice, const struct formula *formula, void *context);
void view_each_formula(const struct view *view, struct choice *choice, formula_visitor *visit,
		       void *context);
/* The units of a type that don't belong to a port: those of the uncore, or the CPUs. */
struct unit *view_first_unit(const struct machine *m, uint16_t box, size_t *count);
int view_no_uncore(const struct machine *m, struct error *err); /* machine.uncore_error */
/* EXIT_USAGE where no port of the machine is selected. */
int view_select_ports(struct choice *choice, struct error *err);
int view_select_types(const struct view *view, struct choice *choice); /* 0 or -ENOMEM */

/* view_open.c: opens what was selected. Ports that fail are no longer selected. */
int view_open_ports(struct choice *choice, struct error *err);
int view_open_units(const struct choice *choice, struct error *err);
/* Finds offcore response registers for the columns; what has none is left out, with a warning. */
void view_claim_offcore(const struct view *view, struct choice *choice);
/* EXIT_USAGE where the unit can't count the event; EXIT_IN_USE where something it needs is taken.
 */
int view_open_event_unit(const struct choice *choice, struct unit *unit, const struct event *event,
			 struct error *err);

/* view_latency.c: sets spread and verify; the units are open. */
void view_choose_spread(const struct view *view, struct choice *choice);

/* view_rows.c */
void view_add_row(struct view *view, enum scope scope, int socket, int cpu);
void view_add_port_row(struct view *view, const struct port *port);
int view_add_term(struct view *view, struct request request); /* 0 or -ENOMEM */

/* view_events.c */
int view_make_events(struct view *view, struct choice *choice, struct error *err);

#endif
