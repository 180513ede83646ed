/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a simulated processor of a model has (struct model.simulated), which src/sim reads: where
 * its units are, what their events count, and since when the kernel knows them. These tables repeat
 * no event of the model by its name: with codes of their own, errors in either show.
 */
#ifndef CXLMON_UNCORE_MODEL_SIM_MODEL_H
#define CXLMON_UNCORE_MODEL_SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Arm, of all others: no CPUID, no MSRs. */
enum sim_vendor { SIM_INTEL, SIM_AMD, SIM_ARM };

/* Versions of the kernel, in ascending order. */
#define SIM_KERNEL(major, minor) ((unsigned)(major) << 16 | (unsigned)(minor))

/*
 * What a simulated machine has that is counted: events a second of a port, or of a whole socket,
 * whose units share them.
 */
enum sim_rate {
	RATE_LINK_CLOCK,
	RATE_UNCORE_CLOCK,
	RATE_DCLK,
	RATE_CRC,
	RATE_RETRY,
	/* of a port */
	RATE_READS,
	RATE_REQUESTS,
	RATE_WRITES,
	RATE_TX_MEM_DATA,
	RATE_TX_CACHE_DATA,
	RATE_H2D,
	RATE_RX_MEM_DATA,
	RATE_RX_CACHE_DATA,
	RATE_TX_FLITS,
	RATE_RX_FLITS,
	RATE_NOT_EMPTY,
	RATE_FULL,
	RATE_SENT,
	RATE_RECEIVED,
	/* of a socket, for each of its ports */
	RATE_UPI_CXL,	      /* flits each way, of lines of CXL memory */
	RATE_UPI_CXL_HEADERS, /* their headers */
	RATE_UPI_CXL_TAKEN,   /* of RATE_UPI_SLOTS: negative */
	RATE_CXL_INSERTS,
	RATE_CXL_OCCUPANCY,
	RATE_CCM_READS,
	RATE_CCM_WRITES,
	RATE_NEAR_CXL,
	RATE_NEAR_CXL_LATENCY,
	RATE_FAR_CXL,
	RATE_FAR_CXL_LATENCY,
	/* of a socket */
	RATE_UPI_SLOTS, /* that its links to others can carry, each way */
	RATE_UPI_DRAM,	/* likewise, of DRAM */
	RATE_UPI_DRAM_HEADERS,
	RATE_UPI_DRAM_TAKEN,
	RATE_LOCAL_INSERTS,
	RATE_LOCAL_OCCUPANCY,
	RATE_LEAKED_OCCUPANCY, /* in that of CXL reads */
	RATE_REMOTE_INSERTS,
	RATE_REMOTE_OCCUPANCY,
	RATE_DRAM_READS,
	RATE_DRAM_WRITES,
	RATE_HBM_READS,
	RATE_HBM_WRITES,
	RATE_NEAR_DRAM,
	RATE_NEAR_DRAM_LATENCY,
	RATE_FAR_DRAM,
	RATE_FAR_DRAM_LATENCY,
	SIM_RATES
};

/* An event of a unit, and what it counts. Codes as in Intel's and AMD's event lists. */
struct sim_event_rate {
	uint16_t type; /* of unit: enum pmu_type_number */
	/* of an L3 cache: one of the sources that the umask selects; of a memory controller of AMD:
	 * bit n, with n in the read/write mask */
	uint16_t code, umask;
	uint32_t umask_ext;
	uint16_t counters; /* mask of those that can count it; 0 ends the table */
	enum sim_rate rate;
	/* of Diamond Rapids: all codes up to this one, with any umask, as no list says what they
	 * count; of a data fabric, those of the other ports and CCMs */
	uint16_t last;
};

/* Units of one type whose registers are MSRs, SIM_MSR_STEP apart. */
#define SIM_MSR_STEP 0x10
struct sim_msr_units {
	unsigned type; /* as the discovery tables number them */
	uint32_t first;
	unsigned count; /* of a socket; 0 ends the table */
	unsigned counters;
};

/* Units of one type whose registers are in configuration space, one in a function. */
struct sim_pci_units {
	unsigned type;
	uint16_t device_id;
	unsigned count;	   /* of a socket; 0 ends the table */
	bool per_imc;	   /* no more than there are memory channels */
	uint8_t device;	   /* of the first one */
	uint8_t function;  /* of the first one in each device */
	uint8_t functions; /* of a device */
	uint16_t control;  /* the others by their distance from it */
	uint8_t control_offset, counter_offset;
};

/* A type of unit that the kernel's driver calls otherwise than the model does. */
struct sim_kernel_name {
	uint16_t type;
	const char *name; /* NULL: by its number alone */
};

struct sim_model {
	const char *name; /* of --sim; NULL: the model's short name */
	enum sim_vendor vendor;
	/* as CPUID has them; 0: those that the model begins with */
	uint8_t family, display_model;
	/* Of a socket; 0: as of most. Those of a machine that isn't said to have others: */
	unsigned ports;
	unsigned max_ports;
	bool no_uncore;		/* neither discovery tables nor units */
	bool cxl_fills;		/* CPUs count cache fills by where they came from */
	bool dies_have_tables;	/* those of CPUs, beside the tables of IO dies: sim_layout_dmr.c */
	bool rxc;		/* RxC data inserts count CXL.mem reads */
	bool half_lines;	/* sent data is counted in half lines */
	bool halves_of_imcs;	/* DRAM has an event for each of two pseudo-channels */
	bool offcore_cxl;	/* offcore responses of CPUs tell what is read from CXL memory */
	bool stalls;		/* CPUs count what they wait for: sim/sim_stalls.h */
	bool offcore_pmm;	/* those of persistent memory, which ocr_cxl=1 makes count that */
	uint32_t cha_count_msr; /* has the number of CHAs; 0: none has */
	bool cha_count_is_0;	/* it is there, and reads as 0 */
	/* From where a socket's memory controllers are: its SCF BAR, which the UBOX function has
	   (0: it has none), and from there the first channel. */
	uint32_t scf_offset, imc_offset;
	/* NULL: none */
	const struct sim_msr_units *msr_units;
	const struct sim_pci_units *pci_units;
	const struct sim_event_rate *const *events; /* tables; the last one is NULL */

	/* From which version on intel_uncore knows it, and its CXL units (and HBM). */
	unsigned kernel, kernel_cxl;
	bool backported; /* the CXL units to Debian's 6.12, too */
	/* NULL: none; ends with a row of type 0 */
	const struct sim_kernel_name *kernel_names;
};

#endif
