/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The share of a link's capacity that CXL.mem uses: its data, and the headers that go with it.
 *
 * A flit is the unit that a link transfers. A 68-byte flit has four slots of 16 bytes in 64 of its
 * 68 bytes. For lines of 64 bytes:
 *
 * - from the device, a line that is read takes four slots of data and the header of a response with
 *   data; a line that is written takes the header of a response without data. A slot holds three
 *   headers without data, or one without and two with data
 * - to the device, a line that is written takes a slot of header and four of data; a line that is
 *   read takes one slot, the request
 *
 * So data is 86.9 % of a direction if all traffic is reads, 75.3 % if all is writes, and 62.7 % of
 * the direction to the device if it writes as much as it reads. These shares assume flits that hold
 * nothing else, and slots filled as well as possible: real devices reach a few percent less.
 *
 * Source: CXL specification 3.1, 4.2.3 "68B Flit Mode": the flit and its slots, formats G4 to G6
 * from, and G4, G5, H4 and H5 to the device. The capacity of 256-byte flits is not described here.
 */
#ifndef CXLMON_PLATFORM_CXL_LINK_H
#define CXLMON_PLATFORM_CXL_LINK_H

#include <stdbool.h>

struct cxl_device;

/*
 * Fractions of a direction's capacity: a direction is called full from CXL_LINK_FULL on, and has
 * room up to CXL_LINK_ROOM. Both values are choices, not measured limits.
 */
#define CXL_LINK_FULL 0.92
#define CXL_LINK_ROOM 0.8

struct cxl_link_use {
	double from_device, to_device;
};

/*
 * Returns the used fraction of the capacity of a link with 68-byte flits, for each direction. read
 * and write are the bytes read and written, as fractions of the link's raw rate in one direction,
 * from 0 to 1. NAN if one of them is NAN.
 */
struct cxl_link_use cxl_link_use(double read, double write);

/* Returns the use of the fuller direction; NAN if one direction is unknown. */
double cxl_link_fullest(struct cxl_link_use use);

/*
 * Tells if a device's flits are 68 bytes long, judged by speed: none of its links is, or can be,
 * faster than 32 GT/s. False if no link is readable, except for a CXL 1.1 device, whose link is
 * hidden. A slower link may still have 256-byte flits, which only its Flex Bus registers report.
 */
bool cxl_device_has_68_byte_flits(const struct cxl_device *device);

#endif
