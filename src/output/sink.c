/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/sink.h"

#include <string.h>

const struct format *format_find(const char *name)
{
	static const struct format *const formats[] = {&format_table, &format_csv, &format_json,
						       &format_openmetrics};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}
