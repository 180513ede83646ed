/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/process.h"

#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>

#include "suites.h"
#include "support.h"

/* What the kernel shows of this very process. */
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

START_TEST(test_each_right_is_what_the_kernel_shows)
{
	const uint64_t set = effective();

	for (unsigned i = 0; i < 64; i++)
		ck_assert_int_eq(linux_capable(i), set >> i & 1);
}
END_TEST

START_TEST(test_a_number_that_is_no_right_is_not_had)
{
	ck_assert(!linux_capable(64));
	ck_assert(!linux_capable(1000));
	ck_assert(!linux_permitted(64));
	ck_assert(!linux_make_effective(64, true));
}
END_TEST

START_TEST(test_a_permitted_right_is_made_effective_and_taken_back)
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
END_TEST

Suite *suite_capable(void)
{
	Suite *suite = suite_create("capable");
	TCase *tc = tcase_create("capable");

	tcase_add_test(tc, test_each_right_is_what_the_kernel_shows);
	tcase_add_test(tc, test_a_number_that_is_no_right_is_not_had);
	tcase_add_test(tc, test_a_permitted_right_is_made_effective_and_taken_back);
	suite_add_tcase(suite, tc);
	return suite;
}
