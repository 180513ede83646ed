/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects and opens the ports and units that a view needs. Private to the view. */
#ifndef CXLMON_VIEW_SELECT_H
#define CXLMON_VIEW_SELECT_H

#include "uncore/devices/cpmus.h"
#include "view/selection.h"

/* Returns true if units of the type belong to a port. */
static inline bool view_is_port_pmu_type(uint16_t pmu_type)
{
	return pmu_type_is_cxlcm(pmu_type) || pmu_type == PMU_CXLDP || pmu_type == PMU_PCIE_TGT;
}
/* Returns true if a number list, such as "0-3,8", has the number; NULL has every number. */
bool view_selected(const char *list, int number);
/* Returns true if the options select the port, by socket, number, device and node. */
bool view_port_selected(const struct view_options *options, const struct port *port);
/*
 * Returns true if the options select a part of the machine that belongs to no port, by its socket
 * (-1: unknown) and device (NULL: unknown). If --port was given, returns false.
 */
bool view_portless_selected(const struct view_options *o, const struct cxl_device *device,
			    int socket);
/*
 * Returns true if the options select a unit: a CPMU by its port, or by its device if the port is
 * unknown; other units by their socket.
 */
bool view_unit_selected(const struct selection *selection, const struct unit *unit);
/* Returns true if the CPMU's device is selected and its port unknown: the device has a row. */
bool view_has_device_row(const struct selection *selection, const struct cpmu *cpmu);
/* Returns true if view_has_device_row() is true for some CPMU. */
bool view_has_device_rows(const struct selection *selection);
/* Returns true if the user selected ports by number, device or node. */
bool view_selects_ports(const struct view_options *options);
/*
 * Checks --socket. ERROR_USAGE: the machine has none of these sockets; the message lists its own.
 */
int view_check_sockets(const struct machine *m, const struct view_options *options,
		       struct error *err);
/*
 * Checks --device and --node. ERROR_USAGE: neither a port nor a CPMU without a port has such a
 * device; the message lists the devices.
 */
int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err);
/* Returns the port's unit number nth, from 0, of a type; NULL: none. */
struct unit *view_port_unit(const struct port *port, uint16_t pmu_type, size_t nth);
/*
 * Sets *err to the reason why no CPMU can be used, and returns its negative errno. ERROR_NO_UNIT:
 * no selected device has a CPMU.
 */
int view_no_cpmu(const struct selection *selection, struct error *err);
/*
 * Returns -EBUSY, ERROR_IN_USE, if a selected CPMU could count the event (NULL: any event), but
 * other programs use the counters that it needs. Otherwise returns 0.
 */
int view_find_busy_cpmu(const struct selection *selection, const struct event *event,
			struct error *err);
/*
 * Sets selection->ports by the options. ERROR_USAGE: they select neither a port nor anything else
 * that has rows.
 */
int view_select_ports(struct selection *selection, struct error *err);

/* Returns true if the port has a device, or if no port's device is known. */
bool view_port_may_have_memory(const struct machine *m, const struct port *port);
/*
 * Opens the units of the selected ports. If a port fails, removes it from selection->ports, with a
 * warning; if it may have memory, sums that should include it stay empty. If all ports fail,
 * returns the last error.
 */
int view_open_ports(struct selection *selection, struct error *err);
/*
 * Opens the other selected units. A unit that fails is left out, with a warning. An error is
 * returned only if all other units would fail in the same way, as with a missing permission; CPMUs
 * and CPUs without a PMU never cause one.
 */
int view_open_units(struct selection *selection, struct error *err);
/* Warns about CPUs without a PMU, and CPMUs that could not be opened. */
void view_report_left_out(const struct selection *selection);
/*
 * Claims the offcore response registers, or finds the fields of the kernel's PMUs, that the events
 * of the columns need in addition to counters. An event without one stays uncounted, with a
 * warning.
 */
void view_prepare_events(const struct selection *selection);
/* Units of a type that cannot be counted, for one message about them. Initially zero. */
struct missing_units {
	const struct unit *absent, *uncounted, *still; /* first unit of each kind; NULL: none */
	/* units that do not respond; that the kernel does not count; whose clock stands still */
	size_t absent_count, uncounted_count, still_count;
};
/* Writes messages about the units that were noted, if any. */
void view_report_missing(const struct selection *selection, const struct missing_units *missing);
/*
 * If the kernel cannot count on the unit, or the unit's clock stands still, notes the unit in
 * *missing, and returns true.
 */
bool view_leave_uncounted(const struct unit *unit, struct missing_units *missing);
/*
 * Opens a unit for an event of -e. If the unit does not respond, notes it in *missing. Returns 0 or
 * a negative errno. ERROR_USAGE: the unit cannot count the event.
 */
int view_open_event_unit(const struct selection *selection, struct unit *unit,
			 const struct event *event, struct missing_units *missing,
			 struct error *err);

#endif
