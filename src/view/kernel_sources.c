/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/kernel_sources.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"
#include "formula/value.h"
#include "metrics/metric.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "platform/mbm.h"
#include "platform/memory.h"
#include "platform/pci.h"

#define DEVICES_READ_NS NS_PER_S

/* The kernel interrupts a CPU of each cache for a reading. */
#define MBM_READ_NS (NS_PER_S / 100)

/* Of hundreds of groups, thousands of files. */
#define GROUPS_READ_NS (NS_PER_S / 100)
/* Answers at a sample: more than a pipe holds, unless its writer never ends. */
#define HEALTH_ANSWERS_MOST 2048

const struct program kernel_program = {
	.inputs = {{.kind = INPUT_KERNEL}},
	.input_count = 1,
	.steps = {{.kind = OP_INPUT}},
	.step_count = 1,
};
const struct formula kernel_rate = {.program = &kernel_program};
const struct formula kernel_level = {.program = &kernel_program, .is_level = true};
const struct formula mbm_rate = {.program = &kernel_program, .source = MBM_SOURCE};

void kernel_input(struct inputs *out, const struct formula *formula, double number, double seconds)
{
	out->formula = formula;
	out->items[0] = (struct input_value){number, value_whole(seconds * NS_PER_S)};
	out->scaled = false;
	out->reads = 0;
}

/* Before now and known are set by another reading. */
static void begin_reading(struct kernel_reading *reading)
{
	if (reading->known) {
		reading->before = reading->now;
		reading->has_before = true;
	}
	reading->fresh = true;
}

/*
 * Whether what is read once in a period is due: at the first sample of each, so that a recording
 * has it in the same samples as a run of longer intervals; and in all samples that are a period
 * apart, however their clock and this one differ. due_ns: 0 at first.
 */
static bool is_due(uint64_t *due_ns, uint64_t wall_ns, uint64_t period_ns, double sample_s)
{
	const bool early = wall_ns < *due_ns;
	const bool set_back = early && *due_ns - wall_ns > period_ns;
	const bool apart = sample_s * NS_PER_S >= 0.99 * (double)period_ns;

	if (early && !set_back && !apart)
		return false;
	if (set_back || !*due_ns)
		*due_ns = wall_ns + period_ns;
	else if (!early)
		*due_ns += ((wall_ns - *due_ns) / period_ns + 1) * period_ns;
	return true;
}

static int socket_of_cache(const struct topology *topology, unsigned cache)
{
	for (size_t i = 0; i < topology->count; i++)
		if (topology->cpus[i].l3 == (int)cache)
			return topology->cpus[i].socket;
	return -1;
}

int mbm_sources_open(struct mbm_sources *m, struct platform *p, const struct topology *topology,
		     struct error *err)
{
	int rc = p->ops->mbm
			 ? p->ops->mbm->open(p, &m->mbm, err)
			 : error_set(err, ERROR_NO_UNIT, -ENODEV, "resctrl: this machine has none");

	if (!rc)
		rc = mbm_choose(m->mbm, &m->event, &m->set, err);
	if (rc)
		return rc;
	m->platform = p;
	m->sockets = calloc(m->mbm->count, sizeof(*m->sockets));
	m->before = calloc(m->mbm->count, sizeof(*m->before));
	m->now = calloc(m->mbm->count, sizeof(*m->now));
	if (!m->sockets || !m->before || !m->now)
		return error_no_memory(err);
	for (size_t i = 0; i < m->mbm->count; i++)
		m->sockets[i] = socket_of_cache(topology, m->mbm->caches[i].number);
	return 0;
}

void mbm_sources_free(struct mbm_sources *m)
{
	free(m->sockets);
	free(m->before);
	free(m->now);
	*m = (struct mbm_sources){.platform = NULL};
}

static void read_now(struct mbm_sources *m, uint64_t wall_ns)
{
	struct platform *p = m->platform;

	for (size_t i = 0; i < m->mbm->count; i++)
		m->now[i] = NAN;
	m->stale |= p->ops->mbm->read(p, m->event, wall_ns, m->now, &m->now_ns) == -ESTALE;
}

/* After a setting was changed, the first reading says that there is none. */
void mbm_sources_begin(struct mbm_sources *m)
{
	const uint64_t wall_ns = m->platform->ops->clock->wall(m->platform);

	read_now(m, wall_ns);
	read_now(m, wall_ns);
	m->due_ns = wall_ns + MBM_READ_NS;
}

void mbm_sources_read(struct mbm_sources *m, uint64_t wall_ns, double sample_s)
{
	double *swapped = m->before;

	m->fresh = m->platform && is_due(&m->due_ns, wall_ns, MBM_READ_NS, sample_s);
	if (!m->fresh)
		return;
	m->before = m->now;
	m->now = swapped;
	m->before_ns = m->now_ns;
	read_now(m, wall_ns);
}

bool mbm_sources_inputs(const struct mbm_sources *m, int socket, const char *sockets,
			struct inputs *out)
{
	const double seconds = (double)(m->now_ns - m->before_ns) / NS_PER_S;
	double sum = 0;
	size_t parts = 0;

	for (size_t i = 0; i < m->mbm->count; i++) {
		if (socket >= 0 ? m->sockets[i] != socket
				: sockets && !numlist_contains(sockets, (unsigned)m->sockets[i]))
			continue;
		sum += m->now[i] >= m->before[i] ? m->now[i] - m->before[i] : NAN;
		parts++;
	}
	if (!m->fresh || !parts || isnan(sum) || !(seconds > 0))
		return false;
	kernel_input(out, &mbm_rate, sum / 1e6 / seconds, seconds);
	return true;
}

static void read_node(struct platform *p, struct kernel_source *source, uint64_t wall_ns)
{
	struct kernel_reading *files = &source->files;

	begin_reading(files);
	files->known = !p->ops->memory->stats(p, source->node, wall_ns, &files->now);
}

static void set_link(struct kernel_stats *stats, const struct cxl_device *device)
{
	const struct pci_hop *hop = cxl_device_narrowest(device);

	if (!hop)
		return;
	stats->values[LINK_WIDTH] = hop->now.lanes;
	stats->values[LINK_SPEED] = hop->now.GTps * 1e9;
	stats->values[LINK_RATE] = cxl_device_rate(device);
}

static bool is_same(struct pci_link a, struct pci_link b)
{
	return a.lanes == b.lanes && fabs(a.GTps - b.GTps) < 0.05;
}

/* The port of a CXL 1.1 device is hidden. */
static void mark_link(struct marks *marks, uint64_t wall_ns, const struct cxl_device *device,
		      const struct pci_hop *hop, struct pci_link before)
{
	char above[PCI_TEXT_SIZE], below[PCI_TEXT_SIZE];
	char was[PCI_LINK_TEXT_SIZE], now[PCI_LINK_TEXT_SIZE];
	const bool hidden = device->depth == 1;

	pci_link_text(hop->now, now);
	pci_link_text(before, was);
	marks_add(marks, wall_ns, MARK_LINK, device->name, "link %s%s%s%s is %s, was %s",
		  hidden ? "of " : "between ", hidden ? "" : pci_location_text(hop->above, above),
		  hidden ? "" : " and ", pci_location_text(hop->below, below), *now ? now : "down",
		  *was ? was : "down");
}

static void mark_changes(struct kernel_source *source, uint64_t wall_ns, bool gone,
			 struct marks *marks)
{
	const struct cxl_device *device = source->device;

	if (gone != source->gone)
		marks_add(marks, wall_ns, MARK_DEVICE, device->name,
			  gone ? "the device is gone" : "the device has returned");
	source->gone = gone;
	for (size_t h = 0; !gone && h < device->hop_count; h++) {
		if (!is_same(device->hops[h].now, source->links[h]))
			mark_link(marks, wall_ns, device, &device->hops[h], source->links[h]);
		source->links[h] = device->hops[h].now;
	}
}

/* Where nothing can be read of a device that is there, its links are not known to have changed. */
static void read_device(struct platform *p, struct kernel_source *source, uint64_t wall_ns,
			struct marks *marks)
{
	struct cxl_device *device = source->device;
	struct device_stats stats;

	begin_reading(&source->files);
	const int rc = p->ops->cxl->stats(p, device, wall_ns, &stats);
	source->files.known = !rc;
	source->files.now = stats.kernel;
	source->aer = stats.kinds;
	if (rc && !stats.gone)
		return;
	/* it may be read meanwhile, by another view of the same machine */
	for (size_t h = 0; h < device->hop_count; h++)
		if (!is_same(device->hops[h].now, stats.links[h]))
			device->hops[h].now = stats.links[h];
	mark_changes(source, wall_ns, stats.gone, marks);
	if (!rc)
		set_link(&source->files.now, device);
}

int kernel_sources_open_nodes(struct kernel_sources *k, struct error *err)
{
	struct platform *p = k->platform;
	int *nodes = NULL;
	int rc = p->ops->memory ? p->ops->memory->nodes(p, &nodes, &k->node_count, err) : 0;

	k->machine = (struct kernel_source){.node = NODE_MACHINE};
	if (!rc && k->node_count) {
		k->nodes = calloc(k->node_count, sizeof(*k->nodes));
		rc = k->nodes ? 0 : error_no_memory(err);
	}
	for (size_t i = 0; !rc && i < k->node_count; i++) {
		k->nodes[i].node = nodes[i];
		read_node(p, &k->nodes[i], p->ops->clock->wall(p));
	}
	if (!rc && k->node_count)
		read_node(p, &k->machine, p->ops->clock->wall(p));
	free(nodes);
	return rc;
}

int kernel_sources_open_devices(struct kernel_sources *k, struct cxl_device *devices, size_t count,
				struct error *err)
{
	struct platform *p = k->platform;
	struct marks ignored = {.count = 0}; /* nothing was said before */

	if (!p->ops->cxl->stats || !count)
		return 0;
	k->devices = calloc(count, sizeof(*k->devices));
	if (!k->devices)
		return error_no_memory(err);
	k->device_count = count;
	const uint64_t wall_ns = p->ops->clock->wall(p);

	k->sample_ns = wall_ns;
	k->devices_due_ns = wall_ns + DEVICES_READ_NS;
	for (size_t i = 0; i < count; i++) {
		struct kernel_source *source = &k->devices[i];

		*source = (struct kernel_source){.node = -1, .device = &devices[i]};
		for (size_t h = 0; h < devices[i].hop_count; h++)
			source->links[h] = devices[i].hops[h].now;
		read_device(p, source, wall_ns, &ignored);
	}
	return 0;
}

void kernel_sources_open_health(struct kernel_sources *k)
{
	k->has_health = k->device_count && k->platform->ops->cxl->health;
}

void kernel_sources_free(struct kernel_sources *k)
{
	mbm_sources_free(&k->mbm);
	region_counters_close(&k->regions);
	group_sources_free(&k->groups);
	free(k->nodes);
	free(k->devices);
	*k = (struct kernel_sources){.node_count = 0};
}

static void read_devices(struct kernel_sources *k, uint64_t wall_ns, struct marks *marks)
{
	const bool due = is_due(&k->devices_due_ns, wall_ns, DEVICES_READ_NS, k->sample_s);

	for (size_t i = 0; due && i < k->device_count; i++)
		read_device(k->platform, &k->devices[i], wall_ns, marks);
}

static void take_health(struct kernel_source *source, const struct health_answer *answer)
{
	const struct device_health *health = &answer->health;
	double *values = source->health.now.values;

	begin_reading(&source->health);
	source->health.known = !answer->code;
	source->health.now = kernel_stats_unknown(answer->at_ns);
	source->health_code = answer->code;
	if (answer->code)
		return;
	values[DEVICE_TEMPERATURE] = health->temperature_C;
	values[DEVICE_LIFE_USED] = health->life_used_pct / 100;
	values[DEVICE_STATE] = health->state;
	values[DEVICE_CORRECTED_ERRORS] = health->corrected_errors;
}

static void ask_health(struct kernel_sources *k, uint64_t wall_ns)
{
	struct platform *p = k->platform;

	for (size_t i = 0; i < k->device_count; i++) {
		struct health_answer answer = {.device = i};

		answer.code = p->ops->cxl->health(p, k->devices[i].device, wall_ns, &answer.health);
		answer.at_ns = p->virtual_clock ? wall_ns : p->ops->clock->now(p);
		take_health(&k->devices[i], &answer);
	}
}

static void mark_health(const struct kernel_source *source, uint64_t wall_ns, struct marks *marks)
{
	const struct kernel_reading *health = &source->health;
	const double before = health->has_before ? health->before.values[DEVICE_STATE] : 0;
	const double now = health->now.values[DEVICE_STATE];
	char text[DEVICE_HEALTH_TEXT_SIZE];

	if (health->fresh && health->known && now != before)
		marks_add(marks, wall_ns, MARK_HEALTH, source->device->name, "its health: %s",
			  device_health_text((unsigned)now, text));
}

static void read_health(struct kernel_sources *k, uint64_t wall_ns, struct marks *marks)
{
	struct health_answer answer;

	for (size_t i = 0; i < HEALTH_ANSWERS_MOST && k->next_health &&
			   k->next_health(k->health_context, &answer);
	     i++)
		if (answer.device < k->device_count)
			take_health(&k->devices[answer.device], &answer);
	if (!k->next_health &&
	    is_due(&k->health_due_ns, wall_ns, DEVICE_HEALTH_PERIOD_NS, k->sample_s))
		ask_health(k, wall_ns);
	for (size_t i = 0; i < k->device_count; i++)
		mark_health(&k->devices[i], wall_ns, marks);
}

void kernel_sources_read(struct kernel_sources *k, const struct sample *sample, struct marks *marks)
{
	const uint64_t wall_ns = sample->wall_ns;

	k->sample_s = k->sample_ns && wall_ns > k->sample_ns
			      ? (double)(wall_ns - k->sample_ns) / NS_PER_S
			      : NAN;
	k->sample_ns = wall_ns;
	k->late = sample->late && !k->platform->virtual_clock;
	for (size_t i = 0; i < k->device_count; i++)
		k->devices[i].files.fresh = k->devices[i].health.fresh = false;
	k->mbm.fresh = k->groups.fresh = false;
	if (k->late)
		return;
	for (size_t i = 0; i < k->node_count; i++)
		if (k->nodes[i].shown)
			read_node(k->platform, &k->nodes[i], wall_ns);
	if (k->node_count)
		read_node(k->platform, &k->machine, wall_ns);
	read_devices(k, wall_ns, marks);
	if (k->has_health)
		read_health(k, wall_ns, marks);
	mbm_sources_read(&k->mbm, wall_ns, k->sample_s);
	if (k->regions.platform)
		region_counters_read(&k->regions, wall_ns);
	if (k->groups.platform)
		group_sources_read(&k->groups, wall_ns,
				   is_due(&k->groups.due_ns, wall_ns, GROUPS_READ_NS, k->sample_s));
}

const struct kernel_source *kernel_source_of(const struct kernel_sources *k,
					     const struct cxl_device *device)
{
	for (size_t i = 0; device && i < k->device_count; i++)
		if (k->devices[i].device == device)
			return &k->devices[i];
	return NULL;
}

/* NAN: fewer than two readings have succeeded, or this one hasn't. */
static double seconds_of(const struct kernel_reading *s)
{
	return s->known && s->has_before && s->before.at_ns < s->now.at_ns
		       ? (double)(s->now.at_ns - s->before.at_ns) / NS_PER_S
		       : NAN;
}

/* Whether a node is a part of what the row of a source shows: of the machine, all that are shown.
 */
static bool has_part(const struct kernel_source *node, const struct kernel_source *source)
{
	return node == source || (node->shown && source->node == NODE_MACHINE);
}

double kernel_sources_interval_s(const struct kernel_sources *k, const struct kernel_source *source)
{
	double seconds = source->device ? k->sample_s : NAN;

	if (k->late)
		return NAN;
	for (size_t i = 0; i < k->node_count; i++)
		if (has_part(&k->nodes[i], source))
			seconds = fmin(seconds, seconds_of(&k->nodes[i].files));
	return seconds;
}

/* What is added up for a row. */
struct kernel_sum {
	size_t parts;
	double amount;
	double per_s; /* NAN: that of one part is not known */
	double seconds;
};

static void add(struct kernel_sum *sum, const struct kernel_reading *s, enum kernel_stat stat,
		bool rate)
{
	const double before = s->before.values[stat], now = s->now.values[stat];
	const double seconds = seconds_of(s);
	const double amount = !rate ? now : now >= before ? now - before : NAN;

	sum->amount += amount;
	sum->per_s += amount / seconds;
	sum->seconds = sum->parts++ ? fmin(sum->seconds, seconds) : seconds;
}

/* The nodes of a row. */
static struct kernel_sum sum_nodes(const struct kernel_sources *k,
				   const struct kernel_source *source, enum kernel_stat stat,
				   bool rate)
{
	struct kernel_sum sum = {.parts = 0}, machine = {.parts = 0};
	size_t shown = 0;

	for (size_t i = 0; i < k->node_count; i++) {
		shown += k->nodes[i].shown;
		if (has_part(&k->nodes[i], source) && stat != NODE_HINTING_FAULTS)
			add(&sum, &k->nodes[i].files, stat, rate);
	}
	if (source->node != NODE_MACHINE || (sum.parts && !isnan(sum.per_s)))
		return sum;
	if (stat == NODE_HINTING_FAULTS || shown == k->node_count)
		add(&machine, &k->machine.files, stat, rate);
	return machine;
}

static void set_metric_input(struct inputs *out, const struct metric *metric, double number,
			     double seconds)
{
	if (metric->family.counter)
		kernel_input(out, &kernel_rate, number, seconds);
	else
		kernel_input(out, &kernel_level, number / metric->family.factor, seconds);
}

static void set_device_input(const struct kernel_sources *k, const struct kernel_source *source,
			     const struct metric *metric, struct inputs *out)
{
	const enum kernel_stat stat = metric->kernel_stat;
	const struct kernel_reading *reading =
		kernel_stat_is_of_health(stat) ? &source->health : &source->files;
	struct kernel_sum sum = {.parts = 0};

	if (!metric->family.counter) {
		if (reading->known && !isnan(reading->now.values[stat]))
			set_metric_input(out, metric, reading->now.values[stat], k->sample_s);
		return;
	}
	add(&sum, reading, stat, true);
	if (reading->fresh && !isnan(sum.per_s))
		set_metric_input(out, metric, sum.per_s, sum.seconds);
}

void kernel_sources_inputs(const struct kernel_sources *k, const struct kernel_source *source,
			   const struct metric *metric, struct inputs *out)
{
	const bool rate = metric->family.counter;
	const bool of_device = kernel_stat_is_of_device(metric->kernel_stat);

	out->formula = NULL;
	if (!source || k->late || of_device != !!source->device)
		return;
	if (of_device) {
		set_device_input(k, source, metric, out);
		return;
	}
	const struct kernel_sum sum = sum_nodes(k, source, metric->kernel_stat, rate);
	if (!sum.parts || isnan(sum.per_s))
		return;
	set_metric_input(out, metric, rate ? sum.per_s : sum.amount,
			 rate && sum.per_s > 0 ? sum.amount / sum.per_s : sum.seconds);
}

static bool knows(const struct kernel_source *source, enum kernel_stat stat)
{
	return source->files.known && !isnan(source->files.now.values[stat]);
}

bool kernel_sources_can_know(const struct kernel_sources *k, enum kernel_stat stat)
{
	bool any = knows(&k->machine, stat);

	/* they are asked later */
	if (kernel_stat_is_of_health(stat))
		return k->has_health;
	for (size_t i = 0; i < k->node_count; i++)
		any |= k->nodes[i].shown && knows(&k->nodes[i], stat);
	for (size_t i = 0; i < k->device_count; i++)
		any |= knows(&k->devices[i], stat);
	return any;
}
