/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of the event that counts reads of CXL memory, and cases in which none may be set. */
#include "platform/mbm.h"

#include "platform/guard.h"
#include "platform/reg.h"
#include "unit.h"

#define D_TOTAL MBM_TOTAL_DEFAULT
#define D_LOCAL MBM_LOCAL_DEFAULT

static const struct {
	uint32_t total[2], local[2];
	const char *group;
	int rc;
	enum mbm_event event;
	bool set;
	const char *says;
} cases[] = {
	{{D_TOTAL, D_TOTAL}, {D_LOCAL, D_LOCAL}, "", 0, MBM_LOCAL, true, NULL},
	/* an event that already counts them may be read, even if others use it */
	{{D_TOTAL, D_TOTAL}, {0x30, 0x30}, "a", 0, MBM_LOCAL, false, NULL},
	{{0x30, 0x30}, {D_LOCAL, D_LOCAL}, "a", 0, MBM_TOTAL, false, NULL},
	{{0x30, 0x30}, {0x01, 0x02}, "", 0, MBM_TOTAL, false, NULL},
	{{0x30, 0x30}, {0x30, 0x30}, "", 0, MBM_LOCAL, false, NULL},
	/* only if this holds in all caches, and it counts nothing else */
	{{D_TOTAL, D_TOTAL},
	 {0x30, D_LOCAL},
	 "",
	 -EBUSY,
	 0,
	 false,
	 "mbm_local_bytes of L3 cache 7 to 0x30"},
	{{D_TOTAL, D_TOTAL},
	 {0x10, 0x10},
	 "",
	 -EBUSY,
	 0,
	 false,
	 "mbm_local_bytes of L3 cache 7 to 0x10"},
	{{D_TOTAL, 0x7E},
	 {D_LOCAL, D_LOCAL},
	 "",
	 -EBUSY,
	 0,
	 false,
	 "mbm_total_bytes of L3 cache 9 to 0x7e"},
	{{D_TOTAL, MBM_UNKNOWN},
	 {D_LOCAL, D_LOCAL},
	 "",
	 -EBUSY,
	 0,
	 false,
	 "mbm_total_bytes of L3 cache 9"},
	/* another group's counts would be cleared */
	{{D_TOTAL, D_TOTAL},
	 {D_LOCAL, D_LOCAL},
	 "mon_groups/a",
	 -EBUSY,
	 0,
	 false,
	 "another group, mon_groups/a: remove it"},
};

TEST_LOOP(test_an_event_is_set_only_where_nobody_uses_any, COUNT_OF(cases))
{
	struct mbm_cache caches[2] = {{7, {cases[_i].total[0], cases[_i].local[0]}},
				      {9, {cases[_i].total[1], cases[_i].local[1]}}};
	struct mbm mbm = {.caches = caches, .count = 2};
	enum mbm_event event;
	struct error err = {.text = ""};
	bool set;

	strcpy(mbm.group, cases[_i].group);
	ck_assert_int_eq(mbm_choose(&mbm, &event, &set, &err), cases[_i].rc);
	ck_assert_int_eq(set, cases[_i].set);
	if (!cases[_i].rc) {
		ck_assert_int_eq(event, cases[_i].event);
		return;
	}
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	assert_contains(err.text, cases[_i].says);
}

TEST(test_settings_are_registers_with_names)
{
	char name[REG_NAME_SIZE];
	struct reg reg = mbm_register(3, MBM_LOCAL);

	ck_assert_str_eq(reg_name(&reg, name), "mbm_local_bytes of L3 cache 3");
	reg = mbm_register(MBM_EVERY_CACHE, MBM_TOTAL);
	ck_assert_str_eq(reg_name(&reg, name), "mbm_total_bytes of all L3 caches");
}

static int set(struct platform *p, const struct reg *reg, uint64_t setting)
{
	(void)p;
	return reg->cpu == 3 && reg->address == MBM_LOCAL && setting == 0x30 ? 0 : -EIO;
}

TEST(test_a_setting_is_written_only_where_the_guard_allows_it)
{
	static const struct register_ops own_registers = {
		.write = set,
	};

	static const struct platform_ops ops = {
		.registers = &own_registers,
	};
	struct platform p = {.ops = &ops};
	const struct reg reg = mbm_register(3, MBM_LOCAL);
	struct error err;

	ck_assert_int_eq(reg_write(&p, &reg, 0x30, &err), -EACCES);
	ck_assert_int_eq(mbm_allow(&p, &err), 0);
	ck_assert_int_eq(reg_write(&p, &reg, 0x30, &err), 0);
	ck_assert_int_eq(reg_write(&p, &reg, 0x80, &err), -EACCES);
	guard_free(&p.guard);
}
