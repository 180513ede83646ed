/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of trace events, and records. Any contents become one line. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "linux/cxl/cxl_private.h"
#include "platform/cxl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct cxl_format format;
	struct cxl_event event;
	const enum cxl_event_kind kind = input_u8(&in) % CXL_EVENT_KINDS;
	const size_t length = input_u16(&in);
	/* exactly as long, so that a read past its end is noticed */
	uint8_t *record = calloc(length ? length : 1, 1);

	if (!record)
		return 0;
	input_bytes(&in, record, length);
	char *text = input_text(&in);
	if (!cxl_format_parse(kind, text, &format)) {
		const struct trace_record raw = {record, length};

		cxl_record_is_of(&format, raw);
		cxl_record_decode(&format, raw, &event);
		fuzz_require(event.kind == kind && *event.text);
		fuzz_require(fuzz_one_line(event.text) && fuzz_one_line(event.device));
	}
	free(text);
	free(record);
	return 0;
}
