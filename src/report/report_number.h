/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with their digits in groups: "12 345.6". */
#ifndef CXLMON_REPORT_NUMBER_H
#define CXLMON_REPORT_NUMBER_H

/* For the largest double with NUMBER_MAX_DECIMALS. */
#define NUMBER_SIZE	    1024
#define NUMBER_MAX_DECIMALS 9

/* Between groups of three digits: a narrow no-break space. */
#define NUMBER_SEPARATOR "\u202f"

/* Groups the digits before the point, in the same way in every locale. Returns text. */
const char *number_grouped(double value, unsigned decimals, char text[NUMBER_SIZE]);

#endif
