/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of a run that may be compromised to its HTTP server: served texts are not longer than
 * allowed, and of a known kind.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "output/prometheus.h"
#include "session/session.h"
#include "show/http/http_private.h"

#define PIECE	  4096		      /* a pipe holds more */
#define ALLOCATED ((uint32_t)8 << 20) /* a message has two texts: the fuzzer stops at 20 MB */

/* Reads all bytes of the text. */
static void check(const struct message *head, char *text)
{
	fuzz_require(head->size <= MESSAGE_MAX_BYTES && head->stale_size <= MESSAGE_MAX_BYTES &&
		     head->exposition < EXPOSITION_SENT && head->stale_from <= head->stale_to &&
		     head->stale_to <= head->size && head->interval_ns <= SESSION_MAX_INTERVAL_NS);
	char *copy = malloc(message_bytes(head) + 1), *older = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&older, &size);

	fuzz_require(copy && out);
	memcpy(copy, text, message_bytes(head));
	prometheus_put(text, head->size, out);
	fclose(out);
	free(older);
	free(copy);
	free(text);
}

static int take(struct incoming *in, int fd)
{
	struct message head;
	char *text;
	int rc;

	while ((rc = incoming_next(in, fd, &head, &text)) > 0)
		check(&head, text);
	return rc;
}

/* Sends heads and texts from the input, in pieces. */
static int send_message(struct incoming *in, const int ends[2], struct input *input)
{
	struct message head = {.size = input_u16(input), .stale_size = input_u8(input)};
	uint8_t piece[PIECE];
	int rc;

	head.exposition = input_u8(input) % (EXPOSITION_SENT + 1);
	head.stale_from = input_u16(input);
	head.stale_to = input_u16(input);
	if (input_u8(input) & 1)
		input_bytes(input, &head, sizeof(head));
	if (head.size > ALLOCATED && head.size <= MESSAGE_MAX_BYTES)
		head.size %= ALLOCATED;
	if (head.stale_size > ALLOCATED && head.stale_size <= MESSAGE_MAX_BYTES)
		head.stale_size %= ALLOCATED;
	fuzz_require(write(ends[1], &head, sizeof(head)) == sizeof(head));
	rc = take(in, ends[0]);
	for (size_t left = message_bytes(&head); !rc && left && input->left;) {
		size_t count = 1 + input_u16(input) % PIECE;

		count = count < left ? count : left;
		input_bytes(input, piece, count);
		fuzz_require(write(ends[1], piece, count) == (ssize_t)count);
		left -= count;
		rc = take(in, ends[0]);
	}
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {.at = data, .left = size};
	struct incoming in = {.text = NULL};
	int ends[2], rc = 0;

	fuzz_require(!pipe2(ends, O_CLOEXEC | O_NONBLOCK));
	while (!rc && input.left)
		rc = send_message(&in, ends, &input);
	fuzz_require(!rc || rc == -EBADMSG);
	close(ends[1]);
	if (!rc)
		fuzz_require(take(&in, ends[0]) == -EPIPE);
	incoming_free(&in);
	close(ends[0]);
	return 0;
}
