/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/one_line.h"

#define DELETE 0x7F

void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == DELETE)
			*text = '?';
}
