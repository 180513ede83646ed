/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a view, and the kernel's sources of their values. Private to the folder view. */
#ifndef CXLMON_VIEW_ROWS_H
#define CXLMON_VIEW_ROWS_H

#include "view/selection.h"

/*
 * Opens the kernel's sources of values: CXL devices in any case; health of devices, resctrl and
 * NUMA nodes if a column needs them. Selects the nodes and devices that get rows.
 *
 * ERROR_NO_UNIT: no NUMA node is known, and only the kernel's metrics are selected. ERROR_USAGE: no
 * node is selected, and only the kernel's metrics are; or --resctrl contradicts another option.
 */
int view_open_sources(struct view *view, struct selection *selection, struct error *err);
/*
 * Allocates and adds the rows of metrics, finest first. The sources must be open. Returns 0 or
 * -ENOMEM.
 */
int view_make_rows(struct view *view, const struct selection *selection, struct error *err);

/*
 * Append a row to view->table.rows and view->counted, which must have room for it. All its values
 * are unknown. socket and cpu are -1 if they do not apply; device is NULL if unknown. pci is not
 * copied.
 */
void view_add_row(struct view *view, enum row_kind kind, int socket, int cpu);
void view_add_port_row(struct view *view, const struct port *port);
struct row *view_add_device_row(struct view *view, int socket, const struct cxl_device *device,
				const char *pci);

#endif
