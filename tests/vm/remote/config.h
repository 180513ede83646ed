/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The configuration space of the simulated processor's functions as a kernel needs it that scans
 * them: the size of a BAR can be asked for, a device of several functions says so, and has a
 * function 0.
 */
#ifndef REMOTE_CONFIG_H
#define REMOTE_CONFIG_H

#include <stdint.h>

#include "memory.h"
#include "platform/platform.h"

#define CONFIG_WINDOW_BYTES (UINT64_C(256) << 20) /* of all buses */

struct config;

/* Both must remain valid; p was made by platform_sim(). */
struct config *config_new(struct platform *p, const struct memory *memory);
void config_free(struct config *c);

/* offset: bus << 20 | device << 15 | function << 12 | register. bytes: 1, 2 or 4; only writes of 4
   reach a register. */
uint32_t config_read(const struct config *c, uint64_t offset, unsigned bytes);
void config_write(struct config *c, uint64_t offset, unsigned bytes, uint32_t value);

/* The NUMA node of a bus; -1: not known. */
int config_node(const struct config *c, uint8_t bus);

#endif
