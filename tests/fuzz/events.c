/* SPDX-License-Identifier: BSD-3-Clause */
#include "events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/event_parse.h"
#include "events/event_rules.h"
#include "msr/core_pmu.h"

/*
 * Bits that no uncore event may set: 17 (reset), 19, 20 (overflow enable), 21 and 22 (enable on
 * older parts). Source: the kernel's uncore_discovery.h (GENERIC_PMON_*), as in event.h.
 */
#define UNCORE_RESERVED (UINT64_C(0x7A) << 16)

/* Pin control, interrupts, and all above the 32 bits. EN is set when it is programmed, not here. */
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

static void check_control(const struct model *model, const struct event *event)
{
	const uint64_t control = event_control(event);

	if (event->box == BOX_CORE) {
		fuzz_require(!(control & CORE_RESERVED));
		return;
	}
	fuzz_require(model && model_box(model, event->box));
	fuzz_require(!(control & UNCORE_RESERVED));
	fuzz_require(event->box == BOX_CHA || !(control & PMON_CTL_TID_ENABLE));
	if (model_box(model, event->box)->mmio_control_step == 4)
		fuzz_require(!(control >> 32));
}

void fuzz_check_event(const struct model *model, const struct event *event)
{
	check_control(model, event);
	fuzz_require(event->counters);
	fuzz_require(event->name && *event->name && strlen(event->name) < EVENT_NAME_SIZE);
	fuzz_require(fuzz_one_line(event->name));
	fuzz_require(!event->help || fuzz_one_line(event->help));
}

static const char *box_name(const struct model *model, uint16_t box)
{
	return box == BOX_CORE ? "core" : model_box(model, box)->name;
}

/* As the user might have written it, with every term that it has. */
static void print(const struct model *model, const struct event *e, char text[EVENT_NAME_SIZE])
{
	const bool core = e->box == BOX_CORE;
	const uint64_t m = e->modifiers;
	int used = snprintf(text, EVENT_NAME_SIZE, "%s/event=%u,umask=%#x,%s=%u",
			    box_name(model, e->box), e->code, e->umask, core ? "cmask" : "thresh",
			    (unsigned)(m >> PMON_CTL_THRESHOLD_SHIFT & 0xff));
	const struct {
		const char *word;
		bool given;
	} flags[] = {
		{"edge", m & PMON_CTL_EDGE},
		{"inv", m & PMON_CTL_INVERT},
		{"tid", !core && m & PMON_CTL_TID_ENABLE},
		{"usr", core && m & PERFEVTSEL_USR},
		{"os", core && m & PERFEVTSEL_OS},
		{"any", core && m & PERFEVTSEL_ANY},
	};

	if (e->umask_ext)
		used += snprintf(text + used, (size_t)(EVENT_NAME_SIZE - used), ",umask_ext=%u",
				 e->umask_ext);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i].given)
			used += snprintf(text + used, (size_t)(EVENT_NAME_SIZE - used), ",%s",
					 flags[i].word);
	snprintf(text + used, (size_t)(EVENT_NAME_SIZE - used), "/");
}

static void check_reads_back(const struct event_catalogue *catalogue, const struct event *event)
{
	char text[EVENT_NAME_SIZE];
	struct parsed_event again;
	struct error err = {0};

	print(catalogue->model, event, text);
	fuzz_require(!event_parse(catalogue, text, &again, &err));
	fuzz_require(again.event.box == event->box);
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
