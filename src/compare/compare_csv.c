/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "compare/compare_output.h"
#include "output/fields.h"

#define UNKNOWN	     ""
#define PCT_DECIMALS 3
#define P_DECIMALS   6

static void put_place(const struct row *row, FILE *out)
{
	const bool of_unit = row->unit && row->event;

	fprintf(out, "%s,", row_scope_name(row));
	field_index(out, row->socket, UNKNOWN);
	putc(',', out);
	field_index(out, row->port, UNKNOWN);
	putc(',', out);
	field_text(out, row->memdev);
	putc(',', out);
	field_index(out, row->scope == SCOPE_CPU ? row->cpu : -1, UNKNOWN);
	putc(',', out);
	field_text(out, of_unit ? row->unit->box->name : UNKNOWN);
	putc(',', out);
	field_index(out, of_unit && !row->summed ? (int)row->unit->id : -1, UNKNOWN);
	putc(',', out);
	field_index(out, row->of_node ? row->node : -1, UNKNOWN);
}

static void put_figure(const struct compared *pair, enum figure figure, FILE *out)
{
	const unsigned decimals = compared_decimals(pair);

	fprintf(out, ",%s,", figure_names[figure]);
	field_number(out, figure_of(pair->series[SIDE_A], figure), decimals, UNKNOWN);
	putc(',', out);
	field_number(out, figure_of(pair->series[SIDE_B], figure), decimals, UNKNOWN);
	putc(',', out);
	field_number(out, compared_difference(pair, figure), decimals, UNKNOWN);
	putc(',', out);
	field_number(out, compared_difference_pct(pair, figure), PCT_DECIMALS, UNKNOWN);
	/* means alone are judged */
	if (figure == FIGURE_MEAN) {
		fprintf(out, ",%s,", compared_verdict(pair));
		field_number(out, pair->p, P_DECIMALS, UNKNOWN);
		putc(',', out);
		if (!isnan(pair->record_s))
			fprintf(out, "%.9g", pair->record_s);
	} else {
		fputs(",,,", out);
	}
	putc('\n', out);
}

void compare_csv(const struct comparison *c, FILE *out)
{
	fputs("metric,scope,socket,port,memdev,cpu,unit,box,node,statistic,a,b,"
	      "difference,difference_pct,verdict,p_value,record_s\n",
	      out);
	for (size_t i = 0; i < c->compared_count; i++) {
		for (enum figure f = 0; f < FIGURES; f++) {
			field_text(out, compared_name(&c->compared[i]));
			putc(',', out);
			put_place(c->compared[i].series[SIDE_A]->row, out);
			put_figure(&c->compared[i], f, out);
		}
	}
}
