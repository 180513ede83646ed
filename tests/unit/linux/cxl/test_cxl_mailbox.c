/* SPDX-License-Identifier: BSD-3-Clause */

#include <unistd.h>

#include "linux/cxl/cxl_mailbox.h"
#include "platform/device_health.h"
#include "unit.h"

TREE_FIXTURE(NULL, NULL)

TEST(test_a_device_without_a_mailbox_is_gone)
{
	ck_assert_int_eq(cxl_mailbox_open(tree_root(), "mem0"), -ENOENT);
	assert_contains(cxl_mailbox_reason(-ENOENT), "no mailbox in /dev/cxl");
}

TEST(test_what_is_no_mailbox_tells_nothing)
{
	struct device_health health;

	tree_file("dev/cxl/mem0", "%s", "no device");
	const int fd = cxl_mailbox_open(tree_root(), "mem0");
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(cxl_mailbox_health(fd, &health), -ENOTTY);
	close(fd);
	assert_contains(cxl_mailbox_reason(-ENOTTY), "does not report");
}

static const struct {
	int code;
	const char *reason;
} reasons[] = {
	{-EBUSY, "only the kernel"}, {-EREMOTEIO, "refused"},
	{-EBADMSG, "wrong size"},    {-ENXIO, "gone"},
	{-EACCES, "root"},	     {-ETIMEDOUT, "does not answer"},
	{-EIO, "Input/output"},
};

TEST_LOOP(test_each_error_has_a_reason, (int)COUNT_OF(reasons))
{
	assert_contains(cxl_mailbox_reason(reasons[_i].code), reasons[_i].reason);
}
