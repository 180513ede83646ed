/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/options.h"
#include "show/screen/screen_keys.h"
#include "sim/sim_key.h"
#include "uncore/models/models.h"

#define LIST_SUBCOMMAND(name) &cmd_##name,
const struct subcommand *const subcommands[] = {FOR_EACH_SUBCOMMAND(LIST_SUBCOMMAND) NULL};

const struct subcommand *subcommand_named(const char *name)
{
	const struct subcommand *const *s = subcommands;

	while (*s && strcmp((*s)->name, name) != 0)
		s++;
	return *s;
}

#define USAGE                                                                                      \
	"Usage: cxlmon [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"                     \
	"       cxlmon [OPTION]... SUBCOMMAND [OPTION]...\n"

/* Placeholders for the models of --sim with its keys, and for the keys of the screen. */
#define MODELS		 "@MODELS\n"
#define KEYS		 "@KEYS\n"
#define MODELS_WIDTH	 70
#define KEY_WIDTH	 18 /* columns */
#define SCREEN_KEY_WIDTH 10

/* Text after the options of a topic, under a title if the topic has options. */
static const struct topic {
	const char *name, *title, *text;
	const char *brief; /* in place of the text, if all topics are shown; NULL: the text */
} topics[] = {
	{"output", "Output, messages and the end of a run",
	 "The screen appears if nothing says what to print: no format, no file, neither\n"
	 "COUNT nor COMMAND. Data goes to standard output, messages go to standard error.\n"},
	{"events", "What is measured",
	 "cxlmon list shows metrics with their formulas, and events. -e may be given more\n"
	 "than once; without -m only events are shown, with -m metrics and events. Braces\n"
	 "count events at the same time, and must be quoted:\n"
	 "\n"
	 "  sudo cxlmon 1 -m cxl -e UNC_CXLCM_RxC_FLITS.PROT\n"
	 "  sudo cxlmon 1 -e '{cha/event=0x35,umask=1/,UNC_CHA_CLOCKTICKS}'\n"
	 "\n"
	 "A custom metric is a formula of events and metrics, as list prints them. Its\n"
	 "name ends with its unit (_MBps, _ns, _pct, _per_s...). Without -m only custom\n"
	 "metrics are shown:\n"
	 "\n"
	 "  sudo cxlmon 1 --metric='reads_pct =\n"
	 "    cxl_mem_read_MBps / (cxl_mem_read_MBps + cxl_mem_write_MBps)'\n"},
	{"rows", "Which rows are shown",
	 "Rows of the finest scope and of all coarser ones are shown. Events are summed\n"
	 "over the units of a socket or of the system, and have a row per unit otherwise.\n"},
	{"machine", "How the machine is accessed",
	 "If something prevents it, cxlmon doctor says what, and how to fix it.\n"},
	{"sim", "Simulated processors",
	 "SPEC is a model, or a FILE that cxlmon snapshot wrote, then ,KEY=VALUE... (man 7\n"
	 "cxlmon-sim):\n"
	 "\n" MODELS "\n"
	 "  cxlmon --sim=spr,sockets=2,read=20,write=8,clock=virtual 1 3 --csv\n",
	 "Models, and keys of SPEC: cxlmon help sim\n"},
	{"status", NULL,
	 "Exit status: 0 success (or COMMAND's own), 1 failed while running, 2 wrong usage,\n"
	 "3 nothing to monitor on this machine, 4 no permission, 5 counters in use,\n"
	 "128+n ended by signal n (but 0 for Ctrl-C after a sample).\n"},
	{"keys", NULL,
	 "Keys of the screen, which ? also shows, for the ports, the processes (Tab) and the\n"
	 "page of a process (Enter):\n"
	 "\n" KEYS},
	{.name = "all"},
};

#define TOPICS (sizeof(topics) / sizeof(topics[0]))

const char *help_topic(size_t i)
{
	return i < TOPICS ? topics[i].name : NULL;
}

/* Lists models: known or unknown to cxlmon, and the known ones of AMD or of others. */
static void list_models(char *text, size_t size, bool known, bool amd, const char *before)
{
	for (const struct model *m = NULL; (m = model_next_simulated(m));) {
		if (!m->simulated->no_uncore != known ||
		    (known && (m->simulated->vendor == SIM_AMD) != amd))
			continue;
		text_append(text, size, "%s %s", before, sim_model_name(m));
		before = "";
	}
}

static void put_models(FILE *out)
{
	char text[512] = "";

	list_models(text, sizeof(text), true, false, "models:");
	list_models(text, sizeof(text), true, true, "; of AMD");
	list_models(text, sizeof(text), false, false, "; unknown to cxlmon:");
	fputs("  ", out);
	wrapped_print(out, text, 2, 2, MODELS_WIDTH);
}

static void put_sim_keys(FILE *out)
{
	const struct sim_key *key;

	for (size_t i = 0; (key = sim_key(i)); i++) {
		char help[SIM_KEY_HELP_SIZE];

		fprintf(out, "  %-*s ", KEY_WIDTH, key->name);
		wrapped_print(out, sim_key_help(key, help), KEY_WIDTH + 3, KEY_WIDTH + 3,
			      HELP_WIDTH);
	}
}

/* Lists the keys of the screen, each with the tabs that have it. */
static void put_screen_keys(FILE *out)
{
	static const char *const tabs[] = {
		[TAB_PORTS] = "ports", [TAB_PROCESSES] = "processes", [TAB_PROCESS] = "a process"};
	const unsigned all = (1U << sizeof(tabs) / sizeof(tabs[0])) - 1;

	for (const struct screen_key_help *k = screen_key_table; k->key; k++) {
		char text[HELP_WIDTH * 2] = "";

		for (enum screen_tab tab = TAB_PORTS; tab <= TAB_PROCESS; tab++)
			if (k->tabs != all && screen_key_is_of(k, tab))
				text_list(text, sizeof(text), "%s", tabs[tab]);
		text_append(text, sizeof(text), "%s%s", *text ? ": " : "", k->help);
		fprintf(out, "  %-*s ", SCREEN_KEY_WIDTH, k->key);
		wrapped_print(out, text, SCREEN_KEY_WIDTH + 3, SCREEN_KEY_WIDTH + 3, HELP_WIDTH);
	}
}

static void put_text(const char *text, FILE *out)
{
	const char *models = strstr(text, MODELS), *keys = strstr(text, KEYS);

	if (models) {
		help_text(out, text, (size_t)(models - text));
		put_models(out);
		putc('\n', out);
		put_sim_keys(out);
		text = models + strlen(MODELS);
	}
	if (keys) {
		help_text(out, text, (size_t)(keys - text));
		put_screen_keys(out);
		return;
	}
	help_text(out, text, strlen(text));
}

static void put_topic(const struct topic *topic, const char *text, FILE *out)
{
	if (topic->title) {
		fprintf(out, "%s:\n\n", topic->title);
		options_help(out, topic->name);
		putc('\n', out);
	}
	put_text(text, out);
}

static void put_all(FILE *out)
{
	const struct topic *topic = topics;

	fputs(USAGE "\n", out);
	for (; topic->title; topic++) {
		put_topic(topic, topic->brief ? topic->brief : topic->text, out);
		putc('\n', out);
	}
	fputs("Subcommands (options may stand before or after; SUBCOMMAND --help lists them):\n",
	      out);
	for (const struct subcommand *const *s = subcommands; *s; s++)
		wrapped_print(out, (*s)->purpose, fprintf(out, "      %-18s ", (*s)->name),
			      HELP_INDENT, HELP_WIDTH);
	for (; topic->text; topic++) {
		putc('\n', out);
		put_topic(topic, topic->text, out);
	}
}

/* Appends " As a table: who, hot" if the subcommand has such variants. */
static void list_looks(char *text, size_t size, const struct subcommand *of)
{
	const char *before = " As a table: ";

	for (const struct subcommand *const *s = subcommands; *s; s++)
		if ((*s)->look_of == of) {
			text_append(text, size, "%s%s", before, (*s)->name);
			before = ", ";
		}
}

/*
 * Lists subcommands for developers, or the others. Help and version are named as options instead.
 */
static void list_subcommands(char *text, size_t size, bool for_developers)
{
	const char *before = for_developers ? ". Developers: " : "Subcommands: ";

	for (const struct subcommand *const *s = subcommands; *s; s++) {
		const char *hint = (*s)->hint;

		if ((*s)->for_developers != for_developers || (*s)->look_of || *s == &cmd_help ||
		    *s == &cmd_version)
			continue;
		text_append(text, size, "%s%s%s%s", before, (*s)->name, hint ? " (" : "",
			    hint ? hint : "");
		list_looks(text, size, *s);
		text_append(text, size, "%s", hint ? ")" : "");
		before = for_developers ? " " : ", ";
	}
}

static void put_subcommands(FILE *out)
{
	char text[1024] = "";

	list_subcommands(text, sizeof(text), false);
	list_subcommands(text, sizeof(text), true);
	wrapped_print(out, text, 0, 0, HELP_WIDTH);
}

/* Prints the short help, which fits a screen of 24 lines. */
static void put_short(FILE *out)
{
	fputs(USAGE
	      "Monitors this machine's CXL ports every INTERVAL (1, 0.5, 500ms; default 1 s).\n"
	      "\n",
	      out);
	options_help(out, NULL);
	putc('\n', out);
	put_subcommands(out);
	fputs("\n"
	      "  cxlmon help SUBCOMMAND  its options\n"
	      "  cxlmon help TOPIC      ",
	      out);
	for (size_t i = 0; i < TOPICS; i++)
		fprintf(out, "%s %s", !i ? "" : topics[i].text ? "," : ";", topics[i].name);
	fputs("\n"
	      "\n"
	      "  sudo cxlmon 1                      a live screen; q quits\n"
	      "  sudo cxlmon 0.1 100 --csv > t.csv  100 samples at 10 Hz, for a script\n"
	      "  sudo cxlmon 1 -- ./work            samples until ./work ends\n"
	      "  cxlmon --sim=spr 1                 simulated: no hardware, no root\n",
	      out);
}

static int no_topic(const char *name, struct error *err)
{
	char known[128] = "";
	size_t used = 0;

	for (size_t i = 0; i < TOPICS; i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
					 topics[i].name);
	return error_set(err, ERROR_USAGE, -EINVAL, "no help on '%s': expected %s or a subcommand",
			 quoted(name).text, known);
}

int help_print(const char *topic, FILE *out, struct error *err)
{
	size_t i = 0;

	/* the screen has no other help */
	if (topic && !strcmp(topic, "screen"))
		topic = "keys";
	while (topic && i < TOPICS && strcmp(topics[i].name, topic) != 0)
		i++;
	if (i == TOPICS)
		return no_topic(topic, err);
	if (!topic)
		put_short(out);
	else if (topics[i].text)
		put_topic(&topics[i], topics[i].text, out);
	else
		put_all(out);
	return 0;
}

int help_show(struct options *options, const char *name, struct error *err)
{
	const struct subcommand *subcommand = name ? subcommand_named(name) : NULL;

	options->subcommand = subcommand ? subcommand : &cmd_help;
	if (!subcommand)
		return help_print(name, stdout, err);
	subcommand_help(subcommand, stdout);
	return 0;
}

static int run_help(struct options *options, struct error *err)
{
	return help_show(options, options->operand_count ? options->operands[0] : NULL, err);
}

static int run_version(struct options *options, struct error *err)
{
	(void)options;
	(void)err;
	puts("cxlmon " CXLMON_VERSION);
	return 0;
}

static const struct option_row rows[] = {OPTIONS_MESSAGES, OPTIONS_IGNORED, {.name = NULL}};

const struct subcommand cmd_help = {
	.name = "help",
	.purpose = "explain the options of a topic, or a subcommand",
	.run = run_help,
	.usage =
		"Usage: cxlmon help [TOPIC|SUBCOMMAND]\n"
		"Explains the options of a topic, as cxlmon --help=TOPIC does, or a subcommand, as its\n"
		"--help does.\n"
		"\n",
	.options = rows,
	.operands = 1,
};

const struct subcommand cmd_version = {
	.name = "version",
	.purpose = "show the version",
	.run = run_version,
	.usage = "Usage: cxlmon version\n"
		 "Shows the version, as cxlmon --version does.\n"
		 "\n",
	.options = rows,
};
