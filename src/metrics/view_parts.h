/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that set up a view share. Private to the view. */
#ifndef CXLMON_VIEW_PARTS_H
#define CXLMON_VIEW_PARTS_H

#include "metrics/view.h"

/* What is chosen of a machine while a view is set up. */
struct choice {
	struct machine *machine;
	const struct view_options *options;
	bool *ports;	    /* by port: shown */
	bool spread;	    /* latencies are measured side by side */
	bool verify;	    /* second opinions are measured */
	uint16_t opened[8]; /* types of units that have been opened */
	size_t opened_count;
};

/* view.c */
void view_add_row(struct view *view, enum scope scope, int socket, int cpu);
void view_add_port_row(struct view *view, const struct port *port);
int view_add_term(struct view *view, struct request request);	/* 0 or -ENOMEM */
int view_no_uncore(const struct machine *m, struct error *err); /* machine.uncore_error */

/* view_units.c: which units are needed; they are opened here, and nowhere else. */
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
/* The units of a type that don't belong to a port: those of the uncore, or the CPUs. */
struct unit *view_first_unit(const struct machine *m, uint16_t box, size_t *count);
int view_choose_ports(const struct view *view, struct choice *choice, struct error *err);
int view_choose_units(const struct view *view, struct choice *choice, struct error *err);
void view_choose_spread(const struct view *view, struct choice *choice);

/* view_events.c */
int view_make_events(struct view *view, struct choice *choice, struct error *err);

#endif
