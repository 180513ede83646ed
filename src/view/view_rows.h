/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a view. Private to it. */
#ifndef CXLMON_VIEW_ROWS_H
#define CXLMON_VIEW_ROWS_H

#include "view/selection.h"

/*
 * Opens the kernel's sources of values: CXL devices, whatever the columns are; health of devices,
 * resctrl and NUMA nodes if a column needs them. Selects the nodes and devices that have rows.
 *
 * ERROR_NO_UNIT: no NUMA node is known, and only the kernel's metrics are selected. ERROR_USAGE: no
 * node is selected, and only the kernel's metrics are; or --resctrl contradicts another option.
 */
int view_open_sources(struct view *view, struct selection *selection, struct error *err);
/* Allocates and adds the rows of the selection, finest first; the sources must be open. */
int view_make_rows(struct view *view, const struct selection *selection, struct error *err);

/*
 * Append a row to view->table.rows and view->counted, which must have room for it. device may be
 * NULL: unknown. pci is not copied.
 */
void view_add_row(struct view *view, enum row_kind kind, int socket, int cpu);
void view_add_port_row(struct view *view, const struct port *port);
struct row *view_add_device_row(struct view *view, int socket, const struct cxl_device *device,
				const char *pci);

#endif
