/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes a snapshot from JSON that is not trusted: every value is checked. The first error is
 * reported and stops it.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/text.h"
#include "platform/text_file.h"
#include "snapshot/snapshot.h"

/* Decoding list[index] of the file. */
struct reader {
	const char *list;
	size_t index;
	int rc; /* of the first error */
	struct error *err;
};

static void fail(struct reader *r, const char *key, const char *expected)
{
	if (!r->rc)
		r->rc = error_set(r->err, EXIT_USAGE, -EINVAL, "%s[%zu].%s: expected %s", r->list,
				  r->index, key, expected);
}

/* "0x..." up to max. */
static uint64_t hex_value(struct reader *r, const json_t *value, const char *key, uint64_t max)
{
	const char *text = json_string_value(value);
	uint64_t number = 0;
	char expected[64];

	if (text && !strncmp(text, "0x", 2) && text_number(text, &number) && number <= max)
		return number;
	snprintf(expected, sizeof(expected), "a string from 0x0 to 0x%" PRIx64, max);
	fail(r, key, expected);
	return 0;
}

static uint64_t get_hex(struct reader *r, const json_t *object, const char *key, uint64_t max)
{
	return hex_value(r, json_object_get(object, key), key, max);
}

static int get_integer(struct reader *r, const json_t *object, const char *key, int min, int max)
{
	const json_t *value = json_object_get(object, key);
	const json_int_t number = json_integer_value(value);
	char expected[64];

	if (json_is_integer(value) && number >= min && number <= max)
		return (int)number;
	snprintf(expected, sizeof(expected), "a number from %d to %d", min, max);
	fail(r, key, expected);
	return min;
}

/* As pci_location_text() writes it, and in no other form. */
static struct pci_location location_value(struct reader *r, const json_t *value, const char *key)
{
	const char *text = json_string_value(value);
	unsigned domain, bus, device, function;
	char same[PCI_TEXT_SIZE];

	if (text && sscanf(text, "%8x:%2x:%2x.%1x", &domain, &bus, &device, &function) == 4) {
		const struct pci_location at = {domain, (uint8_t)bus, (uint8_t)device,
						(uint8_t)function};

		if (device < 32 && function < 8 && !strcmp(pci_location_text(at, same), text))
			return at;
	}
	fail(r, key, "a PCI address such as 0000:7f:0c.0");
	return (struct pci_location){0};
}

/* The length of an array of min to max elements; 0 after an error. */
static size_t get_array(struct reader *r, const json_t *object, const char *key, size_t min,
			size_t max, const json_t **array)
{
	char expected[64];

	*array = json_object_get(object, key);
	if (json_is_array(*array) && json_array_size(*array) >= min &&
	    json_array_size(*array) <= max)
		return json_array_size(*array);
	snprintf(expected, sizeof(expected), "an array of %zu to %zu", min, max);
	fail(r, key, expected);
	return 0;
}

static void *allocate(struct reader *r, size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory && !r->rc)
		r->rc = error_set(r->err, EXIT_FAILED, -ENOMEM, "out of memory");
	return memory;
}

static void read_leaf(struct reader *r, const json_t *from, void *element)
{
	static const char *const names[] = {"eax", "ebx", "ecx", "edx"};
	struct snapshot_cpuid *leaf = element;

	leaf->leaf = (uint32_t)get_hex(r, from, "leaf", UINT32_MAX);
	leaf->subleaf = (uint32_t)get_hex(r, from, "subleaf", UINT32_MAX);
	for (unsigned i = 0; i < CPUID_REGS; i++)
		leaf->regs[i] = (uint32_t)get_hex(r, from, names[i], UINT32_MAX);
}

static void read_cpu(struct reader *r, const json_t *from, void *element)
{
	struct cpu_location *place = element;

	place->cpu = (unsigned)get_integer(r, from, "cpu", 0, SNAPSHOT_MAX_CPUS - 1);
	place->socket = get_integer(r, from, "socket", 0, SNAPSHOT_MAX_SOCKETS - 1);
	place->node = get_integer(r, from, "node", -1, INT32_MAX);
	place->core = -1;
	place->l3 = -1;
	/* older files don't have them */
	if (json_object_get(from, "die"))
		place->die = get_integer(r, from, "die", 0, INT32_MAX);
	if (json_object_get(from, "l3"))
		place->l3 = get_integer(r, from, "l3", -1, INT32_MAX);
	/* ascending, as in struct topology; element is in an array */
	if (r->index && place->cpu <= place[-1].cpu)
		fail(r, "cpu", "more than the CPU before");
}

static void read_run(struct reader *r, const json_t *run, struct snapshot_function *f)
{
	const unsigned words = PCI_CONFIG_BYTES / 4;
	const size_t count = json_array_size(run);
	const uint64_t first = hex_value(r, json_array_get(run, 0), "config", PCI_CONFIG_BYTES - 1);

	if (!count || first % 4 || first / 4 + count - 1 > words) {
		fail(r, "config", "runs of words within 4096 bytes");
		return;
	}
	for (size_t i = 1; i < count; i++) {
		const size_t at = first / 4 + i - 1;

		f->config[at] =
			(uint32_t)hex_value(r, json_array_get(run, i), "config", UINT32_MAX);
		f->known[at] = true;
	}
}

static void read_function(struct reader *r, const json_t *from, void *element)
{
	struct snapshot_function *f = element;
	const json_t *bars, *config;
	const size_t bar_count =
		get_array(r, from, "bar_bytes", PCI_BAR_COUNT, PCI_BAR_COUNT, &bars);
	const size_t runs = get_array(r, from, "config", 0, PCI_CONFIG_BYTES / 4, &config);

	f->info.at = location_value(r, json_object_get(from, "at"), "at");
	f->info.vendor = (uint16_t)get_hex(r, from, "vendor", UINT16_MAX);
	f->info.device = (uint16_t)get_hex(r, from, "device", UINT16_MAX);
	f->info.numa_node = get_integer(r, from, "numa_node", -1, INT32_MAX);
	for (size_t i = 0; i < bar_count; i++)
		f->info.bar_size[i] =
			hex_value(r, json_array_get(bars, i), "bar_bytes", UINT64_MAX >> 1);
	for (size_t i = 0; i < runs; i++)
		read_run(r, json_array_get(config, i), f);
}

static void read_table(struct reader *r, const json_t *from, void *element)
{
	struct snapshot_table *table = element;
	const json_t *words;
	const size_t count =
		get_array(r, from, "words", DISCOVERY_RECORD_WORDS, SNAPSHOT_MAX_WORDS, &words);

	table->phys = get_hex(r, from, "address", UINT64_MAX >> 1);
	if (table->phys % 8)
		fail(r, "address", "a multiple of 8");
	table->words = allocate(r, count, sizeof(*table->words));
	for (size_t i = 0; table->words && i < count; i++)
		table->words[i] = hex_value(r, json_array_get(words, i), "words", UINT64_MAX);
	table->count = table->words ? count : 0;
}

static void read_unit(struct reader *r, const json_t *from, void *element)
{
	struct snapshot_unit *unit = element;
	const json_t *controls, *values, *dead = json_object_get(from, "dead");
	const size_t count = get_array(r, from, "controls", 0, UNIT_MAX_COUNTERS, &controls);

	unit->counters = (unsigned)get_array(r, from, "counters", count, count, &values);
	unit->socket = get_integer(r, from, "socket", 0, SNAPSHOT_MAX_SOCKETS - 1);
	unit->die = (unsigned)get_integer(r, from, "die", 0, SNAPSHOT_MAX_TABLES - 1);
	unit->type = (uint16_t)get_integer(r, from, "type", 0, UINT16_MAX);
	unit->id = (uint16_t)get_integer(r, from, "id", 0, UINT16_MAX);
	unit->dead = json_is_true(dead);
	if (!json_is_boolean(dead))
		fail(r, "dead", "true or false");
	unit->control = get_hex(r, from, "control", UINT64_MAX);
	for (unsigned i = 0; i < unit->counters; i++) {
		unit->controls[i] =
			hex_value(r, json_array_get(controls, i), "controls", UINT64_MAX);
		unit->values[i] = hex_value(r, json_array_get(values, i), "counters", UINT64_MAX);
	}
}

static void read_msr(struct reader *r, const json_t *from, void *element)
{
	struct snapshot_msr *msr = element;

	msr->cpu = (unsigned)get_integer(r, from, "cpu", 0, SNAPSHOT_MAX_CPUS - 1);
	msr->msr = (uint32_t)get_hex(r, from, "msr", UINT32_MAX);
	msr->value = get_hex(r, from, "value", UINT64_MAX);
}

static void read_device(struct reader *r, const json_t *from, void *element)
{
	struct cxl_device *device = element;
	const char *name = json_string_value(json_object_get(from, "name"));
	const json_t *path;

	if (name && text_is_name(name) && strlen(name) < sizeof(device->name))
		strcpy(device->name, name);
	else
		fail(r, "name", "a name such as mem0");
	device->depth = get_array(r, from, "path", 1, CXL_PATH_MAX, &path);
	for (size_t i = 0; i < device->depth; i++)
		device->path[i] = location_value(r, json_array_get(path, i), "path");
	device->near_node = get_integer(r, from, "near_node", -1, INT32_MAX);
	device->node = get_integer(r, from, "node", -1, INT32_MAX);
	device->bytes = get_hex(r, from, "bytes", INT64_MAX);
}

static void read_row(struct reader *r, const json_t *from, const char *key, size_t count,
		     uint64_t *values)
{
	const json_t *row;
	const size_t length = get_array(r, from, key, count, count, &row);

	for (size_t i = 0; i < length; i++)
		values[i] = hex_value(r, json_array_get(row, i), key, UINT64_MAX);
}

static void read_cpmu(struct reader *r, const json_t *from, void *element)
{
	struct snapshot_cpmu *cpmu = element;

	cpmu->at = location_value(r, json_object_get(from, "at"), "at");
	cpmu->address = get_hex(r, from, "address", UINT64_MAX >> 1);
	if (cpmu->address % 8)
		fail(r, "address", "a multiple of 8");
	cpmu->capability = get_hex(r, from, "capability", UINT64_MAX);
	cpmu->overflow = get_hex(r, from, "overflow", UINT64_MAX);
	cpmu->freeze = get_hex(r, from, "freeze", UINT64_MAX);
	const unsigned counters = cpmu_counters(cpmu->capability);

	read_row(r, from, "groups", cpmu_groups(cpmu->capability), cpmu->groups);
	read_row(r, from, "configurations", counters, cpmu->configurations);
	read_row(r, from, "counters", counters, cpmu->counters);
	if (cpmu_filters(cpmu->capability))
		read_row(r, from, "filters", (size_t)counters * CPMU_FILTERS, cpmu->filters);
}

/* A list of the file, and how its elements are decoded. */
struct list {
	const char *name;
	size_t min, max;
	size_t size; /* of an element */
	void (*read)(struct reader *r, const json_t *from, void *element);
};

/* Returns the elements, *count of them: those before an error. */
static void *read_list(struct reader *r, const json_t *root, const struct list *list, size_t *count)
{
	const json_t *array = json_object_get(root, list->name);
	const size_t length = json_array_size(array);
	char *memory;

	r->list = list->name;
	r->index = 0;
	if (!json_is_array(array) || length < list->min || length > list->max) {
		if (!r->rc)
			r->rc = error_set(r->err, EXIT_USAGE, -EINVAL,
					  "%s: expected an array of %zu to %zu", list->name,
					  list->min, list->max);
		return NULL;
	}
	memory = allocate(r, length, list->size);
	for (; memory && !r->rc && r->index < length; r->index++) {
		list->read(r, json_array_get(array, r->index), memory + r->index * list->size);
		++*count;
	}
	return memory;
}

/* clang-format off: a list a line */
static const struct list leaves = {"cpuid", 1, SNAPSHOT_MAX_LEAVES, sizeof(struct snapshot_cpuid),
				   read_leaf};
static const struct list cpus = {"cpus", 1, SNAPSHOT_MAX_CPUS, sizeof(struct cpu_location),
				 read_cpu};
static const struct list functions = {"functions", 0, SNAPSHOT_MAX_FUNCTIONS,
				      sizeof(struct snapshot_function), read_function};
static const struct list tables = {"tables", 0, SNAPSHOT_MAX_TABLES, sizeof(struct snapshot_table),
				   read_table};
static const struct list units = {"units", 0, SNAPSHOT_MAX_UNITS, sizeof(struct snapshot_unit),
				  read_unit};
static const struct list msrs = {"msrs", 0, SNAPSHOT_MAX_MSRS, sizeof(struct snapshot_msr),
				 read_msr};
static const struct list devices = {"devices", 0, SNAPSHOT_MAX_DEVICES, sizeof(struct cxl_device),
				    read_device};
static const struct list cpmus = {"cpmus", 0, SNAPSHOT_MAX_CPMUS, sizeof(struct snapshot_cpmu),
				  read_cpmu};
static const struct list no_leaves = {"cpuid", 0, 0, sizeof(struct snapshot_cpuid), read_leaf};
/* clang-format on */

static int read_header(const json_t *root, struct snapshot *out, struct error *err)
{
	const json_t *version = json_object_get(root, "cxlmon_snapshot");
	const char *model = json_string_value(json_object_get(root, "model"));

	if (!json_is_integer(version))
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "this is no snapshot: expected what cxlmon snapshot wrote");
	if (json_integer_value(version) != SNAPSHOT_VERSION)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "a snapshot of version %lld: expected version %d",
				 (long long)json_integer_value(version), SNAPSHOT_VERSION);
	if (!model || !text_is_name(model) || strlen(model) >= sizeof(out->model))
		return error_set(err, EXIT_USAGE, -EINVAL, "model: expected a name such as spr");
	strcpy(out->model, model);
	return 0;
}

/* Only a processor that is not known may have none. */
static bool has_cpuid(const json_t *root, const struct snapshot *s)
{
	return strcmp(s->model, SNAPSHOT_OTHER) ||
	       json_array_size(json_object_get(root, leaves.name));
}

static int read_snapshot(const json_t *root, struct snapshot *out, struct error *err)
{
	struct reader r = {.err = err};

	r.rc = read_header(root, out, err);
	if (r.rc)
		return r.rc;
	out->leaves =
		read_list(&r, root, has_cpuid(root, out) ? &leaves : &no_leaves, &out->leaf_count);
	out->topology.cpus = read_list(&r, root, &cpus, &out->topology.count);
	out->functions = read_list(&r, root, &functions, &out->function_count);
	out->tables = read_list(&r, root, &tables, &out->table_count);
	out->units = read_list(&r, root, &units, &out->unit_count);
	out->msrs = read_list(&r, root, &msrs, &out->msr_count);
	out->devices = read_list(&r, root, &devices, &out->device_count);
	/* neither older files nor most machines have them */
	if (json_object_get(root, cpmus.name))
		out->cpmus = read_list(&r, root, &cpmus, &out->cpmu_count);
	return r.rc;
}

int snapshot_decode(const char *text, size_t size, struct snapshot *out, struct error *err)
{
	json_error_t why;
	json_t *root = json_loadb(text, size, 0, &why);
	int rc;

	*out = (struct snapshot){.leaves = NULL};
	if (!root)
		return error_set(err, EXIT_USAGE, -EINVAL, "line %d: %s: expected JSON", why.line,
				 quoted(why.text).text);
	rc = read_snapshot(root, out, err);
	json_decref(root);
	return rc;
}

int snapshot_load(const char *path, struct snapshot *out, struct error *err)
{
	struct text_file file;
	struct error why;
	int rc = text_file_read(path, SNAPSHOT_MAX_BYTES, &file, err);

	*out = (struct snapshot){.leaves = NULL};
	if (rc)
		return rc;
	rc = snapshot_decode(file.text, file.size, out, &why);
	free(file.text);
	return rc ? error_set(err, why.status, rc, "%s: %s", quoted(path).text, why.text) : 0;
}
