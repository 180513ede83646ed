/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/container.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rootfs.h"

/* Reads the environment variable of the first process, as only root can. */
static bool from_environment(const char *root, char name[CONTAINER_NAME_SIZE])
{
	static const char variable[] = "container=";
	char *word = NULL;
	size_t capacity = 0;

	name[0] = '\0';
	FILE *file = rootfs_stream(root, "proc/1/environ");
	if (!file)
		return false;
	while (!*name && getdelim(&word, &capacity, '\0', file) > 0)
		if (!strncmp(word, variable, sizeof(variable) - 1))
			snprintf(name, CONTAINER_NAME_SIZE, "%s", word + sizeof(variable) - 1);
	free(word);
	fclose(file);
	return *name;
}

/* Files that contain the manager's name, or that only one manager creates. */
static const struct {
	const char *path;
	const char *name; /* NULL: the first line of the file */
} files[] = {
	{"run/systemd/container", NULL},
	{"run/host/container-manager", NULL},
	{"run/.containerenv", "podman"},
	/* must be last: other managers keep this file in images made by Docker */
	{".dockerenv", "docker"},
};

/* The PID namespace outside all containers. Source: PROC_PID_INIT_INO in the kernel's proc_ns.h */
#define FIRST_PID_NAMESPACE "pid:[4026531836]"

/* Detects containers whose manager, such as containerd, leaves no other sign. */
static bool is_in_pid_namespace(const char *root)
{
	char path[ROOTFS_PATH_SIZE], target[sizeof(FIRST_PID_NAMESPACE)];
	ssize_t length = -1;

	if (!rootfs_path(path, root, "proc/self/ns/pid"))
		length = readlink(path, target, sizeof(target));
	if (length < 0)
		return false;
	return (size_t)length != sizeof(FIRST_PID_NAMESPACE) - 1 ||
	       memcmp(target, FIRST_PID_NAMESPACE, (size_t)length) != 0;
}

bool linux_container(const char *root, char name[CONTAINER_NAME_SIZE])
{
	if (from_environment(root, name))
		return true;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (files[i].name && rootfs_exists(root, "%s", files[i].path)) {
			snprintf(name, CONTAINER_NAME_SIZE, "%s", files[i].name);
			return true;
		}
		if (!files[i].name &&
		    !rootfs_line(name, CONTAINER_NAME_SIZE, root, "%s", files[i].path) && *name)
			return true;
	}
	snprintf(name, CONTAINER_NAME_SIZE, "a PID namespace of its own");
	return is_in_pid_namespace(root);
}
