/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between qemu and the process of its x-pci-proxy-dev, over a socket. Source: qemu's
 * documentation of its multi-process device emulation, and the messages of version 7.2.
 */
#ifndef REMOTE_LINK_H
#define REMOTE_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum link_command {
	LINK_MEMORY_LAYOUT, /* the guest's memory layout; not answered */
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
	uint64_t value;	  /* the value to write */
	unsigned bytes;	  /* bytes of the access: 1, 2, 4 or 8 */
};

/* Waits for the next message. Returns false if qemu has closed the socket. */
bool link_receive(int fd, struct link_message *out);

/* Answers a message of a command that is answered. False: qemu has closed the socket. */
bool link_answer(int fd, uint64_t value);

#endif
