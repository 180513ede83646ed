/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/process.h"

#include <linux/capability.h>

#include "unit.h"

/* Capabilities of this process, as the kernel shows them. */
static uint64_t effective(void)
{
	char line[256];
	unsigned long long set = 0;
	FILE *status = fopen("/proc/self/status", "re");

	ck_assert_ptr_nonnull(status);
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "CapEff: %llx", &set) == 1)
			break;
	fclose(status);
	return set;
}

TEST(test_each_right_is_what_the_kernel_shows)
{
	const uint64_t set = effective();

	for (unsigned i = 0; i < 64; i++)
		ck_assert_int_eq(linux_capable(i), set >> i & 1);
}

TEST(test_a_number_that_is_no_right_is_not_had)
{
	ck_assert(!linux_capable(64));
	ck_assert(!linux_capable(1000));
	ck_assert(!linux_permitted(64));
	ck_assert(!linux_make_effective(64, true));
}

TEST(test_a_permitted_right_is_made_effective_and_taken_back)
{
	const uint64_t before = effective(), bit = UINT64_C(1) << CAP_NET_RAW;

	if (!(before & bit)) {
		ck_assert(linux_permitted(CAP_NET_RAW) || !linux_make_effective(CAP_NET_RAW, true));
		return;
	}
	ck_assert(!linux_make_effective(CAP_NET_RAW, true));
	ck_assert(linux_make_effective(CAP_NET_RAW, false));
	ck_assert_uint_eq(effective(), before & ~bit);
	ck_assert(linux_permitted(CAP_NET_RAW));
	ck_assert(!linux_make_effective(CAP_NET_RAW, false));
	ck_assert(linux_make_effective(CAP_NET_RAW, true));
	ck_assert_uint_eq(effective(), before);
}
