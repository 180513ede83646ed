/* SPDX-License-Identifier: BSD-3-Clause */
#include "doctor/doctor_finding.h"

#include <stdarg.h>
#include <stdio.h>

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
