/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selects and opens the ports and units that a view needs. Private to the folder view. A device's
 * row is a row for a device whose port is unknown.
 */
#ifndef CXLMON_VIEW_SELECT_H
#define CXLMON_VIEW_SELECT_H

#include "uncore/devices/cpmus.h"
#include "view/selection.h"

/* Returns true if units of the type belong to a port. */
static inline bool view_is_port_pmu_type(uint16_t pmu_type)
{
	return pmu_type_is_cxlcm(pmu_type) || pmu_type == PMU_CXLDP || pmu_type == PMU_PCIE_TGT;
}
/* Returns true if the number is in the number list, such as "0-3,8"; list NULL: all numbers are. */
bool view_selected(const char *list, int number);
/* Returns true if the options select the port, by socket, number, device and node. */
bool view_port_selected(const struct view_options *options, const struct port *port);
/*
 * Returns true if the options select a part of the machine that belongs to no port, by its device
 * (NULL: unknown) and socket (-1: unknown). If --port was given, returns false.
 */
bool view_portless_selected(const struct view_options *o, const struct cxl_device *device,
			    int socket);
/*
 * Returns true if the options select a unit: a CPMU by its port, a CPMU without a known port by its
 * device, and any other unit by its socket.
 */
bool view_unit_selected(const struct selection *selection, const struct unit *unit);
/* Returns true if the CPMU's device has a device's row, and the options select it. */
bool view_has_device_row(const struct selection *selection, const struct cpmu *cpmu);
/* Returns true if view_has_device_row() is true for some CPMU. */
bool view_has_device_rows(const struct selection *selection);
/* Returns true if the user selected ports by number, device or node. */
bool view_selects_ports(const struct view_options *options);
/*
 * Checks --socket. Returns 0 or -EINVAL. ERROR_USAGE: the machine has none of these sockets; the
 * message lists the machine's sockets.
 */
int view_check_sockets(const struct machine *m, const struct view_options *options,
		       struct error *err);
/*
 * Checks --device and --node. Returns 0 or -EINVAL. ERROR_USAGE: they select neither the device of
 * a port nor a device's row; the message lists the devices.
 */
int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err);
/* Returns a port's unit of a type; NULL: none. nth: number among the port's units, from 0. */
struct unit *view_port_unit(const struct port *port, uint16_t pmu_type, size_t nth);
/*
 * Sets *err to the reason why no CPMU can be used. Returns its negative errno. ERROR_NO_UNIT: no
 * selected device has a CPMU.
 */
int view_no_cpmu(const struct selection *selection, struct error *err);
/*
 * Looks for a selected CPMU that could count the event, but whose counters other programs use.
 * event NULL: any event. Returns -EBUSY (ERROR_IN_USE) if there is one, else 0.
 */
int view_find_busy_cpmu(const struct selection *selection, const struct event *event,
			struct error *err);
/*
 * Sets selection->ports by the options. Returns 0 or -EINVAL. ERROR_USAGE: the options select
 * nothing that can have a row.
 */
int view_select_ports(struct selection *selection, struct error *err);

/* Returns true if the port has a device, or if the devices of all ports are unknown. */
bool view_port_may_have_memory(const struct machine *m, const struct port *port);
/*
 * Opens the units of the selected ports. Removes a port that fails from selection->ports, with a
 * warning. If that port may have memory, sums that should include it stay empty. Returns 0; if all
 * selected ports fail, the last error.
 */
int view_open_ports(struct selection *selection, struct error *err);
/*
 * Opens the other selected units. Leaves out a unit that fails, with a warning. Returns 0, or an
 * error with which all units would fail, such as a missing permission. CPMUs that fail, and CPUs
 * without a PMU, are never an error.
 */
int view_open_units(struct selection *selection, struct error *err);
/* Warns about CPUs without a PMU, and about CPMUs that could not be opened. */
void view_report_left_out(const struct selection *selection);
/*
 * Prepares what events of columns need in addition to a counter: an offcore response register,
 * which it claims, or fields of the kernel's PMU. An event that lacks them stays uncounted, with a
 * warning.
 */
void view_prepare_events(const struct selection *selection);
/* Units of a type that cannot be counted, for messages about all of them. Initially zero. */
struct missing_units {
	const struct unit *absent;    /* first unit that does not respond; NULL: none */
	const struct unit *uncounted; /* first unit that the kernel cannot count on; NULL: none */
	const struct unit *still;     /* first unit whose clock stands still; NULL: none */
	size_t absent_count, uncounted_count, still_count; /* number of units of each kind */
};
/* Writes a message about each kind of missing units, if there are any. */
void view_report_missing(const struct selection *selection, const struct missing_units *missing);
/*
 * Returns true if the kernel cannot count on the unit, or counts for cxlmon and the unit's clock
 * stands still. Adds such a unit to *missing.
 */
bool view_leave_uncounted(const struct unit *unit, struct missing_units *missing);
/*
 * Opens a unit for an event of -e. If the unit does not respond, adds it to *missing. Returns 0 or
 * a negative errno. ERROR_USAGE: the unit cannot count the event.
 */
int view_open_event_unit(const struct selection *selection, struct unit *unit,
			 const struct event *event, struct missing_units *missing,
			 struct error *err);

#endif
