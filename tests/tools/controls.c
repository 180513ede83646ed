/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-controls [--root=DIR] [--events | --kinds]
 *
 * Prints a line for each counter control of this machine's uncore units that is not 0, with any
 * program's selection: "socket 0 cxlcm 2 counter 4 0x1041".
 *
 * --events: answers each name of an event on standard input with a line. "equal": each unit that
 * has the event holds its selection in the control of one counter that can count it, and nothing
 * in the others. "none": the event is unknown. "none 0x1041": its units are unknown, and this is
 * its selection. "different: " is followed by the first control that is not as expected.
 *
 * --kinds: prints a line for each row of tests/register_kinds.h, with the event of its clock for
 * perf, and how many units of the kind count it on the first counter, and nothing on the others:
 * "cha/event=0x01,umask=0x00/ 4 of 4".
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "events/event_catalogue.h"
#include "linux/linux.h"
#include "tests/register_kinds.h"
#include "uncore/machine.h"

#define LINE_SIZE 256

static uint64_t read_register(struct platform *p, struct reg reg)
{
	struct error why;
	uint64_t value;

	if (reg_read(p, &reg, &value, &why))
		errx(1, "%s", why.text);
	return value;
}

static uint64_t read_control(struct platform *p, const struct unit *unit, unsigned counter)
{
	return read_register(p, unit_counter_control(unit, counter));
}

static void print_controls(struct platform *p, const struct unit *unit)
{
	char name[UNIT_NAME_SIZE];

	for (unsigned i = 0; i < unit->counters; i++) {
		const uint64_t value = read_control(p, unit, i);

		if (value)
			printf("%s counter %u 0x%" PRIx64 "\n", unit_name(unit, name), i, value);
	}
}

/* Writes the first difference from the expected controls to text; empty: none. */
static void compare(struct platform *p, const struct unit *unit, const struct event *event,
		    char text[LINE_SIZE])
{
	const uint64_t expected = unit_event_control(unit, event);
	char name[UNIT_NAME_SIZE];
	unsigned found = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < unit->counters && !text[0]; i++) {
		const uint64_t value = read_control(p, unit, i);

		if (value == expected && event->counters >> i & 1)
			found++;
		else if (value)
			snprintf(text, LINE_SIZE,
				 "%s counter %u holds 0x%" PRIx64 ", expected 0x%" PRIx64
				 " on counters 0x%x",
				 unit_name(unit, name), i, value, expected, event->counters);
	}
	if (!text[0] && found != 1)
		snprintf(text, LINE_SIZE, "%s: %u counters hold 0x%" PRIx64, unit_name(unit, name),
			 found, expected);
}

static void judge(struct platform *p, const struct machine *m, const struct event *event)
{
	char text[LINE_SIZE] = "";
	size_t units = 0;

	for (size_t i = 0; event && i < m->discovery.unit_count && !text[0]; i++) {
		const struct unit *unit = &m->discovery.units[i];

		if (unit->type != event->type || !unit->open)
			continue;
		units++;
		compare(p, unit, event, text);
	}
	if (text[0])
		printf("different: %s\n", text);
	else if (event && !units)
		printf("none 0x%" PRIx64 "\n", event_control(event));
	else
		puts(event ? "equal" : "none");
	fflush(stdout);
}

static void judge_lines(struct platform *p, const struct machine *m)
{
	struct event_catalogue catalogue;
	char line[LINE_SIZE];

	catalogue_init(&catalogue, m->model);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		judge(p, m, catalogue_find(&catalogue, line));
	}
	catalogue_free(&catalogue);
}

/* Returns true if a unit counts its clock. Addresses are the row's in configuration space only. */
static bool counts_clock(struct platform *p, const struct unit *unit, struct register_kind kind)
{
	kind.unit.cpu = unit->cpu;
	kind.unit.pci = unit->pci;
	kind.unit.window = &unit->window;
	if (unit->access != ACCESS_PCI)
		kind.unit.address = unit->control;
	bool counts = !read_register(p, kind.unit);
	for (unsigned i = 0; i < kind.counters; i++)
		counts &= read_register(p, kind_control(&kind, i)) == (i ? 0 : kind.clock);
	return counts;
}

static void judge_kind(struct platform *p, const struct machine *m, const struct register_kind *row)
{
	const char *name = NULL;
	unsigned units = 0, counting = 0;

	for (size_t i = 0; i < m->discovery.unit_count; i++) {
		const struct unit *unit = &m->discovery.units[i];

		if (unit->type != row->type || !unit->open)
			continue;
		name = unit->pmu_type->name;
		units++;
		counting += counts_clock(p, unit, *row);
	}
	if (name)
		printf("%s/event=0x%02x,umask=0x%02x/ %u of %u\n", name,
		       (unsigned)row->clock & 0xff, (unsigned)row->clock >> 8, counting, units);
}

int main(int argc, char **argv)
{
	const struct log silent = {.write = NULL};
	const char *root = "/";
	bool events = false, kinds = false;
	struct machine machine;
	struct platform *p;
	struct error why;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--root=", 7))
			root = argv[i] + 7;
		else if (!strcmp(argv[i], "--events"))
			events = true;
		else if (!strcmp(argv[i], "--kinds"))
			kinds = true;
		else
			errx(2, "usage: cxlmon-controls [--root=DIR] [--events | --kinds]");
	}
	if (platform_linux(root, &silent, &p, &why) || machine_open(p, &machine, &why))
		errx(1, "%s", why.text);
	for (size_t i = 0; i < machine.discovery.unit_count; i++) {
		struct unit *unit = &machine.discovery.units[i];

		/* leaves out units of a type without a name, whose layout is unknown */
		if (!unit_open(p, unit, &why) && !events && !kinds)
			print_controls(p, unit);
	}
	if (events)
		judge_lines(p, &machine);
	for (int i = 0; kinds && i < REGISTER_KINDS; i++)
		judge_kind(p, &machine, &register_kinds[i]);
	machine_close(&machine);
	platform_destroy(p);
	return 0;
}
