/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A snapshot: the data with which a machine can be simulated elsewhere. snapshot_take() reads it
 * from any platform without writing to a register. It is saved as JSON (docs/dev/snapshot.md
 * describes the file), and simulated by platform_sim().
 *
 * It has only data that cxlmon reads: no serial number, no host name. From configuration space, it
 * has the header, the headers of capabilities, the first words of DVSECs (vendor-specific extended
 * capabilities), all words of CXL's register locator, and the words with the function's package.
 */
#ifndef CXLMON_SNAPSHOT_H
#define CXLMON_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "uncore/machine.h"
#include "uncore/units/cpmu.h"

#define SNAPSHOT_VERSION 1 /* version of the file's format */

/* Limits that no machine reaches. A file that exceeds them is refused. */
#define SNAPSHOT_MAX_BYTES   (64U << 20) /* size of the file */
#define SNAPSHOT_MAX_CPUS    8192
#define SNAPSHOT_MAX_SOCKETS 64
#define SNAPSHOT_MAX_TABLES  64		   /* discovery tables */
#define SNAPSHOT_MAX_WORDS   (1024U * 255) /* 64-bit words of a discovery table */

#define SNAPSHOT_MODEL_SIZE 8
#define SNAPSHOT_OTHER	    "other" /* the model of processors that cxlmon does not know */

/* A leaf of CPUID, without numbers that identify a CPU. */
struct snapshot_cpuid {
	uint32_t leaf, subleaf;
	uint32_t regs[CPUID_REGS];
};

/* An MSR of a CPU. */
struct snapshot_msr {
	unsigned cpu;
	uint32_t msr;
	uint64_t value;
};

/* A PCI function, and words of its configuration space. */
struct snapshot_function {
	struct pci_function info;
	uint32_t config[PCI_CONFIG_BYTES / 4];
	bool known[PCI_CONFIG_BYTES / 4]; /* by word: it was read; false: its value here is 0 */
};

/* A discovery table. */
struct snapshot_table {
	uint64_t phys;	 /* physical address */
	uint64_t *words; /* content; owned */
	size_t count;	 /* words */
};

/* The registers of a unit. The first members are as in struct unit. */
struct snapshot_unit {
	int socket;
	unsigned die;
	uint16_t type, id;
	bool dead;	  /* its registers read as all ones */
	uint64_t control; /* value of the unit control */
	size_t counters;  /* number of counters; 0: the unit could not be read */
	uint64_t controls[UNIT_MAX_COUNTERS]; /* values of the counters' controls */
	uint64_t values[UNIT_MAX_COUNTERS];   /* values of the counters */
};

/*
 * The registers of a CPMU (performance monitor of a CXL device), in the order of
 * uncore/units/cpmu.h. cpmu_groups() and cpmu_counters() of .capability are the numbers of groups
 * and counters.
 */
struct snapshot_cpmu {
	struct pci_location at; /* PCI function of the device */
	uint64_t address;	/* physical address of the registers */
	uint64_t capability, overflow, freeze;
	uint64_t groups[CPMU_MAX_GROUPS];
	uint64_t configurations[CPMU_MAX_COUNTERS];
	uint64_t counters[CPMU_MAX_COUNTERS];
	uint64_t filters[CPMU_MAX_COUNTERS * CPMU_FILTERS]; /* 0: filter is absent */
};

struct snapshot {
	char model[SNAPSHOT_MODEL_SIZE]; /* short name of the model, or SNAPSHOT_OTHER */
	struct snapshot_cpuid *leaves;	 /* CPUID leaves of the first CPU */
	size_t leaf_count;
	struct topology topology;
	struct snapshot_function *functions;
	size_t function_count;
	struct snapshot_table *tables;
	size_t table_count;
	struct snapshot_unit *units;
	size_t unit_count;
	struct snapshot_msr *msrs;
	size_t msr_count;
	struct cxl_device *devices;
	size_t device_count;
	struct memory_layout memory;
	struct snapshot_cpmu *cpmus;
	size_t cpmu_count;
};

/*
 * Reads an open machine. Leaves out registers that cannot be read. If only the kernel can count on
 * the machine's units, first removes the units and their tables from *machine. Freed by
 * snapshot_free(), also after failure. Returns 0 or a negative errno:
 * - machine.uncore_error. If no units of the processor are known, but CXL devices have CPMUs, it is
 *   ignored.
 * - An error of CPUID, of the list of PCI functions, or of a discovery table.
 */
int snapshot_take(struct machine *machine, struct snapshot *out, struct error *err);
void snapshot_free(struct snapshot *snapshot);

/* Encodes a snapshot as JSON. The caller frees *text by free(). Returns 0 or -ENOMEM. */
int snapshot_encode(const struct snapshot *snapshot, char **text, size_t *size, struct error *err);

/*
 * Decodes JSON, and checks that every number is in the range of its member. Freed by
 * snapshot_free(), also after failure. Returns 0 or a negative errno. ERROR_USAGE: the text is
 * invalid or of another version; the message names the place in the text.
 */
int snapshot_decode(const char *text, size_t size, struct snapshot *out, struct error *err);

/* Reads a file, and decodes it by snapshot_decode(). Messages begin with the file's name. */
int snapshot_load(const char *path, struct snapshot *out, struct error *err);

#endif
