/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/remarks.h"

static void say_sources(const struct remarks *remarks, const struct view *view)
{
	const struct row *last = &view->rows[view->row_count - 1];

	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c]->kind == METRIC_NUMBER && *last->values[c].text)
			log_write(remarks->log, LEVEL_DETAIL, "%s rests on %s",
				  view->columns[c]->name, last->values[c].text);
}

void remarks_make(struct remarks *remarks, const struct view *view)
{
	if (!remarks->sources_said) {
		remarks->sources_said = true;
		say_sources(remarks, view);
	}
	if (view->mismatches && !remarks->mismatch_said) {
		remarks->mismatch_said = true;
		log_write(
			remarks->log, LEVEL_WARNING,
			"CXL.mem reads by requests at the ports (%.0f MB/s) and by the CHAs' TOR (%.0f "
			"MB/s) differ by more than 10 %%",
			view->first_mismatch[0], view->first_mismatch[1]);
	}
	if (view->implausible && !remarks->implausible_said) {
		remarks->implausible_said = true;
		log_write(
			remarks->log, LEVEL_WARNING,
			"a value was beyond what the hardware can do, and is left empty; -v counts "
			"such values");
	}
}
