/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl_private.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "platform/cxl.h"
#include "platform/device_health.h"

static const char *const field_names[CXL_FIELDS] = {
	[CXL_FIELD_TYPE] = "common_type",
	[CXL_FIELD_MEMDEV] = "memdev",
	[CXL_FIELD_DEVICE] = "device",
	[CXL_FIELD_STATUS] = "status",
	[CXL_FIELD_LOG] = "log",
	[CXL_FIELD_FLAGS] = "hdr_flags",
	[CXL_FIELD_COUNT] = "count",
	[CXL_FIELD_DPA] = "dpa",
	[CXL_FIELD_DPA_FLAGS] = "dpa_flags",
	[CXL_FIELD_DPA_LENGTH] = "dpa_length",
	[CXL_FIELD_DESCRIPTOR] = "descriptor",
	[CXL_FIELD_MEDIA_TYPE] = "type",
	[CXL_FIELD_TRANSACTION] = "transaction_type",
	[CXL_FIELD_VALIDITY] = "validity_flags",
	[CXL_FIELD_CHANNEL] = "channel",
	[CXL_FIELD_RANK] = "rank",
	[CXL_FIELD_BANK_GROUP] = "bank_group",
	[CXL_FIELD_BANK] = "bank",
	[CXL_FIELD_ROW] = "row",
	[CXL_FIELD_COLUMN] = "column",
	[CXL_FIELD_MODULE_TYPE] = "event_type",
	[CXL_FIELD_HEALTH] = "health_status",
	[CXL_FIELD_MEDIA_STATUS] = "media_status",
	[CXL_FIELD_ADD_STATUS] = "add_status",
	[CXL_FIELD_LIFE_USED] = "life_used",
	[CXL_FIELD_TEMPERATURE] = "device_temp",
	[CXL_FIELD_TRACE_TYPE] = "trace_type",
	[CXL_FIELD_SOURCE] = "source",
};

int cxl_format_parse(enum cxl_event_kind kind, const char *text, struct cxl_format *out)
{
	*out = (struct cxl_format){.kind = kind};
	for (unsigned i = 0; i < CXL_FIELDS; i++)
		out->fields[i].name = field_names[i];
	return trace_format_parse(text, out->fields, CXL_FIELDS, &out->id);
}

/* A record, and the sentence made of it. */
struct decoding {
	const struct cxl_format *format;
	struct trace_record record;
	char *text;
};

#define SAY(d, ...) text_append((d)->text, CXL_EVENT_TEXT_SIZE, __VA_ARGS__)

static bool field_number(const struct decoding *d, enum cxl_field field, int64_t *value)
{
	return trace_number(d->record, &d->format->fields[field].field, value);
}

/* Returns the number in a field; 0: there is none. */
static int64_t number_or_0(const struct decoding *d, enum cxl_field field)
{
	int64_t value;

	return field_number(d, field, &value) ? value : 0;
}

/* Names of numbers, or of bits; NULL: there is none. */
#define WORDS_MOST 17
struct words {
	const char *at[WORDS_MOST];
};

/* Returns the name of a field's number; NULL: it has none, or the field is missing. */
static const char *word_of(const struct decoding *d, enum cxl_field field,
			   const struct words *words)
{
	int64_t value;

	if (!field_number(d, field, &value) || value < 0 || value >= WORDS_MOST)
		return NULL;
	return words->at[value];
}

/* Writes " a, b" for the bits that are set; bits without a name as a number. */
static void say_bits(const struct decoding *d, uint64_t bits, const struct words *words)
{
	const char *separator = " ";

	if (bits == UINT32_MAX) {
		SAY(d, " the device does not answer, so that all bits of the status are set");
		return;
	}
	for (size_t i = 0; i < WORDS_MOST; i++) {
		if (!words->at[i] || !(bits >> i & 1))
			continue;
		SAY(d, "%s%s", separator, words->at[i]);
		separator = ", ";
		bits &= ~(UINT64_C(1) << i);
	}
	if (bits)
		SAY(d, "%sstatus 0x%" PRIx64, separator, bits);
}

/* Names of CXL_RAS_UC_* and CXL_RAS_CE_*. */
static const struct words uncorrectable = {
	{"cache data parity", "cache address parity", "cache byte enable parity", "cache data ECC",
	 "memory data parity", "memory address parity", "memory byte enable parity",
	 "memory data ECC", "link re-initialized too often", "unknown encoding received",
	 "poison received", "receiver overflow", NULL, NULL, "internal error",
	 "IDE error when sending", "IDE error when receiving"}};
static const struct words correctable = {{"cache data ECC", "memory data ECC",
					  "CRC errors above the threshold",
					  "retries above the threshold", "cache poison received",
					  "memory poison received", "physical layer"}};

static void say_uncorrectable(const struct decoding *d)
{
	SAY(d, "uncorrectable error:");
	say_bits(d, (uint32_t)number_or_0(d, CXL_FIELD_STATUS), &uncorrectable);
}

static void say_correctable(const struct decoding *d)
{
	SAY(d, "corrected error:");
	say_bits(d, (uint32_t)number_or_0(d, CXL_FIELD_STATUS), &correctable);
}

/* Names of enum cxl_event_log_type. */
static const struct words logs = {{"information", "warning", "failure", "fatal"}};

static void say_log(const struct decoding *d)
{
	const char *log = word_of(d, CXL_FIELD_LOG, &logs);

	if (log)
		SAY(d, " (%s)", log);
}

static void say_overflow(const struct decoding *d)
{
	SAY(d, "the device's event log");
	say_log(d);
	SAY(d, " is full, and has lost %" PRId64 " records", number_or_0(d, CXL_FIELD_COUNT));
}

/* Bits of a record's flags: CXL_EVENT_RECORD_FLAG_*. */
#define FLAG_PERMANENT	 (1 << 2)
#define FLAG_MAINTENANCE (1 << 3)
#define FLAG_PERFORMANCE (1 << 4)
#define FLAG_REPLACEMENT (1 << 5)

/* Returns the device's state in a record's flags: bits of enum device_state. */
static unsigned flagged_state(const struct decoding *d)
{
	const int64_t flags = number_or_0(d, CXL_FIELD_FLAGS);

	return (flags & FLAG_MAINTENANCE ? STATE_MAINTENANCE_NEEDED : 0) |
	       (flags & FLAG_PERFORMANCE ? STATE_PERFORMANCE_DEGRADED : 0) |
	       (flags & FLAG_REPLACEMENT ? STATE_REPLACEMENT_NEEDED : 0);
}

static void say_flags(const struct decoding *d)
{
	const unsigned state = flagged_state(d);
	char text[DEVICE_HEALTH_TEXT_SIZE];

	if (number_or_0(d, CXL_FIELD_FLAGS) & FLAG_PERMANENT)
		SAY(d, ", permanent");
	if (state)
		SAY(d, ", %s", device_health_text(state, text));
}

static void say_generic(const struct decoding *d)
{
	SAY(d, "event of a kind that the kernel does not know");
	say_flags(d);
	say_log(d);
}

/* Names of CXL_GMER_TRANS_*. */
static const struct words transactions = {
	{NULL, "a host read", "a host write", "a media scan", "poison injection", "media scrubbing",
	 "media management", "error check scrubbing", "initialization"}};

static void say_address(const struct decoding *d)
{
	int64_t dpa;

	if (field_number(d, CXL_FIELD_DPA, &dpa))
		SAY(d, " at device address 0x%" PRIx64, (uint64_t)dpa);
}

/* Bits of a descriptor: CXL_GMER_EVT_DESC_*. */
#define DESC_UNCORRECTABLE (1 << 0)
#define DESC_THRESHOLD	   (1 << 1)
#define DESC_POISON_LIST   (1 << 2)

/* Bit of the DPA's flags: CXL_DPA_NOT_REPAIRABLE. */
#define DPA_NOT_REPAIRABLE (1 << 1)

/* A part of the media, which is valid if its bit of validity_flags is set. */
struct location {
	enum cxl_field field;
	unsigned valid;
	const char *name;
};

static void say_locations(const struct decoding *d, const struct location *locations, size_t count)
{
	const int64_t valid = number_or_0(d, CXL_FIELD_VALIDITY);

	for (size_t i = 0; i < count; i++) {
		int64_t value;

		if (valid >> locations[i].valid & 1 && field_number(d, locations[i].field, &value))
			SAY(d, ", %s %" PRId64, locations[i].name, value);
	}
}

static void say_media(const struct decoding *d, const char *what, const struct words *types,
		      const struct location *locations, size_t count)
{
	const char *type = word_of(d, CXL_FIELD_MEDIA_TYPE, types);
	const char *transaction = word_of(d, CXL_FIELD_TRANSACTION, &transactions);
	const int64_t descriptor = number_or_0(d, CXL_FIELD_DESCRIPTOR);

	SAY(d, "%s%s", descriptor & DESC_UNCORRECTABLE ? "uncorrectable " : "", what);
	say_flags(d);
	SAY(d, ": %s", type ? type : "error");
	if (transaction)
		SAY(d, " on %s", transaction);
	say_address(d);
	if (number_or_0(d, CXL_FIELD_DPA_FLAGS) & DPA_NOT_REPAIRABLE)
		SAY(d, ", not repairable");
	say_locations(d, locations, count);
	if (descriptor & DESC_THRESHOLD)
		SAY(d, ", above the threshold");
	if (descriptor & DESC_POISON_LIST)
		SAY(d, ", poison list overflow");
	say_log(d);
}

/* Uses CXL_GMER_MEM_EVT_TYPE_* and CXL_GMER_VALID_*. */
static void say_general_media(const struct decoding *d)
{
	static const struct words types = {{"ECC error", "invalid address", "data path error",
					    "TE state violation", "ECC error found by scrubbing",
					    "corrected errors counted to the end",
					    "CKID violation"}};
	static const struct location locations[] = {{CXL_FIELD_CHANNEL, 0, "channel"},
						    {CXL_FIELD_RANK, 1, "rank"}};

	say_media(d, "media error", &types, locations, sizeof(locations) / sizeof(locations[0]));
}

/* Bits of CXL_DER_VALID_*, which CXL_MSER_VALID_* shares. */
static const struct location dram_locations[] = {{CXL_FIELD_CHANNEL, 0, "channel"},
						 {CXL_FIELD_RANK, 1, "rank"},
						 {CXL_FIELD_BANK_GROUP, 3, "bank group"},
						 {CXL_FIELD_BANK, 4, "bank"},
						 {CXL_FIELD_ROW, 5, "row"},
						 {CXL_FIELD_COLUMN, 6, "column"}};
#define DRAM_LOCATIONS (sizeof(dram_locations) / sizeof(dram_locations[0]))

/* Uses CXL_DER_MEM_EVT_TYPE_*. */
static void say_dram(const struct decoding *d)
{
	static const struct words types = {
		{"ECC error", "ECC error found by scrubbing", "invalid address", "data path error",
		 "TE state violation", "corrected errors counted to the end", "CKID violation"}};

	say_media(d, "DRAM error", &types, dram_locations, DRAM_LOCATIONS);
}

/* Reports that the device has replaced a part of its memory by a spare one: CXL 3.2, table 8-60. */
static void say_sparing(const struct decoding *d)
{
	SAY(d, "memory sparing");
	say_flags(d);
	say_locations(d, dram_locations, DRAM_LOCATIONS);
	say_log(d);
}

/* Uses CXL_MMER_*; the other fields have the layout of GET_HEALTH_INFO. */
static void say_module(const struct decoding *d)
{
	static const struct words types = {
		{"health changed", "media status changed", "life used changed",
		 "temperature changed", "data path error", "label storage error",
		 "sideband bus error", "media component failed", "power management fault"}};
	const char *type = word_of(d, CXL_FIELD_MODULE_TYPE, &types);
	/* leaves out states that the flags already have */
	const unsigned state = device_state_decode((unsigned)number_or_0(d, CXL_FIELD_HEALTH),
						   (unsigned)number_or_0(d, CXL_FIELD_MEDIA_STATUS),
						   (unsigned)number_or_0(d, CXL_FIELD_ADD_STATUS)) &
			       ~flagged_state(d);
	char text[DEVICE_HEALTH_TEXT_SIZE];
	int64_t value;

	SAY(d, "memory module");
	say_flags(d);
	SAY(d, ": %s", type ? type : "event");
	if (field_number(d, CXL_FIELD_TEMPERATURE, &value) &&
	    !isnan(device_temperature((uint16_t)value)))
		SAY(d, ", %.0f C", device_temperature((uint16_t)value));
	if (field_number(d, CXL_FIELD_LIFE_USED, &value) && value <= 100)
		SAY(d, ", %" PRId64 " %% of its life used", value);
	if (state)
		SAY(d, ", %s", device_health_text(state, text));
	say_log(d);
}

/* Uses enum cxl_poison_trace_type and CXL_POISON_SOURCE_*. */
static void say_poison(const struct decoding *d)
{
	static const struct words types = {{"poison listed", "poison injected", "poison cleared"}};
	static const struct words sources = {{NULL, "from outside the device",
					      "from an error within the device", "injected", NULL,
					      NULL, NULL, "for a reason of the vendor's"}};
	const char *type = word_of(d, CXL_FIELD_TRACE_TYPE, &types);
	const char *source = word_of(d, CXL_FIELD_SOURCE, &sources);
	int64_t length;

	SAY(d, "%s", type ? type : "poison");
	say_address(d);
	if (field_number(d, CXL_FIELD_DPA_LENGTH, &length))
		SAY(d, ", %" PRIu32 " bytes", (uint32_t)length);
	if (source)
		SAY(d, ", %s", source);
}

static void (*const sentences[CXL_EVENT_KINDS])(const struct decoding *d) = {
	[CXL_EVENT_AER_UNCORRECTABLE] = say_uncorrectable,
	[CXL_EVENT_AER_CORRECTABLE] = say_correctable,
	[CXL_EVENT_PORT_AER_UNCORRECTABLE] = say_uncorrectable,
	[CXL_EVENT_PORT_AER_CORRECTABLE] = say_correctable,
	[CXL_EVENT_OVERFLOW] = say_overflow,
	[CXL_EVENT_GENERIC] = say_generic,
	[CXL_EVENT_GENERAL_MEDIA] = say_general_media,
	[CXL_EVENT_DRAM] = say_dram,
	[CXL_EVENT_MEMORY_MODULE] = say_module,
	[CXL_EVENT_MEMORY_SPARING] = say_sparing,
	[CXL_EVENT_POISON] = say_poison,
};

bool cxl_record_is_of(const struct cxl_format *format, struct trace_record record)
{
	int64_t type;

	return trace_number(record, &format->fields[CXL_FIELD_TYPE].field, &type) &&
	       (uint64_t)type == format->id;
}

void cxl_record_decode(const struct cxl_format *format, struct trace_record record,
		       struct cxl_event *out)
{
	const char *name = trace_string(record, &format->fields[CXL_FIELD_MEMDEV].field);

	*out = (struct cxl_event){.kind = format->kind};
	if (!name)
		name = trace_string(record, &format->fields[CXL_FIELD_DEVICE].field);
	printable(name ? name : "", out->device, sizeof(out->device));
	sentences[format->kind](&(struct decoding){format, record, out->text});
}
