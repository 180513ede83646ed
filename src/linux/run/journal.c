/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "platform/mbm.h"

#define MAGIC	     "cxlmon journal"
#define CRC_LINE     "crc32 %08" PRIx32 "\n"
#define CRC_LINE_LEN (sizeof("crc32 01234567\n") - 1)

static const char *const space_names[] = {
	[REG_MSR] = "msr", [REG_MMIO] = "mmio", [REG_PCI] = "pci", [REG_MBM] = "mbm"};

#define SPACE_COUNT (sizeof(space_names) / sizeof(space_names[0]))

/* Encodes a number as text: JSON's integers are signed, and hexadecimal is readable. */
static json_t *hexadecimal_number(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}

static const char *const condition_names[] = {[UNDO_ALWAYS] = "always",
					      [UNDO_IF_OURS] = "ours",
					      [UNDO_IF_CONTROL] = "control",
					      [UNDO_IF_UNIT] = "unit"};

#define CONDITION_COUNT (sizeof(condition_names) / sizeof(condition_names[0]))

static json_t *encode_step(const struct undo_step *step)
{
	const struct reg *reg = &step->reg;
	const struct pci_location *at = &reg->pci;

	json_t *object = json_pack(
		"{s:s, s:i, s:i, s:i, s:o, s:o, s:o, s:s, s:I, s:I, s:b}", "space",
		space_names[reg->space], "cpu", (int)reg->cpu, "socket", step->socket, "bytes",
		reg->bytes, "address", hexadecimal_number(reg->address), "value",
		hexadecimal_number(step->value), "mask", hexadecimal_number(step->mask), "if",
		condition_names[step->condition], "control", (json_int_t)step->control, "unit",
		(json_int_t)step->unit, "action", step->action);
	if (object && step->l3_scoped)
		json_object_set_new(object, "l3", json_integer(step->l3));
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

static json_t *encode_ours(const struct undo *undo)
{
	json_t *values = json_array();

	for (size_t i = 0; i < undo->ours_count; i++)
		if (json_array_append_new(values,
					  json_pack("[I, o]", (json_int_t)undo->ours[i].step,
						    hexadecimal_number(undo->ours[i].value)))) {
			json_decref(values);
			return NULL;
		}
	return values;
}

int journal_encode(const struct journal *journal, char **text, size_t *size, struct error *err)
{
	const struct process *process = &journal->process;
	json_t *object =
		json_pack("{s:i, s:I, s:I, s:I, s:s, s:s, s:b, s:o, s:o}", MAGIC, JOURNAL_VERSION,
			  "pid", (json_int_t)process->pid, "started", (json_int_t)process->started,
			  "namespace", (json_int_t)process->namespace, "boot", journal->boot,
			  "processor", journal->processor, "serves", journal->serves, "steps",
			  encode_steps(&journal->undo), "ours", encode_ours(&journal->undo));
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

static int refuse_journal(struct error *err, const char *why)
{
	return error_set(err, ERROR_FAILED, -EBADMSG, "%s", why);
}

static bool get_number(const json_t *object, const char *key, int64_t min, int64_t max,
		       int64_t *out)
{
	const json_t *value = json_object_get(object, key);

	*out = json_is_integer(value) ? json_integer_value(value) : min - 1;
	return *out >= min && *out <= max;
}

/* Reads a number that journals of earlier versions lack: *out is 0 without it. */
static bool get_optional(const json_t *object, const char *key, int64_t *out)
{
	*out = 0;
	return !json_object_get(object, key) || get_number(object, key, 0, INT64_MAX, out);
}

static bool is_hexadecimal(const json_t *value, uint64_t *out)
{
	const char *text = json_string_value(value);
	char *end;

	if (!text || strncmp(text, "0x", 2) || strlen(text) > 18 || !text[2] ||
	    text[2 + strspn(text + 2, "0123456789abcdef")])
		return false;
	*out = strtoull(text, &end, 16);
	return true;
}

static bool get_hexadecimal(const json_t *object, const char *key, uint64_t *out)
{
	return is_hexadecimal(json_object_get(object, key), out);
}

static bool get_text(const json_t *object, const char *key, char *out, size_t size)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text && (size_t)snprintf(out, size, "%s", text) < size;
}

/* Reads a name. *out: its index among count names. */
static bool get_name(const json_t *object, const char *key, const char *const *names, size_t count,
		     unsigned *out)
{
	const char *text = json_string_value(json_object_get(object, key));

	for (size_t i = 0; text && i < count; i++) {
		if (!strcmp(text, names[i])) {
			*out = (unsigned)i;
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

/* Returns whether width and alignment are valid, and the register is within its address space. */
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
	case REG_MBM:
		return reg->bytes == 8 && reg->address < MBM_EVENTS;
	}
	return false;
}

static bool decode_register(const json_t *object, struct undo_step *out)
{
	int64_t cpu, socket, bytes, l3 = 0;
	unsigned space;

	*out = (struct undo_step){.mask = UINT64_MAX};
	if (!get_name(object, "space", space_names, SPACE_COUNT, &space) ||
	    !get_number(object, "cpu", 0, 65535, &cpu) ||
	    !get_number(object, "socket", UNDO_THIS_CPU, 65535, &socket) ||
	    !get_number(object, "bytes", 4, 8, &bytes) ||
	    (json_object_get(object, "l3") && !get_number(object, "l3", 0, INT32_MAX, &l3)) ||
	    !get_hexadecimal(object, "address", &out->reg.address) ||
	    !get_hexadecimal(object, "value", &out->value))
		return false;
	out->reg.space = (enum reg_space)space;
	out->reg.cpu = (unsigned)cpu;
	out->reg.bytes = (uint8_t)bytes;
	out->socket = (int)socket;
	out->l3_scoped = json_object_get(object, "l3");
	out->l3 = (int)l3;
	if (out->reg.space == REG_PCI && !get_function(object, &out->reg.pci))
		return false;
	return is_valid_register(&out->reg);
}

/* Reads the condition for a step. unit_before: the unit of the previous step. */
static bool decode_condition(const json_t *object, size_t i, size_t unit_before,
			     struct undo_step *out)
{
	const json_t *action = json_object_get(object, "action");
	int64_t control, unit;
	unsigned condition;

	if (!get_name(object, "if", condition_names, CONDITION_COUNT, &condition) ||
	    !get_hexadecimal(object, "mask", &out->mask) || !json_is_boolean(action) ||
	    !get_number(object, "control", 0, JOURNAL_MAX_STEPS, &control) ||
	    !get_number(object, "unit", 0, (int64_t)i, &unit))
		return false;
	out->condition = (enum undo_condition)condition;
	out->action = json_is_true(action);
	out->control = (size_t)control;
	out->unit = (size_t)unit;
	return out->unit == i || (i && out->unit == unit_before);
}

/* Returns whether each step's condition depends on a step of the same unit. */
static bool are_whole_units(const struct undo *undo)
{
	for (size_t i = 0; i < undo->count; i++) {
		const struct undo_step *step = &undo->steps[i];

		if (step->condition == UNDO_IF_CONTROL &&
		    (step->control >= undo->count || undo->steps[step->control].unit != step->unit))
			return false;
	}
	return true;
}

static int decode_steps(const json_t *steps, int64_t version, struct undo *undo, struct error *err)
{
	int rc = 0;

	if (!json_is_array(steps) || json_array_size(steps) > JOURNAL_MAX_STEPS)
		return refuse_journal(err, "no list of registers");
	for (size_t i = 0; !rc && i < json_array_size(steps); i++) {
		const json_t *object = json_array_get(steps, i);
		const size_t unit_before = i ? undo->steps[i - 1].unit : 0;
		struct undo_step step;

		if (!decode_register(object, &step))
			return refuse_journal(err, "an entry is not a valid register");
		step.unit = i;
		if (version > 1 && !decode_condition(object, i, unit_before, &step))
			return refuse_journal(err, "an entry has no valid condition");
		if (step.unit == i)
			undo_begin_unit(undo);
		rc = undo_add(undo, &step, err);
	}
	if (!rc && !are_whole_units(undo))
		return refuse_journal(err, "an entry depends on one of another unit");
	return rc;
}

static int decode_ours(const json_t *values, struct undo *undo, struct error *err)
{
	size_t last = 0;
	int rc = 0;

	if (!json_is_array(values))
		return refuse_journal(err, "no list of values");
	for (size_t i = 0; !rc && i < json_array_size(values); i++) {
		const json_t *pair = json_array_get(values, i);
		const json_t *step = json_array_get(pair, 0);
		uint64_t value;

		if (!json_is_integer(step) || json_integer_value(step) < 0 ||
		    (uint64_t)json_integer_value(step) >= undo->count ||
		    !is_hexadecimal(json_array_get(pair, 1), &value))
			return refuse_journal(err, "a value belongs to no entry");
		const size_t of = (size_t)json_integer_value(step);
		if (undo->steps[of].unit < last)
			return refuse_journal(err, "values are not in the order of the entries");
		last = undo->steps[of].unit;
		rc = undo_add_value(undo, of, value, err);
	}
	return rc;
}

static int decode_object(const json_t *object, struct journal *out, struct error *err)
{
	int64_t version, pid, started, namespace;

	if (!get_number(object, MAGIC, 1, INT32_MAX, &version))
		return refuse_journal(err, "not a cxlmon journal");
	if (version > JOURNAL_VERSION)
		return error_set(err, ERROR_FAILED, -ENOTSUP,
				 "journal version %" PRId64 ", but this cxlmon supports version %d",
				 version, JOURNAL_VERSION);
	if (!get_number(object, "pid", 1, INT32_MAX, &pid) ||
	    !get_optional(object, "started", &started) ||
	    !get_optional(object, "namespace", &namespace) ||
	    !get_text(object, "boot", out->boot, sizeof(out->boot)) ||
	    !get_text(object, "processor", out->processor, sizeof(out->processor)))
		return refuse_journal(err, "no process, boot or processor given");
	out->process = (struct process){
		.pid = (pid_t)pid, .started = (uint64_t)started, .namespace = (uint64_t) namespace};
	out->serves = json_is_true(json_object_get(object, "serves"));
	int rc = decode_steps(json_object_get(object, "steps"), version, &out->undo, err);
	if (!rc && version > 1)
		rc = decode_ours(json_object_get(object, "ours"), &out->undo, err);
	return rc;
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
		return refuse_journal(err, "truncated or damaged (wrong checksum)");
	json_t *object = json_loadb(text, line, JSON_REJECT_DUPLICATES, &why);
	if (!object)
		return json_error_code(&why) == json_error_out_of_memory
			       ? error_no_memory(err)
			       : refuse_journal(err, "not JSON");
	int rc = decode_object(object, out, err);
	json_decref(object);
	return rc;
}

void journal_free(struct journal *journal)
{
	undo_free(&journal->undo);
}
