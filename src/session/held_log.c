/* SPDX-License-Identifier: BSD-3-Clause */
#include "session/session_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct held_message {
	enum log_level level;
	char *text;
};

/* Holds a message; without memory it is shown at once. */
static void hold_message(void *context, enum log_level level, const char *text)
{
	struct held_log *held = context;
	int rc = array_room(&held->messages, held->count, 1, sizeof(*held->messages));
	char *copy = rc ? NULL : strdup(text);

	if (copy)
		held->messages[held->count++] = (struct held_message){.level = level, .text = copy};
	else
		log_write(&held->shown, level, "%s", text);
}

void held_log_begin(struct held_log *held, struct log *log)
{
	*held = (struct held_log){.log = log, .shown = *log};
	*log = (struct log){.write = hold_message, .context = held};
}

void held_log_end(struct held_log *held, bool show)
{
	*held->log = held->shown;
	for (size_t i = 0; i < held->count; i++) {
		if (show)
			log_write(held->log, held->messages[i].level, "%s", held->messages[i].text);
		free(held->messages[i].text);
	}
	free(held->messages);
	*held = (struct held_log){.log = NULL};
}
