/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of a comparison, for people: short whatever a recording has. Unknown ones are "". */
#ifndef CXLMON_COMPARED_NUMBER_H
#define CXLMON_COMPARED_NUMBER_H

#define COMPARED_NUMBER_SIZE 48

/* Each returns text. */
const char *compared_value(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* With its sign; 0 has none. */
const char *compared_signed(double value, unsigned decimals, char text[COMPARED_NUMBER_SIZE]);
/* "+5.00" */
const char *compared_pct(double pct, char text[COMPARED_NUMBER_SIZE]);
/* "0.012", "< 0.001" */
const char *compared_p(double p, char text[COMPARED_NUMBER_SIZE]);

#endif
