/* SPDX-License-Identifier: BSD-3-Clause */

#include <sys/stat.h>

#include "linux/run/container.h"
#include "unit.h"

static char name[CONTAINER_NAME_SIZE];

static void assert_named(const char *expected)
{
	ck_assert(linux_container(tree_root(), name));
	ck_assert_str_eq(name, expected);
}

static void write_environment(const char *words, size_t bytes)
{
	tree_bytes("proc/1/environ", 0, words, bytes);
}

TREE_FIXTURE(NULL, NULL)

TEST(test_an_empty_machine_is_no_container)
{
	ck_assert(!linux_container(tree_root(), name));
}

static const struct {
	const char *path, *content, *name;
} files[] = {
	{"run/systemd/container", "lxc\n", "lxc"},
	{"run/host/container-manager", "systemd-nspawn\n", "systemd-nspawn"},
	{"run/.containerenv", "", "podman"},
	{".dockerenv", "", "docker"},
};

TEST_LOOP(test_a_file_of_its_manager_tells_a_container, COUNT_OF(files))
{
	tree_file(files[_i].path, "%s", files[_i].content);
	assert_named(files[_i].name);
}

TEST(test_the_first_process_environment_names_the_manager)
{
	static const char words[] = "PATH=/bin\0container=oci\0HOME=/";

	write_environment(words, sizeof(words));
	tree_file(".dockerenv", "%s", "");
	assert_named("oci");
}

TEST(test_only_a_whole_variable_counts)
{
	static const char words[] = "my_container=oci\0container=\0containers=2";

	write_environment(words, sizeof(words));
	ck_assert(!linux_container(tree_root(), name));
}

TEST(test_podman_comes_before_docker)
{
	tree_file("run/.containerenv", "%s", "");
	tree_file(".dockerenv", "%s", "");
	assert_named("podman");
}

TEST(test_a_pid_namespace_of_its_own_tells_a_container)
{
	tree_link("proc/self/ns/pid", "pid:[4026532471]");
	assert_named("a PID namespace of its own");
	tree_file(".dockerenv", "%s", "");
	assert_named("docker");
}

TEST(test_the_first_pid_namespace_is_no_container)
{
	tree_link("proc/self/ns/pid", "pid:[4026531836]");
	ck_assert(!linux_container(tree_root(), name));
}

TEST(test_a_pipe_in_the_place_of_a_file_is_not_waited_for)
{
	tree_file("proc/1/cmdline", "%s", "");
	ck_assert(!mkfifo(tree_path("proc/1/environ"), 0600));
	ck_assert(!linux_container(tree_root(), name));
}

TEST(test_a_long_name_is_cut)
{
	tree_file("run/systemd/container", "%064d\n", 0);
	ck_assert(linux_container(tree_root(), name));
	ck_assert_uint_eq(strlen(name), CONTAINER_NAME_SIZE - 1);
}
