/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A snapshot as JSON: one function for each kind of object, which writes it or reads it. Registers
 * and addresses are strings: many JSON parsers do not keep 64 bits. A file is not trusted: every
 * value is checked, and the first error is reported and ends the reading.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "base/text.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "sim/snapshot/snapshot.h"
#include "uncore/model/model.h"
#include "uncore/models/models.h"

#define LINK_VALUES 4
#define LINK_MAX    640 /* tenths of 64 GT/s */

/*
 * A reader or writer. Its functions take a member's value, and return it when writing, or the
 * value that was read.
 */
struct codec {
	bool writes;
	json_t *object;
	/* Position in a file, list[index], and the first error. */
	const char *list;
	size_t index;
	int rc;
	struct error *err;
};

__attribute__((format(printf, 3, 4))) static void fail(struct codec *c, const char *key,
						       const char *expected, ...)
{
	char text[64];
	va_list args;

	va_start(args, expected);
	vsnprintf(text, sizeof(text), expected, args);
	va_end(args);
	if (!c->rc)
		c->rc = error_set(c->err, ERROR_USAGE, -EINVAL, "%s[%zu].%s: expected %s", c->list,
				  c->index, key, text);
}

static json_t *hex_text(uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	return json_string(text);
}

/* "0x..." up to max. */
static uint64_t hex_value(struct codec *c, const json_t *value, const char *key, uint64_t max)
{
	const char *text = json_string_value(value);
	uint64_t number = 0;

	if (text && !strncmp(text, "0x", 2) && text_number(text, &number) && number <= max)
		return number;
	fail(c, key, "a string from 0x0 to 0x%" PRIx64, max);
	return 0;
}

static uint64_t code_hex(struct codec *c, const char *key, uint64_t value, uint64_t max)
{
	if (!c->writes)
		return hex_value(c, json_object_get(c->object, key), key, max);
	json_object_set_new(c->object, key, hex_text(value));
	return value;
}

static uint64_t code_address(struct codec *c, uint64_t value)
{
	value = code_hex(c, "address", value, UINT64_MAX >> 1);
	if (value % 8)
		fail(c, "address", "a multiple of 8");
	return value;
}

static int code_number(struct codec *c, const char *key, int value, int min, int max)
{
	const json_t *read = json_object_get(c->object, key);
	const json_int_t n = json_integer_value(read);

	if (c->writes) {
		json_object_set_new(c->object, key, json_integer(value));
		return value;
	}
	if (json_is_integer(read) && n >= min && n <= max)
		return (int)n;
	fail(c, key, "a number from %d to %d", min, max);
	return min;
}

/* Does the same, without a maximum, for a number that older files do not have. */
static int newer_number(struct codec *c, const char *key, int value, int min)
{
	return c->writes || json_object_get(c->object, key)
		       ? code_number(c, key, value, min, INT32_MAX)
		       : min;
}

/* Reads a location in the form that pci_location_text() writes, and in no other form. */
static struct pci_location location_value(struct codec *c, const json_t *value, const char *key)
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
	fail(c, key, "a PCI address such as 0000:7f:0c.0");
	return (struct pci_location){0};
}

static struct pci_location code_location(struct codec *c, struct pci_location at)
{
	char text[PCI_TEXT_SIZE];

	if (!c->writes)
		return location_value(c, json_object_get(c->object, "at"), "at");
	json_object_set_new(c->object, "at", json_string(pci_location_text(at, text)));
	return at;
}

/*
 * Returns the array of a member. Sets *length if it is read, to a length from min to max, or to 0
 * after an error.
 */
static json_t *code_array(struct codec *c, const char *key, size_t *length, size_t min, size_t max)
{
	json_t *list = c->writes ? json_array() : json_object_get(c->object, key);
	const size_t read = json_array_size(list);

	if (c->writes) {
		json_object_set_new(c->object, key, list);
		return list;
	}
	*length = read;
	if (!json_is_array(list) || read < min || read > max) {
		*length = 0;
		fail(c, key, "an array of %zu to %zu", min, max);
	}
	return list;
}

static void hex_values(struct codec *c, json_t *list, const char *key, uint64_t *values,
		       size_t count, uint64_t max)
{
	for (size_t i = 0; i < count; i++) {
		if (c->writes)
			json_array_append_new(list, hex_text(values[i]));
		else
			values[i] = hex_value(c, json_array_get(list, i), key, max);
	}
}

static void code_row(struct codec *c, const char *key, uint64_t *values, size_t count, uint64_t max)
{
	json_t *list = code_array(c, key, &count, count, count);

	hex_values(c, list, key, values, count, max);
}

static void code_leaf(struct codec *c, void *element)
{
	static const char *const names[] = {"eax", "ebx", "ecx", "edx"};
	struct snapshot_cpuid *l = element;

	l->leaf = code_hex(c, "leaf", l->leaf, UINT32_MAX);
	l->subleaf = code_hex(c, "subleaf", l->subleaf, UINT32_MAX);
	for (unsigned i = 0; i < CPUID_REGS; i++)
		l->regs[i] = code_hex(c, names[i], l->regs[i], UINT32_MAX);
}

static void code_cpu(struct codec *c, void *element)
{
	struct cpu_location *place = element;

	place->cpu = code_number(c, "cpu", place->cpu, 0, SNAPSHOT_MAX_CPUS - 1);
	place->socket = code_number(c, "socket", place->socket, 0, INT32_MAX);
	place->node = code_number(c, "node", place->node, -1, INT32_MAX);
	place->die = newer_number(c, "die", place->die, 0);
	place->l3 = newer_number(c, "l3", place->l3, -1);
	if (!c->writes)
		place->core = -1;
	/* ascending, as in struct topology; element is in an array */
	if (!c->writes && c->index && place->cpu <= place[-1].cpu)
		fail(c, "cpu", "more than the CPU before");
}

/* Runs of known words: the offset of the first, then the words. */
static void write_config(json_t *runs, const struct snapshot_function *f)
{
	json_t *run = NULL;

	for (unsigned i = 0; i < PCI_CONFIG_BYTES / 4; i++) {
		if (!f->known[i]) {
			run = NULL;
			continue;
		}
		if (!run) {
			run = json_array();
			json_array_append_new(runs, run);
			json_array_append_new(run, hex_text(4 * i));
		}
		json_array_append_new(run, hex_text(f->config[i]));
	}
}

static void read_run(struct codec *c, const json_t *run, struct snapshot_function *f)
{
	const unsigned words = PCI_CONFIG_BYTES / 4;
	const size_t count = json_array_size(run);
	const uint64_t first = hex_value(c, json_array_get(run, 0), "config", PCI_CONFIG_BYTES - 1);

	if (!count || first % 4 || first / 4 + count - 1 > words) {
		fail(c, "config", "runs of words within 4096 bytes");
		return;
	}
	for (size_t i = 1; i < count; i++) {
		const size_t at = first / 4 + i - 1;

		f->config[at] = hex_value(c, json_array_get(run, i), "config", UINT32_MAX);
		f->known[at] = true;
	}
}

static void code_function(struct codec *c, void *element)
{
	struct snapshot_function *f = element;
	size_t runs = 0;

	f->info.at = code_location(c, f->info.at);
	f->info.vendor = code_hex(c, "vendor", f->info.vendor, UINT16_MAX);
	f->info.device = code_hex(c, "device", f->info.device, UINT16_MAX);
	f->info.numa_node = code_number(c, "numa_node", f->info.numa_node, -1, INT32_MAX);
	code_row(c, "bar_bytes", f->info.bar_size, PCI_BAR_COUNT, UINT64_MAX >> 1);
	json_t *config = code_array(c, "config", &runs, 0, PCI_CONFIG_BYTES / 4);
	if (c->writes)
		write_config(config, f);
	for (size_t i = 0; i < runs; i++)
		read_run(c, json_array_get(config, i), f);
}

static void *allocate_elements(struct codec *c, size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (!memory && !c->rc)
		c->rc = error_set(c->err, ERROR_FAILED, -ENOMEM, "out of memory");
	return memory;
}

static void code_table(struct codec *c, void *element)
{
	struct snapshot_table *t = element;

	t->phys = code_address(c, t->phys);
	size_t count = t->count;
	json_t *words = code_array(c, "words", &count, DISCOVERY_RECORD_WORDS, SNAPSHOT_MAX_WORDS);
	if (!c->writes)
		t->words = allocate_elements(c, count, sizeof(*t->words));
	t->count = t->words ? count : 0;
	hex_values(c, words, "words", t->words, t->count, UINT64_MAX);
}

static void code_unit(struct codec *c, void *element)
{
	struct snapshot_unit *u = element;
	const json_t *dead;

	u->socket = code_number(c, "socket", u->socket, 0, INT32_MAX);
	u->die = code_number(c, "die", (int)u->die, 0, SNAPSHOT_MAX_TABLES - 1);
	u->type = code_number(c, "type", u->type, 0, UINT16_MAX);
	u->id = code_number(c, "id", u->id, 0, UINT16_MAX);
	if (c->writes)
		json_object_set_new(c->object, "dead", json_boolean(u->dead));
	dead = json_object_get(c->object, "dead");
	u->dead = json_is_true(dead);
	if (!json_is_boolean(dead))
		fail(c, "dead", "true or false");
	u->control = code_hex(c, "control", u->control, UINT64_MAX);
	json_t *controls = code_array(c, "controls", &u->counters, 0, UNIT_MAX_COUNTERS);
	hex_values(c, controls, "controls", u->controls, u->counters, UINT64_MAX);
	code_row(c, "counters", u->values, u->counters, UINT64_MAX);
}

static void code_msr(struct codec *c, void *element)
{
	struct snapshot_msr *m = element;

	m->cpu = code_number(c, "cpu", (int)m->cpu, 0, SNAPSHOT_MAX_CPUS - 1);
	m->msr = code_hex(c, "msr", m->msr, UINT32_MAX);
	m->value = code_hex(c, "value", m->value, UINT64_MAX);
}

static void name_value(struct codec *c, const json_t *value, const char *key, char *name,
		       size_t size, const char *expected)
{
	const char *text = json_string_value(value);

	if (text && text_is_name(text) && strlen(text) < size)
		strcpy(name, text);
	else
		fail(c, key, "%s", expected);
}

static void code_name(struct codec *c, const char *key, char *name, size_t size,
		      const char *expected)
{
	if (c->writes)
		json_object_set_new(c->object, key, json_string(name));
	else
		name_value(c, json_object_get(c->object, key), key, name, size, expected);
}

/* Four numbers per link: tenths of GT/s and lanes, now and possible; 0: unknown. */
static void code_links(struct codec *c, struct cxl_device *d)
{
	uint64_t values[CXL_PATH_MAX / 2][LINK_VALUES] = {0};

	if (!c->writes)
		cxl_device_set_hops(d);
	for (size_t h = 0; h < d->hop_count; h++) {
		const struct pci_hop *hop = &d->hops[h];

		values[h][0] = (uint64_t)(hop->now.GTps * 10);
		values[h][1] = hop->now.lanes;
		values[h][2] = (uint64_t)(hop->possible.GTps * 10);
		values[h][3] = hop->possible.lanes;
	}
	/* older files have no links */
	if (c->writes || json_object_get(c->object, "links"))
		code_row(c, "links", values[0], d->hop_count * LINK_VALUES, LINK_MAX);
	for (size_t h = 0; h < d->hop_count; h++) {
		d->hops[h].now = (struct pci_link){(double)values[h][0] / 10, values[h][1]};
		d->hops[h].possible = (struct pci_link){(double)values[h][2] / 10, values[h][3]};
	}
}

static void code_device(struct codec *c, void *element)
{
	struct cxl_device *d = element;
	char text[PCI_TEXT_SIZE];

	code_name(c, "name", d->name, sizeof(d->name), "a name such as mem0");
	json_t *path = code_array(c, "path", &d->depth, 1, CXL_PATH_MAX);
	for (size_t i = 0; i < d->depth; i++) {
		if (c->writes)
			json_array_append_new(path,
					      json_string(pci_location_text(d->path[i], text)));
		else
			d->path[i] = location_value(c, json_array_get(path, i), "path");
	}
	d->near_node = code_number(c, "near_node", d->near_node, -1, INT32_MAX);
	d->node = code_number(c, "node", d->node, -1, INT32_MAX);
	d->bytes = code_hex(c, "bytes", d->bytes, INT64_MAX);
	code_links(c, d);
}

static void code_node(struct codec *c, void *element)
{
	struct memory_node *n = element;

	n->node = code_number(c, "node", n->node, 0, INT32_MAX);
	n->read_MBps = code_number(c, "read_MBps", (int)n->read_MBps, 0, INT32_MAX);
	n->write_MBps = code_number(c, "write_MBps", (int)n->write_MBps, 0, INT32_MAX);
	n->read_ns = code_number(c, "read_ns", (int)n->read_ns, 0, INT32_MAX);
	n->write_ns = code_number(c, "write_ns", (int)n->write_ns, 0, INT32_MAX);
	n->weight = (unsigned)code_number(c, "weight", (int)n->weight, 0, UINT8_MAX);
	n->tier = code_number(c, "tier", n->tier, -1, INT32_MAX);
}

static void code_region(struct codec *c, void *element)
{
	struct cxl_region *r = element;

	code_name(c, "name", r->name, sizeof(r->name), "a name such as mem0");
	const char *mode = json_string_value(json_object_get(c->object, "mode"));
	if (c->writes || !mode || *mode) /* mode may be empty */
		code_name(c, "mode", r->mode, sizeof(r->mode), "a name such as ram");
	r->ways = (unsigned)code_number(c, "ways", (int)r->ways, 0, REGION_MAX_WAYS);
	r->granularity = (unsigned)code_number(c, "granularity", (int)r->granularity, 0, INT32_MAX);
	r->bytes = code_hex(c, "bytes", r->bytes, INT64_MAX);
	r->node = code_number(c, "node", r->node, -1, INT32_MAX);
	json_t *devices = code_array(c, "devices", &r->device_count, 0, REGION_MAX_WAYS);
	for (size_t i = 0; i < r->device_count; i++) {
		if (c->writes)
			json_array_append_new(devices, json_string(r->devices[i]));
		else
			name_value(c, json_array_get(devices, i), "devices", r->devices[i],
				   sizeof(r->devices[i]), "names such as mem0");
	}
}

static void code_cpmu(struct codec *c, void *element)
{
	struct snapshot_cpmu *u = element;

	u->at = code_location(c, u->at);
	u->address = code_address(c, u->address);
	u->capability = code_hex(c, "capability", u->capability, UINT64_MAX);
	u->overflow = code_hex(c, "overflow", u->overflow, UINT64_MAX);
	u->freeze = code_hex(c, "freeze", u->freeze, UINT64_MAX);
	const size_t counters = cpmu_counters(u->capability);

	code_row(c, "groups", u->groups, cpmu_groups(u->capability), UINT64_MAX);
	code_row(c, "configurations", u->configurations, counters, UINT64_MAX);
	code_row(c, "counters", u->counters, counters, UINT64_MAX);
	if (cpmu_filters(u->capability))
		code_row(c, "filters", u->filters, counters * CPMU_FILTERS, UINT64_MAX);
}

#define IN(items, count)                                                                           \
	offsetof(struct snapshot, items), sizeof(*((struct snapshot *)NULL)->items),               \
		offsetof(struct snapshot, count)
static const struct list {
	const char *name;
	/* Offset in struct snapshot, size of an element, and offset of the count. */
	size_t items, size, count;
	size_t min, max; /* range of the count: max is above any machine */
	void (*object)(struct codec *c, void *element);
	bool optional; /* missing in older files, and not written if empty */
} lists[] = {
	{"cpuid", IN(leaves, leaf_count), 1, 256, code_leaf},
	{"cpus", IN(topology.cpus, topology.count), 1, SNAPSHOT_MAX_CPUS, code_cpu},
	{"functions", IN(functions, function_count), 0, 1024, code_function},
	{"tables", IN(tables, table_count), 0, SNAPSHOT_MAX_TABLES, code_table},
	{"units", IN(units, unit_count), 0, 16384, code_unit},
	{"msrs", IN(msrs, msr_count), 0, 1U << 18, code_msr},
	{"devices", IN(devices, device_count), 0, 1024, code_device},
	{"nodes", IN(memory.nodes, memory.node_count), 0, 1024, code_node, true},
	{"regions", IN(memory.regions, memory.region_count), 0, 1024, code_region, true},
	{"cpmus", IN(cpmus, cpmu_count), 0, 1024, code_cpmu, true},
};

static void write_list(const struct list *list, const struct snapshot *s, json_t *root)
{
	char *items = *(char *const *)((const char *)s + list->items);
	const size_t count = *(const size_t *)((const char *)s + list->count);

	if (list->optional && !count)
		return;
	json_t *objects = json_array();
	for (size_t i = 0; i < count; i++) {
		struct codec c = {.writes = true, .object = json_object()};

		list->object(&c, items + i * list->size);
		json_array_append_new(objects, c.object);
	}
	json_object_set_new(root, list->name, objects);
}

int snapshot_encode(const struct snapshot *snapshot, char **text, size_t *size, struct error *err)
{
	json_t *root = json_pack("{s:i, s:s, s:s}", "cxlmon_snapshot", SNAPSHOT_VERSION, "made_by",
				 "cxlmon " CXLMON_VERSION, "model", snapshot->model);

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		write_list(&lists[i], snapshot, root);
	*text = json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	json_decref(root);
	if (!*text)
		return error_no_memory(err);
	*size = strlen(*text);
	return 0;
}

/* Objects before an error are counted. */
static void read_list(struct codec *c, const json_t *root, const struct list *list,
		      struct snapshot *out)
{
	/* only processors of Arm, and those that are not listed, may have no CPUID */
	const struct model *model = model_by_name(out->model);
	const bool none = list->object == code_leaf &&
			  (!strcmp(out->model, SNAPSHOT_OTHER) || (model && model->part));
	const size_t min = none ? 0 : list->min;
	const json_t *objects = json_object_get(root, list->name);
	const size_t length = json_array_size(objects);
	size_t *count = (size_t *)((char *)out + list->count);

	if (!json_is_array(objects) || length < min || length > list->max) {
		c->rc = error_set(c->err, ERROR_USAGE, -EINVAL,
				  "%s: expected an array of %zu to %zu", list->name, min,
				  list->max);
		return;
	}
	char *items = allocate_elements(c, length, list->size);
	*(char **)((char *)out + list->items) = items;
	c->list = list->name;
	for (c->index = 0; !c->rc && c->index < length; c->index++) {
		c->object = json_array_get(objects, c->index);
		list->object(c, items + c->index * list->size);
		++*count;
	}
}

static int read_header(const json_t *root, struct snapshot *out, struct error *err)
{
	const json_t *version = json_object_get(root, "cxlmon_snapshot");
	const char *model = json_string_value(json_object_get(root, "model"));

	if (!json_is_integer(version))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "not a snapshot: expected a file that cxlmon snapshot wrote");
	if (json_integer_value(version) != SNAPSHOT_VERSION)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "a snapshot of version %lld: expected version %d",
				 (long long)json_integer_value(version), SNAPSHOT_VERSION);
	if (!model || !text_is_name(model) || strlen(model) >= sizeof(out->model))
		return error_set(err, ERROR_USAGE, -EINVAL, "model: expected a name such as spr");
	strcpy(out->model, model);
	return 0;
}

/* Their numbers may be any, on Arm. */
static int check_sockets(const struct snapshot *s, struct error *err)
{
	size_t count;

	topology_nth_socket(&s->topology, 0, &count);
	return count <= SNAPSHOT_MAX_SOCKETS
		       ? 0
		       : error_set(err, ERROR_USAGE, -EINVAL,
				   "cpus: expected CPUs of %d sockets at most, and there are %zu",
				   SNAPSHOT_MAX_SOCKETS, count);
}

int snapshot_decode(const char *text, size_t size, struct snapshot *out, struct error *err)
{
	json_error_t why;
	json_t *root = json_loadb(text, size, 0, &why);
	struct codec c = {.err = err};

	*out = (struct snapshot){.leaves = NULL};
	if (!root)
		return error_set(err, ERROR_USAGE, -EINVAL, "line %d: %s: expected JSON", why.line,
				 quoted(why.text).text);
	c.rc = read_header(root, out, err);
	for (size_t i = 0; !c.rc && i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!lists[i].optional || json_object_get(root, lists[i].name))
			read_list(&c, root, &lists[i], out);
	json_decref(root);
	return c.rc ? c.rc : check_sockets(out, err);
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
	return rc ? error_set(err, why.kind, rc, "%s: %s", quoted(path).text, why.text) : 0;
}
