/* SPDX-License-Identifier: BSD-3-Clause */
#include "doctor/doctor_finding.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 0))) static void set_text(struct finding *out, const char *format,
							   va_list args)
{
	vsnprintf(out->error.text, sizeof(out->error.text), format, args);
}

void doctor_pass(struct finding *out, const char *format, ...)
{
	va_list args;

	*out = (struct finding){.verdict = VERDICT_PASS};
	va_start(args, format);
	set_text(out, format, args);
	va_end(args);
}

void doctor_warn(struct finding *out, const char *command, const char *format, ...)
{
	va_list args;

	*out = (struct finding){.verdict = VERDICT_WARN};
	error_hint(&out->error, command);
	va_start(args, format);
	set_text(out, format, args);
	va_end(args);
}

void doctor_skip(struct finding *out, bool blocked, const char *format, ...)
{
	va_list args;

	*out = (struct finding){.verdict = VERDICT_SKIP, .blocked = blocked};
	va_start(args, format);
	set_text(out, format, args);
	va_end(args);
}

void doctor_fail(struct finding *out, const struct error *why)
{
	*out = (struct finding){.verdict = VERDICT_FAIL, .error = *why};
}

#define SUDO "sudo "

#define COMMAND_SHOW_CAPABILITIES "capsh --print"

/* Where it begins a command; not as the last word, or before a punctuation mark. */
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

static void replace(char *text, size_t size, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char rest[sizeof(((struct error *)NULL)->text)];

	if (!at)
		return;
	snprintf(rest, sizeof(rest), "%s", at + strlen(from));
	snprintf(text + (at - text), size - (size_t)(at - text), "%s%s", to, rest);
}

void doctor_advise_root(struct finding *finding, bool by_sudo)
{
	struct error *e = &finding->error;

	if (!strcmp(e->command, ERROR_COMMAND_AS_ROOT))
		error_hint(e, COMMAND_SHOW_CAPABILITIES);
	replace(e->text, sizeof(e->text), ERROR_RUN_AS_ROOT,
		"run it with all of root's capabilities");
	if (by_sudo)
		return;
	remove_sudo(e->text);
	remove_sudo(e->command);
}
