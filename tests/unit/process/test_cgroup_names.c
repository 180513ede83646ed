/* SPDX-License-Identifier: BSD-3-Clause */

#include "process/cgroup_names.h"
#include "unit.h"

#define ID   "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UUID "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
#define UID_ "3f2504e0_4f89_11d3_9a0c_0305e82c3301"
#define PODS "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod"
#define USER "/user.slice/user-1000.slice/user@1000.service"

static const struct {
	const char *path;
	const char *container, *vm; /* NULL: none */
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
	/* a static pod */
	{"/kubepods/pod0123456789abcdef0123456789abcdef/" ID,
	 "0123456789abcdef0123456789abcdef/0123456789ab", NULL},
	{"/kubepods/podium/" ID, "0123456789ab", NULL},
	/* ids with a digit less, a digit more, or a letter that is not a digit */
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
	{"/machine.slice/machine-lxc\\x2d7.scope", "lxc-7", NULL},
	{"/machine.slice/machine-qemu\\x2d1\\x2d\\x1b[2J\\xff.scope", NULL, "?[2J?"},
	{"/machine.slice/machine-qemu\\x2d1\\x2da\\x2.scope", NULL, "a\\x2"},
	{"/machine.slice/machine-.scope", NULL, NULL},
	{"/machine.slice/machine-qemu\\x2d1\\x2dweb.scope/libvirt", NULL, NULL},
	{"/machine.slice", NULL, NULL},
	/* Docker: rootless; in a pod of cri-dockerd; systemd's names given to cgroupfs */
	{USER "/user.slice/docker-" ID ".scope", "0123456789ab", NULL},
	{PODS UID_ ".slice/docker-" ID ".scope", UUID "/0123456789ab", NULL},
	{"/system.slice/system.slice:docker:" ID, "0123456789ab", NULL},
	{"/ecs/0123456789abcdef0123456789abcdef/" ID, "0123456789ab", NULL},
	{"/docker", NULL, NULL},
	/*
	 * Podman: rootless; Quadlet and --cgroups=split; in a pod; cgroupfs, whose pods also are
	 * cgroups of 64 digits
	 */
	{USER "/user.slice/libpod-" ID ".scope", "0123456789ab", NULL},
	{"/system.slice/web.service/libpod-payload-" ID, "0123456789ab", NULL},
	{"/system.slice/web.service/libpod-payload-" ID "/container", NULL, NULL},
	{"/system.slice/web.service/runtime", NULL, NULL},
	{"/system.slice/web.service", NULL, NULL},
	{USER "/app.slice/web.service/libpod-payload-" ID, "0123456789ab", NULL},
	{"/machine.slice/machine-libpod_pod_" ID ".slice/libpod-" ID ".scope", "0123456789ab",
	 NULL},
	{"/machine.slice/machine-libpod_pod_" ID ".slice", NULL, NULL},
	{"/libpod_parent/libpod-" ID, "0123456789ab", NULL},
	{"/libpod_parent/" ID, NULL, NULL},
	{"/libpod_parent/" ID "/libpod-" ID, "0123456789ab", NULL},
	{"/libpod_parent/conmon", NULL, NULL},
	{"/libpod_parent", NULL, NULL},
	/* containerd: by nerdctl; systemd's names given to cgroupfs; CRI-O by cgroupfs; Kata */
	{"/system.slice/nerdctl-" ID ".scope", "0123456789ab", NULL},
	{USER "/user.slice/nerdctl-" ID ".scope", "0123456789ab", NULL},
	{"/default/" ID, "0123456789ab", NULL},
	{"/system.slice/containerd.service/kubepods-burstable-pod" UID_ ".slice:cri-containerd:" ID,
	 UUID "/0123456789ab", NULL},
	{"/kubepods-pod" UID_ ".slice:cri-containerd:" ID, UUID "/0123456789ab", NULL},
	{"/kubepods/burstable/pod" UUID "/crio-" ID, UUID "/0123456789ab", NULL},
	{"/kubepods/burstable/pod" UUID "/crio-conmon-" ID, NULL, NULL},
	{"/kubepods/pod" UUID "/kata_" ID, UUID "/0123456789ab", NULL},
	{"/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" UID_
	 ".slice/cri-containerd-" ID ".scope",
	 UUID "/0123456789ab", NULL},
	/* systemd-nspawn, by machinectl start, and of a user's manager; systemd-vmspawn */
	{"/machine.slice/systemd-nspawn@web.service", "web", NULL},
	{"/machine.slice/systemd-nspawn@web\\x2dfront.service", "web-front", NULL},
	{"/machine.slice/systemd-nspawn@web.service/payload", NULL, NULL},
	{"/machine.slice/systemd-nspawn@web.service/supervisor", NULL, NULL},
	{USER "/machine.slice/systemd-nspawn@web.service", "web", NULL},
	{"/machine.slice/systemd-nspawn@.service", NULL, NULL},
	{"/machine.slice/systemd-vmspawn@web.service", NULL, "web"},
	/* LXC, LXD, Incus: 4.0, 3.1, before; Proxmox VE */
	{"/lxc.payload.web", "web", NULL},
	{"/lxc.payload.project_web", "project_web", NULL},
	{"/lxc.payload.web/system.slice", NULL, NULL},
	{"/lxc.monitor.web", NULL, NULL},
	{"/lxc.pivot", NULL, NULL},
	{USER "/app.slice/run.scope/lxc.payload.web", "web", NULL},
	{"/lxc.payload.", NULL, NULL},
	{"/lxc.payload/web", "web", NULL},
	{"/lxc.payload", NULL, NULL},
	{"/lxc.monitor/web", NULL, NULL},
	{"/lxc/web", "web", NULL},
	{"/lxc/100/ns", NULL, NULL},
	{"/lxc", NULL, NULL},
	{"/lxcfs.service/web", NULL, NULL},
	{"/qemu.slice/100.scope", NULL, "100"},
	{"/qemu.slice", NULL, NULL},
	/* libvirt without systemd-machined */
	{"/machine/qemu-1-web.libvirt-qemu", NULL, "web"},
	{"/machine/production.partition/qemu-12-web-2.libvirt-qemu", NULL, "web-2"},
	{"/machine/qemu-1-web.libvirt-qemu/emulator", NULL, NULL},
	{"/machine/ch-2-cloud.libvirt-ch", NULL, "cloud"},
	{"/machine/lxc-3-old.libvirt-lxc", "old", NULL},
	{"/machine/web.libvirt-qemu", NULL, "web"},
	{"/machine/old.libvirt-lxc", "old", NULL},
	{"/machine/.libvirt-qemu", NULL, NULL},
	{"/machine/production.partition", NULL, NULL},
	/* Firecracker's jailer */
	{"/firecracker/551e7604-e35c-42b3-b825-416853441234", NULL,
	 "551e7604-e35c-42b3-b825-416853441234"},
	{"/firecracker", NULL, NULL},
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

TEST(test_the_outermost_cgroup_with_a_name_gives_it)
{
	char name[CGROUP_NAME_SIZE];

	ck_assert(cgroup_outermost_name("/lxc.payload.web/lxc.payload.inner/x",
					cgroup_container_name, name));
	ck_assert_str_eq(name, "web");
	ck_assert(!cgroup_outermost_name("/system.slice", cgroup_container_name, name));
	ck_assert(!cgroup_outermost_name("", cgroup_container_name, name));
}

TEST(test_a_cgroup_is_given_by_its_directory_or_its_path)
{
	static const struct {
		const char *given, *path;
	} dirs[] = {{"/sys/fs/cgroup/a.slice/b", "/a.slice/b"},
		    {"/tmp/root/sys/fs/cgroup/memory/a/", "/a"},
		    {"/sys/fs/cgroup/unified", ""},
		    {"/sys/fs/cgroup/", ""},
		    {"/a/b", "/a/b"},
		    {"a.slice", "/a.slice"},
		    {"/", ""}};
	char path[64];

	for (size_t i = 0; i < COUNT_OF(dirs); i++) {
		cgroup_path_of(dirs[i].given, path, sizeof(path));
		ck_assert_str_eq(path, dirs[i].path);
	}
	ck_assert(cgroup_contains("/a", "/a") && cgroup_contains("/a", "/a/b"));
	ck_assert(!cgroup_contains("/a", "/ab") && !cgroup_contains("/a", "/"));
	ck_assert(cgroup_contains("", "/a") && cgroup_contains("/", "/a"));
}
