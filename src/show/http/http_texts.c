/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/http/http_private.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/prometheus.h"

#define ZLIB_CONST
#include <zlib.h>

#define GZIP_FORMAT (MAX_WBITS + 16) /* zlib's manual: deflateInit2() */
#define MEMORY_USE  8		     /* zlib's default */

static const char *const exposition_types[EXPOSITION_COUNT] = {
	[EXPOSITION_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
	[EXPOSITION_PROMETHEUS] = "text/plain; version=0.0.4; charset=utf-8",
	[EXPOSITION_PAGE] = "text/html; charset=utf-8",
};

struct MHD_Response *response_new(size_t size, char *text, bool owned, const char *type)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		size, text, owned ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);

	if (!response && owned)
		free(text);
	if (response &&
	    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type) == MHD_NO) {
		MHD_destroy_response(response);
		return NULL;
	}
	return response;
}

void response_free(struct MHD_Response *response)
{
	if (response)
		MHD_destroy_response(response);
}

/* Makes a response that caches keep apart by the headers of the request. */
static struct MHD_Response *make_exposition(size_t size, char *bytes, enum exposition exposition)
{
	struct MHD_Response *response =
		response_new(size, bytes, true, exposition_types[exposition]);

	if (response)
		MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, "Accept, Accept-Encoding");
	return response;
}

/* Compresses the text as a gzip file (RFC 1952), freed by the caller; NULL: out of memory. */
static char *gzip_text(const char *text, size_t size, size_t *out_size)
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

/* Makes Prometheus' format, freed by the caller; NULL: out of memory. */
static char *prometheus_text(const struct form *openmetrics, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		return NULL;
	prometheus_put(openmetrics->bytes, openmetrics->size, out);
	const bool whole = !ferror(out);
	if (!fclose(out) && whole)
		return text;
	free(text);
	return NULL;
}

/* Makes the stale text, freed by the caller; NULL: out of memory. */
static char *stale_text(const struct form *fresh, const struct message *head, size_t *size)
{
	const size_t before = head->stale_from, behind = head->size - head->stale_to;

	*size = before + head->stale_size + behind;
	char *text = malloc(*size + 1);
	if (!text)
		return NULL;
	memcpy(text, fresh->bytes, before);
	memcpy(text + before, fresh->bytes + head->size, head->stale_size);
	memcpy(text + before + head->stale_size, fresh->bytes + head->stale_to, behind);
	return text;
}

/* Finds or makes a form. Prometheus' format is made from OpenMetrics, stale or not. */
static struct form *find_form(struct texts *texts, enum exposition exposition, bool stale)
{
	struct form *form = &texts->forms[stale][exposition];
	const struct form *from = NULL;
	char *bytes = NULL;
	size_t size = 0;

	if (form->plain)
		return form;
	if (exposition == EXPOSITION_PROMETHEUS)
		from = find_form(texts, EXPOSITION_OPENMETRICS, stale);
	else if (stale)
		from = &texts->forms[false][exposition];
	if (!from || !from->plain)
		return form;
	if (exposition == EXPOSITION_PROMETHEUS)
		bytes = prometheus_text(from, &size);
	else
		bytes = stale_text(from, &texts->heads[exposition], &size);
	if (bytes)
		*form = (struct form){make_exposition(size, bytes, exposition), bytes, size, NULL};
	return form;
}

/* Returns the plain response if the text cannot be compressed. */
static struct MHD_Response *compressed_response(struct form *form, enum exposition exposition)
{
	size_t size;
	char *bytes = form->gzip ? NULL : gzip_text(form->bytes, form->size, &size);

	if (bytes)
		form->gzip = make_exposition(size, bytes, exposition);
	if (bytes && form->gzip)
		MHD_add_response_header(form->gzip, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
	return form->gzip ? form->gzip : form->plain;
}

struct MHD_Response *texts_find(struct texts *texts, enum exposition exposition, bool stale,
				bool gzip)
{
	struct form *form = find_form(texts, exposition, stale);

	return gzip && form->plain ? compressed_response(form, exposition) : form->plain;
}

static void free_forms(struct texts *texts, enum exposition exposition)
{
	for (size_t stale = 0; stale < 2; stale++) {
		struct form *form = &texts->forms[stale][exposition];

		response_free(form->plain);
		response_free(form->gzip);
		*form = (struct form){.plain = NULL};
	}
}

void texts_replace(struct texts *texts, const struct message *head, char *text)
{
	const enum exposition exposition = (enum exposition)head->exposition;
	struct MHD_Response *fresh = make_exposition(head->size, text, exposition);

	if (!fresh)
		return;
	free_forms(texts, exposition);
	if (exposition == EXPOSITION_OPENMETRICS)
		free_forms(texts, EXPOSITION_PROMETHEUS);
	texts->heads[exposition] = *head;
	texts->forms[false][exposition] =
		(struct form){.plain = fresh, .bytes = text, .size = head->size};
}

void texts_free(struct texts *texts)
{
	for (unsigned e = 0; e < EXPOSITION_COUNT; e++)
		free_forms(texts, (enum exposition)e);
}
