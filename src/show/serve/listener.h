/* SPDX-License-Identifier: BSD-3-Clause */
/* The listening socket of cxlmon serve, to which Prometheus and browsers connect. */
#ifndef CXLMON_SHOW_SERVE_LISTENER_H
#define CXLMON_SHOW_SERVE_LISTENER_H

#include <sys/socket.h>

#include "base/error.h"

/*
 * The default address. Only this machine can connect, since there is no password. Prometheus' list
 * of default ports for exporters (9100 to 9999) is full, so the port is outside it, and below the
 * range for clients (32768 and up). 295 is "cxl" on a telephone keypad.
 */
#define LISTENER_DEFAULT "127.0.0.1:10295"

/* An address to listen on, or a socket that listens already. */
struct listen_address {
	struct sockaddr_storage address;
	socklen_t size; /* bytes of .address */
	int passed;	/* listening socket that systemd passed; -1: none, .address is used */
};

#define LISTENER_NAME_SIZE 80

/*
 * Parses "127.0.0.1:10295", "[::1]:10295" or "[fe80::1%eth0]:10295"; port 0: any free port. Host
 * names are not resolved. Returns 0 or -EINVAL (ERROR_USAGE).
 */
int listener_parse(const char *text, struct listen_address *out, struct error *err);

/*
 * Chooses the socket that systemd has passed or, if there is none, the address text (of --listen;
 * NULL: LISTENER_DEFAULT). Returns 0 or a negative errno. ERROR_USAGE: text is invalid, both a
 * socket and text are given, or systemd has passed several sockets. Call before any file is opened.
 */
int listener_choose(const char *text, struct listen_address *out, struct error *err);

/*
 * Opens a listening, non-blocking socket, or takes the one that was passed. Returns the socket, to
 * be closed, or a negative errno: ERROR_PERMISSION if the port requires root, else ERROR_FAILED.
 */
int listener_open(const struct listen_address *address, struct error *err);

/* Writes the address of a listening socket, as listener_parse() takes it; "?": unknown. */
void listener_name(int fd, char name[LISTENER_NAME_SIZE]);

#endif
