/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets up a run by its options: the measuring session and the output. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/duration.h"
#include "cli/monitor_private.h"
#include "sim/open.h"

#define LONG_INTERVAL_NS (60 * NS_PER_S)

/* No screen with COUNT, whose output is read later, or with COMMAND, which uses the terminal. */
static bool wants_screen(const struct options *o)
{
	return !o->plain && !o->format && !o->output && !o->listen && !o->count && !o->command &&
	       !o->session.event_count && o->session.view.finest > SCOPE_CPU;
}

/* Whether the output grows on a disk. */
static bool fills_disk(const struct options *o)
{
	struct stat st;
	int rc;

	if (o->output && o->format && o->format->replaces)
		return false;
	rc = o->output ? stat(o->output, &st) : fstat(STDOUT_FILENO, &st);
	return rc ? o->output && errno == ENOENT : S_ISREG(st.st_mode);
}

/* On a virtual clock samples follow each other as fast as they can be written. */
static int check_virtual_clock(const struct options *o, struct error *err)
{
	if (o->listen)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "serve needs a clock in real time: expected --sim without "
				 "clock=virtual");
	if (o->count || o->command || (!o->record && !fills_disk(o)))
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "a virtual clock does not wait, and would fill %s without end: expected "
			 "COUNT after INTERVAL, or --sim without clock=virtual",
			 o->output ? o->output : "standard output");
}

/*
 * On a terminal somebody waits for the first sample, and may have meant milliseconds, as perf stat
 * and others take them.
 */
static void say_long_interval(const struct monitor *m)
{
	const struct options *o = m->options;
	const char *typed = o->interval_text ? o->interval_text : "";
	char words[DURATION_SIZE], hint[64] = "";

	if (o->session.interval_ns <= LONG_INTERVAL_NS || !isatty(STDERR_FILENO))
		return;
	if (!typed[strspn(typed, "0123456789.")])
		snprintf(hint, sizeof(hint), "; for milliseconds write %.32sms", typed);
	log_write(&m->log, LEVEL_NOTE, "sampling every %s%s",
		  duration_words(o->session.interval_ns, words), hint);
}

int monitor_set_up(struct monitor *m, struct error *err)
{
	int rc = sudo_user_find(&m->caller, err);

	getrlimit(RLIMIT_NOFILE, &m->files);
	say_long_interval(m);
	m->screen_wanted = wants_screen(m->options) && screen_supported();
	struct session_options wanted = m->options->session;
	if (m->screen_wanted && !m->options->groups_chosen)
		wanted.view.groups = SCREEN_GROUPS;
	if (!rc)
		rc = open_session(&wanted, &m->log, &m->session, err);
	if (!rc && m->session.platform->virtual_clock)
		rc = check_virtual_clock(m->options, err);
	return rc ? rc : monitor_open_output(m, err);
}

void monitor_release(struct monitor *m)
{
	serving_free(m->serving);
	summary_free(m->summary);
	session_close(&m->session);
	if (m->options->output && m->fd >= 0)
		close(m->fd);
	file_process_stop(&m->file);
}
