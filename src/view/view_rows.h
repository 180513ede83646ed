/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a view, and the sources of their numbers. Private to the folder view. */
#ifndef CXLMON_VIEW_ROWS_H
#define CXLMON_VIEW_ROWS_H

#include "view/selection.h"

/*
 * Opens sources: CXL devices in any case; the health of devices and NUMA nodes if a column needs
 * them; resctrl with --resctrl, unless the model counts CXL reads itself. Selects the nodes and
 * devices that get rows. Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: only the kernel's metrics are requested, and no NUMA node is known.
 * - ERROR_USAGE: only the kernel's metrics are requested, and no known node is selected.
 * - ERROR_USAGE: --resctrl contradicts another option.
 * - An error of opening a source.
 */
int view_open_sources(struct view *view, struct selection *selection, struct error *err);
/*
 * Allocates and adds the rows of metrics, finest first. The sources must be open. Returns 0 or
 * -ENOMEM.
 */
int view_make_rows(struct view *view, const struct selection *selection, struct error *err);

/*
 * Append a row, all of whose values are unknown. view->table.rows and view->counted must have room
 * for it. socket, cpu: -1: does not apply. device: NULL: unknown. pci: PCI address. port, device
 * and pci must stay valid as long as the row.
 */
void view_add_row(struct view *view, enum row_kind kind, int socket, int cpu);
void view_add_port_row(struct view *view, const struct port *port);
struct row *view_add_device_row(struct view *view, int socket, const struct cxl_device *device,
				const char *pci);

#endif
