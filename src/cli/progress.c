/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/number.h"
#include "base/terminal.h"

#define CLEAR_LINE "\r\033[K"
#define PERIOD_NS  (NS_PER_S / 5) /* often enough to be seen to work */
#define TEXT_SIZE  256
#define LEFT_SIZE  40

FILE *progress_terminal(enum verbosity verbosity)
{
	return verbosity != QUIET && isatty(STDERR_FILENO) ? stderr : NULL;
}

static void write_in_place(void *context, enum log_level level, const char *text)
{
	const struct progress *p = context;

	if (p->shown)
		fputs(CLEAR_LINE, p->out);
	log_write(p->next, level, "%s", text);
}

void progress_begin(struct progress *p, FILE *out, const struct log *log)
{
	*p = (struct progress){.out = out, .next = log, .log = *log};
	if (out && log->write)
		p->log = (struct log){.write = write_in_place, .context = p};
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs(CLEAR_LINE, p->out);
	p->shown = false;
}

/* Writes "3 min 20 s left: ", rounded up; nothing if it is unknown. */
static const char *left_text(uint64_t ns, char text[LEFT_SIZE])
{
	const uint64_t s = ns / NS_PER_S + (ns % NS_PER_S > 0), min = s / 60, h = min / 60;

	if (ns == PROGRESS_UNKNOWN)
		text[0] = '\0';
	else if (h)
		snprintf(text, LEFT_SIZE, "%" PRIu64 " h %" PRIu64 " min left: ", h, min % 60);
	else if (min)
		snprintf(text, LEFT_SIZE, "%" PRIu64 " min %" PRIu64 " s left: ", min, s % 60);
	else
		snprintf(text, LEFT_SIZE, "%" PRIu64 " s left: ", s);
	return text;
}

void progress_show(struct progress *p, uint64_t left_ns, const char *format, ...)
{
	char text[TEXT_SIZE], left[LEFT_SIZE];
	va_list args;

	if (!p->out)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	left_text(left_ns, left);
	/* a line that reached the last column might wrap, and could not be cleared */
	const int room = terminal_size(fileno(p->out)).ws_col - 1 - (int)strlen(left);

	fprintf(p->out, CLEAR_LINE "%s%.*s", left, room > 0 ? wrapped_cut(text, room) : 0, text);
	fflush(p->out);
	p->shown = true;
}

void progress_start(struct progress *p, uint64_t now_ns)
{
	p->started_ns = now_ns;
	p->due_ns = now_ns + NS_PER_S;
}

bool progress_is_due(struct progress *p, uint64_t now_ns)
{
	if (!p->out || now_ns < p->due_ns)
		return false;
	p->due_ns = now_ns + PERIOD_NS;
	return true;
}

uint64_t progress_left(const struct progress *p, uint64_t now_ns, uint64_t done, uint64_t total)
{
	const double elapsed_ns = (double)(now_ns - p->started_ns);

	if (!total || !done)
		return PROGRESS_UNKNOWN;
	return done < total ? (uint64_t)(elapsed_ns * (double)(total - done) / (double)done) : 0;
}
