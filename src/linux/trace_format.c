/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/trace_format.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_MOST 65536 /* a record is shorter: perf_event_header.size has 16 bits */

/* A part of the text. */
struct part {
	const char *at, *end;
};

static bool starts_with(struct part part, const char *start)
{
	const size_t length = strlen(start);

	return (size_t)(part.end - part.at) >= length && !memcmp(part.at, start, length);
}

static bool contains(struct part part, const char *word)
{
	return memmem(part.at, (size_t)(part.end - part.at), word, strlen(word));
}

/* Takes what is up to a character, or the rest. */
static struct part take(struct part *rest, char until)
{
	const char *end = memchr(rest->at, until, (size_t)(rest->end - rest->at));
	const struct part taken = {rest->at, end ? end : rest->end};

	rest->at = end ? end + 1 : rest->end;
	return taken;
}

static bool number_of(struct part digits, uint64_t most, uint64_t *out)
{
	*out = 0;
	if (digits.at == digits.end)
		return false;
	for (; digits.at < digits.end; digits.at++) {
		if (!isdigit((unsigned char)*digits.at))
			return false;
		*out = *out * 10 + (uint64_t)(*digits.at - '0');
		if (*out > most)
			return false;
	}
	return true;
}

/* The last word of "__data_loc char[] memdev" or "u8 data[0x50]". */
static bool is_named(struct part declaration, const char *name)
{
	const size_t length = strlen(name);
	const char *bracket = declaration.end;

	if (bracket > declaration.at && bracket[-1] == ']')
		while (bracket > declaration.at && *bracket != '[')
			bracket--;
	return (size_t)(bracket - declaration.at) > length && bracket[-(long)length - 1] == ' ' &&
	       !memcmp(bracket - length, name, length);
}

/* Takes the next "name:number;" of a line. */
static bool take_property(struct part *line, const char *name, uint64_t *out)
{
	struct part property = take(line, ';');

	while (property.at < property.end && isspace((unsigned char)*property.at))
		property.at++;
	const struct part found = take(&property, ':');
	return starts_with(found, name) && strlen(name) == (size_t)(found.end - found.at) &&
	       number_of(property, FIELD_MOST, out);
}

/* "	field:u32 status;	offset:32;	size:4;	signed:0;" */
static void parse_field(struct part line, struct trace_wanted *wanted, size_t count)
{
	uint64_t offset, size, is_signed;
	struct part declaration;

	if (!starts_with(line, "\tfield:"))
		return;
	take(&line, ':');
	declaration = take(&line, ';');
	if (!take_property(&line, "offset", &offset) || !take_property(&line, "size", &size))
		return;
	if (!take_property(&line, "signed", &is_signed))
		is_signed = 0;
	for (size_t i = 0; i < count; i++)
		if (is_named(declaration, wanted[i].name))
			wanted[i].field = (struct trace_field){
				.offset = (unsigned)offset,
				.size = (unsigned)size,
				.is_signed = is_signed,
				.place = contains(declaration, "__data_loc")  ? TRACE_FROM_RECORD
					 : contains(declaration, "__rel_loc") ? TRACE_FROM_FIELD
									      : TRACE_IN_FIELD,
			};
}

int trace_format_parse(const char *text, struct trace_wanted *wanted, size_t count, uint64_t *id)
{
	struct part rest = {text, text + strlen(text)};
	int rc = -EINVAL;

	for (size_t i = 0; i < count; i++)
		wanted[i].field = (struct trace_field){.size = 0};
	while (rest.at < rest.end) {
		struct part line = take(&rest, '\n');

		if (starts_with(line, "print fmt:"))
			break;
		parse_field(line, wanted, count);
		if (rc && starts_with(line, "ID: ") &&
		    number_of((struct part){line.at + 4, line.end}, UINT32_MAX, id))
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
	uint16_t where[2]; /* offset, length */

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
