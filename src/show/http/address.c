/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/http/address.h"

#include <string.h>
#include <sys/socket.h>

struct in6_addr address_of(const struct sockaddr *address)
{
	struct in6_addr out = IN6ADDR_ANY_INIT;

	if (address->sa_family == AF_INET6)
		return ((const struct sockaddr_in6 *)address)->sin6_addr;
	out.s6_addr[10] = out.s6_addr[11] = 0xff;
	memcpy(&out.s6_addr[12], &((const struct sockaddr_in *)address)->sin_addr, 4);
	return out;
}

bool is_on_loopback(int listener)
{
	struct sockaddr_storage address = {0};
	socklen_t size = sizeof(address);

	if (getsockname(listener, (struct sockaddr *)&address, &size) ||
	    (address.ss_family != AF_INET && address.ss_family != AF_INET6))
		return false;
	const struct in6_addr in6 = address_of((const struct sockaddr *)&address);

	return IN6_IS_ADDR_LOOPBACK(&in6) ||
	       (IN6_IS_ADDR_V4MAPPED(&in6) && in6.s6_addr[12] == IN_LOOPBACKNET);
}
