/* SPDX-License-Identifier: BSD-3-Clause */
#include "msr/cpuid.h"

#include <sys/stat.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "platform/cpus.h"
#include "unit.h"

/* Makes leaf 0 in the driver's order: the name is in EBX, EDX, ECX. */
static void vendor_leaf(const char *name, uint32_t leaf[CPUID_REGS])
{
	leaf[CPUID_EAX] = 0x20;
	memcpy(&leaf[CPUID_EBX], name, 4);
	memcpy(&leaf[CPUID_EDX], name + 4, 4);
	memcpy(&leaf[CPUID_ECX], name + 8, 4);
}

static const struct {
	const char *vendor;
	uint32_t signature;
	unsigned family, model, stepping;
} processors[] = {
	{"GenuineIntel", 0x000806F8, 0x6, 0x8F, 8},  /* Sapphire Rapids */
	{"GenuineIntel", 0x000C06F2, 0x6, 0xCF, 2},  /* Emerald Rapids */
	{"GenuineIntel", 0x000A06D1, 0x6, 0xAD, 1},  /* Granite Rapids */
	{"GenuineIntel", 0x000A06E0, 0x6, 0xAE, 0},  /* Granite Rapids D */
	{"GenuineIntel", 0x000A06F3, 0x6, 0xAF, 3},  /* Sierra Forest */
	{"AuthenticAMD", 0x00A20F12, 0x19, 0x21, 2}, /* extended family 0xA on 0xF */
	{"GenuineIntel", 0x00000F43, 0xF, 0x04, 3},  /* family 0xF without an extended family */
	/* extended fields mean nothing for this family */
	{"GenuineIntel", 0x0FFF0521, 0x5, 0x02, 1},
	{"GenuineIntel", 0x0FF806F8, 0x6, 0x8F, 8}, /* family 6 only uses the extended model */
};

TREE_FIXTURE(NULL, NULL)

TEST_LOOP(test_identity_is_decoded_from_leaves_0_and_1, COUNT_OF(processors))
{
	uint32_t leaf0[CPUID_REGS], leaf1[CPUID_REGS] = {processors[_i].signature};
	struct cpu_identity id;

	vendor_leaf(processors[_i].vendor, leaf0);
	cpuid_decode_identity(leaf0, leaf1, &id);
	ck_assert_str_eq(id.vendor, processors[_i].vendor);
	ck_assert_uint_eq(id.family, processors[_i].family);
	ck_assert_uint_eq(id.model, processors[_i].model);
	ck_assert_uint_eq(id.stepping, processors[_i].stepping);
	ck_assert(!id.hypervisor);
}

TEST_LOOP(test_only_bit_31_of_ecx_says_that_it_is_a_virtual_machine, 32)
{
	uint32_t leaf0[CPUID_REGS] = {0}, leaf1[CPUID_REGS] = {[CPUID_ECX] = UINT32_C(1) << _i};
	struct cpu_identity id;

	cpuid_decode_identity(leaf0, leaf1, &id);
	ck_assert_int_eq(id.hypervisor, _i == 31);
}

static const struct {
	uint32_t leaf, subleaf;
} leaves[] = {{0, 0}, {1, 0}, {0xA, 0}, {4, 3}, {0x10, 1}, {0x80000000, 0}};

TEST_LOOP(test_a_leaf_is_read_at_its_offset_of_the_file, COUNT_OF(leaves))
{
	const uint32_t stored[CPUID_REGS] = {0x11111111, 0x22222222, 0x33333333, 0x44444444};
	const uint64_t offset = (uint64_t)leaves[_i].subleaf << 32 | leaves[_i].leaf;
	uint32_t regs[CPUID_REGS];

	tree_bytes("dev/cpu/7/cpuid", (off_t)offset, stored, sizeof(stored));
	ck_assert_int_eq(cpuid_read(tree_root(), 7, leaves[_i].leaf, leaves[_i].subleaf, regs), 0);
	ck_assert_mem_eq(regs, stored, sizeof(stored));
}

TEST_LOOP(test_a_file_that_ends_too_soon_is_an_error, 16)
{
	const uint32_t stored[CPUID_REGS] = {1, 2, 3, 4};
	uint32_t regs[CPUID_REGS];

	tree_bytes("dev/cpu/0/cpuid", 0, stored, (size_t)_i);
	ck_assert_int_eq(cpuid_read(tree_root(), 0, 0, 0, regs), -EBADFD);
}

TEST(test_a_pipe_in_the_place_of_a_file_is_not_waited_for)
{
	const char *path;
	uint32_t regs[CPUID_REGS];

	tree_file("dev/cpu/0/msr", "%s", "");
	path = tree_path("dev/cpu/0/cpuid");
	ck_assert(!mkfifo(path, 0600));
	ck_assert_int_eq(cpuid_read(tree_root(), 0, 0, 0, regs), -ESPIPE);
	tree_file("proc/version", "%s", "");
	path = tree_path("proc/cpuinfo");
	ck_assert(!mkfifo(path, 0600));
	ck_assert(!cpuinfo_is_arm(tree_root()));
}

#ifdef __x86_64__
TEST(test_without_the_file_the_instruction_is_asked)
{
	uint32_t regs[CPUID_REGS], own[CPUID_REGS];

	__cpuid_count(0, 0, own[CPUID_EAX], own[CPUID_EBX], own[CPUID_ECX], own[CPUID_EDX]);
	ck_assert_int_eq(cpuid_read(tree_root(), 0, 0, 0, regs), 0);
	ck_assert_mem_eq(regs, own, sizeof(own));
}
#endif

/* An emulated program's instruction describes a processor that does not exist. */
TEST(test_a_processor_of_arm_has_no_cpuid)
{
	uint32_t regs[CPUID_REGS];

	tree_file("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n");
	ck_assert_int_eq(cpuid_read(tree_root(), 0, 0, 0, regs), -EOPNOTSUPP);
}

static const struct {
	const char *cpuinfo, *name;
} processors_by_kernel[] = {
	{"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n",
	 "Arm processor, part 0xd4f"},
	{"CPU implementer\t: 0xfe\nCPU part\t: 0x1\n", "Arm processor, part 0x1"},
	{"CPU implementer\t: 0x41\n", ""},
	{"CPU implementer\t: 0x41\nmodel name\t: Kunpeng 920\n", "Kunpeng 920"},
	{"model name\t:\n", ""},
	{"model names\t: x\nModel Name\t\t: Loongson-3C6000\n", "Loongson-3C6000"},
	{"processor\t: 0\nhart\t: 0\n", ""},
};

TEST_LOOP(test_the_kernel_names_a_processor_without_cpuid, COUNT_OF(processors_by_kernel))
{
	char name[PROCESSOR_NAME_SIZE];

	tree_file("proc/cpuinfo", "%s", processors_by_kernel[_i].cpuinfo);
	cpuinfo_name(tree_root(), name);
	ck_assert_str_eq(name, processors_by_kernel[_i].name);
}

/* Names from the kernel's cputype.h. */
static const struct {
	unsigned number;
	const char *name;
} implementers[] = {
	{0x41, "Arm"},	     {0x42, "Broadcom"},  {0x43, "Cavium"},	   {0x46, "Fujitsu"},
	{0x48, "HiSilicon"}, {0x4E, "NVIDIA"},	  {0x50, "Applied Micro"}, {0x51, "Qualcomm"},
	{0x61, "Apple"},     {0x6D, "Microsoft"}, {0xC0, "Ampere"},
};

TEST_LOOP(test_a_processor_of_arm_is_named_by_its_implementer, COUNT_OF(implementers))
{
	char name[PROCESSOR_NAME_SIZE], expected[PROCESSOR_NAME_SIZE];

	tree_file("proc/cpuinfo", "CPU implementer\t: 0x%x\nCPU part\t: 0x123\n",
		  implementers[_i].number);
	snprintf(expected, sizeof(expected), "%s processor, part 0x123", implementers[_i].name);
	cpuinfo_name(tree_root(), name);
	ck_assert_str_eq(name, expected);
}

TEST(test_without_cpuinfo_it_has_no_name)
{
	char name[PROCESSOR_NAME_SIZE];

	cpuinfo_name(tree_root(), name);
	ck_assert_str_eq(name, "");
	ck_assert(!cpuinfo_is_arm(tree_root()));
}

/* A processor's answers to the leaves with names; its other leaves are 0. */
static struct {
	char brand[48];
	char hypervisor[12];
	uint32_t highest;
	bool virtual;
} named;

static int answer(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		  uint32_t regs[4], struct error *err)
{
	(void)p;
	(void)cpu;
	(void)subleaf;
	(void)err;
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf == 1)
		regs[CPUID_ECX] = named.virtual ? UINT32_C(1) << 31 : 0;
	else if (leaf == 0x40000000)
		memcpy(&regs[CPUID_EBX], named.hypervisor, sizeof(named.hypervisor));
	else if (leaf == 0x80000000)
		regs[CPUID_EAX] = named.highest;
	else if (leaf >= 0x80000002 && leaf <= 0x80000004)
		memcpy(regs, named.brand + 16 * (leaf - 0x80000002), 16);
	return 0;
}

static const struct cpu_ops naming_cpus = {
	.cpuid = answer,
};

static const struct platform_ops naming_ops = {
	.cpus = &naming_cpus,
};
static struct platform naming = {.ops = &naming_ops};

static const struct {
	const char *leaves, *brand;
} brands[] = {
	{"Intel(R) Xeon(R) Platinum 8480+", "Intel(R) Xeon(R) Platinum 8480+"},
	{"     INTEL(R) XEON(R) PLATINUM 8592+   ", "INTEL(R) XEON(R) PLATINUM 8592+"},
	{"123456789012345678901234567890123456789012345678",
	 "123456789012345678901234567890123456789012345678"},
	{"   ", ""},
	{"", ""},
	/* a snapshot may have any bytes */
	{"a\x1b[31m\xff\nb", "a?[31m??b"},
};

TEST_LOOP(test_the_brand_is_three_leaves_without_the_blanks_around, COUNT_OF(brands))
{
	char brand[CPUID_BRAND_SIZE];

	memset(&named, 0, sizeof(named));
	named.highest = 0x80000008;
	memcpy(named.brand, brands[_i].leaves, strlen(brands[_i].leaves));
	ck_assert_int_eq(cpuid_brand(&naming, 0, brand, NULL), 0);
	ck_assert_str_eq(brand, brands[_i].brand);
}

TEST(test_a_processor_without_these_leaves_has_no_brand)
{
	char brand[CPUID_BRAND_SIZE];

	memset(&named, 'x', sizeof(named));
	named.highest = 0x80000003;
	ck_assert_int_eq(cpuid_brand(&naming, 0, brand, NULL), 0);
	ck_assert_str_eq(brand, "");
}

TEST(test_a_hypervisor_has_a_name_only_where_it_shows_itself)
{
	char name[CPUID_HYPERVISOR_SIZE];

	memset(&named, 0, sizeof(named));
	memcpy(named.hypervisor, "VMwareVMware", 12);
	ck_assert_int_eq(cpuid_hypervisor(&naming, 0, name, NULL), 0);
	ck_assert_str_eq(name, "");
	named.virtual = true;
	ck_assert_int_eq(cpuid_hypervisor(&naming, 0, name, NULL), 0);
	ck_assert_str_eq(name, "VMwareVMware");
}

TEST(test_the_part_of_a_processor_of_arm_is_known)
{
	unsigned implementer = 0, part = 0;

	ck_assert(!cpuinfo_part(tree_root(), &implementer, &part));
	tree_file("proc/cpuinfo", "CPU implementer\t: 0x4e\n");
	ck_assert(!cpuinfo_part(tree_root(), &implementer, &part));
	tree_file("proc/cpuinfo", "CPU implementer\t: 0x4e\nCPU part\t: 0x010\n");
	ck_assert(cpuinfo_part(tree_root(), &implementer, &part));
	ck_assert_uint_eq(implementer, 0x4E);
	ck_assert_uint_eq(part, 0x10);
}
