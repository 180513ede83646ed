/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/formula_names.h"

#include <errno.h>

#include "metrics/metric.h"
#include "platform/text.h"
#include "uncore/cpmu_events.h"

static bool has_unit(const struct machine *m, const struct event *event)
{
	struct unit *unit;

	for (size_t i = 0; m && (unit = machine_unit(m, event->type, i)); i++)
		if (unit->type == event->type && !unit->absent &&
		    (!unit->cpmu || cpmu_counts(unit->cpmu, event)))
			return true;
	return !m;
}

static bool can_be_counted(const struct formula_names *names, const struct formula *formula)
{
	for (unsigned i = 0; i < FORMULA_EVENTS && formula->events[i]; i++) {
		const struct event *event =
			model_event(names->catalogue->model, formula->events[i]);

		if (!formula_may_lack(formula, i) && (!event || !has_unit(names->machine, event)))
			return false;
	}
	return !formula->cross_check;
}

const struct formula *formula_named(const struct formula_names *names, const char *metric)
{
	const struct model *model = names->catalogue->model;
	const struct formula *formula;

	if (!model)
		return NULL;
	for (unsigned a = 0; (formula = model_formula(model, metric, a)); a++)
		if (can_be_counted(names, formula))
			return formula;
	return model_formula(model, metric, 0);
}

int formula_unknown_name(const struct formula_names *names, const char *name, struct error *err)
{
	const char *event = catalogue_nearest(names->catalogue, name);
	struct text_nearest nearest = text_nearest_start(name);

	for (const struct metric *m = metric_table; m->name; m++)
		text_nearest_add(&nearest, m->name);
	if (event)
		text_nearest_add(&nearest, event);
	if (nearest.name)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "unknown event or metric '%s': did you mean '%s'?",
				 quoted(name).text, quoted(nearest.name).text);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "unknown event or metric '%s': expected a name that cxlmon list shows",
			 quoted(name).text);
}
