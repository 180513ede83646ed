/* SPDX-License-Identifier: BSD-3-Clause */
/* The PCI functions of a machine, and their links. */
#ifndef CXLMON_PLATFORM_PCI_H
#define CXLMON_PLATFORM_PCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct platform;

/* The address of a PCI function: 0000:7f:0c.0 */
struct pci_location {
	uint32_t domain;
	uint8_t bus;
	uint8_t device;	  /* 0..31 */
	uint8_t function; /* 0..7 */
};

/* Compares two addresses: negative, 0 or positive. */
static inline int pci_location_compare(const struct pci_location *a, const struct pci_location *b)
{
	const uint64_t x = (uint64_t)a->domain << 24 | (uint64_t)a->bus << 16 |
			   (uint64_t)a->device << 8 | a->function;
	const uint64_t y = (uint64_t)b->domain << 24 | (uint64_t)b->bus << 16 |
			   (uint64_t)b->device << 8 | b->function;

	return (x > y) - (x < y);
}

#define PCI_BAR_COUNT 6

struct pci_function {
	struct pci_location at;
	uint16_t vendor;		  /* PCI vendor id */
	uint16_t device;		  /* PCI device id */
	int numa_node;			  /* -1: unknown */
	uint64_t bar_size[PCI_BAR_COUNT]; /* bytes; 0: unknown, or the BAR does not exist */
	/*
	 * physical address of each BAR, as CPUs use it; 0: unknown. The BAR itself holds another
	 * value if a host bridge translates addresses, as on Arm.
	 */
	uint64_t bar_address[PCI_BAR_COUNT];
};

/* Compares two struct pci_function by address, for qsort(). */
int pci_function_compare(const void *a, const void *b);

/* Writes "0000:35:00.0", the format of lspci -D and `cxl list`. Returns text. */
#define PCI_TEXT_SIZE 24
const char *pci_location_text(struct pci_location at, char text[PCI_TEXT_SIZE]);

#define CXL_HOPS_MOST 4 /* links from the root port to a device */

/*
 * The width and speed of a PCIe link, which connects a port and the function below it.
 *
 * Source: PCI Express Base Specification 6.0, "Link Capabilities Register" and "Link Status
 * Register"; the kernel's Documentation/ABI/testing/sysfs-bus-pci (current_link_speed,
 * max_link_speed, current_link_width, max_link_width).
 */
struct pci_link {
	double GTps;	/* 10^9 transfers per second and lane, 2.5 to 64; 0: unknown */
	unsigned lanes; /* 1 to 32; 0: unknown */
};

/* A link with both its ends. */
struct pci_hop {
	/* the port, and the function below it; the same function if the port is hidden (CXL 1.1) */
	struct pci_location above, below;
	struct pci_link now;	  /* trained width and speed */
	struct pci_link possible; /* the most that both ends support: pci_link_less() */
};

/*
 * Returns the rate of a link in one direction, in bytes per second; 0: unknown. The rate leaves out
 * bits for encoding: 2 of 10 bits at 2.5 and 5 GT/s, 2 of 130 from 8 to 32 GT/s, none at 64 GT/s.
 */
double pci_link_rate(struct pci_link link);

/* Writes "32.0 GT/s x8"; "" if speed or width is unknown. Returns text. */
#define PCI_LINK_TEXT_SIZE 24
const char *pci_link_text(struct pci_link link, char text[PCI_LINK_TEXT_SIZE]);

/* Returns the lower speed and the lower width of two links. Each is 0 if unknown for one link. */
struct pci_link pci_link_less(struct pci_link a, struct pci_link b);

/* Tells if .now of a hop is narrower or slower than .possible. Unknown values are not compared. */
bool pci_hop_is_degraded(const struct pci_hop *hop);

/*
 * Writes the trained width and speed of a hop, each with the possible value if that is higher: "x8
 * of x16 at 32 GT/s". Writes "" if the speed or width is unknown. Returns text.
 */
#define PCI_TRAINED_SIZE 96
const char *pci_hop_trained(const struct pci_hop *hop, char text[PCI_TRAINED_SIZE]);

/*
 * Writes the text of pci_hop_trained(), and the rate: "x8 of x16 at 32 GT/s, at most 31.5 GB/s each
 * way". The hop's speed and width must be known. Returns text.
 */
#define PCI_HOP_TEXT_SIZE 160
const char *pci_hop_text(const struct pci_hop *hop, char text[PCI_HOP_TEXT_SIZE]);

/*
 * Decodes the register Link Capabilities or Link Status. Both have the speed in bits 3:0 and the
 * width in bits 9:4. A speed is unknown (0) if its number is above 6, a width if it is above 32.
 */
struct pci_link pci_link_decode(unsigned value);

struct pci_ops {
	/* Lists all PCI functions. The caller frees *out. */
	int (*list)(struct platform *p, struct pci_function **out, size_t *count,
		    struct error *err);
};

#endif
