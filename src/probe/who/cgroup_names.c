/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: systemd.unit(5), "String Escaping for Inclusion in Unit Names"; libvirt's
 * https://libvirt.org/cgroups.html and its virDomainGenerateMachineName(); kubelet's
 * pkg/kubelet/cm (pod_container_manager_linux.go, cgroup_manager_linux.go); the drivers of runc,
 * which name a scope PREFIX-ID.scope.
 */
#include "probe/who/cgroups.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define HEX	     "0123456789abcdef"
#define ID_LENGTH    64 /* of all these runtimes */
#define ID_SHOWN     12
#define POD_LENGTH   32 /* at least: a UUID, or an MD5 sum for a static pod */
#define SCOPE	     ".scope"
#define SLICE	     ".slice"
#define MACHINE	     "machine-"
#define MACHINE_SIZE 256 /* longer than a unit's name */

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

/* "<id>" of cgroupfs, "docker-<id>.scope" of systemd; but not conmon, which watches a container. */
static bool find_id(struct part part, struct part *id)
{
	const bool scope = cut_end(&part, SCOPE);

	if (part.length < ID_LENGTH)
		return false;
	*id = (struct part){part.text + part.length - ID_LENGTH, ID_LENGTH};
	part.length -= ID_LENGTH;
	return is_of(*id, HEX) &&
	       (scope ? cut_end(&part, "-") && !cut_end(&part, "conmon") : !part.length);
}

/* "pod<uid>" of cgroupfs, "kubepods-burstable-pod<uid>.slice" of systemd. */
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

/* As systemd escapes it, \x2d for "-"; text has room for part. */
static void unescape(struct part part, char *text)
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

/* The name of the machine of a scope machine-NAME.scope, as systemd-machined has it. */
static bool find_machine(const char *path, char text[MACHINE_SIZE])
{
	struct part part = last_part(path, strlen(path));

	if (!cut_end(&part, SCOPE) || !cut_start(&part, MACHINE) || !part.length ||
	    part.length >= MACHINE_SIZE)
		return false;
	unescape(part, text);
	return true;
}

/* What is behind "qemu-1-", by libvirt; NULL: it is not of this driver. */
static const char *behind_driver(const char *machine, const char *driver)
{
	const size_t length = strlen(driver);
	const char *at = machine + length;

	if (strncmp(machine, driver, length) || *at++ != '-')
		return NULL;
	const size_t digits = strspn(at, "0123456789");
	return digits && at[digits] == '-' && at[digits + 1] ? at + digits + 1 : NULL;
}

static const char *vm_of(const char *machine)
{
	const char *name = behind_driver(machine, "qemu");

	return name ? name : behind_driver(machine, "ch");
}

bool cgroup_vm_name(const char *path, char name[CGROUP_NAME_SIZE])
{
	char machine[MACHINE_SIZE];
	const char *vm = find_machine(path, machine) ? vm_of(machine) : NULL;

	if (vm)
		printable(vm, name, CGROUP_NAME_SIZE);
	return vm != NULL;
}

static bool machine_container_name(const char *path, char name[CGROUP_NAME_SIZE])
{
	char machine[MACHINE_SIZE];

	if (!find_machine(path, machine) || vm_of(machine))
		return false;
	const char *of_libvirt = behind_driver(machine, "lxc");
	printable(of_libvirt ? of_libvirt : machine, name, CGROUP_NAME_SIZE);
	return true;
}

bool cgroup_container_name(const char *path, char name[CGROUP_NAME_SIZE])
{
	const struct part part = last_part(path, strlen(path));
	struct part id, pod;

	if (!find_id(part, &id))
		return machine_container_name(path, name);
	const size_t above = (size_t)(part.text - path);
	if (above && find_pod(last_part(path, above - 1), &pod))
		snprintf(name, CGROUP_NAME_SIZE, "%.*s/%.*s", (int)pod.length, pod.text, ID_SHOWN,
			 id.text);
	else
		snprintf(name, CGROUP_NAME_SIZE, "%.*s", ID_SHOWN, id.text);
	/* of the uid: systemd has no "-" within a slice's name */
	for (char *at = name; *at; at++)
		*at = *at == '_' ? '-' : *at;
	return true;
}
