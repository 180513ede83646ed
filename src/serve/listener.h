/* SPDX-License-Identifier: BSD-3-Clause */
/* The socket that scrapers connect to. */
#ifndef CXLMON_LISTENER_H
#define CXLMON_LISTENER_H

#include <sys/socket.h>

#include "platform/error.h"

/*
 * This machine alone can connect: there is no password. Prometheus' list of default ports has none
 * left of the 900 for exporters (9100 to 9999), so this one is beside them, and below those that
 * Linux gives to clients (32768 and up); 295 is c, x, l on a telephone.
 */
#define LISTENER_DEFAULT "127.0.0.1:10295"

struct listen_address {
	struct sockaddr_storage address;
	socklen_t size;
};

#define LISTENER_NAME_SIZE 80

/*
 * "127.0.0.1:10295", "[::1]:10295", "[fe80::1%eth0]:10295"; port 0 stands for any that is free.
 * Names of hosts are not looked up. EXIT_USAGE.
 */
int listener_parse(const char *text, struct listen_address *out, struct error *err);

/*
 * A socket that listens, and doesn't block; to be closed. Or a negative errno: EXIT_PERMISSION
 * where the port is one of root's, else EXIT_FAILED.
 */
int listener_open(const struct listen_address *address, struct error *err);

/* Where it listens, as listener_parse() would have it. */
void listener_name(int fd, char name[LISTENER_NAME_SIZE]);

#endif
