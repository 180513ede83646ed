/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses to listen on. An accepted one is an IPv4 or IPv6 address with a port. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "fuzz.h"
#include "show/serve/listener.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	char *text = input_text(&in);
	struct listen_address address;
	struct error err = {0};
	const int rc = listener_parse(text, &address, &err);

	if (rc) {
		fuzz_check_usage(rc, &err);
	} else {
		fuzz_require(address.address.ss_family == (*text == '[' ? AF_INET6 : AF_INET));
		fuzz_require(address.size && address.size <= sizeof(address.address));
		fuzz_require(strrchr(text, ':'));
	}
	free(text);
	return 0;
}
