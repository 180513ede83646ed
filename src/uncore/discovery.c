/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery.h"

#include <errno.h>
#include <stdlib.h>

/* Reads a table whose source and socket are known, and adds it unless it is skipped. */
static int add_table(struct platform *p, const struct model *model, const struct topology *topology,
		     const struct table_location *location, struct discovery_table table,
		     struct discovery *out, struct error *err)
{
	struct discovery_table *grown =
		reallocarray(out->tables, out->table_count + 1, sizeof(*grown));

	if (!grown)
		return error_no_memory(err);
	out->tables = grown;
	for (size_t k = 0; k < out->table_count; k++)
		table.die += out->tables[k].socket == table.socket;
	int rc = discovery_table_read(p, model, topology, location, &table, out, err);
	if (!rc)
		out->tables[out->table_count++] = table;
	return rc < 0 ? rc : 0;
}

static int read_tables(struct platform *p, const struct model *model,
		       const struct topology *topology, const struct discovery_entries *entries,
		       struct discovery *out, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < entries->count; i++) {
		const struct discovery_entry *entry = &entries->list[i];

		if (entry->usable)
			rc = add_table(p, model, topology, &entry->location,
				       (struct discovery_table){.at = entry->function->at,
								.socket = entry->socket},
				       out, err);
	}
	return rc;
}

static bool is_first_of_die(const struct topology *topology, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (topology->cpus[k].socket == topology->cpus[i].socket &&
		    topology->cpus[k].die == topology->cpus[i].die)
			return false;
	return true;
}

static bool has_table_at(const struct discovery *discovery, uint64_t phys)
{
	for (size_t i = 0; i < discovery->table_count; i++)
		if (discovery->tables[i].phys == phys)
			return true;
	return false;
}

/* Where the MSR can't be read, other tables are used nevertheless. */
static int read_tables_of_dies(struct platform *p, const struct model *model,
			       const struct topology *topology, struct discovery *out,
			       struct error *err)
{
	struct error why;
	int rc = 0;

	for (size_t i = 0; !rc && model->discovery_msr && i < topology->count; i++) {
		const struct cpu_location *at = &topology->cpus[i];
		const struct discovery_table table = {
			.msr = model->discovery_msr, .cpu = at->cpu, .socket = at->socket};
		const struct reg pointer = discovery_table_pointer(&table);
		struct table_location location = {.phys = 0};

		if (!is_first_of_die(topology, i))
			continue;
		if (reg_read(p, &pointer, &location.phys, &why)) {
			log_write(&p->log, LEVEL_WARNING,
				  "units of core building blocks are left out: %s", why.text);
			return 0;
		}
		if (location.phys && !has_table_at(out, location.phys))
			rc = add_table(p, model, topology, &location, table, out, err);
	}
	return rc;
}

int discovery_read(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err)
{
	struct discovery_entries entries;
	int rc = discovery_find(p, model, topology, &entries, err);

	*out = (struct discovery){0};
	if (rc)
		return rc;
	rc = read_tables(p, model, topology, &entries, out, err);
	if (!rc)
		rc = read_tables_of_dies(p, model, topology, out, err);
	if (!rc && !out->unit_count)
		rc = error_set(err, EXIT_NO_UNIT, -ENODEV,
			       "%s: no usable uncore discovery table found in %zu PCI functions; "
			       "firmware may hide it, and virtual machines have none",
			       model->name, entries.function_count);
	if (rc)
		discovery_free(out);
	discovery_entries_free(&entries);
	return rc;
}

void discovery_free(struct discovery *discovery)
{
	free(discovery->tables);
	free(discovery->units);
	*discovery = (struct discovery){0};
}
