/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/target.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "platform/text.h"
#include "session/session.h"

static int set_sim(void *context, const char *value, struct error *err)
{
	(void)err; /* the simulator knows its keys */
	((struct target *)context)->sim = value;
	return 0;
}

static int set_root(void *context, const char *value, struct error *err)
{
	((struct target *)context)->root = value;
	return *value ? 0 : error_set(err, EXIT_USAGE, -EINVAL, "no root '': expected a directory");
}

static int set_json(void *context, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	((struct target *)context)->json = true;
	return 0;
}

static int set_help(void *context, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	((struct target *)context)->help = true;
	return 0;
}

static const struct own_option shared[] = {
	{"sim", 0, true, set_sim},
	{"root", 0, true, set_root},
	{"json", 0, false, set_json},
	{"help", 'h', false, set_help},
};

#define SHARED	  (sizeof(shared) / sizeof(shared[0]))
#define MOST	  (SHARED + TARGET_OWN_OPTIONS)
#define LONG_BASE 256 /* options are known to getopt by their row, beyond any letter */

/* All options of a subcommand: those that all have, then its own. */
struct option_rows {
	const struct own_option *rows[MOST];
	size_t count;
	struct option longs[MOST + 1];
	char letters[2 * MOST + 1];
};

static void add_row(struct option_rows *all, const struct own_option *row)
{
	const size_t used = strlen(all->letters);

	all->longs[all->count] = (struct option){
		.name = row->name,
		.has_arg = row->valued ? required_argument : no_argument,
		.val = LONG_BASE + (int)all->count,
	};
	if (row->letter) {
		all->letters[used] = row->letter;
		all->letters[used + 1] = row->valued ? ':' : '\0';
	}
	all->rows[all->count++] = row;
}

static size_t row_of(const struct option_rows *all, int code)
{
	size_t i = 0;

	while (i < all->count && code != LONG_BASE + (int)i &&
	       (!all->rows[i]->letter || code != all->rows[i]->letter))
		i++;
	return i;
}

int target_parse(int argc, char **argv, const struct own_option *own, void *context,
		 size_t most_operands, struct target *out, struct error *err)
{
	struct option_rows all = {.count = 0};
	int code, rc = 0;

	*out = (struct target){.root = "/"};
	for (size_t i = 0; i < SHARED; i++)
		add_row(&all, &shared[i]);
	for (; own && own->name && all.count < MOST; own++)
		add_row(&all, own);
	optind = 0; /* makes getopt forget an earlier command line */
	opterr = 0;
	while (!rc && (code = getopt_long(argc, argv, all.letters, all.longs, NULL)) != -1) {
		const size_t row = row_of(&all, code);

		if (row == all.count)
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "%s: unknown option '%s', or its value is missing: see "
					 "cxlmon %s --help",
					 argv[0], quoted(argv[optind - 1]).text, argv[0]);
		rc = all.rows[row]->set(row < SHARED ? out : context, optarg, err);
	}
	if (rc)
		return rc;
	out->operands = argv + optind;
	out->operand_count = (size_t)(argc - optind);
	if (out->operand_count > most_operands)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "%s: unexpected argument '%s': see cxlmon %s --help", argv[0],
				 out->operands[most_operands], argv[0]);
	return 0;
}

int target_print_json(const char *name, json_t *value, struct error *err)
{
	int rc = value ? json_dumpf(value, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : -1;

	json_decref(value);
	putchar('\n');
	return rc ? error_set(err, EXIT_FAILED, -EIO, "%s: standard output can't be written", name)
		  : 0;
}

int target_finish(const char *name, int rc, struct error *err)
{
	if (!rc && (fflush(stdout) || ferror(stdout)))
		rc = error_set(err, EXIT_FAILED, -EIO, "%s: standard output can't be written",
			       name);
	if (rc)
		messages_error(err);
	return rc ? (int)err->status : EXIT_OK;
}

int target_run(int argc, char **argv, const struct target_command *command)
{
	const struct options options = {.root = "/"};
	const struct log log = messages_log(&options);
	struct platform *p = NULL;
	struct target target;
	struct error err = {0};
	int rc = target_parse(argc, argv, command->own, command->context, command->most_operands,
			      &target, &err);

	if (!rc && target.help) {
		command->help(command->context);
		return target_finish(argv[0], 0, &err);
	}
	if (!rc && command->check)
		rc = command->check(&target, command->context, &err);
	if (!rc)
		rc = platform_open(target.sim, target.root, &log, &p, &err);
	if (!rc)
		rc = command->run(&target, p, command->context, &err);
	platform_destroy(p);
	return target_finish(argv[0], rc, &err);
}
