/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The configuration space of the simulated processor's functions, as a kernel that scans them needs
 * it: sizes of BARs can be read, and a device of several functions has a function 0 and reports
 * this.
 */
#ifndef REMOTE_CONFIG_H
#define REMOTE_CONFIG_H

#include <stdint.h>

#include "memory.h"
#include "platform/platform.h"

#define CONFIG_WINDOW_BYTES (UINT64_C(256) << 20) /* bytes for all buses */

struct config;

/* Makes the space. p, which platform_sim() has made, and memory must outlive it. */
struct config *config_new(struct platform *p, const struct memory *memory);
void config_free(struct config *c);

/*
 * Read or write at offset: bus << 20 | device << 15 | function << 12 | register. bytes: 1, 2 or 4;
 * only writes of 4 reach a register.
 */
uint32_t config_read(const struct config *c, uint64_t offset, unsigned bytes);
void config_write(struct config *c, uint64_t offset, unsigned bytes, uint32_t value);

/* Returns the NUMA node of a bus; -1: unknown. */
int config_node(const struct config *c, uint8_t bus);

#endif
