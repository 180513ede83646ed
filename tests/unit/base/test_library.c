/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/library.h"

#include "unit.h"

static const struct {
	const char *os_release, *debian, *command;
} systems[] = {
	{"ID=debian\n", "libncursesw6", "sudo apt install libncursesw6"},
	{"ID=debian\n", "some-other1", "sudo apt install some-other1"},
	{"NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian\n", "libmicrohttpd12",
	 "sudo apt install libmicrohttpd12"},
	{"ID=fedora\n", "libncursesw6", "sudo dnf install ncurses-libs"},
	{"ID=fedora\n", "libelf1", "sudo dnf install elfutils-libelf"},
	{"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "libmicrohttpd12",
	 "sudo dnf install libmicrohttpd"},
	{"ID=\"sles\"\nID_LIKE=\"suse\"\n", "libncursesw6", "sudo zypper install libncurses6"},
	{"ID=arch\n", "libncursesw6", "sudo pacman -S ncurses"},
	{"ID=alpine\n", "libncursesw6", "sudo apk add libncursesw"},
	{"ID=fedora\n", "some-other1", ""}, /* package without a known name there */
	{"ID=inhouse\n", "libncursesw6", ""},
	{"ID=notdebian\n", "libncursesw6", ""},
	{"", "libncursesw6", ""},
	{"ID=0123456789012345678901234567890123456789012345678901234567890123456789"
	 "012345678901234567890123456789012345678901234567890123456789\nID_LIKE=debian\n"
	 "ID=0123456789012345678901234567890123456789012345678901234567890123456789\n",
	 "libncursesw6", "sudo apt install libncursesw6"},
};

TREE_FIXTURE(NULL, NULL)

TEST_LOOP(test_a_package_is_installed_as_this_system_does, COUNT_OF(systems))
{
	char command[ERROR_COMMAND_SIZE];

	tree_file("etc/os-release", "%s", systems[_i].os_release);
	ck_assert_str_eq(package_command(tree_root(), systems[_i].debian, command),
			 systems[_i].command);
}

TEST(test_no_system_is_known_without_os_release)
{
	char command[ERROR_COMMAND_SIZE];

	ck_assert_str_eq(package_command(tree_root(), "libncursesw6", command), "");
}
