/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "compare/compare_output.h"
#include "output/fields.h"

#define PCT_DECIMALS 3
#define P_DECIMALS   6

static void put_place(struct fields *f, const struct row *row)
{
	const struct unit *unit = row->event ? row->unit : NULL;

	fields_text(f, "scope", row_scope_name(row));
	fields_index(f, "socket", row->socket);
	fields_index(f, "port", row->port);
	fields_text(f, "memdev", row->memdev);
	fields_index(f, "cpu", row->scope == SCOPE_CPU ? row->cpu : -1);
	fields_text(f, "unit", unit ? unit->pmu_type->name : "");
	fields_index(f, "box", unit && !row->summed ? (int)unit->id : -1);
	fields_index(f, "node", row->of_node ? row->node : -1);
}

static void put_row(const struct compared *pair, enum figure figure, FILE *out)
{
	const bool mean = figure == FIGURE_MEAN; /* means alone are judged */
	const unsigned decimals = compared_decimals(pair);
	struct fields f = {.out = out, .style = FIELDS_CSV};
	char record_s[32] = "";

	if (mean && !isnan(pair->record_s))
		snprintf(record_s, sizeof(record_s), "%.9g", pair->record_s);
	fields_text(&f, "metric", compared_name(pair));
	put_place(&f, pair->series[SIDE_A]->row);
	fields_text(&f, "statistic", figure_names[figure]);
	fields_number(&f, "a", figure_of(pair->series[SIDE_A], figure), decimals);
	fields_number(&f, "b", figure_of(pair->series[SIDE_B], figure), decimals);
	fields_number(&f, "difference", compared_difference(pair, figure), decimals);
	fields_number(&f, "difference_pct", compared_difference_pct(pair, figure), PCT_DECIMALS);
	fields_text(&f, "verdict", mean ? compared_verdict(pair) : "");
	fields_number(&f, "p_value", mean ? pair->p : NAN, P_DECIMALS);
	fields_text(&f, "record_s", record_s);
	putc('\n', out);
}

void compare_csv(const struct comparison *c, FILE *out)
{
	fputs("metric,scope,socket,port,memdev,cpu,unit,box,node,statistic,a,b,"
	      "difference,difference_pct,verdict,p_value,record_s\n",
	      out);
	for (size_t i = 0; i < c->compared_count; i++)
		for (enum figure f = 0; f < FIGURES; f++)
			put_row(&c->compared[i], f, out);
}
