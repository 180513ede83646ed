/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ports and units a view needs, and opening them. Private to the view. */
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
/* Something that belongs to no port, by its socket (-1: not known) and device (NULL: likewise). */
bool view_portless_selected(const struct view_options *o, const struct cxl_device *device,
			    int socket);
/* A CPMU by its port, or by its device if that is unknown; other units by their socket. */
bool view_unit_selected(const struct selection *selection, const struct unit *unit);
/* Whether a CPMU has rows of its device, since it belongs to no port, and is selected. */
bool view_has_device_row(const struct selection *selection, const struct cpmu *cpmu);
bool view_has_device_rows(const struct selection *selection);
/* Whether ports are selected by their number, device or node. */
bool view_selects_ports(const struct view_options *options);
/* ERROR_USAGE where the machine has no selected socket; the message lists those it has. */
int view_check_sockets(const struct machine *m, const struct view_options *options,
		       struct error *err);
/* ERROR_USAGE where no port has a selected device; the message lists the devices. */
int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err);
/* The nth of the port's units of a type: NULL, there is none. */
struct unit *view_port_unit(const struct port *port, uint16_t pmu_type, size_t nth);
/* No CPMU can be used: machine.cpmu_error, or there is none. */
int view_no_cpmu(const struct selection *selection, struct error *err);
/*
 * -EBUSY, ERROR_IN_USE: a selected CPMU could count the event, or any event if that is NULL, but
 * other programs use the counters that it takes. 0: there is none.
 */
int view_find_busy_cpmu(const struct selection *selection, const struct event *event,
			struct error *err);
/* ERROR_USAGE where no port of the machine is selected. */
int view_select_ports(struct selection *selection, struct error *err);

/*
 * Opens the selected units. A port that fails is not selected any more, but sums of the ports that
 * view_port_selected() has lack it, if it may have memory: if it has a device, or no device is
 * known.
 */
bool view_port_may_have_memory(const struct machine *m, const struct port *port);
int view_open_ports(struct selection *selection, struct error *err);
int view_open_units(struct selection *selection, struct error *err);
/* Warns of CPMUs that could not be opened: where nothing else is counted, that is the error. */
void view_report_left_out(const struct selection *selection);
/*
 * Finds what the events of the columns need besides counters: offcore response registers, or fields
 * of the kernel's PMUs. What has none is left out, with a warning.
 */
void view_prepare_events(const struct selection *selection);
/* Units that were found to be absent, but not before; and those that the kernel does not count. */
struct missing_units {
	const struct unit *absent, *uncounted, *still; /* the first of each */
	size_t absent_count, uncounted_count, still_count;
};
void view_report_missing(const struct selection *selection, const struct missing_units *missing);
/* Counts a unit that the kernel does not count, and returns whether it is one. */
bool view_leave_uncounted(const struct unit *unit, struct missing_units *missing);
/*
 * unit_open(), counting the unit if it is absent. ERROR_USAGE where the unit can't count the event.
 */
int view_open_event_unit(const struct selection *selection, struct unit *unit,
			 const struct event *event, struct missing_units *missing,
			 struct error *err);

#endif
