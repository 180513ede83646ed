/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/hosts/host.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "output/fields.h"

#define NOTE_SIZE 640
#define KINDS	  4 /* different processors or intervals that a note names */
#define ENDING	  ".cxl"

void host_begin(struct host *host, const struct recording_file *file)
{
	const struct recording_info *info = &file->recording.info;
	const char *name = recorded_option(info, "host"), *job = recorded_option(info, "job");
	const char *last = text_last_name(file->name);
	size_t length = strlen(last);

	host->file = file->name;
	host->is_named = name && *name;
	if (length > strlen(ENDING) && !strcmp(last + length - strlen(ENDING), ENDING))
		length -= strlen(ENDING);
	printable(host->is_named ? name : last, host->host, sizeof(host->host));
	if (!host->is_named && length < sizeof(host->host))
		host->host[length] = '\0';
	snprintf(host->name, sizeof(host->name), "%s", host->host);
	recorded_processor(info, host->processor);
	printable(job ? job : "", host->job, sizeof(host->job));
	host->interval_ns = info->interval_ns;
}

void host_add_time(struct host *host, uint64_t wall_ns, uint64_t length_ns)
{
	const uint64_t from_ns = wall_ns > length_ns ? wall_ns - length_ns : 0;

	if (!host->samples || from_ns < host->from_ns)
		host->from_ns = from_ns;
	if (!host->samples || wall_ns > host->to_ns)
		host->to_ns = wall_ns;
	host->samples++;
}

/* Returns the index of the first recording of the same host. */
static size_t first_of_host(struct host *const *hosts, size_t i)
{
	size_t first = 0;

	while (strcmp(hosts[first]->host, hosts[i]->host) != 0)
		first++;
	return first;
}

int hosts_tell_apart(struct host *const *hosts, size_t count)
{
	bool *shared = calloc(count + 1, sizeof(*shared));
	char file[HOST_NAME_SIZE];

	if (!shared)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const size_t first = first_of_host(hosts, i);

		shared[first] |= first < i;
		shared[i] |= first < i;
	}
	for (size_t i = 0; i < count; i++)
		if (shared[i])
			snprintf(hosts[i]->name, sizeof(hosts[i]->name), "%s (%s)", hosts[i]->host,
				 printable(hosts[i]->file, file, sizeof(file)));
	free(shared);
	return 0;
}

/* Differences. */

#define FACT_SIZE RECORDED_PROCESSOR_SIZE

/* Writes a fact of a host. */
typedef const char *host_fact(const struct host *host, char text[FACT_SIZE]);

static const char *processor_of(const struct host *host, char text[FACT_SIZE])
{
	return printable(host->processor, text, FACT_SIZE);
}

static const char *interval_of(const struct host *host, char text[FACT_SIZE])
{
	snprintf(text, FACT_SIZE, "%.9g s", (double)host->interval_ns / NS_PER_S);
	return text;
}

static const char *job_of(const struct host *host, char text[FACT_SIZE])
{
	snprintf(text, FACT_SIZE, "%s", *host->job ? host->job : "none");
	return text;
}

/* Different facts, each with its first host and the number of hosts. */
struct kinds {
	size_t first[KINDS], hosts[KINDS];
	size_t count;
	bool more; /* there are more than KINDS */
};

static struct kinds kinds_of(struct host *const *hosts, size_t count, host_fact *fact)
{
	char text[FACT_SIZE], other[FACT_SIZE];
	struct kinds kinds = {.count = 0};

	for (size_t i = 0; i < count; i++) {
		size_t k = 0;

		while (k < kinds.count &&
		       strcmp(fact(hosts[i], text), fact(hosts[kinds.first[k]], other)) != 0)
			k++;
		if (k == KINDS) {
			kinds.more = true;
			continue;
		}
		kinds.first[k] = k < kinds.count ? kinds.first[k] : i;
		kinds.count += k == kinds.count;
		kinds.hosts[k]++;
	}
	return kinds;
}

/* Notes "intervals differ: 0.1 s on n1 and 2 more, 1 s on n4". */
static void note_kinds(struct host *const *hosts, size_t count, const char *differ, host_fact *fact,
		       host_note *note, void *context)
{
	const struct kinds kinds = kinds_of(hosts, count, fact);
	char text[FACT_SIZE], list[NOTE_SIZE] = "", more[32];

	for (size_t k = 0; k < kinds.count; k++) {
		*more = '\0';
		if (kinds.hosts[k] > 1)
			snprintf(more, sizeof(more), " and %zu more", kinds.hosts[k] - 1);
		text_list(list, sizeof(list), "%s on %s%s", fact(hosts[kinds.first[k]], text),
			  hosts[kinds.first[k]]->name, more);
	}
	if (kinds.more)
		text_list(list, sizeof(list), "and others");
	char sentence[2 * NOTE_SIZE];
	snprintf(sentence, sizeof(sentence), "%s: %s", differ, list);
	if (kinds.count > 1)
		note(context, sentence);
}

static bool overlaps_another(struct host *const *hosts, size_t count, size_t i)
{
	for (size_t k = 0; k < count; k++)
		if (k != i && hosts[k]->samples && hosts[i]->from_ns < hosts[k]->to_ns &&
		    hosts[k]->from_ns < hosts[i]->to_ns)
			return true;
	return false;
}

/* Notes the first recording, and how many more, at whose time there is no other. */
static void note_times(struct host *const *hosts, size_t count, host_note *note, void *context)
{
	char from[FIELD_TIME_SIZE], to[FIELD_TIME_SIZE], more[64] = "", text[NOTE_SIZE];
	const struct host *first = NULL;
	size_t apart = 0;

	for (size_t i = 0; i < count; i++) {
		if (!hosts[i]->samples || overlaps_another(hosts, count, i))
			continue;
		first = first ? first : hosts[i];
		apart++;
	}
	if (!first || count < 2)
		return;
	if (apart > 1)
		snprintf(more, sizeof(more), " (nor at the times of %zu more)", apart - 1);
	snprintf(text, sizeof(text),
		 "no other recording has samples at the time of %s, %s to %s%s: clocks differ, or "
		 "the recordings are of different runs",
		 first->name, field_time_text(from, first->from_ns),
		 field_time_text(to, first->to_ns), more);
	note(context, text);
}

/* Notes hosts with several recordings. */
static void note_twice(struct host *const *hosts, size_t count, host_note *note, void *context)
{
	char text[NOTE_SIZE];

	for (size_t i = 0; i < count; i++) {
		size_t same = 0;

		if (!hosts[i]->is_named || first_of_host(hosts, i) < i)
			continue;
		for (size_t k = i; k < count; k++)
			same += hosts[k]->is_named && !strcmp(hosts[k]->host, hosts[i]->host);
		if (same < 2)
			continue;
		snprintf(text, sizeof(text),
			 "%zu recordings are of host %s: each is shown as a host, and sums contain "
			 "all of them",
			 same, hosts[i]->host);
		note(context, text);
	}
}

void hosts_differences(struct host *const *hosts, size_t count, host_note *note, void *context)
{
	note_kinds(hosts, count, "jobs differ", job_of, note, context);
	note_kinds(hosts, count, "processors differ", processor_of, note, context);
	note_kinds(hosts, count, "intervals differ", interval_of, note, context);
	note_times(hosts, count, note, context);
	note_twice(hosts, count, note, context);
}
