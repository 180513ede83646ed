/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-http: the HTTP server of cxlmon serve, which starts it. It is a separate process, so that
 * an attacker who takes it over by a request has no register, journal or output. Its descriptors:
 * show/http/message.h.
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
#include "show/http/http_private.h"

#define NICENESS 10 /* lower priority than the sampler */

/* Reads all messages that are there. */
static int read_messages(struct incoming *in, struct server *server)
{
	struct message head;
	char *text;
	int rc;

	while ((rc = incoming_next(in, HTTP_TEXTS, &head, &text)) > 0)
		server_publish(server, &head, text);
	return rc;
}

static int drop_rights(struct error *err)
{
	struct rights_use use = {.role = RIGHTS_HTTP};
	int rc = sudo_user_find(&use.caller, err);

	tzset(); /* /etc/localtime may still be read: answers have a date */
	return rc ? rc : rights_give_up(&use, err);
}

static int serve_pages(struct error *err)
{
	struct incoming in = {.text = NULL};
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
		/*
		 * messages come first, so that an answer is not older than the text published
		 * before its request, unless both come between these two calls
		 */
		if (!rc)
			rc = read_messages(&in, server);
		server_run(server);
	}
	server_free(server);
	incoming_free(&in);
	return rc == -EPIPE
		       ? 0
		       : error_set(err, ERROR_FAILED, rc, "the HTTP server: %s", strerror(-rc));
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
		return ERROR_USAGE;
	}
	/*
	 * signals are blocked, because a signal to both processes must not end this one first: it
	 * ends when cxlmon serve does
	 */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGPIPE, SIG_IGN);
	setpriority(PRIO_PROCESS, 0, NICENESS);
	if (!serve_pages(&err))
		return EXIT_SUCCESS;
	fprintf(stderr, "cxlmon: %s\n", err.text);
	return ERROR_FAILED;
}
