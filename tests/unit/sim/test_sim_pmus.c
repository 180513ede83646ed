/* SPDX-License-Identifier: BSD-3-Clause */
/* PMUs of a simulated machine's kernel: their names, CPUs and formats. */
#include "platform/perf.h"

#include "sim_events.h"
#include "sim_registers.h"
#include "unit.h"

#define SPEC "spr,sockets=2,clock=virtual"

static struct platform *p;

static bool shows(const char *spec, const char *name)
{
	struct platform *machine = sim_make(spec);
	struct perf_pmus pmus = sim_events_pmus(machine);
	const bool shown = perf_find_pmu(&pmus, name);

	perf_pmus_free(&pmus);
	return shown;
}

static const struct {
	const char *spec, *name;
	bool shown;
} names[] = {
	{"spr", "uncore_cha_0", true},
	{"spr", "uncore_cha_7", true},
	{"spr", "uncore_cha_8", false},
	{"spr", "uncore_cxlcm_2", true},
	{"spr", "uncore_cxldp_5", true},
	{"spr", "uncore_cxlcm_3", false},
	{"spr", "uncore_m2m_3", true},
	{"spr", "uncore_upi_2", true}, /* its records are wrong, but it is a PCI function */
	{"gnr", "uncore_upi_5", true},
	{"gnr-d", "uncore_cha_0", true},
	{"spr", "uncore_hbm_0", false},
	{"spr,hbms=2", "uncore_hbm_0", true},
	{"spr,ports=1", "uncore_cxlcm", true}, /* the only unit of a type has no number */
	{"spr,ports=1,sockets=2", "uncore_cxlcm", true},
	{"spr", "uncore_pcu", true},
	{"spr", "uncore_type_5", true}, /* UBOX has no name there */
	{"gnr", "uncore_ubox", true},
	{"gnr", "uncore_b2cmi_0", true},
	{"gnr", "uncore_mdf_sbo_1", true},
	{"dmr", "uncore_cxlcm_0", true},
	{"dmr", "uncore_cxlcm_32768", true},
	{"dmr", "uncore_cbo_0", true},
	/* CXL units on older kernels */
	{"spr,kernel=6.10", "uncore_cxlcm_2", false},
	{"spr,kernel=6.10", "uncore_type_12_2", true},
	{"spr,kernel=6.10", "uncore_type_13_3", true},
	{"spr,kernel=6.10", "uncore_imc_0", true},
	{"spr,kernel=6.11", "uncore_cxlcm_2", true},
	{"spr,kernel=6.11", "uncore_type_12_2", false},
	{"emr,kernel=6.12", "uncore_cxldp_3", true},
	{"gnr,kernel=6.11", "uncore_type_12_2", true},
	{"gnr,kernel=6.11", "uncore_cha_0", true},
	{"gnr,kernel=6.12.117", "uncore_cxlcm_2", true}, /* Debian's */
	{"srf,kernel=6.12", "uncore_cxlcm_2", true},
	{"cwf,kernel=6.12", "uncore_cxlcm_2", true},
	{"gnr,kernel=6.13", "uncore_cxlcm_2", false},
	{"gnr,kernel=6.14", "uncore_cxlcm_2", true},
	/* no type had a name before the kernel knew the processor */
	{"gnr,kernel=6.1", "uncore_type_0_0", true},
	{"gnr,kernel=6.1", "uncore_cha_0", false},
	{"spr,kernel=6.1", "uncore_cha_0", true},
	{"dmr,kernel=6.12", "uncore_type_24_0", true},
	{"dmr,kernel=6.12", "uncore_type_31_0", false}, /* its table is found by an MSR */
	{"turin", "amd_df", true},
	{"turin", "amd_l3", true},
	{"turin", "amd_umc_0", true},
	{"turin", "amd_umc_3", true},
	{"turin", "amd_umc_4", false},
	{"genoa,sockets=2", "amd_umc_7", true},
	{"venice", "cpu", true},
	{"venice", "msr", true},
	{"genoa,kernel=6.6", "amd_umc_0", false},
	{"genoa,kernel=6.6", "amd_df", true},
	{"genoa,kernel=6.7", "amd_umc_0", true},
	{"vera", "nvidia_ucf_pmu_0", true},
	{"vera", "nvidia_ucf_pmu_1", false},
	{"vera,sockets=2", "nvidia_ucf_pmu_1", true},
	{"vera", "nvidia_cmem_latency_pmu_0", true},
	{"vera", "nvidia_nvdlink_pmu_0", true},
	{"vera,ports=3", "nvidia_pcie_tgt_pmu_0_rc_2", true},
	{"vera,ports=3", "nvidia_pcie_tgt_pmu_0_rc_3", false},
	{"vera,sockets=2", "nvidia_pcie_tgt_pmu_1_rc_1", true},
	{"vera,kernel=6.14", "nvidia_t410_cpu_mem_pmu_0", true},
	{"vera,kernel=6.14", "nvidia_cmem_latency_pmu_0", false},
	{"vera,kernel=6.14", "nvidia_pcie_tgt_pmu_0_chiplet_1", true},
	{"vera,kernel=6.14", "nvidia_pcie_tgt_pmu_0_rc_1", false},
	{"vera", "cpu", false},
	{"vera", "msr", false},
};

TEST_LOOP(test_pmus_are_named_as_the_kernel_of_that_version_names_them, COUNT_OF(names))
{
	ck_assert_msg(shows(names[_i].spec, names[_i].name) == names[_i].shown, "%s: %s",
		      names[_i].spec, names[_i].name);
}

TEST(test_pmus_are_sorted_and_have_types_of_their_own)
{
	struct perf_pmus pmus;

	p = sim_make(SPEC);
	pmus = sim_events_pmus(p);
	for (size_t i = 0; i < pmus.count; i++) {
		ck_assert(!i || strcmp(pmus.items[i - 1].name, pmus.items[i].name) < 0);
		ck_assert(pmus.items[i].type > 6 || !strcmp(pmus.items[i].name, "cpu"));
		for (size_t k = 0; k < i; k++)
			ck_assert_uint_ne(pmus.items[i].type, pmus.items[k].type);
	}
	ck_assert_uint_eq(perf_find_pmu(&pmus, "cpu")->type, 4);
	ck_assert_uint_eq(perf_find_pmu(&pmus, "cpu")->cpu_count, 0);
	ck_assert_uint_eq(perf_find_pmu(&pmus, "msr")->cpu_count, 0);
	perf_pmus_free(&pmus);
}

TEST(test_cpumask_has_the_first_cpu_online_of_each_socket)
{
	p = sim_make(SPEC);
	sim_events_assert_cpus(p, "uncore_cha_0", (const unsigned[]){0, 8}, 2);
	sim_set_cpu_online(sim_of(p), 0, false);
	sim_events_assert_cpus(p, "uncore_cha_0", (const unsigned[]){1, 8}, 2);
	sim_set_cpu_online(sim_of(p), 0, true);
	sim_events_assert_cpus(p, "uncore_cha_0", (const unsigned[]){0, 8}, 2);
}

TEST(test_a_die_without_a_cpu_online_is_not_counted)
{
	p = sim_make("gnr,sockets=2,dies=2,clock=virtual");
	for (unsigned cpu = 4; cpu < 8; cpu++)
		sim_set_cpu_online(sim_of(p), cpu, false);
	sim_events_assert_cpus(p, "uncore_cha_4", (const unsigned[]){12}, 1);
	for (unsigned cpu = 12; cpu < 16; cpu++)
		sim_set_cpu_online(sim_of(p), cpu, false);
	struct perf_pmus pmus = sim_events_pmus(p);
	ck_assert_ptr_null(perf_find_pmu(&pmus, "uncore_cha_4"));
	perf_pmus_free(&pmus);
}

static const struct {
	const char *spec, *name;
	unsigned cpus[4];
	size_t count;
} cpumasks[] = {
	{"gnr,sockets=2,dies=2", "uncore_cha_0", {0, 8}, 2},
	{"gnr,sockets=2,dies=2", "uncore_cha_4", {4, 12}, 2},
	{"gnr,sockets=2,dies=2", "uncore_cxlcm", {0, 4, 8, 12}, 4},
	/* dies without a CPU are counted on the first die of the socket, as are those of IO */
	{"gnr,cpus=2,dies=3,imcs=3", "uncore_imc_1", {1}, 1},
	{"gnr,cpus=2,dies=3,imcs=3", "uncore_imc_2", {0}, 1},
	{"dmr,sockets=2,cpus=4,dies=2", "uncore_cxlcm_0", {0, 4}, 2},
	{"dmr,sockets=2,cpus=4,dies=2", "uncore_cxlcm_32768", {0, 4}, 2},
	{"dmr,sockets=2,cpus=4,dies=2", "uncore_cbo_0", {0, 2, 4, 6}, 4},
	{"turin,sockets=2", "amd_df", {0, 8}, 2},
	{"turin,sockets=2", "amd_l3", {0, 4, 8, 12}, 4},
	{"turin,sockets=2", "amd_umc_3", {0}, 1},
	{"turin,sockets=2", "amd_umc_4", {8}, 1},
};

TEST_LOOP(test_cpumask_has_a_cpu_of_each_socket_die_or_cache, COUNT_OF(cpumasks))
{
	p = sim_make(cpumasks[_i].spec);
	sim_events_assert_cpus(p, cpumasks[_i].name, cpumasks[_i].cpus, cpumasks[_i].count);
}

TEST(test_cpumask_of_an_l3_cache_has_its_first_cpu_online)
{
	p = sim_make("turin,sockets=2,clock=virtual");
	sim_set_cpu_online(sim_of(p), 0, false);
	sim_events_assert_cpus(p, "amd_df", (const unsigned[]){1, 8}, 2);
	for (unsigned cpu = 4; cpu < 8; cpu++)
		sim_set_cpu_online(sim_of(p), cpu, false);
	sim_events_assert_cpus(p, "amd_l3", (const unsigned[]){1, 8, 12}, 3);
}

#define BITS(first, last) (UINT64_MAX >> (63 - (last)) & UINT64_MAX << (first))

static const struct {
	const char *spec, *name, *field;
	unsigned word;
	uint64_t bits; /* 0: no such field */
} formats[] = {
	{"spr", "uncore_cha_0", "event", 0, BITS(0, 7)},
	{"spr", "uncore_cha_0", "umask", 0, BITS(8, 15) | BITS(32, 63)},
	{"spr,kernel=6.1", "uncore_cha_0", "umask", 0, BITS(8, 15) | BITS(32, 55)},
	{"spr", "uncore_cha_0", "tid_en", 0, BITS(16, 16)},
	{"spr", "uncore_cha_0", "filter_tid", 1, BITS(0, 9)},
	{"spr", "uncore_cha_0", "edge", 0, BITS(18, 18)},
	{"spr", "uncore_cha_0", "inv", 0, BITS(23, 23)},
	{"spr", "uncore_cha_0", "thresh", 0, BITS(24, 31)},
	{"spr", "uncore_cxlcm_2", "umask", 0, BITS(8, 15) | BITS(32, 55)},
	{"spr", "uncore_cxlcm_2", "tid_en", 0, 0},
	{"spr", "uncore_imc_0", "umask", 0, BITS(8, 15) | BITS(32, 55)},
	{"gnr", "uncore_imc_0", "umask", 0, BITS(8, 15) | BITS(32, 55)},
	{"spr,hbms=2", "uncore_hbm_0", "umask", 0, BITS(8, 15) | BITS(32, 55)},
	{"spr", "uncore_pcu", "umask", 0, BITS(8, 15)},
	{"gnr", "uncore_pcu", "umask", 0, BITS(8, 15)},
	{"gnr", "uncore_ubox", "umask", 0, BITS(8, 15)},
	{"gnr", "uncore_mdf_sbo_0", "umask", 0, BITS(8, 15)},
	{"spr", "uncore_mdf_0", "umask", 0, BITS(8, 15) | BITS(32, 55)},
	{"spr", "uncore_iio_0", "ch_mask", 0, BITS(36, 47)},
	{"spr,kernel=6.1", "uncore_type_12_2", "umask", 0, BITS(8, 15)},
	{"gnr,kernel=6.1", "uncore_type_0_0", "umask", 0, BITS(8, 15)},
	{"dmr", "uncore_cxlcm_0", "thresh", 0, BITS(23, 31)},
	{"dmr", "uncore_cxlcm_0", "inv", 0, BITS(21, 21)},
	{"dmr", "uncore_cxlcm_0", "port_en", 0, BITS(32, 35)},
	{"dmr", "uncore_pcie4_0", "thresh", 0, BITS(24, 31)},
	{"dmr", "uncore_pcie4_0", "thresh_ext", 0, BITS(32, 35)},
	{"dmr", "uncore_pcie4_0", "vc_sel", 0, BITS(40, 47)},
	{"dmr", "uncore_cbo_0", "umask", 0, BITS(8, 15) | BITS(32, 63)},
	{"spr", "cpu", "event", 0, BITS(0, 7)},
	{"spr", "cpu", "cmask", 0, BITS(24, 31)},
	{"spr", "cpu", "offcore_rsp", 1, BITS(0, 63)},
	{"spr", "msr", "event", 0, BITS(0, 63)},
	{"turin,sockets=2", "amd_df", "event", 0, BITS(0, 7) | BITS(32, 37)},
	{"turin,sockets=2", "amd_df", "umask", 0, BITS(8, 15) | BITS(24, 27)},
	{"turin,sockets=2", "amd_df", "edge", 0, 0},
	{"turin,sockets=2", "amd_l3", "event", 0, BITS(0, 7)},
	{"turin,sockets=2", "amd_l3", "umask", 0, BITS(8, 15)},
	{"turin,sockets=2", "amd_l3", "coreid", 0, BITS(42, 44)},
	{"turin,sockets=2", "amd_l3", "enallslices", 0, BITS(46, 46)},
	{"turin,sockets=2", "amd_l3", "enallcores", 0, BITS(47, 47)},
	{"turin,sockets=2", "amd_l3", "sliceid", 0, BITS(48, 50)},
	{"turin,sockets=2", "amd_l3", "threadmask", 0, BITS(56, 57)},
	{"turin,sockets=2", "amd_umc_7", "event", 0, BITS(0, 7)},
	{"turin,sockets=2", "amd_umc_7", "rdwrmask", 0, BITS(8, 9)},
	{"turin,sockets=2", "amd_umc_7", "umask", 0, 0},
	{"turin,sockets=2", "cpu", "event", 0, BITS(0, 7) | BITS(32, 35)},
	{"turin,sockets=2", "cpu", "umask", 0, BITS(8, 15)},
	{"turin,sockets=2", "cpu", "edge", 0, BITS(18, 18)},
	{"turin,sockets=2", "cpu", "inv", 0, BITS(23, 23)},
	{"turin,sockets=2", "cpu", "cmask", 0, BITS(24, 31)},
	{"turin,sockets=2", "cpu", "pc", 0, 0},
	{"turin,sockets=2", "cpu", "offcore_rsp", 0, 0},
	{"turin,sockets=2", "msr", "event", 0, BITS(0, 63)},
};

TEST_LOOP(test_formats_are_those_of_the_kernel, COUNT_OF(formats))
{
	struct platform *machine = sim_make(formats[_i].spec);
	struct perf_pmus pmus = sim_events_pmus(machine);
	const struct perf_pmu *pmu = perf_find_pmu(&pmus, formats[_i].name);
	const struct perf_format *format = perf_find_format(pmu, formats[_i].field);

	ck_assert_int_eq(format != NULL, formats[_i].bits != 0);
	if (format) {
		ck_assert_uint_eq(format->word, formats[_i].word);
		ck_assert_uint_eq(format->bits, formats[_i].bits);
	}
	perf_pmus_free(&pmus);
}

TEST_LOOP(test_virtual_machine_has_no_uncore_pmu, 2)
{
	p = sim_make(_i ? "turin,sockets=2" : SPEC);
	const uint32_t type =
		sim_event_of(p, _i ? "amd_df" : "uncore_cha_0", "event=1", 0, -1).type;
	struct perf_pmus pmus;

	sim_set_hypervisor(sim_of(p), "KVMKVMKVM");
	pmus = sim_events_pmus(p);
	ck_assert_uint_eq(pmus.count, 2); /* cpu, msr */
	perf_pmus_free(&pmus);
	ck_assert_int_eq(p->ops->perf->open(p, &(struct perf_event){.type = type, .leader = -1}),
			 -ENOENT);
}
