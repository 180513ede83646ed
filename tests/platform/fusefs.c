/* SPDX-License-Identifier: BSD-3-Clause */
#include "fusefs.h"

#include <errno.h>
#include <fcntl.h>
#include <fuse_lowlevel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fusefs {
	struct fuse *fuse;
	void *context;
	void (*release)(void *context);
	struct fuse_buf request;
};

/* Opens a file for direct I/O: an offset is a register, and each access is one request. */
static void *init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	(void)connection;
	config->direct_io = 1;
	config->attr_timeout = 0;
	config->entry_timeout = 0;
	config->negative_timeout = 0;
	return fuse_get_context()->private_data;
}

/* Truncates nothing: some programs truncate on opening for writing, which a device file ignores. */
static int truncate_nothing(const char *path, off_t size, struct fuse_file_info *info)
{
	(void)path;
	(void)size;
	(void)info;
	return 0;
}

static struct fuse *mounted(const char *directory, const char *name,
			    const struct fuse_operations *operations, void *context)
{
	char options[128];
	char *arguments[] = {"cxlmon-platform", "-o", options, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(3, arguments);
	struct fuse_operations all = *operations;

	snprintf(options, sizeof(options), "allow_other,default_permissions,fsname=%s", name);
	all.init = init;
	all.truncate = truncate_nothing;
	struct fuse *fuse = fuse_new(&args, &all, sizeof(all), context);
	fuse_opt_free_args(&args);
	if (fuse && fuse_mount(fuse, directory)) {
		fuse_destroy(fuse);
		return NULL;
	}
	return fuse;
}

struct fusefs *fusefs_new(const char *directory, const char *name,
			  const struct fuse_operations *operations, void *context,
			  void (*release)(void *context))
{
	struct fusefs *fs = context ? calloc(1, sizeof(*fs)) : NULL;

	if (fs)
		fs->fuse = mounted(directory, name, operations, context);
	if (!fs || !fs->fuse) {
		free(fs);
		if (context)
			release(context);
		return NULL;
	}
	fs->context = context;
	fs->release = release;
	/* a killed client takes its request along, and nothing is left to be read */
	fcntl(fusefs_fd(fs), F_SETFL, fcntl(fusefs_fd(fs), F_GETFL) | O_NONBLOCK);
	return fs;
}

void fusefs_free(struct fusefs *fs)
{
	if (!fs)
		return;
	fuse_unmount(fs->fuse);
	fuse_destroy(fs->fuse);
	free(fs->request.mem);
	fs->release(fs->context);
	free(fs);
}

void *fusefs_context(const struct fusefs *fs)
{
	return fs->context;
}

int fusefs_fd(const struct fusefs *fs)
{
	return fuse_session_fd(fuse_get_session(fs->fuse));
}

bool fusefs_serve(struct fusefs *fs)
{
	struct fuse_session *session = fuse_get_session(fs->fuse);
	int rc = fuse_session_receive_buf(session, &fs->request);

	if (rc > 0)
		fuse_session_process_buf(session, &fs->request);
	return rc > 0 || rc == -EINTR || rc == -EAGAIN;
}

int fusefs_read_text(const char *text, char *buffer, size_t size, off_t offset)
{
	const size_t length = strlen(text);
	const size_t left = (size_t)offset < length ? length - (size_t)offset : 0;
	const size_t moved = left < size ? left : size;

	memcpy(buffer, text + (length - left), moved);
	return (int)moved;
}
