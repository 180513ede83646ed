/* SPDX-License-Identifier: BSD-3-Clause */
#include "events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/event_catalogue.h"
#include "events/event_list.h"
#include "events/event_parse.h"
#include "msr/core_pmu.h"
#include "uncore/models/models.h"

/* Pin control, interrupts, and all above the 32 bits. EN is set by programming, not here. */
#define CORE_RESERVED (PERFEVTSEL_PC | PERFEVTSEL_INT | PERFEVTSEL_EN | UINT64_C(0xFFFFFFFF) << 32)

const struct model *fuzz_model(struct input *in)
{
	const struct model *const *models = model_list();
	size_t count = 0, choice;

	while (models[count])
		count++;
	choice = input_u8(in) % (count + 1);
	return choice < count ? models[choice] : NULL;
}

/* Returns the event number's bits above 7 in the control of a core's event on AMD. */
static uint64_t event_above_bit_7(const struct model *model)
{
	return control_max_event(model_core(model)->layout) >> 8 << PMON_CTL_EVENT_HIGH_SHIFT;
}

static void check_control(const struct model *model, const struct event *event)
{
	const uint64_t control = event_control(event);

	if (event->type == PMU_CORE) {
		fuzz_require(!(control & CORE_RESERVED & ~event_above_bit_7(model)));
		return;
	}
	if (event->type == PMU_CPMU) { /* every machine may have one; its events are 32 bits */
		fuzz_require((uint32_t)event->modifiers || event->optional);
		fuzz_require(control == event->modifiers);
		return;
	}
	fuzz_require(model && model_pmu_type(model, event->type));
	fuzz_require(
		!(control & ~control_mask(pmu_type_layout(model_pmu_type(model, event->type)))));
}

void fuzz_check_event(const struct model *model, const struct event *event)
{
	check_control(model, event);
	fuzz_require(event->counters);
	fuzz_require(event->name && *event->name && strlen(event->name) < EVENT_NAME_SIZE);
	fuzz_require(fuzz_one_line(event->name));
	fuzz_require(!event->help || fuzz_one_line(event->help));
}

static const char *pmu_type_name(const struct model *model, uint16_t pmu_type)
{
	return pmu_type == PMU_CORE ? "core" : model_pmu_type(model, pmu_type)->name;
}

static int add(char text[EVENT_NAME_SIZE], int used, const char *word, uint64_t value)
{
	return used +
	       snprintf(text + used, (size_t)(EVENT_NAME_SIZE - used), ",%s=%" PRIu64, word, value);
}

static int print_core(const struct event *e, char text[EVENT_NAME_SIZE], int used)
{
	const struct {
		const char *word;
		uint64_t bit;
	} flags[] = {
		{"edge", PERFEVTSEL_EDGE}, {"inv", PERFEVTSEL_INV}, {"usr", PERFEVTSEL_USR},
		{"os", PERFEVTSEL_OS},	   {"any", PERFEVTSEL_ANY},
	};

	used = add(text, used, "cmask", e->modifiers >> 24 & 0xff);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (e->modifiers & flags[i].bit)
			used += snprintf(text + used, (size_t)(EVENT_NAME_SIZE - used), ",%s",
					 flags[i].word);
	return used;
}

static int print_fields(const struct control_layout *layout, const struct event *e,
			char text[EVENT_NAME_SIZE], int used)
{
	static const char *const words[CONTROL_FIELDS] = {
		"umask_ext", "thresh", "edge",	 "inv",	    "tid",    "port_en",
		"rs3_sel",   "rx_sel", "tx_sel", "iep_sel", "vc_sel", "port_sel",
	};
	const uint64_t control = event_control(e);

	for (enum control_field f = 0; f < CONTROL_FIELDS; f++) {
		const uint64_t max = control_max(layout, f);
		const uint64_t value = control >> layout->fields[f].first & max;

		if (!value)
			continue;
		if (f == CONTROL_EDGE || f == CONTROL_INVERT || f == CONTROL_TID)
			used += snprintf(text + used, (size_t)(EVENT_NAME_SIZE - used), ",%s",
					 words[f]);
		else
			used = add(text, used, words[f], value);
	}
	return used;
}

static void print_cpmu(const struct event *e, char text[EVENT_NAME_SIZE])
{
	snprintf(text, EVENT_NAME_SIZE, "cpmu/vendor=%u,group=%u,mask=%u/",
		 (unsigned)(e->modifiers >> 48), (unsigned)(e->modifiers >> 32 & 0xFFFF),
		 (unsigned)(uint32_t)e->modifiers);
}

/* Prints an event with every term that it has, as a user might have written it. */
static void print(const struct model *model, const struct event *e, char text[EVENT_NAME_SIZE])
{
	int used = snprintf(text, EVENT_NAME_SIZE, "%s/event=%u,umask=%#x",
			    pmu_type_name(model, e->type), e->code, e->umask);

	used = e->type == PMU_CORE ? print_core(e, text, used)
				   : print_fields(pmu_type_layout(model_pmu_type(model, e->type)),
						  e, text, used);
	snprintf(text + used, (size_t)(EVENT_NAME_SIZE - used), "/");
}

static void check_reads_back(const struct event_catalogue *catalogue, const struct event *event)
{
	char text[EVENT_NAME_SIZE];
	struct parsed_event again;
	struct error err = {0};

	if (event->type == PMU_CPMU)
		print_cpmu(event, text);
	else
		print(catalogue->model, event, text);
	fuzz_require(!event_parse(catalogue, text, &again, &err));
	fuzz_require(again.event.type == event->type);
	fuzz_require(event_control(&again.event) == event_control(event));
	/* counter= may have left one of them */
	fuzz_require(!(event->counters & ~again.event.counters));
	fuzz_require(event->counters == again.event.counters ||
		     !(event->counters & (event->counters - 1)));
}

void fuzz_check_list(const struct event_catalogue *catalogue, const struct event_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		fuzz_check_event(catalogue->model, list->items[i].event);
		fuzz_require(list->items[i].group <= list->groups);
	}
	for (size_t i = 0; i < list->own.count; i++)
		check_reads_back(catalogue, list->own.events[i]);
}
