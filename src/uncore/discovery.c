/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pci/config.h"
#include "platform/array.h"
#include "platform/reg.h"

/* A PMON discovery entry of a PCI function, which may have several. */
struct discovery_entry {
	const struct pci_function *function;
	int socket;
	bool usable; /* it points to memory, and its socket is online */
	struct table_location location;
};

/* In the order of PCI addresses: the entries of one function follow each other. */
struct discovery_entries {
	struct discovery_entry *list;
	size_t count;
	struct pci_function *functions; /* all of the machine */
	size_t function_count;
};

#define LOCATION_FORMAT "%04x:%02x:%02x.%x"
#define LOCATION(at)	(at).domain, (at).bus, (at).device, (at).function

uint16_t discovery_device_id(const struct model *model)
{
	return model->discovery_device ? model->discovery_device : DISCOVERY_DEVICE_GENERIC;
}

/* Whether a PMON entry points to memory; logs a warning if not. */
static bool find_table(struct platform *p, const struct pci_function *f, uint32_t table,
		       struct table_location *out)
{
	const unsigned bar = table & DVSEC_TABLE_BAR_MASK;

	if (table & ~DVSEC_TABLE_BAR_MASK) {
		log_write(&p->log, LEVEL_WARNING,
			  "discovery table of " LOCATION_FORMAT
			  " skipped: unknown format, offset in its BAR is not 0 (0x%x)",
			  LOCATION(f->at), table);
		return false;
	}
	if (pci_bar_address(p, f->at, bar, &out->phys)) {
		log_write(&p->log, LEVEL_WARNING,
			  "discovery table of " LOCATION_FORMAT
			  " skipped: its BAR %u has no memory address",
			  LOCATION(f->at), bar);
		return false;
	}
	out->bar_size = f->bar_size[bar];
	return true;
}

/* Two entries may point to one table, whose units must be counted once. */
static bool is_known(const struct discovery_entries *known, uint64_t phys)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->list[i].usable && known->list[i].location.phys == phys)
			return true;
	return false;
}

static int add_entry(struct platform *p, const struct pci_function *f, uint32_t table,
		     struct discovery_entries *out)
{
	struct discovery_entry found = {.function = f};

	if (array_room(&out->list, out->count, 1, sizeof(*out->list)))
		return -ENOMEM;
	found.usable =
		find_table(p, f, table, &found.location) && !is_known(out, found.location.phys);
	out->list[out->count++] = found;
	return 0;
}

/* Adds the PMON entries among the DVSECs of a function. -ENOENT: it has none. */
static int find_entries_of(struct platform *p, const struct pci_function *f,
			   struct discovery_entries *out)
{
	const size_t before = out->count;

	for (unsigned nth = 0;; nth++) {
		unsigned dvsec;
		uint32_t entry, table;
		int rc = pci_find_extended(p, f->at, PCI_EXTENDED_ID_DVSEC, nth, &dvsec);

		if (!rc && dvsec + DVSEC_TABLE_OFFSET >= PCI_CONFIG_BYTES)
			rc = -EINVAL;
		if (!rc)
			rc = reg_read_pci(p, f->at, dvsec + DVSEC_ENTRY_OFFSET, &entry);
		if (!rc)
			rc = reg_read_pci(p, f->at, dvsec + DVSEC_TABLE_OFFSET, &table);
		if (rc)
			return out->count > before ? 0 : rc;
		if ((entry & 0xffff) == DVSEC_ENTRY_ID_PMON)
			rc = add_entry(p, f, table, out);
		if (rc)
			return rc;
	}
}

/*
 * Finds the entries among the generic devices, or all other Intel functions. Sets *denied if the
 * capabilities of one may not be read. 0 or -ENOMEM.
 */
static int find_entries(struct platform *p, const struct model *model, bool generic,
			struct discovery_entries *out, bool *denied)
{
	for (size_t i = 0; i < out->function_count; i++) {
		const struct pci_function *f = &out->functions[i];

		if (f->vendor != DISCOVERY_VENDOR_INTEL ||
		    (f->device == discovery_device_id(model)) != generic)
			continue;
		int rc = find_entries_of(p, f, out);
		if (rc == -ENOMEM)
			return rc;
		if (rc == -EPERM || rc == -EACCES)
			*denied = true;
		else if (rc && rc != -ENOENT)
			log_write(&p->log, LEVEL_DETAIL,
				  LOCATION_FORMAT ": extended capabilities: %s", LOCATION(f->at),
				  rc == -ELOOP ? "the list is circular" : strerror(-rc));
	}
	return 0;
}

/* The nth socket with CPUs, by number; *count is the number of such sockets. */
static int nth_socket(const struct topology *topology, size_t nth, size_t *count)
{
	int socket = -1, found = -1;

	for (*count = 0;; ++*count) {
		int next = INT_MAX;

		for (size_t i = 0; i < topology->count; i++)
			if (topology->cpus[i].socket > socket && topology->cpus[i].socket < next)
				next = topology->cpus[i].socket;
		if (next == INT_MAX)
			return found;
		socket = next;
		if (*count == nth)
			found = socket;
	}
}

static bool is_first_of_function(const struct discovery_entries *all, size_t i)
{
	return !i || all->list[i].function != all->list[i - 1].function;
}

/* The functions of that socket; ANY_SOCKET: all. */
#define ANY_SOCKET (-2)
static size_t count_functions(const struct discovery_entries *all, int socket)
{
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++)
		count += is_first_of_function(all, i) &&
			 (socket == ANY_SOCKET || all->list[i].socket == socket);
	return count;
}

/* How many of count functions the nth of sockets has, where all have the same number of dies. */
static size_t share_of(size_t nth, size_t sockets, size_t count)
{
	return (count * (nth + 1) + sockets - 1) / sockets - (count * nth + sockets - 1) / sockets;
}

/* The first socket that lacks a function. */
static int next_socket(const struct topology *topology, const struct discovery_entries *all)
{
	const size_t functions = count_functions(all, ANY_SOCKET);
	size_t sockets, ignored;

	nth_socket(topology, 0, &sockets);
	for (size_t s = 0; s < sockets; s++) {
		const int socket = nth_socket(topology, s, &ignored);

		if (count_functions(all, socket) < share_of(s, sockets, functions))
			return socket;
	}
	return -1;
}

/*
 * The socket of a table is that of its function's NUMA node. Functions without a node belong to the
 * dies in the order of their PCI addresses, as in the kernel (uncore_discovery.c,
 * get_device_die_id()), also where their tables are unusable; a function's tables are of one
 * socket.
 */
static void assign_sockets(struct platform *p, const struct topology *topology,
			   struct discovery_entries *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const int node = all->list[i].function->numa_node;

		all->list[i].socket = node < 0 ? -1 : topology_socket_of_node(topology, node);
	}
	for (size_t i = 0; i < all->count; i++) {
		struct discovery_entry *c = &all->list[i];

		if (c->function->numa_node < 0)
			c->socket = is_first_of_function(all, i) ? next_socket(topology, all)
								 : c[-1].socket;
		if (c->socket < 0 && c->usable)
			log_write(&p->log, LEVEL_WARNING,
				  "discovery table of " LOCATION_FORMAT
				  " skipped: NUMA node %d has no online CPU",
				  LOCATION(c->function->at), c->function->numa_node);
		c->usable = c->usable && c->socket >= 0;
	}
}

static int no_permission(struct error *err)
{
	error_set(
		err, EXIT_PERMISSION, -EPERM,
		"PCI: reading the discovery device's capabilities requires CAP_SYS_ADMIN; " ERROR_RUN_AS_ROOT);
	error_hint(err, ERROR_COMMAND_AS_ROOT);
	return -EPERM;
}

static int compare_functions(const void *a, const void *b)
{
	const struct pci_function *x = a, *y = b;
	return pci_location_compare(&x->at, &y->at);
}

/* Lists all functions, sorted: libpci lists them as a directory has them. */
static int list_functions(struct platform *p, struct discovery_entries *out, struct error *err)
{
	int rc = p->ops->pci_list(p, &out->functions, &out->function_count, err);

	if (!rc && out->function_count)
		qsort(out->functions, out->function_count, sizeof(*out->functions),
		      compare_functions);
	return rc;
}

static void entries_free(struct discovery_entries *entries)
{
	free(entries->list);
	free(entries->functions);
	*entries = (struct discovery_entries){.list = NULL};
}

/*
 * Finds the entries, also none. EXIT_PERMISSION: there is none that may be read. After an error
 * *out is empty.
 */
static int find_entry_points(struct platform *p, const struct model *model,
			     const struct topology *topology, struct discovery_entries *out,
			     struct error *err)
{
	bool denied = false;

	*out = (struct discovery_entries){.list = NULL};
	int rc = list_functions(p, out, err);
	if (rc)
		return rc;
	rc = find_entries(p, model, true, out, &denied);
	if (!rc && !out->count)
		rc = find_entries(p, model, false, out, &denied);
	if (rc)
		error_no_memory(err);
	else if (!out->count && denied)
		rc = no_permission(err);
	if (rc)
		entries_free(out);
	else
		assign_sockets(p, topology, out);
	return rc;
}

/* Reads a table whose source and socket are known, and adds it unless it is skipped. */
static int add_table(struct platform *p, const struct model *model, const struct topology *topology,
		     const struct table_location *location, struct discovery_table table,
		     struct discovery *out, struct error *err)
{
	if (array_room(&out->tables, out->table_count, 1, sizeof(*out->tables)))
		return error_no_memory(err);
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
	int rc = find_entry_points(p, model, topology, &entries, err);

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
	entries_free(&entries);
	return rc;
}

void discovery_free(struct discovery *discovery)
{
	free(discovery->tables);
	free(discovery->units);
	*discovery = (struct discovery){0};
}
