/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pci/config.h"

#define PCI_UNIT_VALID	(UINT64_C(1) << 31)
#define MSR_SPACE	(UINT64_C(1) << 32) /* Intel SDM vol. 2, RDMSR: ECX holds the number */
#define MAX_WIDTH	64
#define LARGEST_STEP	8 /* bytes, outside MSR space */
#define LOCATION_FORMAT "%04x:%02x:%02x.%x"
#define LOCATION(at)	(at).domain, (at).bus, (at).device, (at).function

static uint64_t bits(uint64_t word, unsigned high, unsigned low)
{
	return word >> low & ((UINT64_C(2) << (high - low)) - 1);
}

uint16_t discovery_device_id(const struct model *model)
{
	return model->discovery_device ? model->discovery_device : DISCOVERY_DEVICE_GENERIC;
}

static struct reg pointer_msr(uint32_t msr, unsigned cpu)
{
	return (struct reg){.space = REG_MSR, .bytes = 8, .cpu = cpu, .address = msr};
}

const char *discovery_table_source(const struct discovery_table *table, char text[REG_NAME_SIZE])
{
	const struct reg pointer = pointer_msr(table->msr, table->cpu);

	return table->msr ? reg_name(&pointer, text) : pci_location_text(table->at, text);
}

const char *record_fault_text(enum record_fault fault)
{
	static const char *const texts[RECORD_FAULTS] = {
		[RECORD_VALID] = "valid",
		[RECORD_EMPTY] = "empty",
		[RECORD_NO_OFFSET] = "no offset of controls or counters",
		[RECORD_BAD_ACCESS] = "unknown access type",
		[RECORD_BAD_ADDRESS] = "impossible address",
		[RECORD_BAD_SHAPE] = "impossible number or width of counters",
		[RECORD_DUPLICATE] = "unit seen before",
		[RECORD_IGNORED] = "type whose records are wrong on this processor",
	};
	return texts[fault];
}

int discovery_decode_global(const uint64_t words[DISCOVERY_RECORD_WORDS], struct global_record *out)
{
	if (words[0] == 0 || words[0] == UINT64_MAX)
		return -EINVAL;
	*out = (struct global_record){
		.type = (uint8_t)bits(words[0], 7, 0),
		.stride = (uint8_t)bits(words[0], 15, 8),
		.max_units = (uint16_t)bits(words[0], 25, 16),
		.access = (uint8_t)bits(words[0], 63, 62),
		.control = words[1],
	};
	return out->stride < DISCOVERY_RECORD_WORDS ? -EINVAL : 0;
}

/* Outside MSR space, registers must be naturally aligned. */
static bool aligned(const struct unit_record *record)
{
	if (record->access == ACCESS_MSR)
		return true;
	const unsigned whole = record->access == ACCESS_PCI ? 4 : 8;

	return !(record->control % whole) && !(record->counter_offset % whole) &&
	       !(record->control_offset % 4);
}

/* Whether all registers are within MSR space, memory, or one function's configuration space. */
static bool fits(const struct unit_record *record)
{
	const unsigned offset = record->control_offset > record->counter_offset
					? record->control_offset
					: record->counter_offset;
	const unsigned extent =
		offset + record->counters * (record->access == ACCESS_MSR ? 1 : LARGEST_STEP);

	switch (record->access) {
	case ACCESS_MSR:
		return record->control <= MSR_SPACE - extent;
	case ACCESS_PCI:
		return bits(record->control, 11, 0) <= PCI_CONFIG_BYTES - extent;
	default:
		return record->control <= UINT64_MAX - extent;
	}
}

enum record_fault discovery_decode_unit(const uint64_t words[DISCOVERY_RECORD_WORDS],
					struct unit_record *out)
{
	*out = (struct unit_record){
		.counters = (uint8_t)bits(words[0], 7, 0),
		.control_offset = (uint8_t)bits(words[0], 15, 8),
		.width = (uint8_t)bits(words[0], 23, 16),
		.counter_offset = (uint8_t)bits(words[0], 31, 24),
		.status_offset = (uint8_t)bits(words[0], 39, 32),
		.access = (uint8_t)bits(words[0], 63, 62),
		.control = words[1],
		.type = (uint16_t)bits(words[2], 15, 0),
		.id = (uint16_t)bits(words[2], 31, 16),
	};
	if (!words[0] || words[0] == UINT64_MAX || !words[1] || words[1] == UINT64_MAX ||
	    words[2] == UINT64_MAX)
		return RECORD_EMPTY;
	if (!out->control_offset || !out->counter_offset)
		return RECORD_NO_OFFSET;
	if (out->access > ACCESS_PCI)
		return RECORD_BAD_ACCESS;
	if (out->access == ACCESS_PCI && !(out->control & PCI_UNIT_VALID))
		return RECORD_BAD_ADDRESS;
	if (!out->counters || out->counters > UNIT_MAX_COUNTERS || !out->width ||
	    out->width > MAX_WIDTH)
		return RECORD_BAD_SHAPE;
	return aligned(out) && fits(out) ? RECORD_VALID : RECORD_BAD_ADDRESS;
}

void discovery_decode_pci(uint64_t control, struct pci_location *at, uint64_t *offset)
{
	at->domain = (uint32_t)bits(control, 30, 28);
	at->bus = (uint8_t)bits(control, 27, 20);
	at->device = (uint8_t)bits(control, 19, 15);
	at->function = (uint8_t)bits(control, 14, 12);
	*offset = bits(control, 11, 0);
}

/* Step between counter controls: 1 for MSRs, 8 bytes for PCI, the model's value for MMIO. */
static uint8_t control_step(const struct unit_record *record, const struct box *box)
{
	switch (record->access) {
	case ACCESS_MSR:
		return 1;
	case ACCESS_PCI:
		return 8;
	default:
		return box ? box->mmio_control_step : 0;
	}
}

/* Faults that depend on the model's table. */
static enum record_fault fault_of_box(const struct unit_record *record, const struct box *box)
{
	const unsigned step = control_step(record, box);

	if (box && box->ignored)
		return RECORD_IGNORED;
	if (record->access == ACCESS_MMIO && step && record->control_offset % step)
		return RECORD_BAD_ADDRESS;
	return RECORD_VALID;
}

static struct unit make_unit(const struct unit_record *record, const struct box *box,
			     const struct discovery_table *table, unsigned cpu)
{
	struct unit unit = {
		.box = box,
		.type = record->type,
		.id = record->id,
		.socket = table->socket,
		.die = table->die,
		.cpu = cpu,
		.access = record->access,
		.control = record->control,
		.control_offset = record->control_offset,
		.counter_offset = record->counter_offset,
		.counters = record->counters,
		.width = record->width,
		.control_step = control_step(record, box),
		.usable = (uint32_t)((UINT64_C(1) << record->counters) - 1),
	};

	if (record->access == ACCESS_PCI)
		discovery_decode_pci(record->control, &unit.pci, &unit.control);
	return unit;
}

static bool seen(const struct unit *units, size_t count, const struct unit_record *record)
{
	for (size_t i = 0; i < count; i++)
		if (units[i].type == record->type && units[i].id == record->id)
			return true;
	return false;
}

static int compare_units(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	return x->type != y->type ? (x->type > y->type) - (x->type < y->type)
				  : (x->id > y->id) - (x->id < y->id);
}

static int read_words(struct platform *p, const struct mmio_window *window, size_t first,
		      uint64_t words[DISCOVERY_RECORD_WORDS])
{
	int rc = 0;

	for (size_t i = 0; !rc && i < DISCOVERY_RECORD_WORDS; i++)
		rc = p->ops->mmio_read(p, window, 8 * (first + i), 8, &words[i]);
	return rc;
}

/* Appends the valid units of the first count records to out->units. */
static int read_records(struct platform *p, const struct model *model,
			const struct mmio_window *window, size_t count, unsigned cpu,
			struct discovery_table *table, struct discovery *out)
{
	if (!count)
		return 0;
	struct unit *grown = realloc(out->units, (out->unit_count + count) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	out->units = grown;

	struct unit *first = out->units + out->unit_count;
	size_t found = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t words[DISCOVERY_RECORD_WORDS];
		struct unit_record record;
		int rc = read_words(p, window, (i + 1) * table->global.stride, words);
		if (rc)
			return rc;

		enum record_fault fault = discovery_decode_unit(words, &record);
		const struct box *box = model_box(model, record.type);
		if (!fault)
			fault = fault_of_box(&record, box);
		if (!fault && seen(first, found, &record))
			fault = RECORD_DUPLICATE;
		table->faults[fault]++;
		if (!fault)
			first[found++] = make_unit(&record, box, table, cpu);
	}
	if (found)
		qsort(first, found, sizeof(*first), compare_units);
	out->unit_count += found;
	return 0;
}

/* How many of the table's records are within its BAR; bar_size 0: not known, no limit. */
static size_t records_that_fit(const struct global_record *global, uint64_t bar_size)
{
	const uint64_t bytes = (uint64_t)global->stride * 8;
	const uint64_t fit = bar_size / bytes;

	if (!bar_size || fit > global->max_units)
		return global->max_units;
	return fit ? (size_t)fit - 1 : 0;
}

static void report_faults(struct platform *p, const struct discovery_table *table)
{
	char source[REG_NAME_SIZE];

	for (unsigned f = RECORD_VALID + 1; f < RECORD_FAULTS; f++)
		if (table->faults[f])
			log_write(&p->log, LEVEL_DETAIL,
				  "discovery table of %s: %u record%s skipped (%s)",
				  discovery_table_source(table, source), table->faults[f],
				  table->faults[f] == 1 ? "" : "s", record_fault_text(f));
}

/* The location of a table; bar_size 0: not known. */
struct table_location {
	uint64_t phys;
	uint64_t bar_size;
};

/* The table is skipped, and a warning has been logged. */
#define TABLE_SKIPPED 1

/* Missing rights concern all tables and are an error; other failures concern only this one. */
static int map_table(struct platform *p, const struct discovery_table *table, uint64_t phys,
		     size_t length, struct mmio_window *window, struct error *err)
{
	struct error why = {0};
	char source[REG_NAME_SIZE];
	int rc = p->ops->mmio_map(p, phys, length, false, window, &why);

	if (!rc)
		return 0;
	if (why.status == EXIT_PERMISSION) {
		if (err)
			*err = why;
		return rc;
	}
	log_write(&p->log, LEVEL_WARNING, "discovery table of %s skipped: %s",
		  discovery_table_source(table, source), why.text);
	return TABLE_SKIPPED;
}

static int read_table(struct platform *p, const struct model *model,
		      const struct topology *topology, const struct table_location *location,
		      struct discovery_table *table, struct discovery *out, struct error *err)
{
	const unsigned cpu =
		table->msr ? table->cpu : (unsigned)topology_first_cpu(topology, table->socket);
	char source[REG_NAME_SIZE];
	uint64_t words[DISCOVERY_RECORD_WORDS] = {0};
	struct mmio_window window;
	int rc = map_table(p, table, location->phys, sizeof(words), &window, err);

	if (rc)
		return rc;
	rc = read_words(p, &window, 0, words);
	p->ops->mmio_unmap(p, &window);
	if (!rc)
		rc = discovery_decode_global(words, &table->global);
	if (rc) {
		log_write(&p->log, LEVEL_WARNING,
			  "discovery table of %s at 0x%" PRIx64
			  " skipped: invalid first record (0x%" PRIx64 ")",
			  discovery_table_source(table, source), location->phys, words[0]);
		return TABLE_SKIPPED;
	}

	const size_t count = records_that_fit(&table->global, location->bar_size);
	if (count < table->global.max_units)
		log_write(&p->log, LEVEL_WARNING,
			  "discovery table of %s extends past its BAR: %zu of %u records read",
			  discovery_table_source(table, source), count, table->global.max_units);
	table->phys = location->phys;
	table->bytes = (count + 1) * table->global.stride * 8;
	rc = map_table(p, table, table->phys, table->bytes, &window, err);
	if (rc)
		return rc;
	rc = read_records(p, model, &window, count, cpu, table, out);
	p->ops->mmio_unmap(p, &window);
	if (rc)
		return error_set(err, EXIT_FAILED, rc, "discovery table: %s", strerror(-rc));
	report_faults(p, table);
	return 0;
}

/* A PMON discovery entry of a PCI function, which may have several. */
struct candidate {
	const struct pci_function *function;
	int socket;
	bool usable; /* it points to memory */
	struct table_location location;
};

/* In the order of PCI addresses: the entries of one function follow each other. */
struct candidates {
	struct candidate *list;
	size_t count;
};

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
static bool is_known(const struct candidates *known, uint64_t phys)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->list[i].usable && known->list[i].location.phys == phys)
			return true;
	return false;
}

static int add_candidate(struct platform *p, const struct pci_function *f, uint32_t table,
			 struct candidates *out)
{
	struct candidate *grown = reallocarray(out->list, out->count + 1, sizeof(*grown));
	struct candidate found = {.function = f};

	if (!grown)
		return -ENOMEM;
	out->list = grown;
	found.usable =
		find_table(p, f, table, &found.location) && !is_known(out, found.location.phys);
	out->list[out->count++] = found;
	return 0;
}

/* Adds the PMON entries among the DVSECs of a function. -ENOENT: it has none. */
static int find_candidates_of(struct platform *p, const struct pci_function *f,
			      struct candidates *out)
{
	const size_t before = out->count;

	for (unsigned nth = 0;; nth++) {
		unsigned dvsec;
		uint32_t entry, table;
		int rc = pci_find_extended(p, f->at, PCI_EXTENDED_ID_DVSEC, nth, &dvsec);

		if (!rc && dvsec + DVSEC_TABLE_OFFSET >= PCI_CONFIG_BYTES)
			rc = -EINVAL;
		if (!rc)
			rc = p->ops->pci_read(p, f->at, dvsec + DVSEC_ENTRY_OFFSET, &entry);
		if (!rc)
			rc = p->ops->pci_read(p, f->at, dvsec + DVSEC_TABLE_OFFSET, &table);
		if (rc)
			return out->count > before ? 0 : rc;
		if ((entry & 0xffff) == DVSEC_ENTRY_ID_PMON)
			rc = add_candidate(p, f, table, out);
		if (rc)
			return rc;
	}
}

/*
 * Finds the candidates among the generic devices, or all other Intel functions. Sets *denied if the
 * capabilities of one may not be read. 0 or -ENOMEM.
 */
static int find_candidates(struct platform *p, const struct model *model,
			   const struct pci_function *functions, size_t count, bool generic,
			   struct candidates *out, bool *denied)
{
	for (size_t i = 0; i < count; i++) {
		const struct pci_function *f = &functions[i];

		if (f->vendor != DISCOVERY_VENDOR_INTEL ||
		    (f->device == discovery_device_id(model)) != generic)
			continue;
		int rc = find_candidates_of(p, f, out);
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

static bool is_first_of_function(const struct candidates *all, size_t i)
{
	return !i || all->list[i].function != all->list[i - 1].function;
}

/* The functions of that socket; ANY_SOCKET: all. */
#define ANY_SOCKET (-2)
static size_t count_functions(const struct candidates *all, int socket)
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
static int next_socket(const struct topology *topology, const struct candidates *all)
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
			   struct candidates *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const int node = all->list[i].function->numa_node;

		all->list[i].socket = node < 0 ? -1 : topology_socket_of_node(topology, node);
	}
	for (size_t i = 0; i < all->count; i++) {
		struct candidate *c = &all->list[i];

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
	int rc = read_table(p, model, topology, location, &table, out, err);
	if (!rc)
		out->tables[out->table_count++] = table;
	return rc < 0 ? rc : 0;
}

static int read_tables(struct platform *p, const struct model *model,
		       const struct topology *topology, struct candidates *candidates,
		       struct discovery *out, struct error *err)
{
	int rc = 0;

	assign_sockets(p, topology, candidates);
	for (size_t i = 0; !rc && i < candidates->count; i++) {
		const struct candidate *c = &candidates->list[i];

		if (c->usable)
			rc = add_table(p, model, topology, &c->location,
				       (struct discovery_table){.at = c->function->at,
								.socket = c->socket},
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
		const struct reg pointer = pointer_msr(model->discovery_msr, at->cpu);
		struct table_location location = {.phys = 0};

		if (!is_first_of_die(topology, i))
			continue;
		if (reg_read(p, &pointer, &location.phys, &why)) {
			log_write(&p->log, LEVEL_WARNING,
				  "units of core building blocks are left out: %s", why.text);
			return 0;
		}
		if (location.phys && !has_table_at(out, location.phys))
			rc = add_table(p, model, topology, &location,
				       (struct discovery_table){.msr = model->discovery_msr,
								.cpu = at->cpu,
								.socket = at->socket},
				       out, err);
	}
	return rc;
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
static int list_functions(struct platform *p, struct pci_function **out, size_t *count,
			  struct error *err)
{
	int rc = p->ops->pci_list(p, out, count, err);

	if (!rc && *count)
		qsort(*out, *count, sizeof(**out), compare_functions);
	return rc;
}

int discovery_read(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err)
{
	struct candidates found = {.list = NULL};
	struct pci_function *functions;
	size_t count;
	bool denied = false;
	int rc = list_functions(p, &functions, &count, err);

	*out = (struct discovery){0};
	if (rc)
		return rc;
	rc = find_candidates(p, model, functions, count, true, &found, &denied);
	if (!rc && !found.count)
		rc = find_candidates(p, model, functions, count, false, &found, &denied);
	if (rc)
		error_no_memory(err);
	else if (found.count)
		rc = read_tables(p, model, topology, &found, out, err);
	else if (denied)
		rc = no_permission(err);
	if (!rc)
		rc = read_tables_of_dies(p, model, topology, out, err);
	if (!rc && !out->unit_count)
		rc = error_set(err, EXIT_NO_UNIT, -ENODEV,
			       "%s: no usable uncore discovery table found in %zu PCI functions; "
			       "firmware may hide it, and virtual machines have none",
			       model->name, count);
	if (rc)
		discovery_free(out);
	free(found.list);
	free(functions);
	return rc;
}

void discovery_free(struct discovery *discovery)
{
	free(discovery->tables);
	free(discovery->units);
	*discovery = (struct discovery){0};
}
