/* SPDX-License-Identifier: BSD-3-Clause */
#include "mirror.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/kernel/clock.h"
#include "pci/config.h"
#include "platform/clock.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "platform/reg.h"
#include "publish.h"
#include "uncore/units/unit.h"

#define MAX_PLACES 2 /* a BAR and dev/mem show the same memory */

/* A mapped range of a file: physical memory, or a function's configuration space. */
struct area {
	struct reg first; /* space and address of the beginning */
	uint64_t length;
	char *base;
};

struct cell {
	struct reg reg;
	enum sim_register kind;
	uint64_t shown;
	uint64_t withheld; /* events of a counter that came after its unit was frozen */
	void *places[MAX_PLACES];
	unsigned place_count;
};

struct mirror {
	struct platform *platform;
	FILE *log;
	bool trapped; /* configuration space is served by regfs */
	struct area *areas;
	size_t area_count;
	struct cell *cells;
	size_t cell_count;
	uint64_t updated, staleness;
};

void log_write_of(FILE *log, struct platform *p, const struct reg *reg, uint64_t value)
{
	char name[REG_NAME_SIZE];

	if (log)
		fprintf(log, "%.9f write %s value 0x%" PRIx64 "\n",
			(double)p->ops->clock->now(p) / 1e9, reg_name(reg, name), value);
}

static void *reallocate(void *old, size_t count, size_t size)
{
	void *grown = reallocarray(old, count, size);

	if (!grown)
		errx(1, "out of memory");
	return grown;
}

/* Maps a file, root/path, which is formatted. Returns its address. */
__attribute__((format(printf, 6, 7))) static char *add_area(struct mirror *m, const char *root,
							    const struct reg *first,
							    uint64_t length, uint64_t offset,
							    const char *format, ...)
{
	char path[128], full[ROOTFS_PATH_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (rootfs_path(full, root, "%s", path))
		errx(1, "%s: path too long", path);
	int fd = open(full, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", full);
	void *base = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
	if (base == MAP_FAILED)
		err(1, "%s", full);
	close(fd);

	m->areas = reallocate(m->areas, m->area_count + 1, sizeof(*m->areas));
	m->areas[m->area_count++] = (struct area){.first = *first, .length = length, .base = base};
	return base;
}

static void add_memory_areas(struct mirror *m, const char *root, const struct sim *sim)
{
	for (size_t i = 0; i < sim->region_count; i++) {
		const struct sim_region *memory = &sim->regions[i];
		const struct reg first = {.space = REG_MMIO, .address = memory->phys};
		char *base = add_area(m, root, &first, memory->length, memory->phys, "dev/mem");

		if (memory->words)
			memcpy(base, memory->words, memory->length);
	}
}

/* Maps the BARs of a function, which show the same memory as dev/mem. */
static void add_bars(struct mirror *m, const char *root, const struct pci_function *f)
{
	struct reg first = {.space = REG_MMIO};
	char name[PCI_TEXT_SIZE];

	pci_location_text(f->at, name);
	for (unsigned bar = 0; bar < PCI_BAR_COUNT; bar++) {
		if (!f->bar_size[bar] || pci_bar_address(m->platform, f->at, bar, &first.address))
			continue;
		char *base = add_area(m, root, &first, f->bar_size[bar], 0,
				      "sys/bus/pci/devices/%s/resource%u", name, bar);
		for (size_t i = 0; i < sim_of(m->platform)->region_count; i++) {
			const struct sim_region *memory = &sim_of(m->platform)->regions[i];

			if (memory->phys == first.address && memory->words)
				memcpy(base, memory->words, memory->length);
		}
	}
}

static void add_pci_areas(struct mirror *m, const char *root, const struct sim *sim)
{
	char name[PCI_TEXT_SIZE];

	for (size_t i = 0; i < sim->function_count; i++) {
		const struct pci_function *f = &sim->functions[i].info;
		const struct reg first = {.space = REG_PCI, .pci = f->at};

		if (!m->trapped)
			add_area(m, root, &first, PCI_CONFIG_BYTES, 0,
				 "sys/bus/pci/devices/%s/config", pci_location_text(f->at, name));
		add_bars(m, root, f);
	}
}

static bool area_holds(const struct area *area, const struct reg *reg)
{
	const struct reg *first = &area->first;

	return first->space == reg->space && reg->address >= first->address &&
	       reg->address + reg->bytes <= first->address + area->length &&
	       (reg->space == REG_MMIO || !pci_location_compare(&first->pci, &reg->pci));
}

static void add_cell(void *context, const struct reg *reg, enum sim_register kind)
{
	struct mirror *m = context;

	if (m->trapped && reg->space == REG_PCI)
		return;
	m->cells = reallocate(m->cells, m->cell_count + 1, sizeof(*m->cells));
	m->cells[m->cell_count++] = (struct cell){.reg = *reg, .kind = kind};
}

/* Finds a register in the areas, which are all mapped by then. */
static void place_cell(struct mirror *m, struct cell *cell)
{
	for (size_t i = 0; i < m->area_count; i++) {
		const struct area *area = &m->areas[i];

		if (!area_holds(area, &cell->reg))
			continue;
		if (cell->place_count == MAX_PLACES)
			errx(1, "a register has more places than is expected");
		cell->places[cell->place_count++] =
			area->base + (cell->reg.address - area->first.address);
	}
}

static uint64_t read_cell(struct mirror *m, const struct cell *cell)
{
	uint64_t value = 0;

	reg_read(m->platform, &cell->reg, &value, NULL);
	return value;
}

/* Replaces shown by value. Returns false if another program had written *found. */
static bool exchange(const struct cell *cell, void *place, uint64_t shown, uint64_t value,
		     uint64_t *found)
{
	*found = shown;
	if (cell->reg.bytes == 8)
		return atomic_compare_exchange_strong((_Atomic uint64_t *)place, found, value);

	uint32_t narrow = (uint32_t)shown;
	bool same =
		atomic_compare_exchange_strong((_Atomic uint32_t *)place, &narrow, (uint32_t)value);
	*found = narrow;
	return same;
}

/* Passes a write to the simulator. */
static void take_in(struct mirror *m, struct cell *cell)
{
	for (unsigned i = 0; i < cell->place_count; i++) {
		const uint64_t old = cell->shown;
		uint64_t written, ignored;

		if (exchange(cell, cell->places[i], old, old, &written))
			continue;
		log_write_of(m->log, m->platform, &cell->reg, written);
		reg_write(m->platform, &cell->reg, written, NULL);

		/* the passed-on value is now the last copy */
		cell->shown = read_cell(m, cell);
		for (unsigned k = 0; k < cell->place_count; k++)
			exchange(cell, cell->places[k], k == i ? written : old, cell->shown,
				 &ignored);
		return;
	}
}

static bool written_to(const struct cell *cell)
{
	uint64_t ignored;

	for (unsigned i = 0; i < cell->place_count; i++)
		if (!exchange(cell, cell->places[i], cell->shown, cell->shown, &ignored))
			return true;
	return false;
}

/*
 * Returns the end of a unit's registers: its control and all registers up to the next unit's
 * control.
 */
static size_t end_of_unit(const struct mirror *m, size_t first)
{
	size_t end = first + 1;

	while (end < m->cell_count && m->cells[end].kind != SIM_UNIT_CONTROL)
		end++;
	return end;
}

/* Adds events to a counter; events that are taken from it are withheld. */
static void move_counter(struct mirror *m, struct cell *counter, uint64_t events)
{
	if (events)
		reg_write(m->platform, &counter->reg, read_cell(m, counter) + events, NULL);
	counter->withheld -= events;
}

/*
 * Passes on a write to a unit's control. A program that freezes a unit reads the counters in the
 * files, so the unit's counters return to these values until it runs again. A counter with a lower
 * value was reset.
 */
static void take_in_control(struct mirror *m, size_t first, size_t end)
{
	const bool frozen = m->cells[first].shown & UNIT_CTL_FREEZE;

	if (!written_to(&m->cells[first]))
		return;
	take_in(m, &m->cells[first]);
	const bool freezes = m->cells[first].shown & UNIT_CTL_FREEZE;
	for (size_t i = first + 1; i < end; i++) {
		struct cell *cell = &m->cells[i];
		const uint64_t value = cell->kind == SIM_COUNTER ? read_cell(m, cell) : 0;

		if (cell->kind != SIM_COUNTER)
			continue;
		if (written_to(cell) || value < cell->shown)
			cell->withheld = 0;
		else if (freezes != frozen)
			move_counter(m, cell, freezes ? cell->shown - value : cell->withheld);
	}
}

/*
 * Passes on a write to a register. The counter's events since the last copy are of the event
 * before: its unit was frozen, however shortly, when another program chose another event.
 */
static void take_in_register(struct mirror *m, size_t i, size_t end)
{
	struct cell *counter = &m->cells[i + 1];

	take_in(m, &m->cells[i]);
	m->cells[i].withheld = 0;
	if (i + 1 == end || counter->kind != SIM_COUNTER)
		return;
	if (!written_to(counter))
		move_counter(m, counter, counter->shown - read_cell(m, counter));
	counter->withheld = 0;
}

/*
 * Passes on the writes to a unit. A reset comes before later writes of other registers, however
 * late it is seen.
 */
static void take_in_unit(struct mirror *m, size_t first, size_t end)
{
	take_in_control(m, first, end);
	for (size_t i = first + 1; i < end; i++) {
		if (!written_to(&m->cells[i]))
			continue;
		take_in_control(m, first, end);
		take_in_register(m, i, end);
	}
}

static void show(struct mirror *m, struct cell *cell)
{
	const uint64_t value = read_cell(m, cell);
	uint64_t found;

	for (unsigned i = 0; i < cell->place_count; i++) {
		/* fails if a write has just come, which is passed on next time */
		exchange(cell, cell->places[i], cell->shown, value, &found);
	}
	cell->shown = value;
}

void mirror_update(struct mirror *m)
{
	const uint64_t now = clock_monotonic();

	for (size_t first = 0; first < m->cell_count;) {
		const size_t end = end_of_unit(m, first);

		take_in_unit(m, first, end);
		for (size_t i = first; i < end && !written_to(&m->cells[first]); i++)
			show(m, &m->cells[i]);
		first = end;
	}
	if (m->log)
		fflush(m->log);
	if (m->updated && now - m->updated > m->staleness)
		m->staleness = now - m->updated;
	m->updated = now;
}

uint64_t mirror_due(const struct mirror *m, uint64_t now)
{
	return m->cell_count ? now + MIRROR_PERIOD_NS : UINT64_MAX;
}

uint64_t mirror_staleness(struct mirror *m)
{
	const uint64_t staleness = m->staleness;

	m->staleness = 0;
	return staleness;
}

struct mirror *mirror_new(const char *root, struct platform *p, FILE *log, bool trapped)
{
	struct mirror *m = calloc(1, sizeof(*m));

	if (!m)
		errx(1, "out of memory");
	m->platform = p;
	m->log = log;
	m->trapped = trapped;
	add_memory_areas(m, root, sim_of(p));
	add_pci_areas(m, root, sim_of(p));
	sim_for_each_register(sim_of(p), add_cell, m);
	for (size_t i = 0; i < m->cell_count; i++)
		place_cell(m, &m->cells[i]);
	mirror_update(m);
	return m;
}

void mirror_free(struct mirror *m)
{
	for (size_t i = 0; i < m->area_count; i++)
		munmap(m->areas[i].base, m->areas[i].length);
	free(m->areas);
	free(m->cells);
	free(m);
}
