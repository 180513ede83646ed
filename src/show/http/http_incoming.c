/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/http/http_private.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "session/session.h"

/* Finds the place and number of the next bytes. */
static size_t missing_bytes(struct incoming *in, char **to)
{
	if (!in->text) {
		*to = (char *)&in->head + in->head_got;
		return sizeof(in->head) - in->head_got;
	}
	*to = in->text + in->text_got;
	return message_bytes(&in->head) - in->text_got;
}

static bool head_is_valid(const struct message *head)
{
	return head->size <= MESSAGE_MAX_BYTES && head->stale_size <= MESSAGE_MAX_BYTES &&
	       head->stale_from <= head->stale_to && head->stale_to <= head->size &&
	       head->exposition < EXPOSITION_SENT && head->interval_ns <= SESSION_MAX_INTERVAL_NS;
}

/* Allocates the text that the head announces. -EBADMSG: the head is invalid. */
static int begin_text(struct incoming *in)
{
	if (!head_is_valid(&in->head))
		return -EBADMSG;
	in->text = malloc(message_bytes(&in->head) + 1);
	return in->text ? 0 : -ENOMEM;
}

int incoming_next(struct incoming *in, int fd, struct message *head, char **text)
{
	int rc = 0;

	while (!rc && !(in->text && in->text_got == message_bytes(&in->head))) {
		char *to;
		const size_t want = missing_bytes(in, &to);
		const ssize_t got = read(fd, to, want);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 && errno == EAGAIN ? 0 : -EPIPE;
		*(in->text ? &in->text_got : &in->head_got) += (size_t)got;
		if (in->head_got == sizeof(in->head) && !in->text)
			rc = begin_text(in);
	}
	if (rc)
		return rc;
	*head = in->head;
	*text = in->text;
	*in = (struct incoming){.text = NULL};
	return 1;
}

void incoming_free(struct incoming *in)
{
	free(in->text);
}
