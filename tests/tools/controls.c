/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon-controls [--root=DIR] [--events]
 *
 * Prints a line for each counter control of this machine's uncore units that is not 0, with any
 * program's selection: "socket 0 cxlcm 2 counter 4 0x1041".
 *
 * --events: answers each name of an event on standard input with a line. "equal": each unit that
 * has the event holds its selection in the control of one counter that can count it, and nothing
 * in the others. "none": the event is unknown. "none 0x1041": its units are unknown, and this is
 * its selection. "different: " is followed by the first control that is not as expected.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "events/event_catalogue.h"
#include "linux/linux.h"
#include "uncore/machine.h"

#define LINE_SIZE 256

static uint64_t read_control(struct platform *p, const struct unit *unit, unsigned counter)
{
	const struct reg reg = unit_counter_control(unit, counter);
	struct error why;
	uint64_t value;

	if (reg_read(p, &reg, &value, &why))
		errx(1, "%s", why.text);
	return value;
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

int main(int argc, char **argv)
{
	const struct log silent = {.write = NULL};
	const char *root = "/";
	bool events = false;
	struct machine machine;
	struct platform *p;
	struct error why;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--root=", 7))
			root = argv[i] + 7;
		else if (!strcmp(argv[i], "--events"))
			events = true;
		else
			errx(2, "usage: cxlmon-controls [--root=DIR] [--events]");
	}
	if (platform_linux(root, &silent, &p, &why) || machine_open(p, &machine, &why))
		errx(1, "%s", why.text);
	for (size_t i = 0; i < machine.discovery.unit_count; i++) {
		struct unit *unit = &machine.discovery.units[i];

		/* leaves out units of a type without a name, whose layout is unknown */
		if (!unit_open(p, unit, &why) && !events)
			print_controls(p, unit);
	}
	if (events)
		judge_lines(p, &machine);
	machine_close(&machine);
	platform_destroy(p);
	return 0;
}
