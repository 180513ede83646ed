/* SPDX-License-Identifier: BSD-3-Clause */
/* A FUSE file system of devices, answered request by request: nothing is cached, nothing reordered.
 */
#ifndef CXLMON_TEST_FUSEFS_H
#define CXLMON_TEST_FUSEFS_H

#define FUSE_USE_VERSION 35

#include <fuse.h>
#include <stdbool.h>

struct fusefs;

/*
 * Mounts on the directory; name is what mount tables show. The operations, which must stay valid,
 * find context, which is freed by release, as private_data; init and truncate are set here. NULL if
 * FUSE is not available, or context is NULL.
 */
struct fusefs *fusefs_new(const char *directory, const char *name,
			  const struct fuse_operations *operations, void *context,
			  void (*release)(void *context));
void fusefs_free(struct fusefs *fs); /* unmounts; NULL does nothing */
void *fusefs_context(const struct fusefs *fs);

/* To be polled for reading; then fusefs_serve() answers one request. False: unmounted by others. */
int fusefs_fd(const struct fusefs *fs);
bool fusefs_serve(struct fusefs *fs);

/* What reading a file with this text gives. */
int fusefs_read_text(const char *text, char *buffer, size_t size, off_t offset);

#endif
