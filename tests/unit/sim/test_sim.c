/* SPDX-License-Identifier: BSD-3-Clause */
#include <signal.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "sim_registers.h"
#include "uncore/discovery/discovery.h"
#include "uncore/machine.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define SPEC	 "spr,sockets=2,cpus=3,read=1,clock=virtual"
#define TABLE(s) (UINT64_C(0x2000000000) + (s)*UINT64_C(0x10000000))

static struct error err;

static struct pci_location discovery_device(unsigned socket)
{
	return (struct pci_location){.bus = (uint8_t)(0x1e + 0x20 * socket)};
}

static struct platform *p;

static void set_up(void)
{
	p = sim_make(SPEC);
}

FIXTURE(set_up, NULL)

TEST(test_spec_that_is_none_makes_no_platform)
{
	struct platform *none = NULL;

	assert_refusal(platform_sim("spr,ports=0", &silent_log, &none, &err), &err, "ports=0");
	ck_assert_ptr_null(none);
}

TEST(test_offline_cpu_is_not_in_the_topology)
{
	struct topology topology;

	sim_set_cpu_online(sim_of(p), 3, false);
	ck_assert_int_eq(p->ops->cpus->topology(p, &topology, NULL), 0);
	ck_assert_uint_eq(topology.count, 5);
	ck_assert_int_eq(topology_reader_cpu(&topology, 0), 0);
	ck_assert_int_eq(topology_reader_cpu(&topology, 1), 4);
	topology_free(&topology);
}

static const char *const largest[] = {"spr,sockets=8,ports=16,clock=virtual",
				      "gnr,sockets=8,ports=16,dies=8,clock=virtual",
				      "dmr,sockets=8,ports=16,clock=virtual"};

/* Devices are numbered by socket and port, and found by their buses. */
TEST_LOOP(test_devices_of_the_largest_machine_are_behind_their_ports, COUNT(largest))
{
	p = sim_make(largest[_i]);
	struct machine machine;
	char name[16];

	ck_assert_int_eq(machine_open(p, &machine, NULL), 0);
	ck_assert_uint_eq(machine.port_count, 128);
	for (unsigned i = 0; i < 128; i++) {
		const struct port *port = &machine.ports[i];

		snprintf(name, sizeof(name), "mem%u", i);
		ck_assert_int_eq(port->socket, (int)i / 16);
		ck_assert_uint_eq(port->number, i % 16);
		ck_assert_ptr_nonnull(port->device);
		ck_assert_str_eq(port->device->name, name);
	}
	machine_close(&machine);
}

static const struct {
	const char *spec;
	unsigned channels, b2cmis;
} channels[] = {
	{"gnr,imcs=1,clock=virtual", 1, 1},
	{"gnr,imcs=12,clock=virtual", 12, 12},
	{"srf,imcs=32,clock=virtual", 32, 12}, /* there are twelve functions */
};

TEST_LOOP(test_there_are_as_many_b2cmis_as_memory_channels, COUNT(channels))
{
	unsigned by_type[32] = {0};
	struct machine machine;

	p = sim_make(channels[_i].spec);
	ck_assert_int_eq(machine_open(p, &machine, NULL), 0);
	for (size_t i = 0; i < machine.discovery.unit_count; i++)
		by_type[machine.discovery.units[i].type]++;
	machine_close(&machine);
	ck_assert_uint_eq(by_type[PMU_IMC], channels[_i].channels);
	ck_assert_uint_eq(by_type[PMU_B2CMI], channels[_i].b2cmis);
}

TEST(test_table_can_be_read_by_halves)
{
	const uint64_t word = memory_peek(p, TABLE(0) + 32, 8);

	ck_assert_uint_eq(memory_peek(p, TABLE(0) + 32, 4), (uint32_t)word);
	ck_assert_uint_eq(memory_peek(p, TABLE(0) + 36, 4), word >> 32);
	memory_poke(p, TABLE(0) + 32, 8, 0); /* read-only */
	ck_assert_uint_eq(memory_peek(p, TABLE(0) + 32, 8), word);
}

static const struct {
	uint64_t phys, length;
	bool there;
} memories[] = {
	{TABLE(0), 0x10000, true},
	{TABLE(1), 0x10000, true},
	{SIM_CXLCM(0, 0), 0x100000, true},
	{SIM_IMC(0), 0x100, true},
	{TABLE(2), 8, false},
	{TABLE(0) - 8, 16, false},
	{TABLE(0), 0x10001, false},
	{TABLE(0) + 0x10000, 8, false},
	{SIM_CXLCM(0, 0) + 0x100000 - 8, 16, false},
	{0, 8, false},
	{UINT64_MAX - 7, 8, false},
};

TEST_LOOP(test_memory_can_be_mapped_where_something_is, COUNT(memories))
{
	struct mmio_window window;
	const int rc = p->ops->registers->mmio_map(p, memories[_i].phys, memories[_i].length, true,
						   &window, &err);

	ck_assert_int_eq(rc, memories[_i].there ? 0 : -ENXIO);
	ck_assert_int_eq(err.code, rc);
}

TEST(test_closed_memory_can_not_be_mapped)
{
	struct mmio_window window;

	sim_set_memory_denied(sim_of(p), SIM_CXLDP(0, 0), SIM_PAGE);
	ck_assert_int_eq(p->ops->registers->mmio_map(p, SIM_CXLDP(0, 0), 8, true, &window, &err),
			 -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	ck_assert_int_eq(
		p->ops->registers->mmio_map(p, SIM_CXLDP(0, 0) + 0xff8, 8, true, &window, &err),
		-EPERM);
	memory_peek(p, SIM_CXLDP(0, 0) - 8, 8);
	memory_peek(p, SIM_CXLDP(0, 0) + SIM_PAGE, 8);
	sim_set_memory_denied(sim_of(p), 0, 0);
	memory_peek(p, SIM_CXLDP(0, 0), 8);
}

TEST(test_configuration_space_is_there_by_aligned_dwords_of_functions)
{
	const struct pci_location at = discovery_device(0), nobody = {.bus = 0x77};
	uint32_t value;

	ck_assert_int_eq(reg_read_pci(p, nobody, 0, &value), -ENODEV);
	ck_assert_int_eq(raw_pci_write(p, nobody, 0, 0), -ENODEV);
	ck_assert_int_eq(reg_read_pci(p, at, 2, &value), -EINVAL);
	ck_assert_int_eq(reg_read_pci(p, at, 4096, &value), -EINVAL);
	ck_assert_int_eq(raw_pci_write(p, at, 0x10, 0), 0);
	ck_assert_uint_eq(config_peek(p, at, 0x10), (uint32_t)TABLE(0) | 0x4);
}

TEST(test_virtual_clock_starts_at_zero_and_sleeping_passes_at_once)
{
	ck_assert_uint_eq(p->ops->clock->now(p), 0);
	ck_assert_uint_eq(p->ops->clock->wall(p), UINT64_C(1767225600) * SECOND);
	pass_time(p, 86400 * SECOND);
	ck_assert_uint_eq(p->ops->clock->now(p), 86400 * SECOND);
	ck_assert_uint_eq(p->ops->clock->wall(p), UINT64_C(1767312000) * SECOND);
}

TEST(test_sleep_ends_at_a_pending_signal_or_its_deadline)
{
	int signal_number = 0;
	sigset_t wake;

	sigemptyset(&wake);
	sigaddset(&wake, SIGUSR1);
	sigprocmask(SIG_BLOCK, &wake, NULL);
	raise(SIGUSR1);
	ck_assert_int_eq(p->ops->clock->sleep_until(p, 1000, &wake, &signal_number), -EINTR);
	ck_assert_int_eq(signal_number, SIGUSR1);
	ck_assert_uint_eq(p->ops->clock->now(p), 0);
	ck_assert_int_eq(p->ops->clock->sleep_until(p, 1000, &wake, &signal_number), 0);
	ck_assert_uint_eq(p->ops->clock->now(p), 1000);
	ck_assert_int_eq(p->ops->clock->sleep_until(p, 999, &wake, &signal_number), 0);
	ck_assert_uint_eq(p->ops->clock->now(p), 1000); /* never moves back */
}

TEST(test_each_access_takes_the_access_time)
{
	sim_set_access_time(sim_of(p), 300);
	msr_peek(p, 0, SIM_FREEZE_MSR);
	ck_assert_uint_eq(p->ops->clock->now(p), 300);
	msr_poke(p, 0, SIM_FREEZE_MSR, 0);
	ck_assert_uint_eq(p->ops->clock->now(p), 600);
	memory_peek(p, SIM_CXLCM(0, 0), 8);
	memory_poke(p, SIM_CXLCM(0, 0), 8, 0);
	ck_assert_uint_eq(p->ops->clock->now(p), 1200);
	config_peek(p, discovery_device(0), 0);
	ck_assert_uint_eq(p->ops->clock->now(p), 1500);
}

/* The real clock advances on its own, so only its lower bound is checked. */
TEST(test_time_passes_at_once_on_either_clock_and_the_platform_says_which)
{
	static const char *const specs[] = {"spr,clock=real", "spr,clock=virtual"};

	for (int i = 0; i < COUNT(specs); i++) {
		p = sim_make(specs[i]);
		const uint64_t before = p->ops->clock->now(p);

		sim_pass(sim_of(p), 3600 * NS_PER_S);
		ck_assert_int_eq(p->virtual_clock, i);
		ck_assert_uint_ge(p->ops->clock->now(p) - before, 3600 * NS_PER_S);
		if (p->virtual_clock)
			ck_assert_uint_eq(p->ops->clock->now(p) - before, 3600 * NS_PER_S);
	}
}

static void assert_changed(uint64_t *hash)
{
	const uint64_t before = *hash;

	*hash = sim_state_hash(sim_of(p));
	ck_assert_uint_ne(*hash, before);
}

TEST(test_state_hash_shows_every_change_but_of_time)
{
	uint64_t hash = sim_state_hash(sim_of(p));

	pass_time(p, SECOND);
	ck_assert_uint_eq(sim_state_hash(sim_of(p)), hash);
	memory_poke(p, SIM_CXLCM(0, 0), 8, 1);
	assert_changed(&hash);
	memory_poke(p, SIM_CXLCM(0, 0) + CXL_CONTROL(3), 8, 0x1002);
	assert_changed(&hash);
	ck_assert_int_eq(sim_set_counter(sim_of(p), 1, PMU_CHA, 7, 3, 1), 0);
	assert_changed(&hash);
	msr_poke(p, 0, SIM_FREEZE_MSR, 1);
	assert_changed(&hash);
	msr_poke(p, 5, 0x186, 0x3C);
	assert_changed(&hash);
}

static const struct {
	int code;
	enum error_kind kind;
} reasons[] = {{-EPERM, ERROR_PERMISSION}, {-ENOENT, ERROR_PERMISSION}, {-EIO, ERROR_FAILED}};

TEST_LOOP(test_failed_access_is_explained_with_its_exit_status, COUNT(reasons))
{
	struct reg reg = {.space = REG_MSR, .bytes = 8, .address = SIM_FREEZE_MSR};

	guard_disable(&p->guard);
	sim_set_msr_fault(sim_of(p), SIM_FREEZE_MSR, reasons[_i].code);
	ck_assert_int_eq(reg_write(p, &reg, 1, &err), reasons[_i].code);
	ck_assert_int_eq(err.kind, reasons[_i].kind);
	ck_assert_ptr_nonnull(strstr(err.text, "cpu 0 msr 0x2ff0"));
}
