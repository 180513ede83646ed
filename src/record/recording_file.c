/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "formula/custom_metric.h"

#define READ_SIZE ((size_t)64 << 10)

static int refuse_file(const struct recording_file *file, int code, struct error *err)
{
	return error_set(err, ERROR_FAILED, code, "%s: cannot be read: %s", file->name,
			 strerror(-code));
}

/* Discards decoded data, so that at most one block and one read are buffered. */
static int reserve_bytes(struct recording_file *file, struct error *err)
{
	if (file->start) {
		memmove(file->data, file->data + file->start, file->end - file->start);
		file->end -= file->start;
		file->start = 0;
	}
	if (file->capacity - file->end >= READ_SIZE)
		return 0;
	const size_t capacity = 2 * file->capacity + READ_SIZE;
	uint8_t *data = realloc(file->data, capacity);
	if (!data)
		return refuse_file(file, -ENOMEM, err);
	file->data = data;
	file->capacity = capacity;
	return 0;
}

static int read_more(struct recording_file *file, struct error *err)
{
	ssize_t n;
	int rc = reserve_bytes(file, err);

	if (rc)
		return rc;
	do
		n = read(file->fd, file->data + file->end, file->capacity - file->end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return refuse_file(file, -errno, err);
	file->end += (size_t)n;
	file->at_end = !n;
	return 0;
}

/* Writes "; the 12 samples before it are intact". */
static const char *intact_part(const struct recording_file *file, char text[64])
{
	const uint64_t samples = file->recording.samples;

	snprintf(text, 64,
		 samples == 1 ? "; the %" PRIu64 " sample before it is intact"
			      : "; the %" PRIu64 " samples before it are intact",
		 samples);
	return samples ? text : "";
}

static int refuse_damaged(const struct recording_file *file, const struct error *why,
			  struct error *err)
{
	char text[64];

	return file->offset
		       ? error_set(err, ERROR_FAILED, why->code,
				   "%s: damaged at byte %" PRIu64 ": %s%s", file->name,
				   file->offset, why->text, intact_part(file, text))
		       : error_set(err, ERROR_FAILED, why->code, "%s: %s", file->name, why->text);
}

/* Reports a file that ends without an end block, possibly within a block. */
static int ended_early(const struct recording_file *file, struct error *err)
{
	const size_t left = file->end - file->start;
	char text[64], partial[64] = ",";

	if (left)
		snprintf(partial, sizeof(partial), " with %zu byte%s of the next block,", left,
			 left == 1 ? "" : "s");
	if (!file->offset)
		return error_set(err, ERROR_FAILED, -EBADMSG,
				 left ? "%s: ends within its header"
				      : "%s: empty: nothing has been recorded yet",
				 file->name);
	return error_set(err, ERROR_FAILED, -EBADMSG,
			 "%s: incomplete: ends at byte %" PRIu64
			 "%s still being written or truncated%s",
			 file->name, file->offset, partial, intact_part(file, text));
}

static int next_item(struct recording_file *file, enum recording_item *found, struct error *err)
{
	struct error why;
	size_t used;
	int rc;

	for (;;) {
		rc = recording_decode(&file->recording, file->data + file->start,
				      file->end - file->start, &used, found, &why);
		if (rc)
			return refuse_damaged(file, &why, err);
		file->start += used;
		file->offset += used;
		if (*found != RECORDING_NOTHING || file->at_end)
			return 0;
		if (file->watch)
			file->watch(file->context, file->offset);
		rc = read_more(file, err);
		if (rc)
			return rc;
	}
}

int recording_file_open(const char *name, const struct block_kind *const *kinds,
			struct recording_file *out, struct error *err)
{
	const bool standard = !strcmp(name, "-");
	enum recording_item found;
	struct stat st;

	*out = (struct recording_file){
		.recording.kinds = kinds,
		.name = standard ? "standard input" : name,
		.to_ns = UINT64_MAX,
	};
	out->fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (out->fd < 0)
		return refuse_file(out, -errno, err);
	if (!fstat(out->fd, &st) && S_ISREG(st.st_mode))
		out->size = (uint64_t)st.st_size;
	int rc = read_more(out, err);
	if (!rc)
		rc = next_item(out, &found, err);
	if (!rc && found == RECORDING_NOTHING)
		rc = ended_early(out, err);
	out->ended_ns = out->recording.info.started_ns;
	return rc;
}

void recording_file_close(struct recording_file *file)
{
	recording_free(&file->recording);
	free(file->data);
	if (file->fd > STDIN_FILENO)
		close(file->fd);
}

static int next_sample(struct recording_file *file, struct error *err)
{
	const struct sample *sample = &file->recording.sample;
	enum recording_item found;

	do {
		const int rc = next_item(file, &found, err);

		if (rc)
			return rc;
		/* continues after the end block, to detect data that follow it */
		if (found == RECORDING_NOTHING)
			return file->recording.last == RECORDING_END ? 0 : ended_early(file, err);
	} while (found != RECORDING_SAMPLE);
	/* the wall clock may be set back */
	file->length_ns = sample->wall_ns > file->ended_ns && file->ended_ns
				  ? sample->wall_ns - file->ended_ns
				  : file->recording.info.interval_ns;
	file->ended_ns = sample->wall_ns;
	return 1;
}

/* Returns the middle of the last sample. Its end is microseconds after the deadline. */
static uint64_t middle_of_samples(const struct recording_file *file)
{
	const uint64_t half = file->length_ns / 2;

	return file->ended_ns > half ? file->ended_ns - half : 0;
}

int recording_file_next(struct recording_file *file, struct error *err)
{
	const struct sample *sample = &file->recording.sample;
	int rc;

	do
		rc = next_sample(file, err);
	while (rc > 0 && middle_of_samples(file) < file->from_ns);
	if (rc <= 0)
		return rc;
	if (middle_of_samples(file) >= file->to_ns)
		return 0;
	file->selected++;
	if (sample->doubtful_since_ns && !file->doubts++) {
		file->doubtful_from_ns = sample->doubtful_since_ns;
		file->doubtful_to_ns = sample->wall_ns;
	}
	return 1;
}

static int refuse_groups(const struct recording_file *file, const char *missing, struct error *err)
{
	const struct table *table = &file->recording.table;
	const char *last = "";
	char groups[256] = "";

	for (size_t c = 0; c < table->column_count; c++) {
		const char *group = table->columns[c].metric->group;

		if (strcmp(group, last) != 0 && strcmp(group, CUSTOM_GROUP) != 0)
			text_append(groups, sizeof(groups), "%s%s", *groups ? "," : "", group);
		last = group;
	}
	return error_set(err, ERROR_USAGE, -ENODATA,
			 "%s: has no metrics of group %.*s: expected %s%s", file->name,
			 (int)strcspn(missing, ","), missing, *groups ? "some of " : "no -m",
			 groups);
}

/* Returns the first row that is shown: the recording need not compute those before it. */
static size_t first_shown(const struct aggregate *aggregate)
{
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < aggregate->source_count; i++)
		first = aggregate->sources[i] < first ? aggregate->sources[i] : first;
	return first;
}

/* Returns whether some metrics are user-defined: values of other metrics may be their inputs. */
static bool has_user_defined(const struct table *table)
{
	for (size_t c = 0; c < table_all_columns(table); c++)
		if (table->columns[c].metric->program)
			return true;
	return false;
}

int replay_init(struct replay *replay, struct recording_file *file,
		const struct aggregate_choice *choice, uint64_t interval_ns, struct error *err)
{
	const struct table *table = &file->recording.table;
	const char *missing = choice->groups ? aggregate_lacks(table, choice->groups) : NULL;

	*replay = (struct replay){.file = file, .interval_ns = interval_ns, .due_ns = interval_ns};
	if (missing)
		return refuse_groups(file, missing, err);
	if (aggregate_init(&replay->aggregate, table, choice))
		return error_no_memory(err);
	file->recording.first_row = first_shown(&replay->aggregate);
	file->recording.only_inputs = !has_user_defined(table);
	return 0;
}

void replay_free(struct replay *replay)
{
	aggregate_free(&replay->aggregate);
}

/* Tells if the row ends with this sample: the next sample would be further from the row's end. */
static bool is_due(struct replay *r)
{
	r->elapsed_ns += r->file->length_ns;
	if (!r->interval_ns)
		return true;
	const uint64_t reached = r->elapsed_ns + r->file->recording.info.interval_ns / 2;
	if (reached < r->due_ns)
		return false;
	r->due_ns = (reached / r->interval_ns + 1) * r->interval_ns;
	return true;
}

int replay_next(struct replay *r, struct error *err)
{
	while (!r->at_end) {
		const int rc = recording_file_next(r->file, &r->why);

		r->at_end = rc <= 0;
		r->ended = rc;
		if (rc > 0 && aggregate_add(&r->aggregate, &r->file->recording.sample))
			return error_no_memory(err);
		if (r->aggregate.samples && (r->at_end || is_due(r))) {
			aggregate_close(&r->aggregate);
			return 1;
		}
	}
	if (r->ended)
		*err = r->why;
	return r->ended;
}
