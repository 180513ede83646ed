/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow by a few elements at a time. */
#ifndef CXLMON_BASE_ARRAY_H
#define CXLMON_BASE_ARRAY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for `more` elements, at least 1, after the first count elements. An element has size
 * bytes. array is the address of the pointer to the elements. This pointer is initially NULL, and
 * its owner frees it with free(). Only this function may grow the array, because it takes count,
 * rounded up to a power of two, for the number of allocated elements.
 *
 * Returns 0. If memory runs out, returns -ENOMEM and leaves the array unchanged.
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
