/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of the kernel's CXL trace events, as sentences. A field that this kernel's events do not
 * have is left out.
 *
 * Source: the kernel's drivers/cxl/core/trace.h, which cites the tables of the CXL specification.
 */
#ifndef CXLMON_LINUX_CXL_CXL_RECORD_H
#define CXLMON_LINUX_CXL_CXL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/cxl/trace_format.h"
#include "platform/cxl_event.h"

enum cxl_field {
	CXL_FIELD_TYPE, /* which event a record is of: struct cxl_format.id */
	CXL_FIELD_MEMDEV,
	CXL_FIELD_DEVICE,
	CXL_FIELD_STATUS,
	CXL_FIELD_LOG,
	CXL_FIELD_FLAGS,
	CXL_FIELD_COUNT,
	CXL_FIELD_DPA,
	CXL_FIELD_DPA_FLAGS,
	CXL_FIELD_DPA_LENGTH,
	CXL_FIELD_DESCRIPTOR,
	CXL_FIELD_MEDIA_TYPE,
	CXL_FIELD_TRANSACTION,
	CXL_FIELD_VALIDITY,
	CXL_FIELD_CHANNEL,
	CXL_FIELD_RANK,
	CXL_FIELD_BANK_GROUP,
	CXL_FIELD_BANK,
	CXL_FIELD_ROW,
	CXL_FIELD_COLUMN,
	CXL_FIELD_MODULE_TYPE,
	CXL_FIELD_HEALTH,
	CXL_FIELD_MEDIA_STATUS,
	CXL_FIELD_ADD_STATUS,
	CXL_FIELD_LIFE_USED,
	CXL_FIELD_TEMPERATURE,
	CXL_FIELD_TRACE_TYPE,
	CXL_FIELD_SOURCE,
	CXL_FIELDS
};

/* The records of an event. */
struct cxl_format {
	enum cxl_event_kind kind;
	uint64_t id;
	struct trace_wanted fields[CXL_FIELDS];
};

/* Reads the text of events/cxl/NAME/format. -EINVAL: it is none. */
int cxl_format_parse(enum cxl_event_kind kind, const char *text, struct cxl_format *out);

/* Whether a record is of this event. */
bool cxl_record_is_of(const struct cxl_format *format, struct trace_record record);

/* All but the time. */
void cxl_record_decode(const struct cxl_format *format, struct trace_record record,
		       struct cxl_event *out);

#endif
