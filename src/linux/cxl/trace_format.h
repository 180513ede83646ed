/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields of a trace event's records: where they are, by the event's file "format" in tracefs, and
 * their values. Neither the file nor a record is trusted: what is not within the record is unknown.
 *
 * Source: the kernel's Documentation/trace/events.rst; strings are __data_loc and __rel_loc in
 * include/trace/stages.
 */
#ifndef CXLMON_LINUX_CXL_TRACE_FORMAT_H
#define CXLMON_LINUX_CXL_TRACE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* False: the record does not have it, or it is no number of 1, 2, 4 or 8 bytes. */
bool trace_number(struct trace_record record, const struct trace_field *field, int64_t *value);

/* The string of a field, to be freed by nobody; NULL: there is none that ends within the record. */
const char *trace_string(struct trace_record record, const struct trace_field *field);

#endif
