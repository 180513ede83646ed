/* SPDX-License-Identifier: BSD-3-Clause */
#include "events/event_parse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "events/event_catalogue.h"
#include "msr/core_pmu.h"
#include "uncore/models/models.h"
#include "uncore/units/cpmu.h"
#include "uncore/units/cpmu_events.h"

#define CORE_CMASK_SHIFT 24
#define PERF_BOX_SIZE	 64

enum term {
	EVENT,
	UMASK,
	UMASK_EXT,
	THRESH,
	PORT_EN,
	RS3_SEL,
	RX_SEL,
	TX_SEL,
	IEP_SEL,
	VC_SEL,
	PORT_SEL,
	CMASK,
	COREID,
	SLICEID,
	THREADMASK,
	VENDOR,
	GROUP,
	MASK,
	COUNTER,
	NAME,
	EDGE,
	INV,
	TID,
	ENALLSLICES,
	ENALLCORES,
	USR,
	OS,
	ANY,
	TERMS,
	FIRST_FLAG = EDGE,
};

/* PMU types that have a term. */
#define OF_CORE	 (1U << 0)
#define OF_BOXES (1U << 1) /* all types except core and cpmu */
#define OF_FIELD (1U << 2) /* types whose controls have the field */
#define OF_CPMU	 (1U << 3)
#define OF_ALL	 (OF_CORE | OF_BOXES)

static const struct term_row {
	const char *name;
	unsigned of;
	enum control_field field; /* with OF_FIELD: the field, which has its maximum */
	uint64_t max;
	uint64_t core_bit; /* only for a flag: its bit in the control */
} table[TERMS] = {
	[EVENT] = {"event", OF_ALL}, /* maximum depends on the PMU type */
	[UMASK] = {"umask", OF_ALL}, /* maximum depends on the PMU type */
	[UMASK_EXT] = {"umask_ext", OF_FIELD, CONTROL_UMASK_EXT},
	[THRESH] = {"thresh", OF_FIELD, CONTROL_THRESHOLD},
	[PORT_EN] = {"port_en", OF_FIELD, CONTROL_PORT_ENABLE},
	[RS3_SEL] = {"rs3_sel", OF_FIELD, CONTROL_RS3_SEL},
	[RX_SEL] = {"rx_sel", OF_FIELD, CONTROL_RX_SEL},
	[TX_SEL] = {"tx_sel", OF_FIELD, CONTROL_TX_SEL},
	[IEP_SEL] = {"iep_sel", OF_FIELD, CONTROL_IEP_SEL},
	[VC_SEL] = {"vc_sel", OF_FIELD, CONTROL_VC_SEL},
	[PORT_SEL] = {"port_sel", OF_FIELD, CONTROL_PORT_SEL},
	[CMASK] = {"cmask", OF_CORE, .max = UINT8_MAX},
	[COREID] = {"coreid", OF_FIELD, CONTROL_CORE_ID},
	[SLICEID] = {"sliceid", OF_FIELD, CONTROL_SLICE_ID},
	[THREADMASK] = {"threadmask", OF_FIELD, CONTROL_THREAD_MASK},
	[COUNTER] = {"counter", OF_ALL}, /* maximum depends on the PMU type */
	[VENDOR] = {"vendor", OF_CPMU, .max = UINT16_MAX},
	[GROUP] = {"group", OF_CPMU, .max = UINT16_MAX},
	[MASK] = {"mask", OF_CPMU, .max = UINT32_MAX},
	[NAME] = {"name", OF_ALL | OF_CPMU},
	[EDGE] = {"edge", OF_CORE | OF_FIELD, CONTROL_EDGE, .core_bit = PERFEVTSEL_EDGE},
	[INV] = {"inv", OF_CORE | OF_FIELD, CONTROL_INVERT, .core_bit = PERFEVTSEL_INV},
	[TID] = {"tid", OF_FIELD, CONTROL_TID},
	[ENALLSLICES] = {"enallslices", OF_FIELD, CONTROL_ALL_SLICES},
	[ENALLCORES] = {"enallcores", OF_FIELD, CONTROL_ALL_CORES},
	[USR] = {"usr", OF_CORE, .core_bit = PERFEVTSEL_USR},
	[OS] = {"os", OF_CORE, .core_bit = PERFEVTSEL_OS},
	[ANY] = {"any", OF_CORE, .core_bit = PERFEVTSEL_ANY},
};

/* The event while it is parsed. */
struct parser {
	const char *text; /* the whole text, for messages */
	uint16_t type;
	const char *pmu_type_name;	     /* as given by the user */
	const struct control_layout *layout; /* NULL: a core's, or a CPMU's */
	const struct core_model *core;	     /* has the widths of a core's event and umask */
	bool given[TERMS];
	uint64_t value[TERMS];
	const char *name; /* NULL: none given */
};

__attribute__((format(printf, 3, 4))) static int refuse(const char *text, struct error *err,
							const char *format, ...)
{
	char why[512];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return error_set(err, ERROR_USAGE, -EINVAL, "event '%s': %s", quoted(text).text, why);
}

static bool has_term(const struct parser *r, enum term t)
{
	if (r->type == PMU_CPMU)
		return table[t].of & OF_CPMU;
	if (r->type == PMU_CORE)
		return table[t].of & OF_CORE && (t != ANY || r->core->has_any_thread);
	return table[t].of & OF_BOXES ||
	       (table[t].of & OF_FIELD && control_max(r->layout, table[t].field));
}

static const char *terms_of(const struct parser *r, char text[EVENT_TERMS_SIZE])
{
	text[0] = '\0';
	for (enum term t = 0; t < TERMS; t++)
		if (has_term(r, t))
			text_list(text, EVENT_TERMS_SIZE, "%s", table[t].name);
	return text;
}

static const struct control_layout *layout_of(const struct model *model, uint16_t pmu_type)
{
	return pmu_type == PMU_CORE || pmu_type == PMU_CPMU
		       ? NULL
		       : pmu_type_layout(model_pmu_type(model, pmu_type));
}

const char *event_terms(const struct model *model, uint16_t pmu_type, char text[EVENT_TERMS_SIZE])
{
	const struct parser r = {
		.type = pmu_type, .layout = layout_of(model, pmu_type), .core = model_core(model)};

	return terms_of(&r, text);
}

/* Returns the highest value of a number. */
static uint64_t term_max(const struct parser *r, enum term t)
{
	if (t == COUNTER)
		return rules_counter_count(r->type) - 1;
	if (t == EVENT)
		return control_max_event(r->layout ? r->layout : r->core->layout);
	if (t == UMASK)
		return control_max_umask(r->layout ? r->layout : r->core->layout);
	return table[t].of & OF_FIELD ? control_max(r->layout, table[t].field) : table[t].max;
}

static int unknown_term(const struct parser *r, const char *word, struct error *err)
{
	char known[EVENT_TERMS_SIZE];

	if (r->layout && r->layout->perf_umask && !strcasecmp(word, r->layout->perf_umask))
		return refuse(r->text, err, "'%s' is perf's name; here it is umask", word);
	return refuse(r->text, err, "unknown term '%s' for %s: expected %s%s", quoted(word).text,
		      r->pmu_type_name, terms_of(r, known),
		      r->type == PMU_CPMU ? ", or the name of an event (cxlmon list cpmu)" : "");
}

/* Parses a term's value; as in perf, a flag may be given as enallcores=1. */
static int parse_value(struct parser *r, enum term t, const char *value, struct error *err)
{
	const uint64_t max = t >= FIRST_FLAG ? 1 : term_max(r, t);
	uint64_t number = 1;

	if (r->given[t])
		return refuse(r->text, err, "%s is given twice", table[t].name);
	r->given[t] = true;
	if (!value && t < FIRST_FLAG)
		return refuse(r->text, err, "%s needs a value: expected %s=...", table[t].name,
			      table[t].name);
	if (t == NAME) {
		r->name = value;
		return text_is_name(value) ? 0
					   : refuse(r->text, err,
						    "name=%s: expected letters, digits, or _ . : -",
						    quoted(value).text);
	}
	if (!value || (text_number(value, &number) && number <= max)) {
		r->value[t] = number;
		r->given[t] = t < FIRST_FLAG || number;
		return 0;
	}
	if (t >= FIRST_FLAG)
		return refuse(r->text, err, "%s=%s: expected 0 or 1", table[t].name,
			      quoted(value).text);
	if (t == COUNTER)
		return refuse(r->text, err, "counter=%s: expected a number from 0 to %" PRIu64,
			      quoted(value).text, max);
	return refuse(r->text, err, "%s=%s: expected a number from 0 to %#" PRIx64 "%s",
		      table[t].name, quoted(value).text, max,
		      t == UMASK && has_term(r, UMASK_EXT)
			      ? "; bits that perf has above bit 7 belong in umask_ext= here"
			      : "");
}

static int parse_term(struct parser *r, char *word, struct error *err)
{
	char *value = strchr(word, '=');

	if (value) {
		*value++ = '\0';
		value = text_trim(value);
	}
	word = text_trim(word);
	for (unsigned t = 0; t < TERMS; t++)
		if (has_term(r, t) && !strcasecmp(word, table[t].name))
			return parse_value(r, t, value, err);
	return unknown_term(r, word, err);
}

static int unknown_pmu_type(const struct model *model, const char *name, struct error *err)
{
	char known[384] = "";

	for (const struct pmu_type *pmu_type = model ? model->pmu_types : NULL;
	     pmu_type && pmu_type->name; pmu_type++)
		text_append(known, sizeof(known), "%s, ", pmu_type->name);
	return error_set(err, ERROR_USAGE, -EINVAL, "unknown unit '%s': expected %score or cpmu",
			 quoted(name).text, known);
}

/*
 * Finds the PMU type that perf names uncore_NAME_N (N is the unit's number), uncore_NAME or cpu; on
 * AMD, amd_NAME; for a CXL device, cxl_pmu_memN.M. Returns false if there is none.
 */
static bool find_perf_pmu_type(const struct model *model, const char *name,
			       char pmu_type[PERF_BOX_SIZE])
{
	const char *prefix = model && model->perf_prefix ? model->perf_prefix : "uncore_";
	const bool cpu = !strcasecmp(name, "cpu");
	uint16_t type;

	if (!strncmp(name, "cxl_pmu_", strlen("cxl_pmu_"))) {
		snprintf(pmu_type, PERF_BOX_SIZE, "%s", cpmu_pmu_type.name);
		return true;
	}
	if (!cpu && strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	snprintf(pmu_type, PERF_BOX_SIZE, "%s", cpu ? "core" : name + strlen(prefix));
	if (rules_find_pmu_type(model, pmu_type, &type))
		return true;
	char *number = strrchr(pmu_type, '_');
	if (!number || !number[1] || number[1 + strspn(number + 1, "0123456789")])
		return false;
	*number = '\0';
	return rules_find_pmu_type(model, pmu_type, &type);
}

static int parse_pmu_type(struct parser *r, const struct model *model, const char *name,
			  struct error *err)
{
	char pmu_type[PERF_BOX_SIZE];

	const bool perf = !rules_find_pmu_type(model, name, &r->type) &&
			  find_perf_pmu_type(model, name, pmu_type);
	if (perf && !strcmp(pmu_type, cpmu_pmu_type.name))
		return refuse(r->text, err,
			      "'%s' is perf's name for one unit; cxlmon counts on every cpmu: "
			      "cpmu/NAME/ or cpmu/vendor=N,group=N,mask=N/",
			      quoted(name).text);
	if (perf)
		return refuse(r->text, err,
			      "'%s' is perf's name for one unit; cxlmon counts on every %s: %s%s",
			      quoted(name).text, pmu_type, pmu_type,
			      quoted(strchr(r->text, '/')).text);
	if (!rules_find_pmu_type(model, name, &r->type))
		return unknown_pmu_type(model, name, err);
	r->pmu_type_name = name;
	r->core = model_core(model);
	r->layout = layout_of(model, r->type);
	return 0;
}

static uint64_t core_modifiers(const struct parser *r)
{
	uint64_t bits = r->value[CMASK] << CORE_CMASK_SHIFT;

	for (unsigned t = FIRST_FLAG; t < TERMS; t++)
		if (r->given[t])
			bits |= table[t].core_bit;
	if (!r->given[USR] && !r->given[OS])
		bits |= PERFEVTSEL_USR | PERFEVTSEL_OS;
	return bits;
}

/*
 * Returns the default of the kernel without a thread mask: all threads of all cores, in all slices.
 */
static uint64_t all_threads(const struct control_layout *layout)
{
	return control_bits(layout, CONTROL_THREAD_MASK, control_max(layout, CONTROL_THREAD_MASK)) |
	       control_bits(layout, CONTROL_ALL_SLICES, control_max(layout, CONTROL_ALL_SLICES)) |
	       control_bits(layout, CONTROL_ALL_CORES, control_max(layout, CONTROL_ALL_CORES));
}

/* Returns all fields except umask_ext, for which events have a separate member. */
static uint64_t parse_modifiers(const struct parser *r)
{
	uint64_t bits = 0;

	if (r->type == PMU_CPMU)
		return CPMU_EVENT(r->given[VENDOR] ? r->value[VENDOR] : CPMU_VENDOR_CXL,
				  r->value[GROUP], r->value[MASK]);
	if (r->type == PMU_CORE)
		return core_modifiers(r);
	for (unsigned t = 0; t < TERMS; t++)
		if (r->given[t] && table[t].of & OF_FIELD && t != UMASK_EXT)
			bits |= control_bits(r->layout, table[t].field,
					     t >= FIRST_FLAG ? 1 : r->value[t]);
	return r->given[THREADMASK] ? bits : bits | all_threads(r->layout);
}

/* Refuses a counter that cannot count the event. */
static int refuse_counter(const struct parser *r, uint32_t counters, struct error *err)
{
	char able[64] = "";

	/* for a core, users number only the general-purpose counters */
	if (r->type == PMU_CORE)
		counters >>= CORE_COUNTER_GENERAL;
	for (unsigned c = 0; c < 32; c++)
		if (counters >> c & 1)
			text_list(able, sizeof(able), "%u", c);
	return refuse(r->text, err,
		      "counter %" PRIu64 " cannot count this event: expected one of %s",
		      r->value[COUNTER], able);
}

static int choose_counters(const struct parser *r, const struct event_catalogue *catalogue,
			   struct event *event, struct error *err)
{
	const bool core = r->type == PMU_CORE;
	/* modifiers decide if a fixed counter can count a core event, not the table */
	const bool by_code = !core && r->type != PMU_CPMU;
	const struct event *row = by_code ? catalogue_find_encoding(catalogue, event) : NULL;

	event->counters = row ? row->counters : rules_counters(event);
	if (!r->given[COUNTER])
		return 0;
	const uint32_t pin = UINT32_C(1) << (r->value[COUNTER] + (core ? CORE_COUNTER_GENERAL : 0));
	if (!(event->counters & pin))
		return refuse_counter(r, event->counters, err);
	event->counters = pin;
	return 0;
}

static int check_cpmu(const struct parser *r, struct error *err)
{
	const uint64_t wanted = parse_modifiers(r);

	if (!(r->given[GROUP] && r->value[MASK]))
		return refuse(
			r->text, err,
			"expected the name of an event, or group=N,mask=N with a bit of the mask "
			"for each event");
	if ((unsigned)__builtin_popcount((uint32_t)wanted) > cpmu_events_at_once(wanted))
		return refuse(r->text, err,
			      "mask=0x%" PRIx64 ": events of group 0x%" PRIx64
			      " are counted one at a time",
			      r->value[MASK], r->value[GROUP]);
	return 0;
}

/* Parses the text between the slashes, body, which is modified. */
static int parse_terms(struct parser *r, char *body, struct error *err)
{
	body = text_trim(body);
	for (char *word = *body ? strsep(&body, ",") : NULL; word; word = strsep(&body, ",")) {
		int rc = parse_term(r, word, err);
		if (rc)
			return rc;
	}
	if (r->type == PMU_CPMU)
		return check_cpmu(r, err);
	return r->given[EVENT] ? 0 : refuse(r->text, err, "event=... is missing");
}

int event_parse(const struct event_catalogue *catalogue, const char *text, struct parsed_event *out,
		struct error *err)
{
	struct parser r = {.text = text};
	char words[EVENT_NAME_SIZE], *body = words;
	const size_t length = strlen(text);

	if (length >= sizeof(words))
		return refuse(text, err, "longer than %zu characters", sizeof(words) - 1);
	memcpy(words, text, length + 1);
	strsep(&body, "/");
	if (!body || !*body || strchr(body, '/') != words + length - 1)
		return refuse(text, err, "expected UNIT/event=N,.../ or UNIT/NAME/");
	words[length - 1] = '\0';

	int rc = parse_pmu_type(&r, catalogue->model, text_trim(words), err);
	/* a name between the slashes, as in perf */
	const struct event *named = rc ? NULL : catalogue_find(catalogue, text_trim(body));
	if (named && named->type == r.type) {
		snprintf(out->name, sizeof(out->name), "%s", named->name);
		out->event = *named;
		out->event.name = out->name;
		return 0;
	}
	rc = rc ? rc : parse_terms(&r, body, err);
	if (rc)
		return rc;
	strcpy(out->name, r.name ? r.name : text);
	for (char *tab = out->name; (tab = strchr(tab, '\t'));)
		*tab = ' '; /* names are printed in tables */
	out->event = (struct event){
		.name = out->name,
		.type = r.type,
		.code = (uint16_t)r.value[EVENT],
		.umask = (uint16_t)r.value[UMASK],
		.umask_ext = (uint32_t)r.value[UMASK_EXT],
		.modifiers = parse_modifiers(&r),
	};
	return choose_counters(&r, catalogue, &out->event, err);
}
