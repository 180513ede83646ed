/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a view. Private to it. */
#ifndef CXLMON_VIEW_ROWS_H
#define CXLMON_VIEW_ROWS_H

#include "view/selection.h"

/*
 * Opens the kernel's data of CXL devices, their health, resctrl and NUMA nodes, as the columns need
 * it, and selects the nodes and devices that have rows. ERROR_NO_UNIT: there is no node, and no
 * other column. ERROR_USAGE: no node is selected, and no other column.
 */
int view_open_sources(struct view *view, struct selection *selection, struct error *err);
int view_make_rows(struct view *view, const struct selection *selection, struct error *err);
void view_add_row(struct view *view, enum row_kind kind, int socket, int cpu);
void view_add_port_row(struct view *view, const struct port *port);
struct row *view_add_device_row(struct view *view, int socket, const struct cxl_device *device,
				const char *pci);

#endif
