/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-http: the HTTP server of cxlmon serve, which starts it. A process of its own, so that who
 * takes it over by a request has no register, journal or output. Its files: show/http/message.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "linux/rights/rights.h"
#include "linux/rights/sudo_user.h"
#include "show/http/message.h"
#include "show/http/server.h"

#define NICENESS 10 /* below the sampler */

/* A message that is being read. */
struct incoming {
	struct message head;
	size_t head_got;
	char *text; /* NULL: still the head */
	size_t text_got;
};

/* Where the next bytes go, and how many. */
static size_t missing(struct incoming *in, char **to)
{
	if (!in->text) {
		*to = (char *)&in->head + in->head_got;
		return sizeof(in->head) - in->head_got;
	}
	*to = in->text + in->text_got;
	return in->head.size - in->text_got;
}

/* After each part: the head asks for a text, and a whole text is published. */
static int advance(struct incoming *in, struct server *server)
{
	if (!in->text && in->head_got == sizeof(in->head)) {
		if (in->head.size > MESSAGE_MAX_BYTES || in->head.exposition >= EXPOSITION_COUNT ||
		    in->head.stale > 1)
			return -EBADMSG;
		in->text = malloc(in->head.size + 1U);
		if (!in->text)
			return -ENOMEM;
	}
	if (in->text && in->text_got == in->head.size) {
		server_publish(server, &in->head, in->text);
		*in = (struct incoming){0};
	}
	return 0;
}

/* All that is there. 1: the sender has ended. */
static int read_messages(struct incoming *in, struct server *server)
{
	for (;;) {
		char *to;
		const size_t want = missing(in, &to);
		const ssize_t got = read(HTTP_TEXTS, to, want);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 && errno == EAGAIN ? 0 : 1;
		*(in->text ? &in->text_got : &in->head_got) += (size_t)got;
		const int rc = advance(in, server);
		if (rc)
			return rc;
	}
}

static int drop_rights(struct error *err)
{
	struct rights_use use = {.role = RIGHTS_HTTP};
	int rc = sudo_user_find(&use.caller, err);

	tzset(); /* while /etc/localtime may be read: answers have a date */
	return rc ? rc : rights_give_up(&use, err);
}

static int serve(struct error *err)
{
	struct incoming in = {0};
	struct server *server;
	int rc = server_new(HTTP_LISTENER, &server, err);

	if (!rc)
		rc = drop_rights(err);
	if (!rc && write(HTTP_READY, "", 1) != 1)
		rc = -errno;
	if (rc)
		return rc;
	close(HTTP_READY);
	while (!rc) {
		rc = server_wait(server, HTTP_TEXTS);
		/* first, so that an answer is no older than what was published before its request,
		 * unless both come between these two calls */
		if (!rc)
			rc = read_messages(&in, server);
		server_run(server);
	}
	server_free(server);
	free(in.text);
	return rc > 0 ? 0 : error_set(err, EXIT_FAILED, rc, "the HTTP server: %s", strerror(-rc));
}

#ifdef CXLMON_STATIC
int http_main(void)
#else
int main(void)
#endif
{
	struct error err = {0};
	sigset_t all;

	if (fcntl(HTTP_LISTENER, F_GETFD) < 0 || fcntl(HTTP_TEXTS, F_SETFL, O_NONBLOCK)) {
		fprintf(stderr, "cxlmon-http: only cxlmon serve can start this program\n");
		return EXIT_USAGE;
	}
	/* it ends when cxlmon serve does, however that ends; a signal to both must not be earlier
	 */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGPIPE, SIG_IGN);
	setpriority(PRIO_PROCESS, 0, NICENESS);
	if (!serve(&err))
		return EXIT_OK;
	fprintf(stderr, "cxlmon: %s\n", err.text);
	return EXIT_FAILED;
}
