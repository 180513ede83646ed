/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated Diamond Rapids, register by register. */

#include "platform/cpus.h"
#include "platform/guard.h"
#include "sim_registers.h"
#include "unit.h"

#define SPEC "dmr,sockets=2,cpus=4,dies=2,read=6.4,write=3.2,clock=virtual"

/* For table t of socket s: 0 and 1 are the IMHs, then the CBBs. */
#define TABLE(s, t)   (UINT64_C(0x2000000000) + (s)*UINT64_C(0x10000000) + (t)*UINT64_C(0x1000000))
#define CONTROL(s, t) (TABLE(s, t) + UINT64_C(0x800000))
#define UNIT(s, t, n) (CONTROL(s, t) + UINT64_C(0x1000) * (1 + (n)))
#define CXLCM(s, t)   UNIT(s, t, 2) /* after two iMCs */
#define CBO(s, t, n)  UNIT(s, t, n)

#define COUNTER_CONTROL(i)  (0x20 + 8 * (uint64_t)(i))
#define CXLCM_COUNTER(i)    (0x60 + 8 * (uint64_t)(i))
#define CBO_COUNTER(i)	    (0x40 + 8 * (uint64_t)(i))
#define PORTS		    (UINT64_C(1) << 32)
#define LINES_READ_A_SECOND 100000000
#define LINES_SENT_A_SECOND 50000000

static struct platform *p;

static void set_up(void)
{
	p = sim_make(SPEC);
}

FIXTURE(set_up, NULL)

TEST(test_cpuid_says_family_19_model_1)
{
	uint32_t regs[4];

	ck_assert_int_eq(p->ops->cpus->cpuid(p, 0, 1, 0, regs, NULL), 0);
	ck_assert_uint_eq(regs[0] >> 8 & 0xf, 0xf);
	ck_assert_uint_eq(regs[0] >> 20 & 0xff, 4);
	ck_assert_uint_eq(regs[0] >> 4 & 0xf, 1);
	ck_assert_uint_eq(regs[0] >> 16 & 0xf, 0);
}

TEST(test_each_cpu_points_to_the_table_of_its_die)
{
	static const unsigned dies[] = {0, 0, 1, 1};
	struct topology topology;

	ck_assert_int_eq(p->ops->cpus->topology(p, &topology, NULL), 0);
	for (unsigned cpu = 0; cpu < 8; cpu++) {
		ck_assert_int_eq(topology.cpus[cpu].die, dies[cpu % 4]);
		ck_assert_uint_eq(msr_peek(p, cpu, 0x710), TABLE(cpu / 4, 2 + dies[cpu % 4]));
		ck_assert_int_eq(raw_msr_write(p, cpu, 0x710, 0), -EIO);
	}
	topology_free(&topology);
}

TEST(test_no_other_processor_has_that_msr)
{
	struct platform *other = sim_make("gnr,clock=virtual");
	uint64_t value;

	ck_assert_int_eq(raw_msr_read(other, 0, 0x710, &value), -EIO);
}

TEST(test_a_cxlcm_counts_what_its_port_moves_while_a_port_is_enabled)
{
	memory_poke(p, CXLCM(0, 0) + COUNTER_CONTROL(0), 8, PORTS | 0x0201);
	memory_poke(p, CXLCM(0, 0) + COUNTER_CONTROL(1), 8, 0x0201);	     /* without a port */
	memory_poke(p, CXLCM(0, 0) + COUNTER_CONTROL(2), 8, PORTS | 0x0041); /* not on counter 2 */
	memory_poke(p, CXLCM(0, 0) + COUNTER_CONTROL(4), 8, PORTS << 3 | 0x0041);
	memory_poke(p, CXLCM(0, 0) + COUNTER_CONTROL(5), 8, PORTS | 0x0024); /* not on counter 5 */
	pass_time(p, SECOND);
	ck_assert_uint_eq(memory_peek(p, CXLCM(0, 0) + CXLCM_COUNTER(0), 8), LINES_SENT_A_SECOND);
	ck_assert_uint_eq(memory_peek(p, CXLCM(0, 0) + CXLCM_COUNTER(1), 8), 0);
	ck_assert_uint_eq(memory_peek(p, CXLCM(0, 0) + CXLCM_COUNTER(2), 8), 0);
	ck_assert_uint_eq(memory_peek(p, CXLCM(0, 0) + CXLCM_COUNTER(4), 8), LINES_READ_A_SECOND);
	ck_assert_uint_eq(memory_peek(p, CXLCM(0, 0) + CXLCM_COUNTER(5), 8), 0);
}

TEST(test_reserved_bits_of_a_cxlcm_s_control_do_not_stay)
{
	memory_poke(p, CXLCM(0, 1) + COUNTER_CONTROL(0), 8, UINT64_MAX);
	ck_assert_uint_eq(memory_peek(p, CXLCM(0, 1) + COUNTER_CONTROL(0), 8),
			  UINT64_C(0xFFFB5FFFF));
}

TEST(test_imhs_run_from_power_on_and_cbos_once_their_table_is_unfrozen)
{
	ck_assert_uint_eq(memory_peek(p, CONTROL(0, 0), 4), 0);
	ck_assert_uint_eq(memory_peek(p, CONTROL(1, 1), 4), 0);
	memory_poke(p, CBO(1, 2, 0) + COUNTER_CONTROL(0), 8, 0x11);
	memory_poke(p, CBO(1, 3, 0) + COUNTER_CONTROL(0), 8, 0x11);
	ck_assert_uint_eq(memory_peek(p, CONTROL(1, 2), 4), 1);
	pass_time(p, SECOND);
	ck_assert_uint_eq(memory_peek(p, CBO(1, 2, 0) + CBO_COUNTER(0), 8), 0);
	memory_poke(p, CONTROL(1, 2), 4, 0);
	ck_assert_uint_eq(memory_peek(p, CBO(1, 2, 0) + CBO_COUNTER(0), 8), 0);
	pass_time(p, SECOND);
	/* two ports' reads by eight CBOs */
	ck_assert_uint_eq(memory_peek(p, CBO(1, 2, 0) + CBO_COUNTER(0), 8),
			  LINES_READ_A_SECOND / 4);
	ck_assert_uint_eq(memory_peek(p, CBO(1, 3, 0) + CBO_COUNTER(0), 8), 0);
	memory_poke(p, CONTROL(1, 2), 4, 1);
	pass_time(p, SECOND);
	ck_assert_uint_eq(memory_peek(p, CBO(1, 2, 0) + CBO_COUNTER(0), 8),
			  LINES_READ_A_SECOND / 4);
}

TEST(test_a_suspension_freezes_cbos_again)
{
	memory_poke(p, CONTROL(0, 2), 4, 0);
	sim_suspend(sim_of(p), SECOND);
	ck_assert_uint_eq(memory_peek(p, CONTROL(0, 2), 4), 1);
	ck_assert_uint_eq(memory_peek(p, CONTROL(0, 0), 4), 0);
	ck_assert_uint_eq(msr_peek(p, 0, 0x710), TABLE(0, 2));
}

TEST(test_unfreezing_is_part_of_the_state)
{
	const uint64_t before = sim_state_hash(sim_of(p));

	memory_poke(p, CONTROL(0, 2), 4, 0);
	ck_assert_uint_ne(sim_state_hash(sim_of(p)), before);
	memory_poke(p, CONTROL(0, 2), 4, 1);
	ck_assert_uint_eq(sim_state_hash(sim_of(p)), before);
}

struct visited {
	uint64_t address;
	size_t count;
};

static void visit(void *context, const struct reg *reg, enum sim_register kind)
{
	struct visited *v = context;

	v->count +=
		reg->space == REG_MMIO && reg->address == v->address && kind == SIM_UNIT_CONTROL;
}

TEST(test_tables_controls_are_published)
{
	struct visited v = {.address = CONTROL(1, 3)};

	sim_for_each_register(sim_of(p), visit, &v);
	ck_assert_uint_eq(v.count, 1);
}
