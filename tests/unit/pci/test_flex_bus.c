/* SPDX-License-Identifier: BSD-3-Clause */
#include "fake_machine.h"
#include "pci/config.h"
#include "platform/pci.h"
#include "unit.h"

static const struct pci_location anywhere = {0, 0x1e, 0, 0};
static struct fake_machine fake;
static struct fake_function *space;
static struct flex_bus bus;

static void set_up(void)
{
	fake_init(&fake);
	space = fake_function(&fake, anywhere.bus, 0x8086, 0x0d93);
}

static void put_dvsec(unsigned at, unsigned next, unsigned id, uint32_t control_status)
{
	space->config[at / 4] = PCI_EXTENDED_ID_DVSEC | 1U << 16 | next << 20;
	space->config[at / 4 + 1] = CXL_DVSEC_VENDOR | 0x20U << 20;
	space->config[at / 4 + 2] = id | 0xFFFFU << 16;
	space->config[at / 4 + 3] = control_status;
}

FIXTURE(set_up, NULL)

/* Reads it after another DVSEC; control and capability differ from the status. */
TEST(test_the_status_is_what_the_link_was_trained_to)
{
	put_dvsec(0x100, 0x140, 8, 0);
	put_dvsec(0x140, 0, DVSEC_ID_FLEX_BUS, 0x0026FFFF);
	ck_assert_int_eq(flex_bus_read(&fake.base, anywhere, &bus), 0);
	ck_assert_uint_eq(bus.capability, 0xFFFF);
	ck_assert_uint_eq(bus.status, FLEX_BUS_IO | FLEX_BUS_MEM | FLEX_BUS_68B_FLIT);
}

TEST(test_a_function_without_flex_bus_says_nothing)
{
	ck_assert_int_eq(flex_bus_read(&fake.base, anywhere, &bus), -ENOENT);
	put_dvsec(0x100, 0, 8, 0x00260026);
	ck_assert_int_eq(flex_bus_read(&fake.base, anywhere, &bus), -ENOENT);
}

TEST(test_a_function_that_is_gone_says_nothing)
{
	put_dvsec(0x100, 0, DVSEC_ID_FLEX_BUS, UINT32_MAX);
	ck_assert_int_eq(flex_bus_read(&fake.base, anywhere, &bus), -ENODEV);
}

TEST(test_a_capability_at_the_end_of_the_space_is_none)
{
	put_dvsec(0x100, 0xFF4, 8, 0);
	space->config[0xFF4 / 4] = PCI_EXTENDED_ID_DVSEC | 1U << 16;
	space->config[0xFF8 / 4] = CXL_DVSEC_VENDOR | 0x20U << 20;
	space->config[0xFFC / 4] = DVSEC_ID_FLEX_BUS;
	ck_assert_int_eq(flex_bus_read(&fake.base, anywhere, &bus), -EINVAL);
}
