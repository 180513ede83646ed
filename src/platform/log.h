/* SPDX-License-Identifier: BSD-3-Clause */
/* Remarks that are no errors. The library never prints: it hands them to whoever made the log. */
#ifndef CXLMON_LOG_H
#define CXLMON_LOG_H

enum log_level {
	LEVEL_WARNING, /* the user should know: something is missing or was changed */
	LEVEL_NOTE,    /* worth knowing about how the numbers are made */
	LEVEL_DETAIL,  /* for --verbose */
};

struct log {
	/* text is one line, without a newline, valid during the call; NULL drops every remark */
	void (*write)(void *context, enum log_level level, const char *text);
	void *context;
};

__attribute__((format(printf, 3, 4))) void log_write(const struct log *log, enum log_level level,
						     const char *format, ...);

#endif
