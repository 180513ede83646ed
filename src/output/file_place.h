/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file by its directory, which is opened once: wherever the path leads later, the file is
 * replaced or opened again there.
 */
#ifndef CXLMON_FILE_PLACE_H
#define CXLMON_FILE_PLACE_H

#include <limits.h>

struct file_place {
	int directory; /* not owned; -1: none */
	char name[NAME_MAX + 1];
};

#endif
