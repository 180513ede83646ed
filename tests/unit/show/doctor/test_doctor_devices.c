/* SPDX-License-Identifier: BSD-3-Clause */
/* The check for CXL devices that are not used as memory, on machines made by hand. */
#include "fake_machine.h"
#include "pci/config.h"
#include "show/doctor/doctor.h"
#include "uncore/devices/ports.h"
#include "unit.h"

#define MEM		 ((uint32_t)FLEX_BUS_MEM << 16) /* in capability and status */
#define SEVERAL		 0x80U /* bit of the header's type: several functions */
#define HEADER_TYPE(low) ((uint32_t)(low) << 16)
#define DRIVER		 "sys/bus/pci/devices/0000:e0:00.0/driver"

static struct fake_machine fake;
static struct doctor doctor;
static struct check_result found;

static void set_up(void)
{
	fake_init(&fake);
	doctor = (struct doctor){.root = tree_root(), .probe.platform = &fake.base};
	doctor.probe.machine.device_count = 2;
}

/* Adds a function that supports CXL.mem, which its link has not enabled. */
static struct fake_function *add_function(uint8_t bus)
{
	struct fake_function *f = fake_function(&fake, bus, 0x1234, 0x5678);

	fake_dvsec(f, PCI_EXTENDED_CAPABILITIES, 0, DVSEC_ID_FLEX_BUS, 0);
	f->config[(PCI_EXTENDED_CAPABILITIES + DVSEC_HEADER) / 4] = CXL_DVSEC_VENDOR;
	f->config[(PCI_EXTENDED_CAPABILITIES + DVSEC_ID) / 4] = DVSEC_ID_FLEX_BUS | MEM;
	return f;
}

static void assert_found(enum check_verdict verdict, const char *says)
{
	doctor_cxl_devices.run(&doctor, &found);
	ck_assert_int_eq(found.verdict, verdict);
	assert_contains(found.error.text, says);
}

TREE_FIXTURE(set_up, NULL)

TEST(test_a_device_without_mem_and_driver_is_named)
{
	struct fake_function *f = add_function(0xE0);

	assert_found(VERDICT_WARN, "0000:e0:00.0 (1234:5678) is no memory: the link has not");
	add_function(0xE1);
	assert_found(VERDICT_WARN, "0000:e0:00.0 (1234:5678) and others are no memory: ");
	f->config[(PCI_EXTENDED_CAPABILITIES + DVSEC_ID) / 4 + 1] = MEM;
	assert_found(VERDICT_WARN, "0000:e1:00.0 (1234:5678) is no memory: ");
}

static void assert_tiers(int dram, int cxl, enum check_verdict verdict, const char *says)
{
	struct memory_node nodes[] = {{.node = 0, .tier = dram}, {.node = 2, .tier = cxl}};
	struct cxl_region regions[] = {{.name = "region0", .node = 2}};

	doctor.probe.machine.memory = (struct memory_layout){nodes, 2, regions, 1};
	doctor_memory_tiers.run(&doctor, &found);
	ck_assert_int_eq(found.verdict, verdict);
	assert_contains(found.error.text, says);
}

TEST(test_dram_and_cxl_memory_in_one_tier_are_named)
{
	assert_tiers(4, 4, VERDICT_WARN,
		     "nodes 0 (DRAM) and 2 (CXL memory, region0) are in one memory tier");
	assert_tiers(4, 22, VERDICT_PASS, "different memory tiers");
	assert_tiers(-1, -1, VERDICT_SKIP, "no memory tier of CXL memory is known");
}

/* Bridges also support CXL, even if the devices below them do not. */
TEST(test_a_bridge_is_no_device)
{
	struct fake_function *f = add_function(0xE0);

	f->config[PCI_HEADER_TYPE / 4] = HEADER_TYPE(PCI_HEADER_BRIDGE);
	assert_found(VERDICT_PASS, "2 memory devices");
	f->config[PCI_HEADER_TYPE / 4] = HEADER_TYPE(PCI_HEADER_BRIDGE | SEVERAL);
	assert_found(VERDICT_PASS, "2 memory devices");
	f->config[PCI_HEADER_TYPE / 4] = HEADER_TYPE(SEVERAL);
	assert_found(VERDICT_WARN, "0000:e0:00.0 ");
}

/* An accelerator has such a driver. The drivers are this machine's, not a simulated one's. */
TEST(test_a_device_that_has_a_driver_is_used_otherwise)
{
	add_function(0xE0);
	tree_directory(DRIVER);
	assert_found(VERDICT_PASS, "2 memory devices");
	doctor.sim = "spr";
	assert_found(VERDICT_WARN, "0000:e0:00.0 ");
}
