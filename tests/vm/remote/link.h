/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What qemu and the process behind its x-pci-proxy-dev say to each other, over a socket. Source:
 * qemu's documentation of its multi-process device emulation, and what version 7.2 sends.
 */
#ifndef REMOTE_LINK_H
#define REMOTE_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum link_command {
	LINK_MEMORY_LAYOUT, /* of the guest; not answered */
	LINK_ANSWER,
	LINK_CONFIG_WRITE,
	LINK_CONFIG_READ,
	LINK_BAR_WRITE,
	LINK_BAR_READ,
	LINK_INTERRUPTS, /* not answered */
	LINK_RESET,
};

struct link_message {
	enum link_command command;
	uint64_t address; /* offset in configuration space, or the guest's physical address */
	uint64_t value;	  /* to write */
	unsigned bytes;	  /* of the access: 1, 2, 4 or 8 */
};

/* Waits for the next message. False: qemu has closed the socket. */
bool link_receive(int fd, struct link_message *out);

/* Every message but those that are not answered waits for this. False: qemu has closed it. */
bool link_answer(int fd, uint64_t value);

#endif
