/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts about the simulated processor of a model (model.simulated): places of its units, rates that
 * their events count, and kernels that know them. Only src/sim reads these facts. They have their
 * own event codes, so that errors in the model's event codes show.
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
 * Rates that counters count, in events per second at the traffic of --sim. A line is a cache line
 * of 64 bytes. An occupancy is the number of reads in progress, summed over uncore clocks. A
 * latency is a sum over sampled reads, in units of 10 ns. Names in parentheses are keys of --sim.
 */
enum sim_rate {
	/* Rates of each unit or port that traffic does not change. */
	RATE_LINK_CLOCK,   /* flit clocks of a link */
	RATE_UNCORE_CLOCK, /* clocks of a unit */
	RATE_DCLK,	   /* clocks of a memory controller */
	RATE_CRC,	   /* CRC errors (crc=) */
	RATE_RETRY,	   /* retries of the link (retry=) */

	/* Rates of each port. The processor sends (TX) and receives (RX). */
	RATE_READS,	    /* lines read by CXL.mem */
	RATE_REQUESTS,	    /* requests for RATE_READS, also speculative ones (MemSpecRd) */
	RATE_WRITES,	    /* lines written by CXL.mem */
	RATE_TX_MEM_DATA,   /* lines written by CXL.mem; half lines if .half_lines */
	RATE_TX_CACHE_DATA, /* lines sent by CXL.cache; half lines if .half_lines */
	RATE_H2D,	    /* lines sent by CXL.cache */
	RATE_RX_MEM_DATA,   /* lines read by CXL.mem; 0 if rxc=0 */
	RATE_RX_CACHE_DATA, /* lines received by CXL.cache */
	RATE_TX_FLITS,	    /* flits sent */
	RATE_RX_FLITS,	    /* flits received */
	RATE_NOT_EMPTY,	    /* clocks in which the receive buffer is not empty */
	RATE_FULL,	    /* clocks in which the receive buffer is full */
	RATE_SENT,	    /* lines sent by CXL.mem and CXL.cache */
	RATE_RECEIVED,	    /* lines received by CXL.mem and CXL.cache */

	/*
	 * Rates of a port, which a socket sums over its ports. UPI carries the same in each
	 * direction. RATE_..._TAKEN are negative, so that an event of idle slots counts the sum of
	 * RATE_UPI_SLOTS and both.
	 */
	RATE_UPI_CXL,		  /* flits with data of CXL memory */
	RATE_UPI_CXL_HEADERS,	  /* headers of RATE_UPI_CXL: one for each line */
	RATE_UPI_CXL_TAKEN,	  /* minus the slots of RATE_UPI_CXL and its headers */
	RATE_CXL_INSERTS,	  /* demand data reads of CXL memory */
	RATE_CXL_OCCUPANCY,	  /* occupancy of RATE_CXL_INSERTS */
	RATE_L2_PREFETCHES,	  /* data prefetches of CXL memory into L1 and L2 */
	RATE_L2_OCCUPANCY,	  /* occupancy of RATE_L2_PREFETCHES */
	RATE_L3_PREFETCHES,	  /* data prefetches of CXL memory into the L3 */
	RATE_L3_OCCUPANCY,	  /* occupancy of RATE_L3_PREFETCHES */
	RATE_OWNERSHIP,		  /* reads of CXL memory for ownership */
	RATE_OWNERSHIP_OCCUPANCY, /* occupancy of RATE_OWNERSHIP */
	RATE_CODE,		  /* code reads of CXL memory */
	RATE_CODE_OCCUPANCY,	  /* occupancy of RATE_CODE */
	RATE_CCM_READS,		  /* half lines read from CXL memory */
	RATE_CCM_WRITES,	  /* lines written to CXL memory */
	RATE_NEAR_CXL,		  /* sampled reads of this socket's CXL memory: 1 of 64 */
	RATE_NEAR_CXL_LATENCY,	  /* latency of RATE_NEAR_CXL */
	RATE_FAR_CXL,		  /* sampled reads of other sockets' CXL memory: 1 of 64 */
	RATE_FAR_CXL_LATENCY,	  /* latency of RATE_FAR_CXL */

	/* Rates of a socket. */
	RATE_UPI_SLOTS,		/* slots of all its UPI links, used or idle */
	RATE_UPI_DRAM,		/* flits of UPI with data of DRAM */
	RATE_UPI_DRAM_HEADERS,	/* headers of RATE_UPI_DRAM: one for each line */
	RATE_UPI_DRAM_TAKEN,	/* minus the slots of RATE_UPI_DRAM and its headers */
	RATE_LOCAL_INSERTS,	/* reads of this socket's DRAM */
	RATE_LOCAL_OCCUPANCY,	/* occupancy of RATE_LOCAL_INSERTS */
	RATE_LEAKED_OCCUPANCY,	/* occupancy of DRAM reads, counted as occupancy of CXL reads */
	RATE_REMOTE_INSERTS,	/* reads of other sockets' DRAM */
	RATE_REMOTE_OCCUPANCY,	/* occupancy of RATE_REMOTE_INSERTS */
	RATE_DRAM_READS,	/* lines read from DRAM */
	RATE_DRAM_WRITES,	/* lines written to DRAM */
	RATE_HBM_READS,		/* half lines read from HBM */
	RATE_HBM_WRITES,	/* half lines written to HBM */
	RATE_NEAR_DRAM,		/* sampled reads of this socket's DRAM: 1 of 64 */
	RATE_NEAR_DRAM_LATENCY, /* latency of RATE_NEAR_DRAM */
	RATE_FAR_DRAM,		/* sampled reads of other sockets' DRAM: 1 of 64 */
	RATE_FAR_DRAM_LATENCY,	/* latency of RATE_FAR_DRAM */
	SIM_RATES
};

/*
 * An event of a unit, and the rate that it counts. If several rows have the same event, it counts
 * the sum of their rates. Codes are from the vendors' event lists; no list has Diamond Rapids'
 * events.
 */
struct sim_event_rate {
	uint16_t type; /* type of unit: enum pmu_type_number */
	uint16_t code; /* event code; on Diamond Rapids, the first code of a range */
	/*
	 * On Diamond Rapids: unused.
	 * AMD's L3 cache: one bit; an event whose umask has it counts the rate.
	 * AMD's memory controller: bit n is set if read/write mask n counts the rate.
	 */
	uint16_t umask;
	uint32_t umask_ext; /* bits 63:32 of the control; only for units of Intel and Arm */
	uint16_t counters;  /* mask of the counters that can count it; 0 ends the table */
	enum sim_rate rate;
	/*
	 * On Diamond Rapids: last code of the range.
	 * AMD's data fabric: code of the last port's or CCM's event.
	 * Otherwise unused.
	 */
	uint16_t last;
};

#define SIM_MSR_STEP 0x10 /* MSRs from one unit of a type to the next one */

/* Units of one type whose registers are MSRs. */
struct sim_msr_units {
	unsigned type;	   /* number in the discovery tables */
	uint32_t first;	   /* MSR of the first unit's control */
	unsigned count;	   /* units per socket; 0 ends the table */
	unsigned counters; /* counters of a unit */
};

/* Units of one type whose registers are in configuration space, each in its own PCI function. */
struct sim_pci_units {
	unsigned type; /* number in the discovery tables */
	uint16_t device_id;
	unsigned count;		/* units per socket; 0 ends the table */
	bool per_imc;		/* at most imcs= of these units exist */
	uint8_t device;		/* device number of the first unit */
	uint8_t function;	/* function number of the first unit in each device */
	uint8_t functions;	/* units in a device */
	uint16_t control;	/* offset of the unit control in configuration space */
	uint8_t control_offset; /* bytes from the unit control to the first counter control */
	uint8_t counter_offset; /* bytes from the unit control to the first counter */
};

/* A type of unit that the kernel's driver names differently from the model. */
struct sim_kernel_name {
	uint16_t type;	  /* number in the discovery tables; 0 ends the table */
	const char *name; /* NULL: its PMUs are named by number: "uncore_type_5_0" */
};

struct sim_model {
	const char *name; /* name in --sim; NULL: the model's short name */
	enum sim_vendor vendor;
	uint8_t family, display_model; /* numbers in CPUID; 0: those in struct model */
	unsigned ports;		       /* default of ports= (per socket); 0: that of other models */
	unsigned max_ports;	       /* the most ports per socket; 0: as many as ports= allows */
	bool no_uncore;		       /* it has neither discovery tables nor units */
	bool cxl_fills;		       /* AMD's CPUs count cache fills by their source */
	bool dies_have_tables;	       /* CPU dies have discovery tables, as IO dies have */
	bool rxc;		       /* default of rxc=: RxC events count data of CXL.mem reads */
	bool half_lines;	       /* ports count the data that they send in half lines */
	bool halves_of_imcs;	/* each pseudo-channel of a memory controller has its own events */
	bool offcore_cxl;	/* CPUs have events for reads and loads of CXL memory */
	bool read_kinds;	/* CHAs have events for each kind of CXL reads */
	bool stalls;		/* P-cores count stall cycles: sim/sim_stalls.h */
	uint8_t load_stalls;	/* E-cores: umask bits of MEM_BOUND_STALLS_LOAD; 0: not E-cores */
	bool offcore_pmm;	/* if ocr_cxl=1, events for persistent memory count CXL memory */
	uint32_t cha_count_msr; /* MSR with the number of CHAs; 0: none */
	bool cha_count_is_0;	/* .cha_count_msr reads as 0 */
	/*
	 * Bytes from the MMIO space of a socket's memory controllers to the SCF BAR, a BAR of the
	 * UBOX function. 0: the UBOX has no SCF BAR, and .imc_offset is from the MMIO space.
	 */
	uint32_t scf_offset;
	uint32_t imc_offset; /* bytes from the SCF BAR to the first controller's registers */
	const struct sim_msr_units *msr_units;	    /* NULL: none */
	const struct sim_pci_units *pci_units;	    /* NULL: none */
	const struct sim_event_rate *const *events; /* tables; the last is NULL. NULL: none */
	unsigned kernel;     /* first kernel whose driver names the units; 0: any */
	unsigned kernel_cxl; /* first kernel whose driver names the CXL and HBM units; 0: any */
	bool backported;     /* Debian's kernel 6.12 also names the CXL and HBM units */
	const struct sim_kernel_name *kernel_names; /* NULL: the kernel has the model's names */
};

#endif
