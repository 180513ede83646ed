/* SPDX-License-Identifier: BSD-3-Clause */
/* The socket that scrapers connect to. */
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

struct listen_address {
	struct sockaddr_storage address;
	socklen_t size;
	int passed; /* listening socket that systemd passed; -1: none */
};

#define LISTENER_NAME_SIZE 80

/*
 * Parses "127.0.0.1:10295", "[::1]:10295" or "[fe80::1%eth0]:10295"; port 0: any free port. Host
 * names are not resolved. ERROR_USAGE.
 */
int listener_parse(const char *text, struct listen_address *out, struct error *err);

/*
 * Chooses the address: the socket that systemd has passed, else text (of --listen; NULL:
 * LISTENER_DEFAULT). ERROR_USAGE, also if there are both. Call before any file is opened.
 */
int listener_choose(const char *text, struct listen_address *out, struct error *err);

/*
 * Opens a listening, non-blocking socket, to be closed; or uses the one that was passed. Returns
 * the socket, or a negative errno: ERROR_PERMISSION if the port requires root, else ERROR_FAILED.
 */
int listener_open(const struct listen_address *address, struct error *err);

/* Writes the address of a listening socket in the format of listener_parse(). */
void listener_name(int fd, char name[LISTENER_NAME_SIZE]);

#endif
