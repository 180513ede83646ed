/* SPDX-License-Identifier: BSD-3-Clause */
#include "http/gzip.h"

#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>

#define GZIP_FORMAT (MAX_WBITS + 16) /* zlib's manual: deflateInit2() */
#define MEMORY_USE  8		     /* zlib's default */

char *gzip_text(const char *text, size_t size, size_t *out_size)
{
	z_stream stream = {.next_in = (const Bytef *)text, .avail_in = (uInt)size};

	if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_FORMAT, MEMORY_USE,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return NULL;
	const uLong bound = deflateBound(&stream, size);
	char *out = malloc(bound);

	stream.next_out = (Bytef *)out;
	stream.avail_out = (uInt)bound;
	if (out && deflate(&stream, Z_FINISH) != Z_STREAM_END) {
		free(out);
		out = NULL;
	}
	*out_size = stream.total_out;
	deflateEnd(&stream);
	return out;
}
