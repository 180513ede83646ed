/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/cgroups.h"

#include "unit.h"

#define ID   "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UUID "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
#define UID_ "3f2504e0_4f89_11d3_9a0c_0305e82c3301"
#define PODS "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"

static const struct {
	const char *path;
	const char *container, *vm; /* NULL: it is none */
} cases[] = {
	{"/", NULL, NULL},
	{"", NULL, NULL},
	{"/system.slice/docker-" ID ".scope", "0123456789ab", NULL},
	{"/docker/" ID, "0123456789ab", NULL},
	{"/machine.slice/libpod-" ID ".scope", "0123456789ab", NULL},
	{"/machine.slice/libpod-conmon-" ID ".scope", NULL, NULL},
	{"/machine.slice/libpod-" ID ".scope/container", NULL, NULL},
	{PODS UID_ ".slice/cri-containerd-" ID ".scope", UUID "/0123456789ab", NULL},
	{PODS UID_ ".slice/crio-" ID ".scope", UUID "/0123456789ab", NULL},
	{PODS UID_ ".slice/crio-conmon-" ID ".scope", NULL, NULL},
	{PODS UID_ ".slice", NULL, NULL},
	{"/kubepods/besteffort/pod" UUID "/" ID, UUID "/0123456789ab", NULL},
	/* a static pod's */
	{"/kubepods/pod0123456789abcdef0123456789abcdef/" ID,
	 "0123456789abcdef0123456789abcdef/0123456789ab", NULL},
	{"/kubepods/podium/" ID, "0123456789ab", NULL},
	/* one digit less or more, and no digit */
	{"/docker/123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", NULL, NULL},
	{"/docker/0" ID, NULL, NULL},
	{"/docker/g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", NULL, NULL},
	{"/system.slice/" ID ".scope", NULL, NULL},
	{"/machine.slice/machine-qemu\\x2d1\\x2dweb.scope", NULL, "web"},
	{"/machine.slice/machine-qemu\\x2d12\\x2dweb\\x2dfront\\x2d2.scope", NULL, "web-front-2"},
	{"/machine.slice/machine-ch\\x2d3\\x2dcloud.scope", NULL, "cloud"},
	{"/machine.slice/machine-lxc\\x2d7\\x2dold.scope", "old", NULL},
	{"/machine.slice/machine-bookworm.scope", "bookworm", NULL},
	{"/machine.slice/machine-qemu\\x2d1\\x2d.scope", "qemu-1-", NULL},
	{"/machine.slice/machine-qemu\\x2d1\\x2d\\x1b[2J\\xff.scope", NULL, "?[2J?"},
	{"/machine.slice/machine-qemu\\x2d1\\x2da\\x2.scope", NULL, "a\\x2"},
	{"/machine.slice/machine-.scope", NULL, NULL},
	{"/machine.slice/machine-qemu\\x2d1\\x2dweb.scope/libvirt", NULL, NULL},
	{"/machine.slice", NULL, NULL},
};

#define CASES (sizeof(cases) / sizeof(cases[0]))

TEST_LOOP(test_containers_and_vms_are_known_by_their_paths, CASES)
{
	char name[CGROUP_NAME_SIZE];

	ck_assert_int_eq(cgroup_container_name(cases[_i].path, name), cases[_i].container != NULL);
	if (cases[_i].container)
		ck_assert_str_eq(name, cases[_i].container);
	ck_assert_int_eq(cgroup_vm_name(cases[_i].path, name), cases[_i].vm != NULL);
	if (cases[_i].vm)
		ck_assert_str_eq(name, cases[_i].vm);
}
