/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/options_table.h"
#include "platform/text.h"
#include "session/session.h"

static int set_sim(void *context, const char *value, struct error *err)
{
	(void)err; /* the simulator checks it */
	((struct common_options *)context)->sim = value;
	return 0;
}

static int set_root(void *context, const char *value, struct error *err)
{
	((struct common_options *)context)->root = value;
	return *value ? 0 : options_usage(err, "no root", value, "expected a directory");
}

static int set_backend(void *context, const char *value, struct error *err)
{
	return options_backend(value, &((struct common_options *)context)->backend, err);
}

static int set_json(void *context, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	((struct common_options *)context)->json = true;
	return 0;
}

static int set_quiet(void *context, const char *value, struct error *err)
{
	struct common_options *options = context;

	(void)value;
	(void)err;
	options->quiet = true;
	options->verbose = false;
	return 0;
}

static int set_verbose(void *context, const char *value, struct error *err)
{
	struct common_options *options = context;

	(void)value;
	(void)err;
	options->verbose = true;
	options->quiet = false;
	return 0;
}

static int set_help(void *context, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	((struct common_options *)context)->help = true;
	return 0;
}

static const struct extra_option common_rows[] = {
	{"sim", 0, true, set_sim},
	{"root", 0, true, set_root},
	{"json", 0, false, set_json},
	{"quiet", 'q', false, set_quiet},
	{"verbose", 'v', false, set_verbose},
	{"help", 'h', false, set_help},
	{"backend", 0, true, set_backend}, /* the last: see MACHINE_ROWS */
};

#define COMMON_ROWS  (sizeof(common_rows) / sizeof(common_rows[0]))
#define MACHINE_ROWS (COMMON_ROWS - 1) /* without --backend */
#define MAX_ROWS     (COMMON_ROWS + EXTRA_OPTIONS_MAX)
#define LONG_BASE    256 /* options are known to getopt by their row, beyond any letter */

/* All options of a subcommand: the common ones, then its own. */
struct option_rows {
	const struct extra_option *rows[MAX_ROWS];
	size_t count;
	struct option longs[MAX_ROWS + 1];
	char letters[2 * MAX_ROWS + 1];
};

static void add_row(struct option_rows *all, const struct extra_option *row)
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

const char *common_nearest_option(const char *word, const struct option *longs)
{
	char name[EVENT_NAME_SIZE];

	if (strncmp(word, "--", 2))
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	struct text_nearest nearest = text_nearest_start(name);
	for (; longs->name; longs++)
		text_nearest_add(&nearest, longs->name);
	return nearest.name;
}

int common_refuse_option(const char *subcommand, const char *word, const struct option *longs,
			 struct error *err)
{
	const char *nearest = common_nearest_option(word, longs);

	if (nearest && strncmp(word + 2, nearest, strlen(nearest)) != 0)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "%s: unknown option '%s': did you mean --%s? see cxlmon %s --help",
				 subcommand, quoted(word).text, nearest, subcommand);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "%s: unknown option '%s', or its value is missing: see cxlmon %s --help",
			 subcommand, quoted(word).text, subcommand);
}

/* The subcommand takes the first common_count of the common options. */
static int parse(int argc, char **argv, size_t common_count, const struct extra_option *extra,
		 void *context, size_t max_operands, struct common_options *out, struct error *err)
{
	struct option_rows all = {.count = 0};
	int code, rc = 0;

	*out = (struct common_options){.root = "/", .backend = BACKEND_AUTO};
	for (size_t i = 0; i < common_count; i++)
		add_row(&all, &common_rows[i]);
	for (; extra && extra->name && all.count < MAX_ROWS; extra++)
		add_row(&all, extra);
	optind = 0; /* makes getopt forget an earlier command line */
	opterr = 0;
	while (!rc && (code = getopt_long(argc, argv, all.letters, all.longs, NULL)) != -1) {
		const size_t row = row_of(&all, code);

		if (row == all.count)
			return common_refuse_option(argv[0], argv[optind - 1], all.longs, err);
		rc = all.rows[row]->set(row < common_count ? out : context, optarg, err);
	}
	if (rc)
		return rc;
	out->operands = argv + optind;
	out->operand_count = (size_t)(argc - optind);
	if (out->operand_count > max_operands)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "%s: unexpected argument '%s': see cxlmon %s --help", argv[0],
				 out->operands[max_operands], argv[0]);
	return 0;
}

int common_parse(int argc, char **argv, const struct extra_option *extra, void *context,
		 size_t max_operands, struct common_options *out, struct error *err)
{
	return parse(argc, argv, COMMON_ROWS, extra, context, max_operands, out, err);
}

int common_flush(FILE *out)
{
	struct pollfd pipe = {.fd = fileno(out)};

	errno = 0;
	if (!fflush(out) && !ferror(out))
		return 0;
	const int code = errno ? errno : EIO;
	/* a write that failed earlier has left no errno */
	const bool closed = poll(&pipe, 1, 0) > 0 && (pipe.revents & POLLERR);
	return closed ? -EPIPE : -code;
}

static int cannot_write(const char *name, int code, struct error *err)
{
	return error_set(err, EXIT_FAILED, code, "%s: standard output cannot be written", name);
}

int common_print_json(const char *name, json_t *value, struct error *err)
{
	int rc = value ? json_dumpf(value, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : -1;

	json_decref(value);
	putchar('\n');
	if (rc)
		rc = common_flush(stdout) == -EPIPE ? -EPIPE : -EIO;
	return rc ? cannot_write(name, rc, err) : 0;
}

int common_finish(const char *name, int rc, struct error *err)
{
	if (!rc) {
		rc = common_flush(stdout);
		if (rc)
			cannot_write(name, rc, err);
	}
	if (rc == -EPIPE)
		return EXIT_SIGNALLED + SIGPIPE;
	if (rc)
		messages_error(err);
	return rc ? (int)err->status : EXIT_OK;
}

int common_run(int argc, char **argv, const struct machine_command *command)
{
	struct platform *p = NULL;
	struct common_options options;
	struct error err = {0};
	int rc = parse(argc, argv, MACHINE_ROWS, command->extra, command->context,
		       command->max_operands, &options, &err);

	if (!rc && options.help) {
		command->help(command->context);
		return common_finish(argv[0], 0, &err);
	}
	if (!rc && command->check)
		rc = command->check(&options, command->context, &err);
	const struct log log = messages_log(options.quiet, options.verbose);
	if (!rc)
		rc = platform_open(options.sim, options.root, &log, &p, &err);
	if (!rc)
		rc = command->run(&options, p, command->context, &err);
	platform_destroy(p);
	return common_finish(argv[0], rc, &err);
}
