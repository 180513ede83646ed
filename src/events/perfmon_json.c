/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "events/event_catalogue.h"
#include "uncore/units/unit.h"

#define MAX_COUNTERS   16		  /* the most of an uncore unit */
#define MAX_FILE_BYTES ((size_t)16 << 20) /* the largest published file has 2 MB */

/*
 * IIO's counter control. Source: the kernel's uncore_snbep.c, format attributes ch_mask2 and
 * fc_mask2
 */
#define IIO_PORT_MASK_SHIFT 36
#define IIO_PORT_MASK_MAX   0xFFF
#define IIO_FC_MASK_SHIFT   48
#define IIO_FC_MASK_MAX	    0x7

/* One event of the file while it is parsed. */
struct entry {
	const char *path;
	size_t number; /* in the file, from 1 */
	const json_t *json;
	const char *name; /* "" until it was read */
};

static int refuse_field(const struct entry *e, const char *field, const char *value,
			const char *expected, struct error *err)
{
	return error_set(err, ERROR_USAGE, -EINVAL, "%s: event %zu%s%s: %s%s%s%s: expected %s",
			 quoted(e->path).text, e->number, *e->name ? " " : "", quoted(e->name).text,
			 field, value ? " '" : "", value ? quoted(value).text : "",
			 value ? "'" : "", expected);
}

/* Reads a string; *value is unchanged if there is no such field. */
static int get_text(const struct entry *e, const char *field, const char **value, struct error *err)
{
	const json_t *json = json_object_get(e->json, field);

	if (!json)
		return 0;
	if (!json_is_string(json))
		return refuse_field(e, field, NULL, "a string", err);
	*value = json_string_value(json);
	return 0;
}

static int get_number(const struct entry *e, const char *field, uint64_t max, uint64_t *value,
		      struct error *err)
{
	const char *text = NULL;
	char expected[64];
	int rc = get_text(e, field, &text, err);

	*value = 0;
	if (rc || !text || (text_number(text, value) && *value <= max))
		return rc;
	snprintf(expected, sizeof(expected), "a number from 0 to %#" PRIx64, max);
	return refuse_field(e, field, text, expected, err);
}

/* Reads "0,1,2,3"; *counters is unchanged if there is no such field. */
static int get_counters(const struct entry *e, uint32_t *counters, struct error *err)
{
	const char *text = NULL;
	int rc = get_text(e, "Counter", &text, err);

	if (rc || !text)
		return rc;
	char *copy = strdup(text), *rest = copy;
	if (!copy)
		return error_no_memory(err);
	*counters = 0;
	for (char *word = strsep(&rest, ","); word && !rc; word = strsep(&rest, ",")) {
		uint64_t counter;

		if (text_number(text_trim(word), &counter) && counter < MAX_COUNTERS)
			*counters |= UINT32_C(1) << counter;
		else
			rc = refuse_field(e, "Counter", text, "counters such as 0,1,2,3", err);
	}
	free(copy);
	return rc;
}

/*
 * Finds a PMU type by Intel's name of a unit: the same except for its case, and for these. Events
 * of cores and of CPMUs have other fields.
 */
static bool find_pmu_type(const struct model *model, const char *unit, uint16_t *pmu_type)
{
	const char *name = !strcasecmp(unit, "UPI LL")	? "upi"
			   : !strcasecmp(unit, "MCHBM") ? "hbm"
							: unit;

	return rules_find_pmu_type(model, name, pmu_type) && *pmu_type != PMU_CORE &&
	       *pmu_type != PMU_CPMU;
}

/*
 * Finds the PMU type; *obstacle has the reason if the event is not for programmable counters of a
 * PMU type of this model.
 */
static int choose_pmu(const struct entry *e, const struct model *model, uint16_t *pmu_type,
		      struct error *obstacle, struct error *err)
{
	const char *unit = NULL, *type = "PGMABLE", *counter = "";
	char expected[80] = "one, such as CHA";
	int rc = get_text(e, "Unit", &unit, err);

	rc = rc ? rc : get_text(e, "CounterType", &type, err);
	rc = rc ? rc : get_text(e, "Counter", &counter, err);
	if (rc)
		return rc;
	if (unit)
		snprintf(expected, sizeof(expected), "a unit of %s",
			 model ? model->name : "a known processor");
	if (!unit || !find_pmu_type(model, unit, pmu_type))
		refuse_field(e, unit ? "Unit" : "no Unit", unit, expected, obstacle);
	else if (strcasecmp(type, "PGMABLE"))
		refuse_field(e, "CounterType", type, "PGMABLE", obstacle);
	else if (!strcasecmp(counter, "FIXED"))
		refuse_field(e, "Counter", counter, "counters that can be programmed", obstacle);
	return 0;
}

/* Numeric fields, in the order in which they are checked. */
enum field { CODE, UMASK, UMASK_EXT, EDGE, INVERT, THRESHOLD, PORT_MASK, FC_MASK, FIELDS };

/*
 * Reads an event. The masks are fields of an IIO; other PMU types have no such bits, which is an
 * obstacle.
 */
static int get_event(const struct entry *e, const struct model *model, struct event *event,
		     struct error *obstacle, struct error *err)
{
	const struct control_layout *layout = pmu_type_layout(model_pmu_type(model, event->type));
	const bool iio = event->type == PMU_IIO;
	const struct {
		const char *name;
		uint64_t max;
	} fields[FIELDS] = {
		[CODE] = {"EventCode", control_max_event(layout)},
		[UMASK] = {"UMask", control_max_umask(layout)},
		[UMASK_EXT] = {"UMaskExt", control_max(layout, CONTROL_UMASK_EXT)},
		[EDGE] = {"EdgeDetect", control_max(layout, CONTROL_EDGE)},
		[INVERT] = {"Invert", control_max(layout, CONTROL_INVERT)},
		[THRESHOLD] = {"Threshold", control_max(layout, CONTROL_THRESHOLD)},
		[PORT_MASK] = {"PortMask", iio ? IIO_PORT_MASK_MAX : UINT64_MAX},
		[FC_MASK] = {"FCMask", iio ? IIO_FC_MASK_MAX : UINT64_MAX},
	};
	uint64_t values[FIELDS];
	int rc = 0;

	if (!json_object_get(e->json, "EventCode"))
		return refuse_field(e, "EventCode", NULL, "one", err);
	for (unsigned i = 0; !rc && i < FIELDS; i++)
		rc = get_number(e, fields[i].name, fields[i].max, &values[i], err);
	if (rc)
		return rc;
	if (!iio && (values[PORT_MASK] | values[FC_MASK]))
		refuse_field(e, "PortMask or FCMask", NULL, "0, as the unit has none", obstacle);
	event->code = (uint16_t)values[CODE];
	event->umask = (uint16_t)values[UMASK];
	event->umask_ext = (uint32_t)values[UMASK_EXT];
	event->modifiers = control_bits(layout, CONTROL_EDGE, values[EDGE]) |
			   control_bits(layout, CONTROL_INVERT, values[INVERT]) |
			   control_bits(layout, CONTROL_THRESHOLD, values[THRESHOLD]);
	if (iio)
		event->modifiers |= values[PORT_MASK] << IIO_PORT_MASK_SHIFT |
				    values[FC_MASK] << IIO_FC_MASK_SHIFT;
	event->counters = rules_counters(event);
	return get_counters(e, &event->counters, err);
}

/* Adds an event with its description, which is printed on one line. */
static int add_event(const struct entry *e, struct event *event, struct event_set *set,
		     struct error *err)
{
	const char *help = "";
	int rc = get_text(e, "BriefDescription", &help, err);
	char *copy = rc ? NULL : strdup(help);

	if (!copy)
		return rc ? rc : error_no_memory(err);
	for (char *at = copy; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7F)
			*at = ' ';
	event->name = e->name;
	event->help = copy;
	rc = event_set_add(set, event, NULL, err);
	free(copy);
	return rc;
}

/* Adds the event to the catalogue, or to its events that are left out. */
static int add_entry(struct entry *e, struct event_catalogue *catalogue, struct error *err)
{
	struct event event = {0};
	struct error obstacle = {0};

	if (!json_is_object(e->json))
		return refuse_field(e, "not an object", NULL, "{...}", err);
	int rc = get_text(e, "EventName", &e->name, err);
	rc = rc ? rc : choose_pmu(e, catalogue->model, &event.type, &obstacle, err);
	if (!rc && !*obstacle.text) {
		if (!text_is_name(e->name))
			return refuse_field(e, "EventName", e->name, "letters, digits, or _ . : -",
					    err);
		rc = get_event(e, catalogue->model, &event, &obstacle, err);
	}
	if (rc)
		return rc;
	if (!*obstacle.text)
		return add_event(e, &event, &catalogue->extras, err);
	event = (struct event){.name = e->name, .help = obstacle.text};
	return event_set_add(&catalogue->left_out, &event, NULL, err);
}

static int load_json(const char *path, json_t **root, struct error *err)
{
	struct text_file file;
	json_error_t why;
	int rc = text_file_read(path, MAX_FILE_BYTES, &file, err);

	if (rc)
		return rc;
	*root = json_loadb(file.text, file.size, 0, &why);
	free(file.text);
	return *root ? 0
		     : error_set(err, ERROR_USAGE, -EINVAL, "%s:%d: %s", quoted(path).text,
				 why.line, quoted(why.text).text);
}

int perfmon_load(struct event_catalogue *catalogue, const char *path, size_t *added,
		 struct error *err)
{
	const size_t events = catalogue->extras.count, left_out = catalogue->left_out.count;
	json_t *root;
	int rc = load_json(path, &root, err);

	if (rc)
		return rc;
	const json_t *list = json_is_object(root) ? json_object_get(root, "Events") : root;
	if (!json_is_array(list))
		rc = error_set(err, ERROR_USAGE, -EINVAL,
			       "%s: not an event list: expected {\"Events\": [...]} or [...]",
			       quoted(path).text);
	for (size_t i = 0; !rc && i < json_array_size(list); i++) {
		struct entry e = {path, i + 1, json_array_get(list, i), ""};

		rc = add_entry(&e, catalogue, err);
	}
	const size_t count = catalogue->extras.count - events;
	if (!rc && !count && catalogue->model && catalogue->model->units_by_cpuid)
		rc = error_set(err, ERROR_USAGE, -EINVAL,
			       "%s: has no event for a unit of %s; such files exist for Intel's "
			       "processors only: expected raw events, such as -e "
			       "df/event=0x31f,umask=0xffe/",
			       quoted(path).text, catalogue->model->name);
	if (rc) {
		event_set_truncate(&catalogue->extras, events);
		event_set_truncate(&catalogue->left_out, left_out);
	} else if (added) {
		*added = count;
	}
	json_decref(root);
	return rc;
}
