/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts about the simulated processor of a model (model.simulated), which src/sim reads: the places
 * of its units, the rates that their events count, and the first kernel that knows them. These
 * tables have their own event codes, and do not use the model's events, so that errors in either
 * show.
 */
#ifndef CXLMON_UNCORE_MODEL_SIM_MODEL_H
#define CXLMON_UNCORE_MODEL_SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Vendor; Arm has no CPUID and no MSRs. */
enum sim_vendor { SIM_INTEL, SIM_AMD, SIM_ARM };

/* A version of the kernel as a number; later versions have higher numbers. */
#define SIM_KERNEL(major, minor) ((unsigned)(major) << 16 | (unsigned)(minor))

/*
 * Rates that the counters of a simulated machine count: events per second of a port, or of a whole
 * socket, whose units share them. An occupancy or a latency is a sum over all requests.
 */
enum sim_rate {
	/* rates of each unit or port, which do not depend on traffic */
	RATE_LINK_CLOCK,
	RATE_UNCORE_CLOCK,
	RATE_DCLK, /* clock of memory controllers */
	RATE_CRC,
	RATE_RETRY,
	/* rates of each port */
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
	RATE_NOT_EMPTY, /* clocks in which the receive buffer is not empty */
	RATE_FULL,	/* clocks in which it is full */
	RATE_SENT,
	RATE_RECEIVED,
	/* rates of a socket that are sums over its ports */
	RATE_UPI_CXL,	      /* flits in each direction, for lines of CXL memory */
	RATE_UPI_CXL_HEADERS, /* headers of these flits */
	RATE_UPI_CXL_TAKEN,   /* negative: subtracted from RATE_UPI_SLOTS */
	RATE_CXL_INSERTS,
	RATE_CXL_OCCUPANCY,
	RATE_L2_PREFETCHES, /* to RATE_CODE_OCCUPANCY: other kinds of CXL reads */
	RATE_L2_OCCUPANCY,
	RATE_L3_PREFETCHES,
	RATE_L3_OCCUPANCY,
	RATE_OWNERSHIP,
	RATE_OWNERSHIP_OCCUPANCY,
	RATE_CODE,
	RATE_CODE_OCCUPANCY,
	RATE_CCM_READS,
	RATE_CCM_WRITES,
	RATE_NEAR_CXL,
	RATE_NEAR_CXL_LATENCY,
	RATE_FAR_CXL,
	RATE_FAR_CXL_LATENCY,
	/* rates of a socket */
	RATE_UPI_SLOTS, /* slots that its links to others can carry, in each direction */
	RATE_UPI_DRAM,	/* flits in each direction, for lines of DRAM */
	RATE_UPI_DRAM_HEADERS,
	RATE_UPI_DRAM_TAKEN,
	RATE_LOCAL_INSERTS,
	RATE_LOCAL_OCCUPANCY,
	RATE_LEAKED_OCCUPANCY, /* occupancy of other reads that is counted as CXL reads' */
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

/* An event of a unit, and the rate that it counts. Codes are from Intel's and AMD's event lists. */
struct sim_event_rate {
	uint16_t type; /* type of unit: enum pmu_type_number */
	/*
	 * .umask is for an L3 cache one of the sources that an event may select; for AMD's memory
	 * controllers it has bit n for each read/write mask n that counts the rate.
	 */
	uint16_t code, umask;
	uint32_t umask_ext;
	uint16_t counters; /* mask of the counters that can count it; 0 ends the table */
	enum sim_rate rate;
	/*
	 * For Diamond Rapids, whose events no list describes: last code of a range, with any umask.
	 * For a data fabric: code of the last port's or CCM's event.
	 */
	uint16_t last;
};

/* Units of one type whose registers are MSRs, SIM_MSR_STEP apart. */
#define SIM_MSR_STEP 0x10
struct sim_msr_units {
	unsigned type;	   /* number in the discovery tables */
	uint32_t first;	   /* MSR of the first unit's control */
	unsigned count;	   /* units per socket; 0 ends the table */
	unsigned counters; /* counters of a unit */
};

/* Units of one type whose registers are in configuration space, one in a function. */
struct sim_pci_units {
	unsigned type;
	uint16_t device_id;
	unsigned count;	   /* units per socket; 0 ends the table */
	bool per_imc;	   /* no more units than memory channels */
	uint8_t device;	   /* device number of the first unit */
	uint8_t function;  /* function number of the first unit in each device */
	uint8_t functions; /* units in a device */
	uint16_t control;  /* offset of the unit control in configuration space */
	/* distances from there to the first counter control and to the first counter */
	uint8_t control_offset, counter_offset;
};

/* A type of unit that the kernel's driver names differently from the model. */
struct sim_kernel_name {
	uint16_t type;
	const char *name; /* NULL: its PMUs are named by number */
};

struct sim_model {
	const char *name; /* name in --sim; NULL: the model's short name */
	enum sim_vendor vendor;
	/* as in CPUID; 0: the model's .family and .display_model */
	uint8_t family, display_model;
	/* ports per socket, unless --sim gives them; 0: the default of ports= */
	unsigned ports;
	/* the most ports per socket; 0: the limit of ports= */
	unsigned max_ports;
	bool no_uncore; /* it has neither discovery tables nor units */
	bool cxl_fills; /* CPUs count cache fills by their source */
	/* CPU dies have discovery tables, in addition to the IO dies': sim_layout_dmr.c */
	bool dies_have_tables;
	bool rxc;	     /* RxC data inserts count CXL.mem reads */
	bool half_lines;     /* sent data is counted in half lines */
	bool halves_of_imcs; /* DRAM has an event for each of two pseudo-channels */
	bool offcore_cxl;    /* offcore responses of CPUs tell which reads are from CXL memory */
	bool read_kinds;     /* CHAs tell kinds of CXL reads apart */
	bool stalls;	     /* P-cores count stall cycles: sim/sim_stalls.h */
	uint8_t load_stalls; /* E-cores: bits of the umask of MEM_BOUND_STALLS_LOAD; 0: P-cores */
	/* offcore responses have persistent memory; with ocr_cxl=1 they count CXL memory as such */
	bool offcore_pmm;
	uint32_t cha_count_msr; /* MSR with the number of CHAs; 0: none */
	bool cha_count_is_0;	/* .cha_count_msr reads as 0 */
	/*
	 * Bytes from the start of a socket's memory controllers to its SCF BAR, a BAR of the UBOX
	 * function (0: it has none), and from there to the first channel.
	 */
	uint32_t scf_offset, imc_offset;
	/* NULL: none */
	const struct sim_msr_units *msr_units;
	const struct sim_pci_units *pci_units;
	const struct sim_event_rate *const *events; /* tables of rates; the last one is NULL */

	/* first versions of the kernel that know the processor, and its CXL units (and HBM) */
	unsigned kernel, kernel_cxl;
	bool backported; /* Debian's 6.12 also knows the CXL units */
	/* PMU types with other names in the kernel; NULL: none; ends with a row of type 0 */
	const struct sim_kernel_name *kernel_names;
};

#endif
