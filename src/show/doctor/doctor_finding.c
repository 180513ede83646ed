/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "show/doctor/doctor.h"

void doctor_set(struct check_result *out, enum check_verdict verdict, const char *command,
		const char *format, ...)
{
	va_list args;

	*out = (struct check_result){.verdict = verdict};
	error_hint(&out->error, command);
	va_start(args, format);
	vsnprintf(out->error.text, sizeof(out->error.text), format, args);
	va_end(args);
}

void doctor_fail(struct check_result *out, const struct error *why)
{
	*out = (struct check_result){.verdict = VERDICT_FAIL, .error = *why};
}

#define SUDO "sudo "

#define COMMAND_SHOW_CAPABILITIES "capsh --print"

/*
 * Removes "sudo" at the beginning of a command; not as the last word, or before a punctuation mark.
 */
static void remove_sudo(char *text)
{
	const size_t length = strlen(SUDO);

	for (char *at = text; (at = strstr(at, SUDO));) {
		const bool word = at == text || at[-1] == ' ' || at[-1] == '(';

		if (word && isalnum((unsigned char)at[length]))
			memmove(at, at + length, strlen(at + length) + 1);
		else
			at += length;
	}
}

static void replace_word(char *text, size_t size, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char rest[sizeof(((struct error *)NULL)->text)];

	if (!at)
		return;
	snprintf(rest, sizeof(rest), "%s", at + strlen(from));
	snprintf(text + (at - text), size - (size_t)(at - text), "%s%s", to, rest);
}

void doctor_advise_root(struct check_result *finding, bool by_sudo)
{
	struct error *e = &finding->error;

	if (!strcmp(e->command, ERROR_COMMAND_AS_ROOT))
		error_hint(e, COMMAND_SHOW_CAPABILITIES);
	replace_word(e->text, sizeof(e->text), ERROR_RUN_AS_ROOT,
		     "run it with all of root's capabilities");
	if (by_sudo)
		return;
	remove_sudo(e->text);
	remove_sudo(e->command);
}

#define END_SIZE 32 /* "-65535 and 12345 more" */

static bool same_table(const struct unit *a, const struct unit *b)
{
	return a && a->socket == b->socket && a->die == b->die;
}

static bool same_type(const struct unit *a, const struct unit *b)
{
	return same_table(a, b) && a->type == b->type;
}

/* Appends all of the string or nothing. */
__attribute__((format(printf, 2, 3))) static bool append(struct doctor_names *names,
							 const char *format, ...)
{
	const size_t room = sizeof(names->text) - END_SIZE - names->used;
	va_list args;

	va_start(args, format);
	const int length = vsnprintf(names->text + names->used, room, format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= room) {
		names->text[names->used] = '\0';
		return false;
	}
	names->used += (size_t)length;
	return true;
}

static void end_range(struct doctor_names *names)
{
	if (names->range)
		names->used +=
			(size_t)snprintf(names->text + names->used,
					 sizeof(names->text) - names->used, "-%u", names->last->id);
	names->range = false;
}

/* Appends the parts of a unit's name that differ from the previous unit's. */
static bool append_unit(struct doctor_names *names, const struct unit *unit)
{
	const char *separator = names->used ? ", " : "";
	char name[UNIT_NAME_SIZE];

	if (same_type(names->last, unit))
		return append(names, ",%u", unit->id);
	if (same_table(names->last, unit) && unit->pmu_type)
		return append(names, "%s%s %u", separator, unit->pmu_type->name, unit->id);
	return append(names, "%s%s", separator, unit_name(unit, name));
}

void doctor_names_add(struct doctor_names *names, const struct unit *unit)
{
	names->count++;
	if (names->omitted) {
		names->omitted++;
		return;
	}
	if (same_type(names->last, unit) && unit->id == names->last->id + 1) {
		names->range = true;
	} else {
		end_range(names);
		names->omitted = !append_unit(names, unit);
	}
	names->last = unit;
}

const char *doctor_names_end(struct doctor_names *names)
{
	end_range(names);
	if (names->omitted)
		snprintf(names->text + names->used, sizeof(names->text) - names->used,
			 " and %zu more", names->omitted);
	return names->text;
}
