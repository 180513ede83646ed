/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects and opens the ports and units that a view needs. Private to the view. */
#ifndef CXLMON_VIEW_SELECT_H
#define CXLMON_VIEW_SELECT_H

#include "uncore/devices/cpmus.h"
#include "view/selection.h"

static inline bool view_is_port_pmu_type(uint16_t pmu_type)
{
	return pmu_type_is_cxlcm(pmu_type) || pmu_type == PMU_CXLDP || pmu_type == PMU_PCIE_TGT;
}
bool view_selected(const char *list, int number); /* a NULL list has every number */
bool view_port_selected(const struct view_options *options, const struct port *port);
/*
 * Returns true if something that belongs to no port is selected, by its socket (-1: unknown) and
 * device (NULL: unknown).
 */
bool view_portless_selected(const struct view_options *o, const struct cxl_device *device,
			    int socket);
/*
 * Returns true if a unit is selected: a CPMU by its port, or by its device if that is unknown;
 * other units by their socket.
 */
bool view_unit_selected(const struct selection *selection, const struct unit *unit);
/* Returns true if a CPMU has rows of its device: it belongs to no port, and is selected. */
bool view_has_device_row(const struct selection *selection, const struct cpmu *cpmu);
bool view_has_device_rows(const struct selection *selection);
/* Returns true if ports are selected by their number, device or node. */
bool view_selects_ports(const struct view_options *options);
/*
 * Checks the selected sockets. ERROR_USAGE: the machine has none of them; the message lists its
 * sockets.
 */
int view_check_sockets(const struct machine *m, const struct view_options *options,
		       struct error *err);
/* Checks the selected devices. ERROR_USAGE: no port has one; the message lists the devices. */
int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err);
/* Returns the nth of the port's units of a type; NULL: none. */
struct unit *view_port_unit(const struct port *port, uint16_t pmu_type, size_t nth);
/* Makes the error that no CPMU can be used: machine.cpmu_error, or that there is none. */
int view_no_cpmu(const struct selection *selection, struct error *err);
/*
 * Returns -EBUSY, ERROR_IN_USE, if a selected CPMU could count the event (NULL: any event), but
 * other programs use the counters that it needs; 0 otherwise.
 */
int view_find_busy_cpmu(const struct selection *selection, const struct event *event,
			struct error *err);
/* Selects the ports. ERROR_USAGE: the machine has none of them. */
int view_select_ports(struct selection *selection, struct error *err);

/*
 * Returns true if the port has a device, or no port has a known device.
 */
bool view_port_may_have_memory(const struct machine *m, const struct port *port);
/*
 * Opens the units of the selected ports. A port that fails is no longer selected, but sums over the
 * ports of view_port_selected() stay empty without it, if it may have memory.
 */
int view_open_ports(struct selection *selection, struct error *err);
/*
 * Opens the other selected units. A unit that fails is left out, with a warning; a missing
 * permission is an error, except for a CPMU.
 */
int view_open_units(struct selection *selection, struct error *err);
/* Warns about CPMUs that could not be opened: if nothing else is counted, this is the error. */
void view_report_left_out(const struct selection *selection);
/*
 * Finds the offcore response registers, or the fields of the kernel's PMUs, that the events of the
 * columns need in addition to counters. An event without one is left out, with a warning.
 */
void view_prepare_events(const struct selection *selection);
/* Units that were found to be absent, but not before, and units that the kernel does not count. */
struct missing_units {
	const struct unit *absent, *uncounted, *still; /* the first of each */
	size_t absent_count, uncounted_count, still_count;
};
void view_report_missing(const struct selection *selection, const struct missing_units *missing);
/* Notes a unit that the kernel does not count, and returns true if it is one. */
bool view_leave_uncounted(const struct unit *unit, struct missing_units *missing);
/*
 * Opens a unit for an event, and notes it if it is absent. ERROR_USAGE: the unit cannot count the
 * event.
 */
int view_open_event_unit(const struct selection *selection, struct unit *unit,
			 const struct event *event, struct missing_units *missing,
			 struct error *err);

#endif
