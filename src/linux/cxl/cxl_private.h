/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of this folder share:
 *
 *   device_files.c   attributes of PCI functions
 *   trace_format.c   records of any trace event
 *   cxl_record.c     records of the kernel's CXL trace events
 *   cxl_trace.c      the rings that these are in
 */
#ifndef CXLMON_LINUX_CXL_CXL_PRIVATE_H
#define CXLMON_LINUX_CXL_CXL_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "linux/kernel/kernel_text.h"
#include "platform/cxl.h"
#include "platform/kernel_stats.h"
#include "platform/pci.h"

/* device_files.c */

/* A function's link, "current" or "max" as prefix; unknown where it says so, or is out of range. */
struct pci_link device_files_link(const char *root, struct pci_location at, const char *prefix);

/* The count of an aer_dev_* file: that of the line TOTAL_ERR_*. NAN: there is none. */
double device_files_aer_total(struct span text);

/* Adds its other lines, but those whose count is 0. */
void device_files_aer_kinds(struct span text, enum kernel_stat severity, struct aer_kinds *kinds);

/*
 * trace_format.c
 *
 * Fields of a trace event's records: where they are, by the event's file "format" in tracefs, and
 * their values. Neither the file nor a record is trusted: what is not within the record is unknown.
 *
 * Source: the kernel's Documentation/trace/events.rst; strings are __data_loc and __rel_loc in
 * include/trace/stages.
 */

/* Where a string is: in its field, or where the field's 16-bit halves, length and offset, say. */
enum trace_place {
	TRACE_IN_FIELD,
	TRACE_FROM_RECORD, /* __data_loc: the offset counts from the start of the record, */
	TRACE_FROM_FIELD,  /* __rel_loc: from the end of the field */
};

struct trace_field {
	unsigned offset, size; /* bytes; a size of 0: the event has no such field */
	bool is_signed;
	enum trace_place place;
};

/* A name and the field that has it. */
struct trace_wanted {
	const char *name;
	struct trace_field field;
};

/*
 * Finds the event's number (perf_event_attr.config) and the wanted fields. -EINVAL: there is no
 * number. A field that is described wrongly counts as missing.
 */
int trace_format_parse(const char *text, struct trace_wanted *wanted, size_t count, uint64_t *id);

struct trace_record {
	const uint8_t *bytes;
	size_t size;
};

/* False: the record does not have it, or the field is not a number of 1, 2, 4 or 8 bytes. */
bool trace_number(struct trace_record record, const struct trace_field *field, int64_t *value);

/* The string of a field, to be freed by nobody; NULL: there is none that ends within the record. */
const char *trace_string(struct trace_record record, const struct trace_field *field);

/*
 * cxl_record.c
 *
 * Records of the kernel's CXL trace events, as sentences. A field that this kernel's events do not
 * have is left out.
 *
 * Source: the kernel's drivers/cxl/core/trace.h, which cites the tables of the CXL specification.
 */

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

/* cxl_trace.c */

/*
 * Pages of each ring, where each CPU has one: a power of 2. It has room for some 200 records until
 * the next sample. On large machines it is smaller: one that has an interrupt on each of 500 CPUs
 * at once would need much memory for nothing. All rings take 1024 pages at most, besides the page
 * in front of each; those of more CPUs have one page.
 */
size_t cxl_trace_pages(size_t cpus);

#endif
