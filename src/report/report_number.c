/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/report_number.h"

#include <stdio.h>
#include <string.h>

#define GROUP 3

const char *number_grouped(double value, unsigned decimals, char text[NUMBER_SIZE])
{
	char plain[NUMBER_SIZE / 2];
	size_t used = 0;

	if (decimals > NUMBER_MAX_DECIMALS)
		decimals = NUMBER_MAX_DECIMALS;
	snprintf(plain, sizeof(plain), "%.*f", (int)decimals, value);
	const char *digits = plain + (*plain == '-');
	const size_t whole = strspn(digits, "0123456789");

	for (const char *at = plain; *at; at++) {
		const size_t left = at < digits + whole ? (size_t)(digits + whole - at) : 0;

		if (at > digits && left && left % GROUP == 0)
			used += (size_t)snprintf(text + used, NUMBER_SIZE - used, "%s",
						 NUMBER_SEPARATOR);
		text[used++] = *at;
	}
	text[used] = '\0';
	return text;
}
