/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: systemd.unit(5), "String Escaping for Inclusion in Unit Names"; machinectl(1), start;
 * libvirt's https://libvirt.org/cgroups.html, virDomainGenerateMachineName() and
 * virCgroupNewDomainPartition(); kubelet's pkg/kubelet/cm (pod_container_manager_linux.go,
 * cgroup_manager_linux.go); the drivers of runc, which name a scope PREFIX-ID.scope; Podman's
 * getOCICgroupPath(); CRI-O's internal/config/cgmgr; LXC's src/lxc/cgroups/cgroup.h, and
 * lxc.cgroup.pattern of its versions before 4.0; Proxmox VE's qemu-server; Firecracker's
 * docs/jailer.md; Kata's RenameCgroupPath().
 */
#include "process/cgroup_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"

#define HEX	   "0123456789abcdef"
#define ID_LENGTH  64 /* length that all these runtimes use */
#define ID_SHOWN   12
#define POD_LENGTH 32 /* fewest: a UUID, or an MD5 sum for a static pod */
#define SCOPE	   ".scope"
#define SLICE	   ".slice"
#define NAME_MOST  256 /* longer than any cgroup's name */

struct part {
	const char *text;
	size_t length;
};

static struct part last_part(const char *path, size_t length)
{
	size_t begin = length;

	while (begin && path[begin - 1] != '/')
		begin--;
	return (struct part){path + begin, length - begin};
}

static bool cut_end(struct part *part, const char *end)
{
	const size_t length = strlen(end);

	if (part->length < length || memcmp(part->text + part->length - length, end, length))
		return false;
	part->length -= length;
	return true;
}

static bool cut_start(struct part *part, const char *start)
{
	const size_t length = strlen(start);

	if (part->length < length || memcmp(part->text, start, length))
		return false;
	*part = (struct part){part->text + length, part->length - length};
	return true;
}

static bool is_of(struct part part, const char *characters)
{
	for (size_t i = 0; i < part.length; i++)
		if (!part.text[i] || !strchr(characters, part.text[i]))
			return false;
	return true;
}

/*
 * Finds a container's id in "<id>" or "crio-<id>" (cgroupfs), "docker-<id>.scope" (systemd) or
 * "SLICE:docker:<id>" (runtime with cgroupfs, caller with systemd). Ignores the cgroup of
 * conmon, which watches a container. Sets *before to the text before the id.
 */
static bool find_id(struct part part, struct part *id, struct part *before)
{
	const bool scope = cut_end(&part, SCOPE);

	if (part.length < ID_LENGTH)
		return false;
	*id = (struct part){part.text + part.length - ID_LENGTH, ID_LENGTH};
	part.length -= ID_LENGTH;
	*before = part;
	if (!is_of(*id, HEX))
		return false;
	if (!part.length)
		return !scope;
	return (cut_end(&part, "-") || (!scope && (cut_end(&part, "_") || cut_end(&part, ":")))) &&
	       !cut_end(&part, "conmon");
}

/* Finds the uid in "pod<uid>" (cgroupfs) or "kubepods-burstable-pod<uid>.slice" (systemd). */
static bool find_pod(struct part part, struct part *uid)
{
	cut_end(&part, SLICE);
	for (size_t i = 0; i + 3 < part.length; i++) {
		struct part rest = {part.text + i, part.length - i};

		if ((!i || part.text[i - 1] == '-') && cut_start(&rest, "pod") &&
		    rest.length >= POD_LENGTH && is_of(rest, HEX "-_")) {
			*uid = rest;
			return true;
		}
	}
	return false;
}

/* Undoes systemd's escapes, such as \x2d for "-". text has room for part. */
static void unescape_part(struct part part, char *text)
{
	for (size_t i = 0; i < part.length; i++) {
		const char *at = part.text + i;

		if (part.length - i >= 4 && at[0] == '\\' && at[1] == 'x' &&
		    isxdigit((unsigned char)at[2]) && isxdigit((unsigned char)at[3])) {
			const char digits[] = {at[2], at[3], '\0'};

			*text++ = (char)strtoul(digits, NULL, 16);
			i += 3;
		} else {
			*text++ = *at;
		}
	}
	*text = '\0';
}

/* Forms of cgroup names that contain the name of a container or VM. */
static const struct layout {
	const char *above;	 /* parent cgroup's name; NULL: any */
	const char *start, *end; /* text before and after the name */
	bool unit;		 /* systemd unit, whose name is escaped */
	bool vm;
	/* the name follows a driver's name and a number */
	bool libvirt;
} layouts[] = {
	/* systemd-machined: libvirt, systemd-nspawn from a shell or, by machinectl, as a service */
	{NULL, "machine-qemu-", ".scope", .unit = true, .vm = true, .libvirt = true},
	{NULL, "machine-ch-", ".scope", .unit = true, .vm = true, .libvirt = true},
	{NULL, "machine-lxc-", ".scope", .unit = true, .libvirt = true},
	{NULL, "machine-", ".scope", .unit = true},
	{NULL, "systemd-nspawn@", ".service", .unit = true},
	{NULL, "systemd-vmspawn@", ".service", .unit = true, .vm = true},
	/* libvirt without systemd-machined */
	{NULL, "qemu-", ".libvirt-qemu", .vm = true, .libvirt = true},
	{NULL, "ch-", ".libvirt-ch", .vm = true, .libvirt = true},
	{NULL, "lxc-", ".libvirt-lxc", .libvirt = true},
	{NULL, "", ".libvirt-qemu", .vm = true},
	{NULL, "", ".libvirt-lxc"},
	/* LXC, LXD, Incus: from 4.0 on, 3.1, before and on Proxmox VE */
	{NULL, "lxc.payload.", ""},
	{"lxc.payload", "", ""},
	{"lxc", "", ""},
	/* Proxmox VE; the jailer of Firecracker */
	{"qemu.slice", "", ".scope", .vm = true},
	{"firecracker", "", "", .vm = true},
};

static bool is_text(struct part part, const char *text)
{
	return part.length == strlen(text) && !memcmp(part.text, text, part.length);
}

/* Returns "web" for libvirt's "1-web"; NULL: another form. */
static const char *behind_number(const char *name)
{
	const size_t digits = strspn(name, "0123456789");

	return digits && name[digits] == '-' && name[digits + 1] ? name + digits + 1 : NULL;
}

/* Returns the name that a cgroup of this layout contains, stored in text; NULL: another layout. */
static const char *name_by(const struct layout *layout, const char *path, char text[NAME_MOST])
{
	const size_t start = strlen(layout->start);
	struct part part = last_part(path, strlen(path));
	const size_t above = (size_t)(part.text - path);

	if (layout->above && (!above || !is_text(last_part(path, above - 1), layout->above)))
		return NULL;
	if (!cut_end(&part, layout->end) || part.length >= NAME_MOST)
		return NULL;
	if (layout->unit)
		unescape_part(part, text);
	else
		snprintf(text, NAME_MOST, "%.*s", (int)part.length, part.text);
	if (strncmp(text, layout->start, start) || !text[start])
		return NULL;
	return layout->libvirt ? behind_number(text + start) : text + start;
}

/* Finds a name by the first layout that fits. */
static bool find_name(const char *path, bool vm, char name[CGROUP_NAME_SIZE])
{
	char text[NAME_MOST];

	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		const char *found = name_by(&layouts[i], path, text);

		if (!found)
			continue;
		if (layouts[i].vm == vm)
			printable(found, name, CGROUP_NAME_SIZE);
		return layouts[i].vm == vm;
	}
	return false;
}

bool cgroup_vm_name(const char *path, char name[CGROUP_NAME_SIZE])
{
	return find_name(path, true, name);
}

bool cgroup_container_name(const char *path, char name[CGROUP_NAME_SIZE])
{
	const struct part part = last_part(path, strlen(path));
	const size_t length = (size_t)(part.text - path);
	const struct part above = last_part(path, length ? length - 1 : 0);
	struct part id, before, pod;

	if (!find_id(part, &id, &before))
		return find_name(path, false, name);
	/* a Podman pod's cgroup (cgroupfs), which contains the pod's containers */
	if (!before.length && is_text(above, "libpod_parent"))
		return false;
	const char *colon = memchr(before.text, ':', before.length);
	const struct part slice = {before.text, colon ? (size_t)(colon - before.text) : 0};
	if (find_pod(colon ? slice : above, &pod))
		snprintf(name, CGROUP_NAME_SIZE, "%.*s/%.*s", (int)pod.length, pod.text, ID_SHOWN,
			 id.text);
	else
		snprintf(name, CGROUP_NAME_SIZE, "%.*s", ID_SHOWN, id.text);
	/* the uid has its "-" again: systemd has no "-" within a slice's name */
	for (char *at = name; *at; at++)
		*at = *at == '_' ? '-' : *at;
	return true;
}

bool cgroup_outermost_name(const char *path, cgroup_namer *name_of, char name[CGROUP_NAME_SIZE])
{
	char part[ROOTFS_PATH_SIZE];

	for (size_t i = 1; *path && path[i - 1] && i < sizeof(part); i++) {
		if (path[i] && path[i] != '/')
			continue;
		snprintf(part, sizeof(part), "%.*s", (int)i, path);
		if (name_of(part, name))
			return true;
	}
	return false;
}

bool cgroup_contains(const char *cgroup, const char *path)
{
	const size_t length = strcmp(cgroup, "/") ? strlen(cgroup) : 0;

	return !strncmp(cgroup, path, length) && (!length || !path[length] || path[length] == '/');
}

void cgroup_path_of(const char *given, char *path, size_t size)
{
	static const char *const mounts[] = {"/sys/fs/cgroup/memory", "/sys/fs/cgroup/unified",
					     "/sys/fs/cgroup/perf_event", "/sys/fs/cgroup"};
	const char *below = given;

	for (size_t i = 0; i < sizeof(mounts) / sizeof(mounts[0]) && below == given; i++) {
		const char *found = strstr(given, mounts[i]);
		const char *end = found ? found + strlen(mounts[i]) : "?";

		if (!*end || *end == '/')
			below = end;
	}
	snprintf(path, size, "%s%s", *below == '/' ? "" : "/", below);
	for (size_t length = strlen(path); length && path[length - 1] == '/'; length--)
		path[length - 1] = '\0';
}
