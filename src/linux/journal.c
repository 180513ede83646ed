/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MAGIC	     "cxlmon journal"
#define CRC_LINE     "crc32 %08" PRIx32 "\n"
#define CRC_LINE_LEN (sizeof("crc32 01234567\n") - 1)

static const char *const space_names[] = {
	[REG_MSR] = "msr", [REG_MMIO] = "mmio", [REG_PCI] = "pci"};

#define SPACE_COUNT (sizeof(space_names) / sizeof(space_names[0]))

/* As text: JSON's integers are signed, and hexadecimal is readable. */
static json_t *hexadecimal(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}

static json_t *encode_step(const struct undo_step *step)
{
	const struct reg *reg = &step->reg;
	const struct pci_location *at = &reg->pci;

	json_t *object =
		json_pack("{s:s, s:i, s:i, s:i, s:o, s:o}", "space", space_names[reg->space], "cpu",
			  (int)reg->cpu, "socket", step->socket, "bytes", reg->bytes, "address",
			  hexadecimal(reg->address), "value", hexadecimal(step->value));
	if (object && reg->space == REG_PCI)
		json_object_set_new(object, "pci",
				    json_pack("[i, i, i, i]", (int)at->domain, at->bus, at->device,
					      at->function));
	return object;
}

static json_t *encode_steps(const struct undo *undo)
{
	json_t *steps = json_array();

	for (size_t i = 0; i < undo->count; i++)
		if (json_array_append_new(steps, encode_step(&undo->steps[i]))) {
			json_decref(steps);
			return NULL;
		}
	return steps;
}

int journal_encode(const struct journal *journal, char **text, size_t *size, struct error *err)
{
	json_t *object = json_pack("{s:i, s:I, s:I, s:s, s:s, s:o}", MAGIC, JOURNAL_VERSION, "pid",
				   (json_int_t)journal->pid, "started",
				   (json_int_t)journal->started, "boot", journal->boot, "processor",
				   journal->processor, "steps", encode_steps(&journal->undo));
	char *line = object ? json_dumps(object, JSON_COMPACT) : NULL;
	int length = -1;

	if (line)
		length = asprintf(text, "%s\n" CRC_LINE, line,
				  (uint32_t)crc32(0, (const Bytef *)line, (uInt)strlen(line)));
	free(line);
	json_decref(object);
	if (length < 0)
		return error_no_memory(err);
	*size = (size_t)length;
	return 0;
}

static int invalid(struct error *err, const char *why)
{
	return error_set(err, EXIT_FAILED, -EBADMSG, "%s", why);
}

static bool get_number(const json_t *object, const char *key, int64_t min, int64_t max,
		       int64_t *out)
{
	const json_t *value = json_object_get(object, key);

	*out = json_is_integer(value) ? json_integer_value(value) : min - 1;
	return *out >= min && *out <= max;
}

static bool get_hexadecimal(const json_t *object, const char *key, uint64_t *out)
{
	const char *text = json_string_value(json_object_get(object, key));
	char *end;

	if (!text || strncmp(text, "0x", 2) || strlen(text) > 18 || !text[2] ||
	    text[2 + strspn(text + 2, "0123456789abcdef")])
		return false;
	*out = strtoull(text, &end, 16);
	return true;
}

static bool get_text(const json_t *object, const char *key, char *out, size_t size)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text && (size_t)snprintf(out, size, "%s", text) < size;
}

static bool get_space(const json_t *object, enum reg_space *out)
{
	const char *text = json_string_value(json_object_get(object, "space"));

	for (size_t i = 0; text && i < SPACE_COUNT; i++) {
		if (!strcmp(text, space_names[i])) {
			*out = (enum reg_space)i;
			return true;
		}
	}
	return false;
}

static bool get_function(const json_t *object, struct pci_location *out)
{
	static const int max[] = {0xffff, 0xff, 31, 7};
	const json_t *list = json_object_get(object, "pci");
	int parts[4];

	if (json_array_size(list) != 4)
		return false;
	for (size_t i = 0; i < 4; i++) {
		const json_t *part = json_array_get(list, i);

		if (!json_is_integer(part) || json_integer_value(part) < 0 ||
		    json_integer_value(part) > max[i])
			return false;
		parts[i] = (int)json_integer_value(part);
	}
	*out = (struct pci_location){.domain = (uint32_t)parts[0],
				     .bus = (uint8_t)parts[1],
				     .device = (uint8_t)parts[2],
				     .function = (uint8_t)parts[3]};
	return true;
}

/* Whether width and alignment are valid, and the register is within its address space. */
static bool is_valid_register(const struct reg *reg)
{
	switch (reg->space) {
	case REG_MSR:
		return reg->bytes == 8 && reg->address <= UINT32_MAX;
	case REG_MMIO:
		return (reg->bytes == 4 || reg->bytes == 8) && reg->address % reg->bytes == 0;
	case REG_PCI:
		return (reg->bytes == 4 || reg->bytes == 8) && reg->address % 4 == 0 &&
		       reg->address <= 4096U - reg->bytes;
	}
	return false;
}

static bool decode_step(const json_t *object, struct undo_step *out)
{
	int64_t cpu, socket, bytes;

	*out = (struct undo_step){0};
	if (!get_space(object, &out->reg.space) || !get_number(object, "cpu", 0, 65535, &cpu) ||
	    !get_number(object, "socket", UNDO_THIS_CPU, 65535, &socket) ||
	    !get_number(object, "bytes", 4, 8, &bytes) ||
	    !get_hexadecimal(object, "address", &out->reg.address) ||
	    !get_hexadecimal(object, "value", &out->value))
		return false;
	out->reg.cpu = (unsigned)cpu;
	out->reg.bytes = (uint8_t)bytes;
	out->socket = (int)socket;
	if (out->reg.space == REG_PCI && !get_function(object, &out->reg.pci))
		return false;
	return is_valid_register(&out->reg);
}

static int decode_steps(const json_t *steps, struct undo *undo, struct error *err)
{
	struct undo_step step;
	int rc = 0;

	if (!json_is_array(steps) || json_array_size(steps) > JOURNAL_MAX_STEPS)
		return invalid(err, "no list of registers");
	for (size_t i = 0; !rc && i < json_array_size(steps); i++) {
		if (!decode_step(json_array_get(steps, i), &step))
			return invalid(err, "an entry is not a valid register");
		rc = undo_add(undo, &step.reg, step.value, step.socket, err);
	}
	return rc;
}

static int decode_object(const json_t *object, struct journal *out, struct error *err)
{
	int64_t version, pid, started;

	if (!get_number(object, MAGIC, 1, INT32_MAX, &version))
		return invalid(err, "not a cxlmon journal");
	if (version != JOURNAL_VERSION)
		return error_set(err, EXIT_FAILED, -ENOTSUP,
				 "journal version %" PRId64 ", but this cxlmon supports version %d",
				 version, JOURNAL_VERSION);
	if (!get_number(object, "pid", 1, INT32_MAX, &pid) ||
	    !get_number(object, "started", 0, INT64_MAX, &started) ||
	    !get_text(object, "boot", out->boot, sizeof(out->boot)) ||
	    !get_text(object, "processor", out->processor, sizeof(out->processor)))
		return invalid(err, "no process, boot or processor given");
	out->pid = (pid_t)pid;
	out->started = (uint64_t)started;
	return decode_steps(json_object_get(object, "steps"), &out->undo, err);
}

/* Checks the checksum line; *line is the length of the JSON line before it. */
static bool is_intact(const char *text, size_t size, size_t *line)
{
	char expected[CRC_LINE_LEN + 1];

	if (size <= CRC_LINE_LEN + 1 || size > JOURNAL_MAX_BYTES)
		return false;
	*line = size - CRC_LINE_LEN - 1;
	snprintf(expected, sizeof(expected), CRC_LINE,
		 (uint32_t)crc32(0, (const Bytef *)text, (uInt)*line));
	return text[*line] == '\n' && !memcmp(text + *line + 1, expected, CRC_LINE_LEN);
}

int journal_decode(const char *text, size_t size, struct journal *out, struct error *err)
{
	json_error_t why;
	size_t line;

	*out = (struct journal){0};
	if (!is_intact(text, size, &line))
		return invalid(err, "truncated or damaged (wrong checksum)");
	json_t *object = json_loadb(text, line, JSON_REJECT_DUPLICATES, &why);
	if (!object)
		return invalid(err, "not JSON");
	int rc = decode_object(object, out, err);
	json_decref(object);
	return rc;
}

void journal_free(struct journal *journal)
{
	undo_free(&journal->undo);
}
