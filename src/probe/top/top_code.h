/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The coding of updates and requests in messages of cxlmon-top, and of updates in recordings.
 * Decoding sets .bad for all that the other side could not have made: cxlmon-top reads strangers'
 * data, and either process may be under their control.
 */
#ifndef CXLMON_PROBE_TOP_TOP_CODE_H
#define CXLMON_PROBE_TOP_TOP_CODE_H

#include "base/coder.h"
#include "probe/top/top_watcher.h"

/* Decoded structures are initially all zero. node_count: summary.node_count */
void top_code_summary(struct coder *c, struct top_summary *summary);
void top_code_row(struct coder *c, struct process_row *row, size_t node_count);
void top_code_page(struct coder *c, struct top_page *page); /* without its readings */
void top_code_readings(struct coder *c, struct top_page *page, size_t node_count);
void top_code_request(struct coder *c, struct top_request *request);

#endif
