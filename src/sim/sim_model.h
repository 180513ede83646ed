/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processors that can be simulated, and where each has its units. Only these tables and the
 * traffic's depend on which processor it is.
 */
#ifndef CXLMON_SIM_MODEL_H
#define CXLMON_SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum sim_model {
	SIM_SPR,
	SIM_EMR,
	SIM_GNR,
	SIM_GNR_D,
	SIM_SRF,
	SIM_CWF,
	SIM_DMR,
	SIM_TURIN,
	SIM_VENICE,
	SIM_GENOA,
	/* that no program knows: they have CPUs, and CXL memory behind root ports */
	SIM_ANY_INTEL,
	SIM_ANY_AMD,
	SIM_ANY_ARM,
	SIM_MODELS, /* how many */
};

/* Sets of them. */
#define SIM_ON(model) (1U << (model))
#define SIM_SPR_EMR   (SIM_ON(SIM_SPR) | SIM_ON(SIM_EMR))
#define SIM_GNRS      (SIM_ON(SIM_GNR) | SIM_ON(SIM_GNR_D))
#define SIM_SRF_CWF   (SIM_ON(SIM_SRF) | SIM_ON(SIM_CWF))
#define SIM_GNR_ON    (SIM_GNRS | SIM_SRF_CWF) /* from Granite Rapids on */

/* Arm: no CPUID, no MSRs. */
enum sim_vendor { SIM_INTEL, SIM_AMD, SIM_ARM };

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

struct sim_model_facts {
	const char *name;
	enum sim_vendor vendor;
	uint8_t family, display_model;
	/* Of a socket; 0: as of most. Those of a machine that isn't said to have others: */
	unsigned ports;
	unsigned max_ports, max_imcs;
	bool no_uncore;	       /* neither discovery tables nor units */
	bool cxl_fills;	       /* CPUs count cache fills by where they came from */
	bool dies_have_tables; /* those of CPUs, beside the tables of IO dies: sim_layout_dmr.c */
	bool rxc;	       /* RxC data inserts count CXL.mem reads */
	bool half_lines;       /* sent data is counted in half lines */
	bool cha_count_msr;    /* an MSR has the number of CHAs */
	bool offcore_cxl;      /* offcore responses of CPUs tell what is read from CXL memory */
	/* From where a socket's memory controllers are: its SCF BAR, which the UBOX function has
	   (0: it has none), and from there the first channel. */
	uint32_t scf_offset, imc_offset;
	const struct sim_msr_units *msr_units;
	const struct sim_pci_units *pci_units;
};

const struct sim_model_facts *sim_model_facts(enum sim_model model);

/* CPUs that share an L3 cache on AMD, at most, and how many such caches a socket has. */
#define SIM_L3_CPUS 4
unsigned sim_l3_count(unsigned cpus);

#endif
