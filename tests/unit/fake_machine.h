/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine made by hand, as a platform: CPUs, PCI functions with their configuration space, memory
 * with discovery tables, and MSRs. It has only the parts that a test adds.
 */
#ifndef CXLMON_TEST_FAKE_MACHINE_H
#define CXLMON_TEST_FAKE_MACHINE_H

#include "tests/sim/fake_platform.h"
#include "uncore/discovery/discovery.h"
#include "uncore/model/model.h"

#define FAKE_CPUS      8
#define FAKE_FUNCTIONS 16
#define FAKE_DEVICES   8
#define FAKE_REGIONS   16
#define FAKE_MSRS      64
#define FAKE_LEAVES    4

#define FAKE_STRIDE 4 /* 8-byte words per record of fake_table() */

struct fake_function {
	struct pci_function info;
	uint32_t config[1024];
	int unreadable;	 /* negative errno of every read */
	unsigned broken; /* offset whose read fails with .code */
	int code;	 /* negative errno; 0: no read fails */
};

struct fake_region {
	uint64_t phys;
	size_t bytes;
	uint64_t *words;
};

struct fake_msr {
	uint32_t number;
	uint64_t value;
};

/* Registers of a CPUID leaf, of every CPU. */
struct fake_leaf {
	uint32_t leaf, regs[4];
};

struct fake_machine {
	union {
		struct platform base;
		struct fake_platform fake;
	};
	char vendor[13];		      /* empty: there is no CPUID */
	uint32_t signature;		      /* CPUID.1 EAX */
	struct fake_leaf leaves[FAKE_LEAVES]; /* leaves other than 0 and 1 */
	size_t leaf_count;
	struct cpu_location cpus[FAKE_CPUS];
	size_t cpu_count;
	struct fake_function functions[FAKE_FUNCTIONS];
	size_t function_count;
	struct fake_region regions[FAKE_REGIONS];
	size_t region_count;
	struct cxl_device devices[FAKE_DEVICES];
	size_t device_count;
	struct fake_msr msrs[FAKE_MSRS]; /* the same on every CPU */
	size_t msr_count;
	uint8_t amd_nodes[FAKE_CPUS];	/* NodeId, in leaf 8000001Eh of each CPU */
	uint64_t die_tables[FAKE_CPUS]; /* MSR 0x710 of each CPU */
	int die_tables_error;		/* negative errno of reading .die_tables */

	int list_error;	    /* negative errno of listing PCI functions */
	int extended_error; /* negative errno of reading a function above 256 bytes */
	int map_error;	    /* negative errno of every mapping, with ERROR_PERMISSION */
};

/* Makes a Sapphire Rapids with CPUs 0, 1 on socket 0 and 2, 3 on socket 1, and nothing else. */
void fake_init(struct fake_machine *fake);

/*
 * Makes a Turin with the same CPUs, and two L3 caches per socket, one per CPU. Counters: 6 of a
 * CPU, 16 of the data fabric, 4 of each of two memory controllers.
 */
void fake_init_turin(struct fake_machine *fake);
uint32_t *fake_leaf(struct fake_machine *fake, uint32_t leaf);

struct fake_function *fake_function(struct fake_machine *fake, uint8_t bus, uint16_t vendor,
				    uint16_t device);
void fake_bar64(struct fake_function *f, unsigned index, uint64_t phys);

/*
 * Adds a DVSEC (a designated vendor-specific extended capability) at offset. table is its dword of
 * BAR index and offset. next is the offset of the next capability; 0: this is the last.
 */
void fake_dvsec(struct fake_function *f, unsigned offset, unsigned next, uint16_t entry_id,
		uint32_t table);

/* Adds a generic discovery device on a bus. Its BAR 0, of unknown size, has the address phys. */
struct fake_function *fake_discovery(struct fake_machine *fake, uint8_t bus, int node,
				     uint64_t phys);

/* Adds memory, all zero. Returns its 8-byte words. */
uint64_t *fake_memory(struct fake_machine *fake, uint64_t phys, size_t bytes);

/* Adds a discovery table with these records. Returns the words of the records, FAKE_STRIDE each. */
uint64_t *fake_table(struct fake_machine *fake, uint64_t phys, const struct unit_record *records,
		     size_t count);
void fake_record(uint64_t words[DISCOVERY_RECORD_WORDS], const struct unit_record *record);

/* Returns a valid record of a unit with MMIO registers, such as a CXLCM or CXLDP. */
struct unit_record fake_cxl_record(uint16_t type, uint16_t id);

/* Returns the model with this short name. */
const struct model *fake_model(const char *short_name);

#endif
