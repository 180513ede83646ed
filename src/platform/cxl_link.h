/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The share of a link's capacity that CXL.mem traffic uses, with data and with headers.
 *
 * A flit is the unit that a link transfers. Four slots of 16 bytes fill 64 bytes of a 68-byte flit.
 * CXL.mem transfers lines of 64 bytes:
 *
 * - to the device, a read takes one slot for its request
 * - to the device, a write takes one slot for its header, and four for data
 * - from the device, a read takes four slots for data, and the header of a response with data (DRS)
 * - from the device, a write takes the header of a response without data (NDR)
 * - a slot from the device holds three DRS headers, or two NDR headers and at most one DRS header
 *
 * So data takes 86.9 % of a direction if all traffic is reads, and 75.3 % if all is writes. If as
 * many lines are written as read, data takes 62.7 % of the direction to the device. Flits hold
 * other things too, and some slots stay empty: real devices reach a few percent less.
 *
 * The capacity of 256-byte flits is not described here.
 *
 * Source: CXL specification 3.1, 4.2.3 "68B Flit Mode": the flit and the formats of its slots (from
 * the device: G4 to G6; to the device: G4, G5, H4 and H5).
 */
#ifndef CXLMON_PLATFORM_CXL_LINK_H
#define CXLMON_PLATFORM_CXL_LINK_H

#include <stdbool.h>

struct cxl_device;

/* Fractions of a direction's capacity. Both are choices, not measured limits. */
#define CXL_LINK_FULL 0.92 /* a direction is called full if it uses at least this much */
#define CXL_LINK_ROOM 0.8  /* a direction has room if it uses less than this */

/* The used fraction of each direction's capacity. NAN: unknown. */
struct cxl_link_use {
	double from_device, to_device;
};

/*
 * Returns the use of a link with 68-byte flits. read and write are the bytes per second read and
 * written, as fractions of the rate in one direction (cxl_device_rate()). If one is NAN, both
 * directions are unknown.
 */
struct cxl_link_use cxl_link_use(double read, double write);

/* Returns the use of the fuller direction; NAN if one direction is unknown. */
double cxl_link_fullest(struct cxl_link_use use);

/*
 * Tells if a device's flits are taken to be 68 bytes long, by the speeds of its links:
 *
 * - false if a link is, or can be, faster than 32 GT/s
 * - true for a CXL 1.1 device, whose link is hidden
 * - otherwise true if the speed of some link is known
 *
 * A slow link can have 256-byte flits all the same: only its Flex Bus registers tell.
 */
bool cxl_device_has_68_byte_flits(const struct cxl_device *device);

#endif
