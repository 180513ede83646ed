/* SPDX-License-Identifier: BSD-3-Clause */
/* Subjects of rules, their rows and devices, and their figures by name. */
#include <math.h>
#include <string.h>

#include "show/explain/explain_private.h"

size_t explain_subject_count(const struct explain *e, const struct rule *rule)
{
	const struct recording_info *info = e->info;
	const size_t rows = table_metric_rows(e->table);
	const size_t counts[] = {[PORTS] = rows,
				 [SOCKETS] = rows,
				 [NODES] = rows,
				 [DEVICES] = info->device_count,
				 [REGIONS] = info->memory.region_count,
				 [MARKS] = MARK_KINDS,
				 [SAMPLED_LOADS] = 1,
				 [SYSTEM] = rows};

	return counts[rule->of];
}

bool explain_is_of_rows(const struct rule *rule)
{
	return rule->of == PORTS || rule->of == SOCKETS || rule->of == NODES || rule->of == SYSTEM;
}

bool explain_is_subject(const struct row *row, enum subject of)
{
	return of == NODES     ? row->place.kind == ROW_NODE
	       : of == SOCKETS ? row->place.kind == ROW_SOCKET
	       : of == PORTS   ? place_is_of_port(&row->place)
			       : of == SYSTEM && row->place.kind == ROW_SYSTEM;
}

bool explain_next_subject(const struct explain *e, const struct rule *rule, size_t i,
			  struct situation *s)
{
	const struct recording_info *info = e->info;

	*s = (struct situation){.explain = e, .rule = rule};
	if (i >= explain_subject_count(e, rule))
		return false;
	if (rule->of == MARKS)
		s->mark = &e->marks[i];
	else if (rule->of == SAMPLED_LOADS)
		s->hot = &e->hot;
	else if (rule->of == DEVICES)
		s->device = &info->devices[i];
	else if (rule->of == REGIONS)
		s->region = &info->memory.regions[i];
	else
		s->row = &e->table->rows[i];
	return true;
}

const struct row *explain_socket_row(const struct explain *e, int socket)
{
	const size_t rows = table_metric_rows(e->table);

	for (size_t r = 0; r < rows; r++)
		if (e->table->rows[r].place.kind == ROW_SOCKET &&
		    e->table->rows[r].place.socket == socket)
			return &e->table->rows[r];
	return rows ? &e->table->rows[rows - 1] : NULL;
}

const struct cxl_device *explain_device(const struct explain *e, const struct row *row)
{
	for (size_t i = 0; !row->place.device && *row->place.memdev && i < e->info->device_count;
	     i++)
		if (!strcmp(e->info->devices[i].name, row->place.memdev))
			return &e->info->devices[i];
	return row->place.device;
}

/* Returns a figure, by all samples that are kept of a subject. */
static double figure_of(const struct explained_subject *of, size_t f)
{
	struct value_sum sum = {.last = NAN};
	struct value value;

	if (f < of->sums.count)
		value_sum_merge(&sum, &of->sums.figures[f]);
	for (unsigned b = 0; of->bins && b < BUSY_BINS; b++)
		if (f < of->bins[b].count)
			value_sum_merge(&sum, &of->bins[b].figures[f]);
	value_sum_compute(&sum, false, NULL, NULL, &value);
	value_sum_free(&sum);
	return value.number;
}

void explain_means(const struct explained_rule *kept, size_t subject, struct situation *s)
{
	const struct explained_subject *of = &kept->subjects[subject];

	s->kept = kept;
	s->subject = of;
	s->samples = of->sums.samples;
	for (unsigned b = 0; of->bins && b < BUSY_BINS; b++)
		s->samples += of->bins[b].samples;
	for (size_t f = 0; f < FIGURES_MOST; f++)
		s->figures[f] = figure_of(of, f);
}

/* Returns the index of a figure; SIZE_MAX: the rule has no such figure. */
static size_t figure_index(const struct situation *s, const char *name)
{
	for (size_t f = 0; s->kept && f < s->kept->count; f++)
		if (!strcmp(s->kept->figures[f], name))
			return f;
	return SIZE_MAX;
}

double explain_figure(const struct situation *s, const char *name)
{
	const size_t f = figure_index(s, name);

	return f == SIZE_MAX ? NAN : s->figures[f];
}

double explain_least(const struct situation *s, const char *name)
{
	const size_t f = figure_index(s, name);

	return f == SIZE_MAX ? NAN : s->subject->least[f];
}

double explain_last(const struct situation *s, const char *name)
{
	const size_t f = figure_index(s, name);

	return f == SIZE_MAX ? NAN : s->subject->last[f];
}
