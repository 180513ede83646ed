/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/memory/node_weights.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/rootfs.h"

static const char *path_of(const struct node_weights *w, const char *name,
			   char path[ROOTFS_PATH_SIZE])
{
	return rootfs_path(path, w->root, NODE_WEIGHTS "/%s", name) ? name : path;
}

static int failed(const struct node_weights *w, const char *name, const char *what, int rc,
		  struct error *err)
{
	const bool denied = rc == -EACCES || rc == -EPERM;
	char path[ROOTFS_PATH_SIZE];

	return error_set(err, denied ? EXIT_PERMISSION : EXIT_FAILED, rc, "cannot %s %s: %s%s",
			 what, path_of(w, name, path), strerror(-rc),
			 denied		 ? "; " ERROR_RUN_AS_ROOT
			 : rc == -ENOENT ? "; needed: Linux 6.9 or later, and memory in that node"
					 : "");
}

static int read_value(const struct node_weights *w, const char *name, char value[NODE_WEIGHT_SIZE],
		      struct error *err)
{
	const int rc = rootfs_line(value, NODE_WEIGHT_SIZE, w->root, NODE_WEIGHTS "/%s", name);

	return rc ? failed(w, name, "read", rc, err) : 0;
}

static int write_value(const struct node_weights *w, const char *name, const char *value,
		       struct error *err)
{
	char line[NODE_WEIGHT_SIZE + 1];
	const int length = snprintf(line, sizeof(line), "%s\n", value);
	/* sysfs takes a value by one write(); O_TRUNC is for files of a copied tree */
	const int fd = rootfs_open(O_WRONLY | O_TRUNC, w->root, NODE_WEIGHTS "/%s", name);
	int rc = fd < 0 ? fd : write_all(fd, line, (size_t)length);

	if (fd >= 0)
		close(fd);
	return rc ? failed(w, name, "write", rc, err) : 0;
}

/* Where there is no directory, the first file says so. */
static int lock(struct node_weights *w, struct error *err)
{
	char path[ROOTFS_PATH_SIZE];

	w->lock = rootfs_open(O_RDONLY | O_DIRECTORY, w->root, "%s", NODE_WEIGHTS);
	if (w->lock < 0 || !flock(w->lock, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
		return 0;
	return error_set(err, EXIT_IN_USE, -EBUSY,
			 "%s: another cxlmon has set weights there and will put them back: wait "
			 "until its command ends",
			 rootfs_path(path, w->root, NODE_WEIGHTS) ? NODE_WEIGHTS : path);
}

static struct node_weight *add(struct node_weights *w)
{
	struct node_weight *file = &w->files[w->count++];

	*file = (struct node_weight){.set = false};
	return file;
}

/* Some kernels have no such file. */
static int read_auto(struct node_weights *w, struct error *err)
{
	if (!rootfs_exists(w->root, NODE_WEIGHTS "/auto"))
		return 0;
	struct node_weight *file = add(w);
	strcpy(file->name, "auto");
	strcpy(file->ours, "false"); /* as the kernel writes it */
	const int rc = read_value(w, file->name, file->before, err);
	if (!rc && !strcmp(file->before, file->ours))
		w->count--;
	return rc;
}

int node_weights_read(const char *root, const int *nodes, const unsigned *weights, size_t count,
		      struct node_weights *out, struct error *err)
{
	*out = (struct node_weights){.root = root};
	int rc = lock(out, err);
	for (size_t k = 0; !rc && k < count && k < NODE_WEIGHTS_MOST; k++) {
		struct node_weight *file = add(out);

		snprintf(file->name, sizeof(file->name), "node%d", nodes[k]);
		snprintf(file->ours, sizeof(file->ours), "%u", weights[k]);
		rc = read_value(out, file->name, file->before, err);
	}
	return rc ? rc : read_auto(out, err);
}

/* The kernel turns "auto" off itself with the first weight, but writing it is no different. */
int node_weights_set(struct node_weights *w, const struct log *log, struct error *err)
{
	struct error why;
	int rc = 0;

	for (size_t k = 0; !rc && k < w->count; k++) {
		rc = write_value(w, w->files[k].name, w->files[k].ours, err);
		w->files[k].set = !rc;
		/* from the first weight on */
		if (!rc && !strcmp(w->files[w->count - 1].name, "auto"))
			w->files[w->count - 1].set = true;
	}
	if (rc && node_weights_put_back(w, log, &why))
		log_write(log, LEVEL_WARNING, "%s", why.text);
	return rc;
}

/* Whether it is ours still. */
static int check_ours(const struct node_weights *w, const struct node_weight *file,
		      const struct log *log, bool *ours, struct error *err)
{
	char value[NODE_WEIGHT_SIZE], path[ROOTFS_PATH_SIZE];
	const int rc = read_value(w, file->name, value, err);

	*ours = !rc && !strcmp(value, file->ours);
	if (!rc && !*ours && strcmp(value, file->before) != 0)
		log_write(log, LEVEL_WARNING, "%s is left as another program has set it since: %s",
			  path_of(w, file->name, path), value);
	return rc;
}

int node_weights_put_back(struct node_weights *w, const struct log *log, struct error *err)
{
	bool all = true;
	int first = 0;

	for (size_t k = 0; k < w->count; k++) {
		struct node_weight *file = &w->files[k];
		bool ours;

		if (!file->set || (!all && !strcmp(file->name, "auto")))
			continue;
		int rc = check_ours(w, file, log, &ours, first ? NULL : err);
		if (!rc && ours)
			rc = write_value(w, file->name, file->before, first ? NULL : err);
		all = all && !rc && ours;
		file->set = false;
		first = first ? first : rc;
	}
	return first;
}

void node_weights_close(struct node_weights *w)
{
	if (w->lock >= 0)
		close(w->lock);
	w->lock = -1;
}
