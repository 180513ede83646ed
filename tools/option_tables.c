/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what the program takes, for completions and manuals, which the build makes of it. A line
 * is a row, its fields are parted by "|":
 *
 * option|SUBCOMMAND...|LETTER|NAME|ARGUMENT|VALUES|EXCLUDED|HELP
 * subcommand|NAME|OPERAND|PURPOSE
 * topics|WORD...
 * models|WORD...
 * column|GROUP|NAME|SCOPE...
 * check|NAME|PURPOSE
 * processor|MODEL|VENDOR|NAME|MEASURED
 * key|NAME|WORD...|HELP
 *
 * An option is a row of the first SUBCOMMAND ("monitor": of none), and the others take it, too.
 * ARGUMENT is "[ARGUMENT]" where it may be left out. VALUES is "one WORD...", "list WORD...",
 * "file", "directory", "sim", "event" or "any". EXCLUDED names the options that can't be given with
 * it; "*": none, not even itself; "-": all. MODEL is one of the models; empty: it is not simulated.
 */
#include <stdio.h>
#include <string.h>

#include "cli/common.h"
#include "metrics/metric.h"
#include "show/doctor/doctor.h"
#include "sim/sim_key.h"
#include "table/spell.h"
#include "uncore/models/models.h"

/* Text in one line and, as a list of words, without commas. */
static void put(const char *text, char dropped)
{
	for (; *text; text++)
		if (*text != dropped)
			putchar(*text == '\n' ? ' ' : *text);
}

static void put_topics(const char *before)
{
	for (size_t i = 0; help_topic(i); i++)
		printf("%s%s", i ? " " : before, help_topic(i));
}

static void put_groups(void)
{
	char groups[128];

	metric_group_names(groups, sizeof(groups));
	printf("list ");
	put(groups, ',');
	printf(" all");
}

static void put_values(const struct option_row *row)
{
	if (row->check == view_check_groups)
		put_groups();
	else if (row->optional)
		put_topics("one ");
	else if (row->choices)
		printf("one");
	else if (!strcmp(row->name, "sim"))
		printf("sim");
	else if (!strcmp(row->name, "event"))
		printf("event");
	else if (row->argument)
		printf("%s", !strcmp(row->argument, "FILE")  ? "file"
			     : !strcmp(row->argument, "DIR") ? "directory"
							     : "any");
	for (size_t i = 0; row->argument && row->choices && row->choices[i]; i++)
		printf(" %s", row->choices[i]);
}

/* Rows that set the same member to a value of their own. */
static bool excludes(const struct option_row *a, const struct option_row *b)
{
	return a == b ? a->letter != 0
		      : a->offset && a->offset == b->offset && a->value != b->value;
}

static void put_excluded(const struct option_row *row, const struct option_row *table)
{
	const char *between = "";

	if (row->type == OPTION_STRINGS || !strcmp(row->name, "help") ||
	    !strcmp(row->name, "version")) {
		putchar(row->type == OPTION_STRINGS ? '*' : '-');
		return;
	}
	for (; table->name; table++) {
		if (!table->help || !excludes(row, table))
			continue;
		if (table->letter)
			printf("%s-%c --%s", between, table->letter, table->name);
		else
			printf("%s--%s", between, table->name);
		between = " ";
	}
}

static void put_options(const char *subcommand, const struct option_row *table)
{
	char help[OPTION_HELP_SIZE];

	for (const struct option_row *row = table; row->name; row++) {
		if (!row->help)
			continue;
		printf("option|%s", subcommand);
		for (const struct subcommand *const *s = subcommands; *s; s++)
			if (table == monitor_options && subcommand_shares(*s, row))
				printf(" %s", (*s)->name);
		printf(row->letter ? "|%c|" : "||", row->letter);
		printf(row->optional ? "%s|[%s]|" : "%s|%s|", row->name,
		       row->argument ? row->argument : "");
		put_values(row);
		putchar('|');
		put_excluded(row, table);
		putchar('|');
		put(option_help(row, help, sizeof(help)), '\0');
		putchar('\n');
	}
}

static void put_simulation(void)
{
	size_t keys = 0;

	printf("models|");
	for (size_t i = 0; sim_spec_model(i); i++)
		printf("%s%s", i ? " " : "", sim_spec_model(i));
	putchar('\n');
	for (const struct sim_key *key; (key = sim_key(keys)); keys++) {
		char help[SIM_KEY_HELP_SIZE];

		printf("key|%s|", key->name);
		for (unsigned n = 0; key->words && key->words[n]; n++)
			printf("%s%s", n ? " " : "", key->words[n]);
		printf("|%s\n", sim_key_help(key, help));
	}
}

static void put_processors(void)
{
	for (const struct model *const *m = model_list(); *m; m++)
		printf("processor|%s|%s|%s|%s\n", (*m)->simulated ? sim_model_name(*m) : "",
		       (*m)->vendor ? (*m)->vendor : "", (*m)->name, (*m)->measured);
}

/* Puts columns with the scopes of their rows, except the column of --per=cpu. */
static void put_columns(void)
{
	for (const struct metric *m = metric_table; m->name; m++) {
		const char *between = "";

		if (m->kind == METRIC_CPU)
			continue;
		printf("column|%s|%s|", m->group, m->name);
		for (unsigned kind = 0; kind < ROW_KINDS; kind++) {
			if (!(m->rows >> kind & 1))
				continue;
			printf("%s%s", between, row_kind_names[kind]);
			between = " ";
		}
		putchar('\n');
	}
}

int main(void)
{
	for (const struct subcommand *const *s = subcommands; *s; s++)
		printf("subcommand|%s|%s|%s\n", (*s)->name, (*s)->operand ? (*s)->operand : "",
		       (*s)->purpose);
	put_topics("topics|");
	putchar('\n');
	put_simulation();
	put_processors();
	put_columns();
	for (const struct check *const *check = doctor_checks; *check; check++)
		printf("check|%s|%s\n", (*check)->name, (*check)->purpose);
	put_options("monitor", monitor_options);
	for (const struct subcommand *const *s = subcommands; *s; s++)
		put_options((*s)->name, (*s)->options);
	return fflush(stdout) || ferror(stdout);
}
