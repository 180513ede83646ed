/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "base/terminal.h"
#include "base/text.h"
#include "cli/cli_private.h"
#include "session/session.h"

/* Limits of COLUMNS, which may have any value. */
#define LEAST_COLUMNS 40
#define MOST_COLUMNS  1000

static const enum exit_status statuses[ERROR_KINDS] = {
	[ERROR_NONE] = EXIT_OK,
	[ERROR_FAILED] = EXIT_FAILED,
	[ERROR_USAGE] = EXIT_USAGE,
	[ERROR_NO_UNIT] = EXIT_NO_UNIT,
	[ERROR_PERMISSION] = EXIT_PERMISSION,
	[ERROR_IN_USE] = EXIT_IN_USE,
	[ERROR_CANNOT_RUN] = EXIT_CANNOT_RUN,
	[ERROR_NOT_FOUND] = EXIT_NOT_FOUND,
};

enum exit_status exit_status_of(enum error_kind kind)
{
	return statuses[kind];
}

void subcommand_help(const struct subcommand *subcommand, FILE *out)
{
	help_text(out, subcommand->usage, strlen(subcommand->usage));
	for (const struct option_row *row = subcommand->options; row->name; row++)
		if (row->help)
			option_print_help(row, out);
	if (subcommand->notes)
		help_text(out, subcommand->notes, strlen(subcommand->notes));
	if (subcommand->print_notes)
		subcommand->print_notes(out);
}

bool subcommand_shares(const struct subcommand *subcommand, const struct option_row *row)
{
	const struct option_row *own = subcommand->options;

	while (own->name && strcmp(own->name, row->name) != 0)
		own++;
	return subcommand->monitor && !(row->not_for & subcommand->monitor) && !own->name;
}

int common_take_file(struct options *options, struct error *err)
{
	if (!options->operand_count)
		return 0;
	if (options->output)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "%s: more than one file: '%s' and '%s': expected one FILE",
				 options->subcommand->name, quoted(options->output).text,
				 quoted(options->operands[0]).text);
	options->output = options->operands[0];
	return 0;
}

int common_take_interval(struct options *options, struct error *err)
{
	char **operands = options->operands;
	int rc = 0;

	if (options->operand_count > 0)
		rc = interval_parse(operands[0], &options->session.interval_ns, err);
	if (!rc && options->operand_count > 1)
		rc = count_parse(operands[1], &options->count, err);
	return rc;
}

int common_with_platform(struct options *options,
			 int (*use)(struct options *options, struct platform *p, struct error *err),
			 struct error *err)
{
	struct platform *p = NULL;
	int rc = platform_open(options->session.sim, options->session.root, &options->log, &p, err);

	if (!rc)
		rc = use(options, p, err);
	platform_destroy(p);
	return rc;
}

int common_check_nodes(const struct options *options, const struct cxl_node_choice *choice,
		       struct error *err)
{
	const struct session_options *session = &options->session;
	const struct log silent = {.write = NULL};
	struct cxl_nodes nodes = {.numbers = NULL};
	struct platform *p;
	int rc = platform_open(session->sim, session->root, &silent, &p, err);

	if (rc)
		return rc;
	rc = cxl_nodes_find(p, session->root, choice, &nodes, err);
	cxl_nodes_free(&nodes);
	platform_destroy(p);
	return rc;
}

const struct format *common_row_format(const struct options *options, int fd)
{
	struct stat st;

	if (options->format)
		return options->format;
	if (isatty(fd))
		return &format_table;
	if (fd == STDOUT_FILENO && isatty(STDERR_FILENO) && !fstat(fd, &st) && S_ISFIFO(st.st_mode))
		log_write(&options->log, LEVEL_NOTE,
			  "CSV is written into the pipe: add --format=table for the table");
	return &format_csv;
}

struct winsize common_table_size(int fd)
{
	struct winsize size = terminal_size(fd);
	const char *columns = getenv("COLUMNS");

	if (isatty(fd))
		return size;
	size.ws_row = 0;
	const unsigned long width = columns ? strtoul(columns, NULL, 10) : 0;
	if (width >= LEAST_COLUMNS && width <= MOST_COLUMNS)
		size.ws_col = (unsigned short)width;
	return size;
}

int common_open_output(const char *name, enum common_contents contents, struct common_output *out,
		       struct error *err)
{
	struct sudo_user caller;
	struct stat st;
	int rc = 0;

	*out = (struct common_output){
		.name = "standard output",
		.out = stdout,
		.fd = STDOUT_FILENO,
		.replaced.directory = -1,
	};
	if (!name)
		return 0;
	rc = sudo_user_find(&caller, err);
	out->name = name;
	out->out = NULL;
	if (rc)
		return rc;
	out->fd = contents == CONTENTS_REPLACED
			  ? output_open(name, &caller, OUTPUT_REPLACED, &out->replaced, err)
			  : output_open(name, &caller, OUTPUT_WRITTEN, NULL, err);
	if (out->fd < 0 || out->replaced.directory >= 0)
		return out->fd < 0 ? out->fd : 0;
	if (contents == CONTENTS_KEPT || fstat(out->fd, &st) || !S_ISREG(st.st_mode) ||
	    !ftruncate(out->fd, 0))
		out->out = fdopen(out->fd, "w");
	if (out->out)
		return 0;
	rc = output_cannot_write(name, -errno, err);
	close(out->fd);
	return rc;
}

int common_close_output(struct common_output *out, int rc, struct error *err)
{
	int code = 0;

	if (out->replaced.directory >= 0)
		close(out->replaced.directory);
	if (!out->out)
		return rc;
	if (fflush(out->out) || ferror(out->out))
		code = errno ? errno : EIO;
	if (out->out != stdout && fclose(out->out) && !code)
		code = errno;
	out->out = NULL;
	return rc || !code ? rc : output_cannot_write(out->name, -code, err);
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

int common_flush_output(const struct common_output *output, struct error *err)
{
	const int rc = common_flush(output->out);

	return rc ? output_cannot_write(output->name, rc, err) : 0;
}

static int cannot_print(const char *name, int code, struct error *err)
{
	return error_set(err, ERROR_FAILED, code, "%s: standard output cannot be written", name);
}

int common_print_json(const struct options *options, json_t *value, struct error *err)
{
	int rc = value ? json_dumpf(value, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER) : -1;

	json_decref(value);
	putchar('\n');
	if (rc)
		rc = common_flush(stdout) == -EPIPE ? -EPIPE : -EIO;
	return rc ? cannot_print(options->subcommand->name, rc, err) : 0;
}

int common_finish(const char *name, int rc, struct error *err)
{
	if (!rc) {
		rc = common_flush(stdout);
		if (rc)
			cannot_print(name, rc, err);
	}
	if (rc == -EPIPE)
		return EXIT_SIGNALLED + SIGPIPE;
	if (rc)
		messages_error(err);
	return rc ? (int)exit_status_of(err->kind) : EXIT_OK;
}

#define MIB (UINT64_C(1) << 20)

void traffic_announce(const struct load_nodes *found, uint64_t total_ns)
{
	char name[LOAD_NODE_NAME_SIZE];
	uint64_t most = 0; /* bytes per node */

	for (size_t i = 0; i < found->count; i++)
		if (found->at[i].memory_bytes > most)
			most = found->at[i].memory_bytes;
	fprintf(stderr,
		"cxlmon: transfers data to and from the memory of %zu node%s, one after the "
		"other, for about %.0f s; Ctrl-C stops it\n",
		found->count, found->count == 1 ? "" : "s", (double)total_ns / (double)NS_PER_S);
	if (most)
		fprintf(stderr,
			"cxlmon: takes up to %" PRIu64
			" MiB of a node's free memory, and up to %d threads\n",
			most / MIB, LOAD_NODE_CPUS);
	else
		fputs("cxlmon: takes no memory: the traffic is injected into the simulated machine\n",
		      stderr);
	for (size_t i = 0; i < found->count; i++)
		if (found->at[i].skipped.code)
			fprintf(stderr, "cxlmon: left out: %s: %s\n",
				load_node_name(&found->at[i], name), found->at[i].skipped.text);
}
