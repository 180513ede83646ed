/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The coding (base/coder.h) of updates and requests in messages between the run and cxlmon-top.
 * Decoding sets .bad for a message that the other process would never send: it may be under the
 * control of a user whose data it has read.
 */
#ifndef CXLMON_PROBE_TOP_TOP_CODE_H
#define CXLMON_PROBE_TOP_TOP_CODE_H

#include "base/coder.h"
#include "probe/top/top_watcher.h"

/*
 * Encode or decode a part of an update, or a request. Before decoding, a row is
 * process_row_unknown, and another structure is all zero. node_count: top_summary.node_count of the
 * same update.
 */
void top_code_summary(struct coder *c, struct top_summary *summary);
void top_code_row(struct coder *c, struct process_row *row, size_t node_count);
void top_code_page(struct coder *c, struct top_page *page); /* all except its readings */
void top_code_readings(struct coder *c, struct top_page *page, size_t node_count);
void top_code_request(struct coder *c, struct top_request *request);

#endif
