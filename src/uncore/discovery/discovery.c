/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery/discovery.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "uncore/discovery/discovery_private.h"

/* A PMON entry among the DVSECs of a PCI function, which may have several. */
struct entry {
	const struct pci_function *function;
	struct discovery_table table;
	bool usable; /* it points to memory, and its socket is online */
};

struct search {
	struct platform *p;
	const struct model *model;
	const struct topology *topology;
	struct discovery_functions functions;
	struct entry *entries; /* by PCI address: the entries of a function are consecutive */
	size_t entry_count;
	bool denied; /* the capabilities of some function may not be read */
	bool has_offline_socket;
};

uint16_t discovery_device_id(const struct model *model)
{
	return model->discovery_device ? model->discovery_device : DISCOVERY_DEVICE_GENERIC;
}

/* Returns true if an entry points to memory; logs a warning otherwise. */
static bool find_table(struct platform *p, const struct pci_function *f, uint32_t entry,
		       struct discovery_table *out)
{
	const unsigned bar = entry & DVSEC_TABLE_BAR_MASK;
	char source[REG_NAME_SIZE];

	if (entry & ~DVSEC_TABLE_BAR_MASK) {
		log_write(&p->log, LEVEL_WARNING,
			  "discovery table of %s skipped: unknown format, offset in its BAR is "
			  "not 0 (0x%x)",
			  discovery_table_source(out, source), entry);
		return false;
	}
	if (pci_bar_address(p, f->at, bar, &out->phys)) {
		log_write(&p->log, LEVEL_WARNING,
			  "discovery table of %s skipped: its BAR %u has no memory address",
			  discovery_table_source(out, source), bar);
		return false;
	}
	out->bar_size = f->bar_size[bar];
	return true;
}

static int add_entry(struct search *s, const struct pci_function *f, uint32_t entry)
{
	struct entry found = {.function = f, .table.at = f->at};

	if (array_room(&s->entries, s->entry_count, 1, sizeof(*s->entries)))
		return -ENOMEM;
	found.usable = find_table(s->p, f, entry, &found.table);
	/* two entries may point to one table, whose units must be counted once */
	for (size_t i = 0; i < s->entry_count; i++)
		if (s->entries[i].usable && s->entries[i].table.phys == found.table.phys)
			found.usable = false;
	s->entries[s->entry_count++] = found;
	return 0;
}

/* Adds the entries of a function. -ENOENT: it has none. */
static int find_entries_of(struct search *s, const struct pci_function *f)
{
	const size_t before = s->entry_count;
	struct platform *p = s->p;

	for (unsigned nth = 0;; nth++) {
		unsigned dvsec;
		uint32_t id, entry;
		int rc = pci_find_extended(p, f->at, PCI_EXTENDED_ID_DVSEC, nth, &dvsec);

		if (!rc && dvsec + DVSEC_TABLE_OFFSET >= PCI_CONFIG_BYTES)
			rc = -EINVAL;
		if (!rc)
			rc = reg_read_pci(p, f->at, dvsec + DVSEC_ENTRY_OFFSET, &id);
		if (!rc)
			rc = reg_read_pci(p, f->at, dvsec + DVSEC_TABLE_OFFSET, &entry);
		if (rc)
			return s->entry_count > before ? 0 : rc;
		if ((id & 0xffff) == DVSEC_ENTRY_ID_PMON)
			rc = add_entry(s, f, entry);
		if (rc)
			return rc;
	}
}

/*
 * Finds the entries of the generic devices, or of all other Intel functions. Returns 0 or -ENOMEM.
 */
static int find_entries(struct search *s, bool generic)
{
	for (size_t i = 0; i < s->functions.count; i++) {
		const struct pci_function *f = &s->functions.items[i];
		char at[PCI_TEXT_SIZE];

		if (f->vendor != DISCOVERY_VENDOR_INTEL ||
		    (f->device == discovery_device_id(s->model)) != generic)
			continue;
		const int rc = find_entries_of(s, f);
		if (rc == -ENOMEM)
			return rc;
		if (rc == -EPERM || rc == -EACCES)
			s->denied = true;
		else if (rc && rc != -ENOENT)
			log_write(&s->p->log, LEVEL_DETAIL, "%s: extended capabilities: %s",
				  pci_location_text(f->at, at),
				  rc == -ELOOP ? "the list is circular" : strerror(-rc));
	}
	return 0;
}

static bool is_first_of_function(const struct search *s, size_t i)
{
	return !i || s->entries[i].function != s->entries[i - 1].function;
}

/* Counts the functions of a socket; ANY_SOCKET: all sockets. */
#define ANY_SOCKET (-2)
static size_t count_functions(const struct search *s, int socket)
{
	size_t count = 0;

	for (size_t i = 0; i < s->entry_count; i++)
		count += is_first_of_function(s, i) &&
			 (socket == ANY_SOCKET || s->entries[i].table.socket == socket);
	return count;
}

/*
 * Returns the first socket that lacks a function, if all have the same number of dies. -1: no
 * socket is online.
 */
static int next_socket(const struct search *s)
{
	const size_t functions = count_functions(s, ANY_SOCKET);
	size_t sockets, ignored;

	topology_nth_socket(s->topology, 0, &sockets);
	for (size_t n = 0; n < sockets; n++) {
		const int socket = topology_nth_socket(s->topology, n, &ignored);
		const size_t before = (functions * n + sockets - 1) / sockets;

		if (count_functions(s, socket) <
		    (functions * (n + 1) + sockets - 1) / sockets - before)
			return socket;
	}
	return -1;
}

static void skip_entry(struct search *s, struct entry *entry, const char *why)
{
	char source[REG_NAME_SIZE];

	if (entry->usable)
		log_write(&s->p->log, LEVEL_WARNING, "discovery table of %s skipped: %s",
			  discovery_table_source(&entry->table, source), why);
	entry->usable = false;
}

/* Skips an entry whose socket has no online CPU. */
static void skip_offline(struct search *s, struct entry *entry)
{
	const int node = entry->function->numa_node;
	char why[64];

	s->has_offline_socket = true;
	if (node >= 0)
		snprintf(why, sizeof(why), "NUMA node %d has no online CPU", node);
	else
		snprintf(why, sizeof(why), "no CPU of its socket is online");
	skip_entry(s, entry, why);
}

/*
 * Sets the sockets of tables: a table belongs to the socket of its function, see
 * discovery_find_socket(). If only the order of functions is known, they belong to the dies in the
 * order of their PCI addresses, as in the kernel (uncore_discovery.c, get_device_die_id()), even if
 * their tables are unusable. All tables of a function belong to one socket.
 */
static void assign_sockets(struct search *s)
{
	for (size_t i = 0; i < s->entry_count; i++) {
		struct discovery_table *table = &s->entries[i].table;

		table->by_order = !discovery_find_socket(&s->functions, s->entries[i].function,
							 &table->socket);
	}
	for (size_t i = 0; i < s->entry_count; i++) {
		struct entry *entry = &s->entries[i];

		if (entry->table.by_order)
			entry->table.socket = is_first_of_function(s, i) ? next_socket(s)
									 : entry[-1].table.socket;
		if (entry->table.socket < 0)
			skip_offline(s, entry);
	}
}

/* Finds the entries; there may be none. ERROR_PERMISSION: none may be read. */
static int find_all_entries(struct search *s, struct error *err)
{
	int rc = s->p->ops->pci->list(s->p, &s->functions.items, &s->functions.count, err);

	if (rc)
		return rc;
	/* a platform lists them in the order of a directory */
	if (s->functions.count)
		qsort(s->functions.items, s->functions.count, sizeof(*s->functions.items),
		      pci_function_compare);
	rc = find_entries(s, true);
	if (!rc && !s->entry_count)
		rc = find_entries(s, false);
	if (rc)
		return error_no_memory(err);
	if (!s->entry_count && s->denied) {
		error_set(err, ERROR_PERMISSION, -EPERM,
			  "PCI: reading the discovery device's capabilities requires "
			  "CAP_SYS_ADMIN; " ERROR_RUN_AS_ROOT);
		error_hint(err, ERROR_COMMAND_AS_ROOT);
		return -EPERM;
	}
	discovery_find_packages(&s->functions);
	assign_sockets(s);
	return 0;
}

/* Reads a table whose source, socket and address are known, and adds it unless it is skipped. */
static int add_table(const struct search *s, struct discovery_table table, struct discovery *out,
		     struct error *err)
{
	if (array_room(&out->tables, out->table_count, 1, sizeof(*out->tables)))
		return error_no_memory(err);
	for (size_t k = 0; k < out->table_count; k++)
		table.die += out->tables[k].socket == table.socket;
	const size_t before = out->unit_count;
	const int rc = discovery_table_read(s->p, s->model, s->topology, &table, out, err);
	if (rc)
		return rc < 0 ? rc : 0;
	out->tables[out->table_count++] = table;
	if (discovery_functions_add(&s->functions, &table, out))
		return error_no_memory(err);
	if (out->unit_count > before)
		qsort(out->units + before, out->unit_count - before, sizeof(*out->units),
		      discovery_compare_units);
	return 0;
}

/* Returns true if two units cannot both belong to the socket that they were assigned. */
static bool exclude_each_other(const struct model *model, const struct unit *a,
			       const struct unit *b)
{
	if (a->socket != b->socket || a->die == b->die || a->access != b->access)
		return false;
	return (a->access == ACCESS_MSR && a->control == b->control) ||
	       (model->ids_of_socket && a->type == b->type && a->id == b->id);
}

static bool uses_order(const struct discovery *found)
{
	for (size_t i = 0; i < found->table_count; i++)
		if (found->tables[i].by_order)
			return true;
	return false;
}

/*
 * Returns true if the order has assigned tables of several sockets to one, as if they were of its
 * dies: the CPUs of the others are offline.
 */
static bool order_is_wrong(const struct search *s, const struct discovery *found)
{
	if (!uses_order(found))
		return false;
	for (size_t i = 0; i < found->unit_count; i++)
		for (size_t k = 0; k < i; k++)
			if (exclude_each_other(s->model, &found->units[i], &found->units[k]))
				return true;
	return false;
}

static int read_tables_of_functions(const struct search *s, struct discovery *out,
				    struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < s->entry_count; i++)
		if (s->entries[i].usable)
			rc = add_table(s, s->entries[i].table, out, err);
	return rc;
}

/* Reads all tables again, except those whose socket only their order told. */
static int read_without_order(struct search *s, struct discovery *out, struct error *err)
{
	const struct log log = s->p->log;

	for (size_t i = 0; i < s->entry_count; i++)
		if (s->entries[i].table.by_order)
			skip_entry(
				s, &s->entries[i],
				"its socket is unknown: the kernel gives no NUMA node, and more "
				"sockets have tables than have an online CPU; bring a CPU of each "
				"socket online");
	s->has_offline_socket = true;
	discovery_free(out);
	s->p->log = (struct log){.write = NULL}; /* the others' messages have been logged already */
	const int rc = read_tables_of_functions(s, out, err);
	s->p->log = log;
	return rc;
}

static bool share_die(const struct cpu_location *a, const struct cpu_location *b)
{
	return a->socket == b->socket && a->die == b->die;
}

static unsigned reader_of_die(const struct topology *topology, size_t first)
{
	const struct cpu_location *best = &topology->cpus[first];

	for (size_t i = first + 1; i < topology->count; i++)
		if (share_die(&topology->cpus[first], &topology->cpus[i]))
			best = cpu_rather(best, &topology->cpus[i]);
	return best->cpu;
}

static bool is_first_of_die(const struct topology *topology, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (share_die(&topology->cpus[k], &topology->cpus[i]))
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

/*
 * Reads the tables to which MSRs point. If the MSR cannot be read, other tables are used
 * nevertheless.
 */
static int read_tables_of_dies(const struct search *s, struct discovery *out, struct error *err)
{
	struct error why;
	int rc = 0;

	for (size_t i = 0; !rc && s->model->discovery_msr && i < s->topology->count; i++) {
		struct discovery_table table = {.msr = s->model->discovery_msr,
						.cpu = reader_of_die(s->topology, i),
						.socket = s->topology->cpus[i].socket};
		const struct reg pointer = discovery_table_pointer(&table);

		if (!is_first_of_die(s->topology, i))
			continue;
		if (reg_read(s->p, &pointer, &table.phys, &why)) {
			log_write(&s->p->log, LEVEL_WARNING,
				  "units of core building blocks are left out: %s", why.text);
			return 0;
		}
		if (table.phys && !has_table_at(out, table.phys))
			rc = add_table(s, table, out, err);
	}
	return rc;
}

int discovery_read(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err)
{
	struct search s = {
		.p = p,
		.model = model,
		.topology = topology,
		.functions = {.platform = p, .model = model, .topology = topology},
	};
	int rc = find_all_entries(&s, err);

	*out = (struct discovery){0};
	if (!rc)
		rc = read_tables_of_functions(&s, out, err);
	if (!rc && order_is_wrong(&s, out))
		rc = read_without_order(&s, out, err);
	if (!rc)
		rc = read_tables_of_dies(&s, out, err);
	if (!rc && !out->unit_count)
		rc = error_set(err, ERROR_NO_UNIT, -ENODEV,
			       "%s: no usable uncore discovery table found in %zu PCI functions; "
			       "firmware may hide it, and virtual machines have none",
			       model->name, s.functions.count);
	if (rc)
		discovery_free(out);
	out->has_offline_socket = s.has_offline_socket;
	free(s.entries);
	free(s.functions.items);
	return rc;
}

void discovery_free(struct discovery *discovery)
{
	free(discovery->tables);
	free(discovery->units);
	*discovery = (struct discovery){0};
}
