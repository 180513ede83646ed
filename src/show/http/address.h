/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses of listeners and clients. */
#ifndef CXLMON_SHOW_HTTP_ADDRESS_H
#define CXLMON_SHOW_HTTP_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>

/* IPv4 as IPv6 has it: RFC 4291, 2.5.5.2. */
struct in6_addr address_of(const struct sockaddr *address);

/* 127.0.0.0/8, also as IPv6 has it, or ::1. */
bool is_on_loopback(int listener);

#endif
