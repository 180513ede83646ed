/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How much of a link CXL.mem takes up: its data, and the headers that go with it.
 *
 * A 68-byte flit has four slots of 16 bytes; 64 of its 68 bytes. In lines of 64 bytes:
 *
 *   from the device   a line read is four slots of data and the header of a response with data; a
 *                     line written comes back as a response without. A slot has three of the
 *                     former, or two of the latter and one of the former
 *   to the device     a line written is a slot of header and four of data; a line read is a
 *                     request, which takes a slot
 *
 * So data is 86.9 % of a direction where all is read, 75.3 % where all is written, and 62.7 % of
 * the direction to the device where as much is written as read. Flits of nothing but data, and
 * slots that are filled as well as can be: real devices reach a few percent less.
 *
 * Source: CXL specification 3.1, 4.2.3 "68B Flit Mode": the flit and its slots, formats G4 to G6
 * from, and G4, G5, H4 and H5 to the device. What 256-byte flits can carry is not known here.
 */
#ifndef CXLMON_PLATFORM_CXL_LINK_H
#define CXLMON_PLATFORM_CXL_LINK_H

#include <stdbool.h>

struct cxl_device;

/*
 * Fractions of what one direction of a link can carry. A direction is called full from the first
 * on, and has room up to the second. Both values are choices, not measured limits.
 */
#define CXL_LINK_FULL 0.92
#define CXL_LINK_ROOM 0.8

struct cxl_link_use {
	double from_device, to_device;
};

/*
 * How much of what a link with 68-byte flits can carry is in use, each way. read, write: their data
 * as a fraction of the link's raw rate, from 0 to 1. NAN where one of them is.
 */
struct cxl_link_use cxl_link_use(double read, double write);

/* The fuller direction; NAN where one is not known. */
double cxl_link_fullest(struct cxl_link_use use);

/*
 * Whether its flits are of 68 bytes, as far as speeds tell: none of its links is, or can be, faster
 * than 32 GT/s, and one at least is known, or it is a device of CXL 1.1, whose link is hidden. A
 * slower link may have others, which only its Flex Bus registers say.
 */
bool cxl_device_has_68_byte_flits(const struct cxl_device *device);

#endif
