/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow by a few elements at a time. */
#ifndef CXLMON_BASE_ARRAY_H
#define CXLMON_BASE_ARRAY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for more elements, at least one, after the count elements of size bytes that *array
 * has. *array is a pointer, whose elements were all added through this function: there is room up
 * to the next power of two. Freed by free(). 0 or -ENOMEM.
 */
static inline int array_room(void *array, size_t count, size_t more, size_t size)
{
	void *elements, *grown;
	size_t room = 1;

	while (room < count + more)
		room *= 2;
	if (room < 2 * count)
		return 0;
	memcpy(&elements, array, sizeof(elements));
	grown = reallocarray(elements, room, size);
	if (!grown)
		return -ENOMEM;
	memcpy(array, &grown, sizeof(grown));
	return 0;
}

#endif
