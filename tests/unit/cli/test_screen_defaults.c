/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/options.h"
#include "unit.h"

static struct screen_defaults defaults;
static struct options o;
static struct error err;

static void set_up(void)
{
	o = (struct options){.session.interval_ns = NS_PER_S, .session.view.groups = "cxl"};
	setenv("XDG_CONFIG_HOME", tree_root(), 1);
}

static int apply(void)
{
	return screen_defaults_apply(&defaults, &o, &err);
}

TREE_FIXTURE(set_up, NULL)

TEST(test_what_was_not_given_is_as_the_user_wants_it)
{
	tree_file("cxlmon/screen", "# mine\n\n interval=0.5\nmetrics = cxl,queue \n"
				   "link-GBps\t=\t50\nunits = GiB");
	ck_assert_msg(!apply(), "%s", err.text);
	ck_assert_uint_eq(o.session.interval_ns, NS_PER_S / 2);
	ck_assert_str_eq(o.session.view.groups, "cxl,queue");
	ck_assert(o.groups_chosen);
	ck_assert_double_eq(o.link_GBps, 50);
	ck_assert(defaults.binary);
}

TEST(test_what_was_given_stays)
{
	tree_file("cxlmon/screen", "interval = 5\nmetrics = queue\nlink-GBps = 50\nunits = GB\n");
	o.interval_text = "1";
	o.groups_chosen = true;
	o.link_GBps = 20;
	ck_assert_int_eq(apply(), 0);
	ck_assert_uint_eq(o.session.interval_ns, NS_PER_S);
	ck_assert_str_eq(o.session.view.groups, "cxl");
	ck_assert_double_eq(o.link_GBps, 20);
	ck_assert(!defaults.binary);
}

TEST(test_without_a_file_nothing_changes)
{
	ck_assert_int_eq(apply(), 0);
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", "relative", 1);
	ck_assert_int_eq(apply(), 0);
	unsetenv("HOME");
	ck_assert_int_eq(apply(), 0);
	ck_assert_str_eq(o.session.view.groups, "cxl");
}

TEST(test_home_has_it_in_config)
{
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", tree_root(), 1);
	tree_file(".config/cxlmon/screen", "interval = 2");
	ck_assert_int_eq(apply(), 0);
	ck_assert_uint_eq(o.session.interval_ns, 2 * NS_PER_S);
}

static const struct {
	const char *text, *message;
} wrong[] = {
	{"\noutput = /etc/passwd", ", line 2: expected interval, metrics, link-GBps or units"},
	{"interval", ", line 1: "},
	{"interval = soon", "soon"},
	{"metrics = nosuch", "'nosuch' is not a metric group"},
	{"link-GBps = -1", "expected GB/s from 0.001 to 10000"},
	{"units = furlongs", "expected units = GB or GiB"},
};

TEST_LOOP(test_other_lines_are_refused, COUNT_OF(wrong))
{
	tree_file("cxlmon/screen", "%s", wrong[_i].text);
	ck_assert_int_ne(apply(), 0);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	assert_contains(err.text, wrong[_i].message);
	assert_contains(err.text, "/cxlmon/screen");
}

/* The message does not show the contents of these files. */
ROOT_TEST(test_files_of_others_links_and_large_ones_are_refused)
{
	const char *path = tree_path("cxlmon/screen");
	tree_file("secret", "root:hash");
	tree_link("cxlmon/screen", "../secret");
	ck_assert_int_eq(apply(), -EINVAL);
	assert_lacks(err.text, "hash");
	unlink(path);
	tree_file("cxlmon/screen", "%02000d", 0);
	ck_assert_int_eq(apply(), -EINVAL);
	assert_contains(err.text, "too large");
	tree_file("cxlmon/screen", "secret");
	truncate(path, 6);
	chmod(path, 0666);
	ck_assert_int_eq(apply(), -EINVAL);
	assert_lacks(err.text, "secret'");
	assert_contains(err.text, "no other can write");
	chmod(path, 0600);
	ck_assert_int_eq(chown(path, 1000, 0), 0);
	ck_assert_int_eq(apply(), -EINVAL);
	assert_contains(err.text, "belongs to this user");
	/* HOME that some systems keep when sudo runs */
	tree_file("cxlmon/screen", "units = GiB");
	truncate(path, 11);
	setenv("SUDO_UID", "1000", 1);
	setenv("SUDO_GID", "1000", 1);
	ck_assert_int_eq(apply(), 0);
	setenv("SUDO_UID", "1001", 1);
	ck_assert_int_eq(apply(), -EINVAL);
}
