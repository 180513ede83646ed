/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that files of this folder offer each other and unit tests:
 *
 *   device_files.c   attributes of PCI functions
 *   trace_format.c   records of any trace event of the kernel
 *   cxl_record.c     records of the kernel's CXL trace events
 *   cxl_trace.c      the ring buffers that have these records
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

/*
 * Returns the speed and width of a PCI function's link: the present ones if prefix is "current",
 * the most that it is capable of if prefix is "max". A number is 0 if it is unknown or out of
 * range.
 */
struct pci_link device_files_link(const char *root, struct pci_location at, const char *prefix);

/* Returns the count in the line TOTAL_ERR_* of an aer_dev_* file. NAN: there is no such line. */
double device_files_aer_total(struct span text);

/* Adds the counts in the other lines of an aer_dev_* file to *kinds, except counts of 0. */
void device_files_aer_kinds(struct span text, enum kernel_stat severity, struct aer_kinds *kinds);

/*
 * trace_format.c
 *
 * Values of fields in a trace event's records. The event's file "format" in tracefs has the places
 * of the fields. Neither the file nor a record is trusted: a field that is not within the record is
 * unknown.
 *
 * Source: the kernel's Documentation/trace/events.rst; strings are __data_loc and __rel_loc in
 * include/trace/stages.
 */

/*
 * The place of a value. With _FROM_, the field has two 16-bit halves: the string's offset and
 * length.
 */
enum trace_place {
	TRACE_IN_FIELD,	   /* the field has the number or the string */
	TRACE_FROM_RECORD, /* __data_loc: the offset counts from the record's start */
	TRACE_FROM_FIELD,  /* __rel_loc: the offset counts from the field's end */
};

struct trace_field {
	unsigned offset, size; /* bytes; size 0: the event has no such field */
	bool is_signed;
	enum trace_place place;
};

/* The name of a wanted field, and the field once trace_format_parse() has found it. */
struct trace_wanted {
	const char *name;
	struct trace_field field;
};

/*
 * Parses a file "format". Sets *id to the event's number (perf_event_attr.config), and .field of
 * count wanted fields; .size is 0 if a field is missing or invalid. -EINVAL: the file lacks the
 * number.
 */
int trace_format_parse(const char *text, struct trace_wanted *wanted, size_t count, uint64_t *id);

struct trace_record {
	const uint8_t *bytes;
	size_t size;
};

/*
 * Reads a number, and extends its sign if the field is signed. Returns false if the record lacks
 * the field, or if its size is not 1, 2, 4 or 8 bytes.
 */
bool trace_number(struct trace_record record, const struct trace_field *field, int64_t *value);

/* Returns the string of a field, in the record. NULL: no string ends within the record. */
const char *trace_string(struct trace_record record, const struct trace_field *field);

/*
 * cxl_record.c
 *
 * Decodes records of the kernel's CXL trace events into sentences. A sentence leaves out fields
 * that this kernel's events do not have.
 *
 * Source: the kernel's drivers/cxl/core/trace.h, which cites the tables of the CXL specification.
 */

/* Fields that are decoded; cxl_record.c has their names in the kernel. */
enum cxl_field {
	CXL_FIELD_TYPE, /* number of the event that a record belongs to: cxl_format.id */
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

/* The format of an event's records in this kernel. */
struct cxl_format {
	enum cxl_event_kind kind;
	uint64_t id; /* the kernel's number of the event */
	struct trace_wanted fields[CXL_FIELDS];
};

/* Parses the contents of events/cxl/NAME/format in tracefs. 0, or -EINVAL: they are invalid. */
int cxl_format_parse(enum cxl_event_kind kind, const char *text, struct cxl_format *out);

/* Tells if a record belongs to the format's event. */
bool cxl_record_is_of(const struct cxl_format *format, struct trace_record record);

/* Decodes a record of the format's event. Sets all members of *out except .wall_ns. */
void cxl_record_decode(const struct cxl_format *format, struct trace_record record,
		       struct cxl_event *out);

/* cxl_trace.c */

/*
 * Returns the number of pages for each CPU's ring: the largest power of 2 from 1 to 16 with which
 * all rings have at most 1024 pages, or 1 if none fits. The page in front of each ring does not
 * count. 16 pages hold some 200 records.
 */
size_t cxl_trace_pages(size_t cpus);

#endif
