/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/*
 * libtraceevent's tep_parse_format() could take the place of trace_format_parse(), some 40 lines,
 * but not of the rest: tep_read_number_field() is not told the size of the record, and its 150 kB
 * would be loaded into every program that is linked with libcxlmon.
 */

#define FIELD_MOST 65536 /* a record is shorter: perf_event_header.size has 16 bits */

/* Returns the last word of "__data_loc char[] memdev" or "u8 data[0x50]"; cuts off the rest. */
static const char *name_in(char *declaration)
{
	const size_t length = strlen(declaration);
	char *bracket = declaration[length - 1] == ']' ? strrchr(declaration, '[') : NULL;

	if (bracket)
		*bracket = '\0';
	const char *blank = strrchr(declaration, ' ');
	return blank ? blank + 1 : "";
}

/* Parses a line such as " field:u32 status; offset:32; size:4; signed:0;". */
static void parse_field(const char *line, struct trace_wanted *wanted, size_t count)
{
	unsigned offset, size, is_signed = 0;
	char declaration[128];

	if (*line != '\t' ||
	    sscanf(line, "\tfield:%127[^;\n]; offset:%5u; size:%5u; signed:%1u", declaration,
		   &offset, &size, &is_signed) < 3 ||
	    offset > FIELD_MOST || size > FIELD_MOST)
		return;
	const enum trace_place place = strstr(declaration, "__data_loc")  ? TRACE_FROM_RECORD
				       : strstr(declaration, "__rel_loc") ? TRACE_FROM_FIELD
									  : TRACE_IN_FIELD;
	const char *name = name_in(declaration);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(name, wanted[i].name))
			wanted[i].field = (struct trace_field){offset, size, is_signed, place};
}

int trace_format_parse(const char *text, struct trace_wanted *wanted, size_t count, uint64_t *id)
{
	char digits[16];
	int rc = -EINVAL;

	for (size_t i = 0; i < count; i++)
		wanted[i].field = (struct trace_field){.size = 0};
	for (const char *line = text; *line && strncmp(line, "print fmt:", 10);
	     line += strcspn(line, "\n"), line += *line == '\n') {
		parse_field(line, wanted, count);
		if (rc && !strncmp(line, "ID: ", 4) && sscanf(line + 4, "%15[^\n]", digits) == 1 &&
		    text_number(digits, id) && *id <= UINT32_MAX)
			rc = 0;
	}
	return rc;
}

static bool is_within(struct trace_record record, size_t offset, size_t size)
{
	return offset <= record.size && size <= record.size - offset;
}

bool trace_number(struct trace_record record, const struct trace_field *field, int64_t *value)
{
	const unsigned bits = 8 * field->size;
	uint64_t raw = 0;

	if ((field->size != 1 && field->size != 2 && field->size != 4 && field->size != 8) ||
	    field->place != TRACE_IN_FIELD || !is_within(record, field->offset, field->size))
		return false;
	memcpy(&raw, record.bytes + field->offset, field->size); /* little-endian */
	if (field->is_signed && bits < 64 && raw >> (bits - 1))
		raw |= UINT64_MAX << bits;
	*value = (int64_t)raw;
	return true;
}

const char *trace_string(struct trace_record record, const struct trace_field *field)
{
	size_t offset = field->offset, size = field->size;
	uint16_t where[2]; /* offset, and length */

	if (!size || !is_within(record, offset, size))
		return NULL;
	if (field->place != TRACE_IN_FIELD) {
		if (size != sizeof(where))
			return NULL;
		memcpy(where, record.bytes + offset, sizeof(where));
		offset = field->place == TRACE_FROM_FIELD ? offset + size + where[0] : where[0];
		size = where[1];
	}
	if (!size || !is_within(record, offset, size) || !memchr(record.bytes + offset, '\0', size))
		return NULL;
	return (const char *)record.bytes + offset;
}
