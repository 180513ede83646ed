/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reasons why a rule has no answer: groups that were not asked for, and values that this machine
 * does not show.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "show/explain/explain_private.h"
#include "table/words.h"
#include "uncore/model/model.h"
#include "uncore/models/models.h"

static const char *const no_subject[] = {
	[PORTS] = "no CXL port was measured by itself",
	[SOCKETS] = "no socket was measured by itself",
	[NODES] = "no NUMA node was measured",
	[DEVICES] = "the kernel shows no CXL device",
	[REGIONS] = "the kernel shows no region",
	[MARKS] = "",
	[SAMPLED_LOADS] = "",
	[SYSTEM] = "",
};

static const char no_event[] = "cxlmon knows no such event of this processor";

static bool has_subject(const struct explain *e, const struct rule *rule)
{
	struct situation s;

	for (size_t i = 0; explain_next_subject(e, rule, i, &s); i++)
		if (!s.row || explain_is_subject(s.row, rule->of))
			return true;
	return false;
}

/* Returns the metric that a figure is, or is derived from. */
static const struct metric *metric_of(const char *figure)
{
	const struct derived *derived = explain_find_derived(figure);

	return metric_by_name(derived ? derived->of : figure);
}

static void add_group(struct not_checked *out, const char *figure)
{
	const struct metric *metric = metric_of(figure);

	if (metric && !text_has_word(out->groups, metric->group))
		text_append(out->groups, sizeof(out->groups), "%s%s", *out->groups ? "," : "",
			    metric->group);
}

/* Adds the groups that are needed for an answer and were not asked for. */
static void add_groups(const struct explained_rule *kept, struct not_checked *out)
{
	size_t missing = 0;

	for (size_t f = kept->needed; f < kept->needed + kept->any; f++)
		missing += kept->missing[f];
	const size_t count = kept->needed + (missing == kept->any ? kept->any : 0);
	for (size_t f = 0; f < count; f++)
		if (kept->missing[f])
			add_group(out, kept->figures[f]);
}

static bool is_hidden(const struct explain *e)
{
	for (size_t i = 0; i < e->info->device_count; i++) {
		const struct cxl_device *device = &e->info->devices[i];

		for (size_t h = 0; h < device->hop_count; h++)
			if (!pci_location_compare(&device->hops[h].above, &device->hops[h].below))
				return true;
	}
	return false;
}

/* Returns whether a known processor can count a metric at all. */
static bool has_formula(const struct explain *e, const struct metric *metric)
{
	const struct model *model = model_by_name(e->table->model);

	for (const struct formula *f = model ? model->formulas : NULL; f && f->metric; f++)
		if (!strcmp(f->metric, metric_formulas(metric)))
			return true;
	return !model;
}

static bool is_any_rate_known(const struct explain *e)
{
	for (size_t i = 0; i < e->info->device_count; i++)
		if (cxl_device_rate(&e->info->devices[i]) > 0)
			return true;
	return false;
}

/*
 * Returns why a metric that was asked for was unknown in all samples; NULL: maybe it had no events.
 */
static const char *reason_of(const struct explain *e, const struct metric *metric)
{
	const bool of_link =
		metric->share_of || (metric->source == SOURCE_DEVICES &&
				     metric->number >= LINK_WIDTH && metric->number <= LINK_RATE);
	const bool of_health = metric->source == SOURCE_HEALTH;

	if (of_link && !is_any_rate_known(e))
		return is_hidden(e) ? "the kernel does not show the link of a CXL 1.1 device"
				    : "the kernel does not show speed and width of the link";
	if (of_health && metric->number == DEVICE_CORRECTED_ERRORS)
		return "no device has reported it twice: devices are asked every 30 s, only by "
		       "root";
	if (of_health)
		return "no device has reported it: devices are asked every 30 s, only by root";
	if (metric->source == SOURCE_NODES || metric->source == SOURCE_DEVICES)
		return "the kernel does not report it";
	if (!strcmp(metric->name, "cxl_read_latency_ns") && e->raised)
		return "with so many reads of DRAM, CXL latency may be too high";
	if (!strcmp(metric->group, "device"))
		return "no CXL device has a count of it";
	if (!has_formula(e, metric))
		return no_event;
	return metric->share_of ? "no port has both known traffic and a known device" : NULL;
}

/*
 * Writes the reason for the first figure that was never known, which is enough. Returns false if
 * each was known.
 */
static bool put_reason(const struct explain *e, const struct explained_rule *kept,
		       struct not_checked *out)
{
	char words[WORDS_SIZE];

	for (size_t f = 0; f < kept->needed + (kept->needed ? 0 : kept->any); f++) {
		const struct derived *derived = explain_find_derived(kept->figures[f]);
		const struct metric *metric = metric_of(kept->figures[f]);

		if (kept->seen[f] || !metric)
			continue;
		const char *reason = derived && e->lacks_ports	  ? "not all ports were selected"
				     : derived && derived->reason ? derived->reason
								  : reason_of(e, metric);
		if (reason && derived && reason == no_event)
			snprintf(out->reason, sizeof(out->reason),
				 "link utilisation is unknown: %s", reason);
		else if (reason)
			snprintf(out->reason, sizeof(out->reason), "%s", reason);
		else
			snprintf(out->reason, sizeof(out->reason), "%s was known in no sample",
				 name_words(metric->name, words));
		return true;
	}
	return false;
}

void explain_reason(const struct explain *e, const struct rule *rule, const char *reason,
		    struct not_checked *out)
{
	const struct explained_rule *kept = explain_rule(e, rule);

	*out = (struct not_checked){.what = rule->checks};
	if (explain_is_made(e, rule)) {
		snprintf(out->reason, sizeof(out->reason),
			 "a sweep loads all until something is full");
		return;
	}
	add_groups(kept, out);
	if (!has_subject(e, rule))
		reason = no_subject[rule->of];
	if (*out->groups)
		snprintf(out->reason, sizeof(out->reason), "not measured: group %s", out->groups);
	else if (reason || !put_reason(e, kept, out))
		snprintf(out->reason, sizeof(out->reason), "%s",
			 reason ? reason : "its inputs were not known in the same samples");
}
