/* SPDX-License-Identifier: BSD-3-Clause */
/* A snapshot as JSON. Registers and addresses are strings: many JSON parsers do not keep 64 bits.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "snapshot/snapshot.h"

static json_t *hex(uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	return json_string(text);
}

static json_t *hex_array(const uint64_t *values, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, hex(values[i]));
	return list;
}

static json_t *location(struct pci_location at)
{
	char text[PCI_TEXT_SIZE];

	return json_string(pci_location_text(at, text));
}

static json_t *leaf_object(const void *element)
{
	const struct snapshot_cpuid *leaf = element;
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "leaf", hex(leaf->leaf), "subleaf",
			 hex(leaf->subleaf), "eax", hex(leaf->regs[CPUID_EAX]), "ebx",
			 hex(leaf->regs[CPUID_EBX]), "ecx", hex(leaf->regs[CPUID_ECX]), "edx",
			 hex(leaf->regs[CPUID_EDX]));
}

static json_t *cpu_object(const void *element)
{
	const struct cpu_location *place = element;
	return json_pack("{s:i, s:i, s:i, s:i, s:i}", "cpu", (int)place->cpu, "socket",
			 place->socket, "node", place->node, "die", place->die, "l3", place->l3);
}

/* Runs of known words: the offset of the first, then the words. */
static json_t *config_array(const struct snapshot_function *f)
{
	json_t *runs = json_array(), *run = NULL;

	for (unsigned i = 0; i < PCI_CONFIG_BYTES / 4; i++) {
		if (!f->known[i]) {
			run = NULL;
			continue;
		}
		if (!run) {
			run = json_array();
			json_array_append_new(runs, run);
			json_array_append_new(run, hex(4 * i));
		}
		json_array_append_new(run, hex(f->config[i]));
	}
	return runs;
}

static json_t *function_object(const void *element)
{
	const struct snapshot_function *f = element;
	return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o}", "at", location(f->info.at), "vendor",
			 hex(f->info.vendor), "device", hex(f->info.device), "numa_node",
			 f->info.numa_node, "bar_bytes", hex_array(f->info.bar_size, PCI_BAR_COUNT),
			 "config", config_array(f));
}

static json_t *table_object(const void *element)
{
	const struct snapshot_table *table = element;
	return json_pack("{s:o, s:o}", "address", hex(table->phys), "words",
			 hex_array(table->words, table->count));
}

static json_t *unit_object(const void *element)
{
	const struct snapshot_unit *unit = element;
	return json_pack("{s:i, s:i, s:i, s:i, s:b, s:o, s:o, s:o}", "socket", unit->socket, "die",
			 (int)unit->die, "type", (int)unit->type, "id", (int)unit->id, "dead",
			 unit->dead, "control", hex(unit->control), "controls",
			 hex_array(unit->controls, unit->counters), "counters",
			 hex_array(unit->values, unit->counters));
}

static json_t *msr_object(const void *element)
{
	const struct snapshot_msr *msr = element;
	return json_pack("{s:i, s:o, s:o}", "cpu", (int)msr->cpu, "msr", hex(msr->msr), "value",
			 hex(msr->value));
}

static json_t *device_object(const void *element)
{
	const struct cxl_device *device = element;
	json_t *path = json_array();

	for (size_t i = 0; i < device->depth; i++)
		json_array_append_new(path, location(device->path[i]));
	return json_pack("{s:s, s:o, s:i, s:i, s:o}", "name", device->name, "path", path,
			 "near_node", device->near_node, "node", device->node, "bytes",
			 hex(device->bytes));
}

static json_t *cpmu_object(const void *element)
{
	const struct snapshot_cpmu *cpmu = element;
	const unsigned counters = cpmu_counters(cpmu->capability);
	json_t *object =
		json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "at", location(cpmu->at),
			  "address", hex(cpmu->address), "capability", hex(cpmu->capability),
			  "overflow", hex(cpmu->overflow), "freeze", hex(cpmu->freeze), "groups",
			  hex_array(cpmu->groups, cpmu_groups(cpmu->capability)), "configurations",
			  hex_array(cpmu->configurations, counters), "counters",
			  hex_array(cpmu->counters, counters));

	if (cpmu_filters(cpmu->capability))
		json_object_set_new(object, "filters",
				    hex_array(cpmu->filters, counters * CPMU_FILTERS));
	return object;
}

/* The array of a list whose elements are size bytes long. */
static void add_list(json_t *root, const char *name, const void *list, size_t count, size_t size,
		     json_t *(*object)(const void *element))
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, object((const char *)list + i * size));
	json_object_set_new(root, name, array);
}

static json_t *snapshot_object(const struct snapshot *s)
{
	json_t *root = json_pack("{s:i, s:s, s:s}", "cxlmon_snapshot", SNAPSHOT_VERSION, "made_by",
				 "cxlmon " CXLMON_VERSION, "model", s->model);

	add_list(root, "cpuid", s->leaves, s->leaf_count, sizeof(*s->leaves), leaf_object);
	add_list(root, "cpus", s->topology.cpus, s->topology.count, sizeof(*s->topology.cpus),
		 cpu_object);
	add_list(root, "functions", s->functions, s->function_count, sizeof(*s->functions),
		 function_object);
	add_list(root, "tables", s->tables, s->table_count, sizeof(*s->tables), table_object);
	add_list(root, "units", s->units, s->unit_count, sizeof(*s->units), unit_object);
	add_list(root, "msrs", s->msrs, s->msr_count, sizeof(*s->msrs), msr_object);
	add_list(root, "devices", s->devices, s->device_count, sizeof(*s->devices), device_object);
	if (s->cpmu_count)
		add_list(root, "cpmus", s->cpmus, s->cpmu_count, sizeof(*s->cpmus), cpmu_object);
	return root;
}

int snapshot_encode(const struct snapshot *snapshot, char **text, size_t *size, struct error *err)
{
	json_t *root = snapshot_object(snapshot);

	*text = json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	json_decref(root);
	if (!*text)
		return error_no_memory(err);
	*size = strlen(*text);
	return 0;
}
