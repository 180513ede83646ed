/* SPDX-License-Identifier: BSD-3-Clause */
/* A duration in words. */
#ifndef CXLMON_DURATION_H
#define CXLMON_DURATION_H

#include <stdint.h>

#define DURATION_SIZE 96

/* "16 minutes 40 seconds", "1 day", "1 minute 0.5 seconds". Returns text. */
const char *duration_words(uint64_t ns, char text[DURATION_SIZE]);

#endif
