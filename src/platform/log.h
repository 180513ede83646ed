/* SPDX-License-Identifier: BSD-3-Clause */
/* Log messages that are not errors. The library never prints them: it passes them to a callback. */
#ifndef CXLMON_LOG_H
#define CXLMON_LOG_H

enum log_level {
	LEVEL_WARNING, /* something is missing or was changed */
	LEVEL_NOTE,    /* how the values were measured */
	LEVEL_DETAIL,  /* shown with --verbose */
};

struct log {
	/* text is one line without newline, valid during the call; NULL: messages are dropped */
	void (*write)(void *context, enum log_level level, const char *text);
	void *context;
};

__attribute__((format(printf, 3, 4))) void log_write(const struct log *log, enum log_level level,
						     const char *format, ...);

#endif
