/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/reads.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rootfs.h"
#include "linux/run/process.h"
#include "platform/clock.h"
#include "platform/load_sample.h"
#include "platform/memory.h"
#include "probe/who/cgroup_names.h"
#include "probe/who/who_private.h"
#include "uncore/machine.h"

#define SLOTS (2 * WHO_SAMPLED_MOST) /* half of them stay free */

/* Of loads, whose samples say how many there were. */
static const struct load_event *event_of(struct platform *p)
{
	struct cpu_identity identity;
	const struct model *model;
	struct error ignored;

	if (machine_find_model(p, &identity, &model, &ignored) || !model->load_events)
		return NULL;
	return model->load_events[0]->counts ? model->load_events[0] : NULL;
}

int who_samples_open(struct who_samples *s, struct platform *platform,
		     const struct cxl_nodes *nodes, const struct load_event *event,
		     struct error *err)
{
	*s = (struct who_samples){.nodes = nodes, .platform = platform};
	const struct load_sampling sampling = {.events = {event ? event : event_of(platform)},
					       .event_count = 1};
	int rc;

	if (!sampling.events[0] || !platform->ops->samples)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "--reads: no event is known by which samples on this processor "
				 "say how many loads there were");
	s->slots = calloc(SLOTS, sizeof(*s->slots));
	rc = s->slots ? platform->ops->memory->map(platform, &s->map, err) : error_no_memory(err);
	if (!rc)
		rc = platform->ops->samples->open(platform, &sampling, &s->sampler, err);
	if (rc)
		return rc;
	s->since_ns = platform->ops->clock->now(platform);
	rc = s->sampler->ops->enable(s->sampler, true);
	return rc ? error_set(err, ERROR_FAILED, rc, "sampling cannot be started: %s",
			      strerror(-rc))
		  : 0;
}

void who_samples_close(struct who_samples *s)
{
	if (s->sampler)
		s->sampler->ops->destroy(s->sampler);
	memory_map_free(&s->map);
	free(s->slots);
	*s = (struct who_samples){.sampler = NULL};
}

/* NULL: it has none, and there is no room for one. */
static struct sampled_process *slot_of(struct who_samples *s, unsigned pid)
{
	size_t slot = pid % SLOTS;

	while (s->slots[slot].pid && s->slots[slot].pid != pid)
		slot = (slot + 1) % SLOTS;
	return s->slots[slot].pid || s->count < WHO_SAMPLED_MOST ? &s->slots[slot] : NULL;
}

static bool is_of_nodes(const struct who_samples *s, const struct load_sample *sample)
{
	if (sample->physical)
		return cxl_nodes_contain(s->nodes, memory_map_node(&s->map, sample->physical));
	return cxl_nodes_region(s->nodes, &s->map, sample->region) == CXL_NODES_REGION_CONTAINED;
}

static void take_record(void *context, const struct sample_record *record)
{
	struct who_samples *s = context;
	const struct load_sample *sample = &record->sample;

	if (record->kind != RECORD_SAMPLE)
		return;
	s->samples++;
	/* where that is, is not known */
	if (sample->guest)
		return;
	if (!load_sample_reads_memory(s->sampler->sampling.events[0], sample) || !sample->pid ||
	    !is_of_nodes(s, sample))
		return;
	struct sampled_process *process = slot_of(s, sample->pid);
	s->left_out += !process;
	if (!process)
		return;
	s->count += !process->pid;
	process->pid = sample->pid;
	process->events += sample->period;
}

void who_samples_read(struct who_samples *s)
{
	s->sampler->ops->read(s->sampler, take_record, s);
	s->read_ns = s->platform->ops->clock->now(s->platform);
}

/* Giving them to rows. */

static bool runs_vm(const struct who_samples *s, unsigned pid)
{
	return s->platform->ops->processes->runs_vm(s->platform, pid);
}

static const char *cgroup_of(const struct who_samples *s, unsigned pid, char line[ROOTFS_PATH_SIZE])
{
	return s->platform->ops->processes->cgroup(s->platform, pid, line);
}

/*
 * Events, of which rates are made at the end: to each process, and to its user. Those of an
 * emulator are not what its guest reads, which is not known, nor the sum that it is a part of.
 */
static void give_to_processes(struct who_samples *s, struct who_scan *scan)
{
	for (size_t i = 0; i < scan->processes.count; i++) {
		struct who_row *process = &scan->processes.at[i];
		const struct sampled_process *sampled = slot_of(s, process->pid);

		process->reads_per_s = sampled ? (double)sampled->events : 0;
		if (runs_vm(s, process->pid))
			process->reads_per_s = NAN;
		for (size_t g = 0; g < scan->groups.count; g++)
			if (strtoul(scan->groups.at[g].key, NULL, 10) == process->uid)
				scan->groups.at[g].reads_per_s += process->reads_per_s;
	}
}

static bool cgroup_contains(const char *cgroup, const char *path)
{
	const size_t length = strlen(cgroup);

	return !strncmp(cgroup, path, length) && (!path[length] || path[length] == '/');
}

/* Whether it is the cgroup of a VM, or below one. */
static bool is_of_vm(const char *cgroup)
{
	char path[ROOTFS_PATH_SIZE], name[CGROUP_NAME_SIZE];
	char *end = path;

	snprintf(path, sizeof(path), "%s", cgroup);
	while (end) {
		if (cgroup_vm_name(path, name))
			return true;
		end = strrchr(path, '/');
		if (end)
			*end = '\0';
	}
	return false;
}

/* Groups are none below another. */
static void give_to_cgroups(struct who_samples *s, struct who_scan *scan)
{
	char line[ROOTFS_PATH_SIZE];

	for (size_t g = 0; g < scan->groups.count; g++)
		if (is_of_vm(scan->groups.at[g].key))
			scan->groups.at[g].reads_per_s = NAN;
	for (size_t i = 0; i < SLOTS; i++) {
		const struct sampled_process *process = &s->slots[i];
		const char *path = process->pid ? cgroup_of(s, process->pid, line) : NULL;

		const double events =
			path && runs_vm(s, process->pid) ? NAN : (double)process->events;

		for (size_t g = 0; path && g < scan->groups.count; g++)
			if (cgroup_contains(scan->groups.at[g].key, path))
				scan->groups.at[g].reads_per_s += events;
	}
}

static void make_rates(struct who_rows *rows, double seconds)
{
	for (size_t i = 0; i < rows->count; i++)
		rows->at[i].reads_per_s /= seconds;
}

int who_samples_give(struct who_samples *s, struct who_watch *watch, struct error *err)
{
	struct who_scan *scan = &watch->scan;
	struct sampler *sampler = s->sampler;
	const double seconds = (double)(s->read_ns - s->since_ns) / 1e9;

	if (who_by_cgroups(watch->by))
		give_to_cgroups(s, scan);
	else
		give_to_processes(s, scan);
	for (size_t i = 0; i < who_shown(scan, watch->by)->count; i++)
		scan->with_guests += isnan(who_shown(scan, watch->by)->at[i].reads_per_s);
	make_rates(&scan->processes, seconds);
	make_rates(&scan->groups, seconds);
	const uint64_t old = sampler->periods[0];
	const uint64_t period = hot_next_period(sampler->sampling.events[0], old, s->samples,
						seconds, sampler->cpus, 0);
	const int rc = period == old ? 0 : sampler->ops->set_period(sampler, 0, period);
	memset(s->slots, 0, SLOTS * sizeof(*s->slots));
	if (sampler->ops->update)
		sampler->ops->update(sampler);
	/* what ran on a CPU that is not sampled is not known */
	if (sampler->unsampled) {
		make_rates(&scan->processes, NAN);
		make_rates(&scan->groups, NAN);
	}
	s->count = s->samples = 0;
	s->since_ns = s->read_ns;
	return rc ? error_set(err, ERROR_FAILED, rc, "the sampling period cannot be changed: %s",
			      strerror(-rc))
		  : 0;
}
