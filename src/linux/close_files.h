/* SPDX-License-Identifier: BSD-3-Clause */
/* Closing the descriptors that a new process must not inherit. */
#ifndef CXLMON_CLOSE_FILES_H
#define CXLMON_CLOSE_FILES_H

#include <stdbool.h>

/* Closes all descriptors from this one on; on_exec: when it executes a program. */
void close_files(int first, bool on_exec);

#endif
