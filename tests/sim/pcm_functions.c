/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/pcm_functions.h"

#include "sim/sim_private.h"

/*
 * The socket of a UBOX, and the numbers of all sockets, 3 bits each. Source: Intel PCM, and the
 * kernel's uncore_snbep.c, whose UPI PMUs come from here.
 */
#define UBOX_NODE_ID   0xC0
#define UBOX_NODE_MAP  0xD4
#define UBOX_NODE_BITS 3
#define UBOX_NODES     8

/*
 * Configuration space of the UBOX: the addresses of a socket's memory controllers. Source: Intel
 * PCM.
 */
#define UBOX_MMIO_BASE	    0xD0 /* bits 28:0 << 23 */
#define UBOX_SCF_OFFSET	    0xD4 /* bits 10:0 << 12 */
#define UBOX_MEMORY_OFFSETS 0xD8 /* one for each iMC: bits 10:0 << 12 */
#define UBOX_IMCS	    8
#define MEMORY_OFFSET	    UINT64_C(0x400000)

/* Masks with a bit for each CHA, in two dwords, which PCM counts. Source: Intel PCM. */
#define PCU_CHA_MASK_LOW  0x9C
#define PCU_CHA_MASK_HIGH 0xA0

/* Adds the function by which other programs find the memory controllers' registers. */
static void add_ubox_bars(struct sim *sim, unsigned socket)
{
	struct sim_function *f = sim_add_function(sim, socket, sim_pmon_function(sim, socket, 0, 1),
						  SIM_VENDOR_INTEL, 0x3251);
	const uint64_t base = SIM_IMC_BASE + socket * SIM_IMC_STRIDE;

	sim_put32(f->config, UBOX_MMIO_BASE, (uint32_t)(base >> 23));
	sim_put32(f->config, UBOX_SCF_OFFSET, sim->spec.facts->scf_offset >> 12);
	for (unsigned i = 0; i < UBOX_IMCS; i++)
		sim_put32(f->config, UBOX_MEMORY_OFFSETS + 4 * i,
			  (uint32_t)((MEMORY_OFFSET + i * SIM_IMC_STEP) >> 12));
}

static void add_ubox(struct sim *sim, unsigned socket)
{
	struct sim_function *f = sim_add_function(sim, socket, sim_pmon_function(sim, socket, 8, 0),
						  SIM_VENDOR_INTEL, 0x3250);
	uint32_t map = 0;

	for (uint32_t node = 0; node < UBOX_NODES; node++)
		map |= node << (UBOX_NODE_BITS * node);
	sim_put32(f->config, UBOX_NODE_ID, socket);
	sim_put32(f->config, UBOX_NODE_MAP, map);
}

/* Adds the masks of CHAs, which are full with 64 CHAs or more. */
static void add_cha_masks(struct sim *sim, unsigned socket)
{
	struct sim_function *f = sim_add_function(
		sim, socket, sim_pmon_function(sim, socket, 30, 3), SIM_VENDOR_INTEL, 0x325B);
	const uint64_t mask =
		sim->spec.chas < 64 ? (UINT64_C(1) << sim->spec.chas) - 1 : UINT64_MAX;

	sim_put32(f->config, PCU_CHA_MASK_LOW, (uint32_t)mask);
	sim_put32(f->config, PCU_CHA_MASK_HIGH, (uint32_t)(mask >> 32));
}

void sim_add_pcm_functions(struct sim *sim)
{
	const struct sim_model *facts = sim->spec.facts;

	for (unsigned socket = 0;
	     facts->pci_units && !*sim->spec.file && socket < sim->socket_count; socket++) {
		add_ubox(sim, socket);
		if (facts->scf_offset)
			add_ubox_bars(sim, socket);
		else /* Sapphire and Emerald Rapids */
			add_cha_masks(sim, socket);
	}
}
