/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a view: those that were requested, and the rows that have them. */
#include "view/view_columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/cpus.h"
#include "view/view_select.h"
#include "view/view_sources.h"

static int refuse_group(const char *at, struct error *err)
{
	const size_t length = strcspn(at, ",");
	char names[128];

	for (const struct metric *m = metric_table; m->name; m++)
		if (text_same_word(at, m->name))
			return error_set(err, ERROR_USAGE, -EINVAL,
					 "'%s' is not a metric group, but a metric of group %s: "
					 "expected -m %s",
					 m->name, m->group, m->group);
	metric_group_names(names, sizeof(names));
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "'%.*s' is not a metric group: expected %s or all",
			 (int)(length < QUOTED_SIZE ? length : QUOTED_SIZE), at, names);
}

int view_check_groups(const char *groups, struct error *err)
{
	const char *at = groups;

	do {
		const struct metric *m = metric_table;

		while (m->name && !text_same_word(at, m->group))
			m++;
		if (!m->name && !text_same_word(at, "all"))
			return refuse_group(at, err);
		at += strcspn(at, ",");
	} while (*at++);
	return 0;
}

bool view_needs_units(const struct view_options *options)
{
	if (options->event_count || !options->groups || (options->custom && options->custom->count))
		return true;
	for (const char *at = options->groups; *at; at = text_next_word(at)) {
		bool of_kernel = false;

		for (const struct metric *m = metric_table; m->name; m++)
			of_kernel |= text_same_word(at, m->group) && metric_is_of_kernel(m);
		if (!of_kernel)
			return true;
	}
	return false;
}

bool view_is_of_cpus(const char *groups)
{
	for (const char *at = groups; *at; at = text_next_word(at))
		for (const struct metric *m = metric_table; m->name; m++)
			if (m->source != SOURCE_CORES &&
			    (text_same_word(at, m->group) || text_same_word(at, "all")))
				return false;
	return true;
}

bool view_wants_units(const struct view_options *options)
{
	for (const char *at = options->groups; *at; at = text_next_word(at))
		for (const struct metric *m = metric_table; m->name; m++)
			if (text_same_word(at, m->group) && m->share_of)
				return true;
	return false;
}

bool view_is_of_devices(const struct selection *selection, const struct metric *metric)
{
	const bool has_sums = metric_scopes(metric) >> SCOPE_SOCKET;

	return metric->rows >> ROW_DEVICE & 1 && !(has_sums && selection->machine->port_count);
}

static void add_facts(struct column_facts *facts, const struct selection *selection,
		      const struct metric *metric)
{
	const bool of_kernel = metric_is_of_kernel(metric);
	const bool of_device = view_is_of_devices(selection, metric);
	const unsigned scopes = metric_scopes(metric);
	const bool at_ports = scopes >> SCOPE_PORT & 1;
	const bool of_region = metric->source == SOURCE_REGIONS;
	const bool number = metric->kind == METRIC_NUMBER && (!of_kernel || of_region);

	facts->scopes |= number ? scopes : 0;
	facts->of_ports |= number && at_ports && !of_device;
	facts->of_devices |= of_device;
	facts->without_ports |= !at_ports && (!of_kernel || of_region);
	facts->of_uncore |= metric->source == SOURCE_UNITS && !of_kernel;
	facts->of_cores |= metric->source == SOURCE_CORES;
	facts->of_nodes |= metric->source == SOURCE_NODES;
	facts->of_kernel_devices |= of_kernel && at_ports && metric->source != SOURCE_GROUPS;
}

const struct formula *view_formula(const struct selection *selection, const struct metric *metric,
				   unsigned a)
{
	const struct custom_metric *custom = custom_metric_of(selection->options->custom, metric);

	if (!custom)
		return view_formula_of(
			metric, formulas_find(selection->formulas, metric_formulas(metric), a));
	return a == 0				      ? &custom->at_once
	       : a == 1 && custom->at_once.same_group ? &custom->multiplexed
						      : NULL;
}

/*
 * Adds a formula to those needed. A cross-check takes only units that other formulas have opened.
 */
static void add_formula(struct selection *selection, const struct formula *formula)
{
	const struct event *event;

	for (size_t i = 0; i < selection->needed_count; i++)
		if (selection->needed[i] == formula ||
		    (formula->number && selection->needed[i]->number == formula->number))
			return;
	selection->needed[selection->needed_count++] = formula;
	selection->columns.without_ports |= formula->of_socket;
	for (unsigned i = 0; (event = formula_event(formula, i)); i++) {
		const bool of_port = view_is_port_pmu_type(event->type);
		size_t t = 0;

		selection->columns.need_ports |= of_port || event->type == PMU_CPMU ||
						 formula->program->operands[i].port >= 0;
		while (t < selection->type_count && selection->types[t] != event->type)
			t++;
		if (t == selection->type_count && (of_port || !formula->cross_check))
			selection->types[selection->type_count++] = event->type;
	}
}

/* Finds the formulas of all columns, and of devices that have rows. */
static int find_formulas(const struct view *view, struct selection *selection, struct error *err)
{
	const bool devices = view_has_device_rows(selection);
	const size_t most = table_all_columns(&view->table) * ALTERNATIVES * 2;

	selection->needed = calloc(most + 1, sizeof(*selection->needed));
	selection->types = calloc(most * FORMULA_EVENTS + 1, sizeof(*selection->types));
	if (!selection->needed || !selection->types)
		return error_no_memory(err);
	for (size_t c = 0; c < table_all_columns(&view->table); c++)
		for (unsigned a = 0; a < ALTERNATIVES; a++) {
			const struct metric *metric = view->table.columns[c].metric;
			const struct formula *formula = view_formula(selection, metric, a);
			const struct formula *of_device = view_formula_of(
				metric, formulas_find_device(selection->formulas,
							     metric_formulas(metric), a));

			if (!view_has_rows_of(selection->options, metric))
				break;
			if (formula)
				add_formula(selection, formula);
			if (of_device && of_device != formula && devices)
				add_formula(selection, of_device);
		}
	return 0;
}

/*
 * Finds the columns that a user-defined metric names; adds missing ones after those that are shown.
 */
static void find_named(struct view *view, size_t column)
{
	const struct program *program = view->table.columns[column].metric->program;

	for (unsigned k = 0; program && k < program->metric_count; k++) {
		size_t c = 0;

		while (c < table_all_columns(&view->table) &&
		       strcmp(view->table.columns[c].metric->name, program->metrics[k]) != 0)
			c++;
		if (c == table_all_columns(&view->table)) {
			view->table.columns[c].metric = metric_by_name(program->metrics[k]);
			view->table.named_count++;
		}
		view->table.columns[column].named[k] = c;
	}
}

/* Returns true if rows of CPUs have metrics of the group. */
static bool word_has_cpus(const char *word)
{
	for (const struct metric *m = metric_table; m->name; m++)
		if (text_same_word(word, m->group) && m->rows >> ROW_CPU & 1)
			return true;
	return text_same_word(word, "all");
}

/*
 * Returns true if -m requested the metric by this word, and the rows can have it. If no unit counts
 * CXL bandwidth, the word "cxl" also requests regions of memory.
 */
static bool word_has_metric(const struct selection *selection, const char *word,
			    const struct metric *metric)
{
	if (metric->kind == METRIC_CPU)
		return selection->options->finest == SCOPE_CPU && word_has_cpus(word);
	return text_same_word(word, metric->group) || text_same_word(word, "all") ||
	       (metric->source == SOURCE_REGIONS && selection->regions &&
		text_same_word(word, "cxl"));
}

static bool asks_for(const struct view_options *options, const char *group)
{
	return options->groups && text_has_word(options->groups, group);
}

/* Adds columns in the order in which their groups were requested, then user-defined ones. */
static void add_columns(struct view *view, const struct selection *selection)
{
	const struct view_options *options = selection->options;
	const char *groups = options->groups ? options->groups : "";

	for (const char *at = groups; *at; at = text_next_word(at))
		for (const struct metric *m = metric_table; m->name; m++)
			if (word_has_metric(selection, at, m) &&
			    table_find(&view->table, m->name) == SIZE_MAX)
				view->table.columns[view->table.column_count++].metric = m;
	for (size_t i = 0; options->custom && i < options->custom->count; i++)
		view->table.columns[view->table.column_count++].metric =
			&options->custom->items[i]->metric;
}

/* Makes room for a column of each metric, with user-defined ones. */
static int allocate_columns(struct view *view, const struct view_options *options,
			    struct error *err)
{
	size_t most = options->custom ? options->custom->count : 0;

	for (const struct metric *m = metric_table; m->name; m++)
		most++;
	view->table.columns = calloc(most, sizeof(*view->table.columns));
	return view->table.columns ? 0 : error_no_memory(err);
}

int view_choose_columns(struct view *view, struct selection *selection, struct error *err)
{
	const struct view_options *options = selection->options;
	int rc = allocate_columns(view, options, err);

	if (rc)
		return rc;
	if (options->regions_instead && asks_for(options, "cxl"))
		rc = view_open_regions_instead(view, selection, err);
	if (rc)
		return rc;
	add_columns(view, selection);
	for (size_t c = 0; c < view->table.column_count; c++) {
		find_named(view, c);
		add_facts(&selection->columns, selection, view->table.columns[c].metric);
	}
	table_link_columns(&view->table);
	selection->columns.need_ports = view_columns_at(selection, SCOPE_PORT);
	const bool with_units = view_needs_units(options);
	rc = view_open_regions(view, selection, with_units, err);
	if (!rc)
		rc = view_open_groups(view, selection, with_units, asks_for(options, GROUPS_GROUP),
				      err);
	return rc ? rc : find_formulas(view, selection, err);
}

static enum scope coarsest_scope(unsigned scopes)
{
	for (int s = SCOPE_SYSTEM; s >= 0; s--)
		if (scopes >> s & 1)
			return (enum scope)s;
	return SCOPE_COUNT;
}

/* Checks of whether this machine can measure the view's columns. */

/* Returns the user's words for the requested metrics. */
static const char *asked_for(const struct view_options *options)
{
	return options->groups ? options->groups : options->custom->items[0]->name;
}

static bool has_device_rows(const struct selection *selection)
{
	return selection->columns.of_devices && view_has_device_rows(selection);
}

static int expected_ports(const struct selection *selection, struct error *err)
{
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "metrics of '%s' exist for ports and devices only: expected --per=port",
			 asked_for(selection->options));
}

/*
 * Returns true if only devices can count the columns of rows of ports, and no other rows have a
 * column.
 */
static bool only_of_devices(const struct selection *selection)
{
	return selection->columns.scopes == 1U << SCOPE_PORT && !selection->columns.of_ports;
}

static int no_port(const struct machine *m, struct error *err)
{
	if (m->model->units_by_cpuid)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "%s: no event is published that counts CXL bandwidth on this "
				 "processor; -m latency,dram,core can be measured, and CXL reads "
				 "by --resctrl",
				 m->model->name);
	if (m->model->kernel_counts)
		return error_set(
			err, ERROR_NO_UNIT, -ENODEV,
			"%s: the kernel has no CXL region (cxl list -R), so no traffic can "
			"be attributed to CXL memory",
			m->model->name);
	return error_set(err, ERROR_NO_UNIT, -ENODEV,
			 "%s: its discovery tables list %zu uncore units, but no CXL port; ports "
			 "appear when firmware trains a link in CXL mode",
			 m->model->name, m->discovery.unit_count);
}

/* Checks that there is some formula: if no event list is published, only cores have any. */
static int check_formulas(const struct view *view, const struct selection *selection,
			  struct error *err)
{
	const struct model *model = selection->machine->model;

	if (model->events || !model->pmu_types->name || selection->machine->cpmu_count ||
	    selection->nodes || selection->regions || view->sources.groups.count)
		return 0;
	for (size_t c = 0; c < view->table.column_count; c++) {
		const struct formula *formula =
			view_formula(selection, view->table.columns[c].metric, 0);

		if (formula && formula->number <= selection->formulas->of_model)
			return 0;
	}
	error_set(err, ERROR_NO_UNIT, -ENOTSUP,
		  "%s: no event list is published for this processor, so only its cores "
		  "(-m core), regions of memory (-m region, if firmware has the tables) and "
		  "raw events can be measured, such as -e "
		  "cxlcm/event=N,umask=N,port_en=N/",
		  model->name);
	error_hint(err, "cxlmon info");
	return -ENOTSUP;
}

/* Checks that rows of the finest requested scope, or of coarser ones, have some column. */
static int check_scope(const struct selection *selection, enum scope coarsest, struct error *err)
{
	const enum scope finest = selection->options->finest;

	if (coarsest >= finest || selection->nodes)
		return 0;
	if (only_of_devices(selection))
		return expected_ports(selection, err);
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "'%s' has no values with --per=%s: expected --per=%s",
			 asked_for(selection->options), scope_names[finest], scope_names[coarsest]);
}

/* Checks that the machine has units that count some column. */
static int check_units(struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const bool devices = has_device_rows(selection);

	if (!m->port_count && m->cpmu_count && selection->options->ports)
		return view_select_ports(selection, err);
	if (m->uncore_error.code && selection->columns.of_uncore && !devices)
		return machine_no_uncore(m, err);
	const bool has_rows = m->port_count || selection->columns.without_ports || devices ||
			      selection->nodes || selection->mbm;
	return has_rows ? 0 : no_port(m, err);
}

int view_check_columns(const struct view *view, struct selection *selection, struct error *err)
{
	const enum scope coarsest = coarsest_scope(selection->columns.scopes);
	int rc = check_formulas(view, selection, err);

	if (rc || coarsest == SCOPE_COUNT)
		return rc;
	if (only_of_devices(selection) && selection->nodes)
		return 0;
	if (only_of_devices(selection) && !selection->machine->cpmu_count)
		return view_no_cpmu(selection, err);
	rc = check_scope(selection, coarsest, err);
	return rc ? rc : check_units(selection, err);
}

/* Returns true if there is another socket, or node, whose memory can be read. */
static bool has_remote(const struct machine *m)
{
	const struct cpu_location *cpus = m->topology.cpus;
	bool nodes = false;

	for (size_t i = 1; i < m->topology.count; i++)
		nodes |= cpus[i].node != cpus[0].node;
	return m->model->far_is_node ? nodes : m->socket_count > 1;
}

/* Returns true if a cell of this column has a formula with units that could count its events. */
static bool can_fill(const struct view *view, const struct selection *selection, size_t c)
{
	const struct alternative *alternatives = &view->alternatives[c * ALTERNATIVES];
	const struct metric *metric = view->table.columns[c].metric;
	const size_t step = table_all_columns(&view->table) * ALTERNATIVES;

	if (metric->kind != METRIC_NUMBER)
		return true;
	/* counters of a region count 0 if there is no other socket */
	if (!metric_is_counted(metric))
		return view_has_rows_of(selection->options, metric) &&
		       sources_can_know(&view->sources, metric);
	if (c == view->mbm_column)
		return true;
	if (metric->remote && !has_remote(selection->machine))
		return false;
	for (size_t r = 0; r < view->table.row_count; r++)
		for (unsigned a = 0; a < ALTERNATIVES; a++)
			if (alternatives[r * step + a].formula ||
			    alternatives[r * step + a].lacks_unit)
				return true;
	return false;
}

void view_find_never_known(struct view *view, const struct selection *selection)
{
	for (size_t c = 0; c < view->table.column_count; c++)
		view->table.columns[c].never_known = !can_fill(view, selection, c);
}

int view_check_values(const struct view *view, const struct selection *selection, struct error *err)
{
	bool any = view->table.event_rows > 0;

	for (size_t c = 0; c < view->table.column_count; c++)
		any |= !view->table.columns[c].never_known &&
		       view->table.columns[c].metric->kind == METRIC_NUMBER;
	if (any)
		return 0;
	if (selection->options->finest > SCOPE_PORT &&
	    (has_device_rows(selection) || selection->columns.of_kernel_devices))
		return expected_ports(selection, err);
	if (selection->device_error.code)
		return view_no_cpmu(selection, err);
	if (view_find_busy_cpmu(selection, NULL, err))
		return err->code;
	if (selection->machine->model->kernel_counts && selection->columns.need_ports)
		return no_port(selection->machine, err);
	if (selection->core_error.code) {
		*err = selection->core_error;
		return err->code;
	}
	return error_set(err, ERROR_NO_UNIT, -ENODEV,
			 "nothing on this machine can measure any metric of '%s'; "
			 "cxlmon list shows what can be measured",
			 asked_for(selection->options));
}

/* Notes, once for all rows, that a device's data is estimated from requests. */
static void report_estimate(const struct view *view, const struct machine *m)
{
	const size_t columns = table_all_columns(&view->table),
		     cells = view->table.row_count * columns;

	for (size_t i = 0; i < cells * ALTERNATIVES; i++) {
		const struct formula *f = view->alternatives[i].formula;
		const size_t cell = i / ALTERNATIVES;

		if (!f || !f->fallback || !f->source || !strcmp(f->source, "cpmu") ||
		    formula_event(f, 0)->type != PMU_CPMU)
			continue;
		log_write(&m->platform->log, LEVEL_NOTE,
			  "%s of %s is estimated from %s: the data that it sends cannot be "
			  "counted%s",
			  view->table.columns[cell % columns].metric->name,
			  place_device_name(&view->table.rows[cell / columns].place),
			  formula_event(f, 0)->name, m->pmus.count ? " by the kernel" : "");
		return;
	}
}

/*
 * Notes groups and user-defined metrics without rows, once for each. Only a device's missing
 * metrics are not noted.
 */
static void report_without_rows(const struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;
	const char *last = "";

	for (size_t c = 0; c < view->table.column_count; c++) {
		const struct metric *metric = view->table.columns[c].metric;
		const bool custom = custom_metric_of(selection->options->custom, metric);
		const char *name = custom ? metric->name : metric->group;

		if (view_has_rows_of(selection->options, metric) || !strcmp(name, last) ||
		    (!custom && !m->cpmu_count))
			continue;
		log_write(&m->platform->log, LEVEL_NOTE,
			  "%s%s stays empty with --per=%s: it has values with --per=%s only",
			  custom ? "" : "group ", name, scope_names[view->finest],
			  scope_names[coarsest_scope(metric_scopes(metric))]);
		last = name;
	}
}

/*
 * Returns true if a user-defined metric is counted with an alternative whose events are
 * multiplexed.
 */
static bool is_multiplexed(const struct view *view, size_t c)
{
	for (size_t r = 0; r < table_metric_rows(&view->table); r++) {
		const struct formula *formula = view_alternative(view, r, c, 1);

		if (formula && !formula->number)
			return true;
	}
	return false;
}

void view_report(const struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;
	const struct log *log = &m->platform->log;

	view_report_left_out(selection);
	for (size_t i = 0; i < selection->type_count; i++)
		if (selection->types[i] == PMU_CPMU && m->cpmu_error.code)
			log_write(log, LEVEL_NOTE, "left out: %s", m->cpmu_error.text);
	report_without_rows(view, selection);
	report_estimate(view, m);
	for (size_t c = 0; c < view->table.column_count; c++)
		if (is_multiplexed(view, c))
			log_write(log, LEVEL_NOTE,
				  "%s: too few counters for all its events at the same time: they "
				  "are multiplexed",
				  view->table.columns[c].metric->name);
	for (size_t c = 0; m->model->wrong_metric && c < view->table.column_count; c++)
		if (!strcmp(view->table.columns[c].metric->name, m->model->wrong_metric))
			log_write(log, LEVEL_WARNING, "%s is wrong on this processor: %s",
				  m->model->wrong_metric, m->model->wrong_why);
}
