/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/playback.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "output/output_file.h"
#include "platform/text.h"

static int choose_format(const char *name, struct playback *out, struct error *err)
{
	out->format = format_find(name);
	return out->format ? 0
			   : error_set(err, EXIT_USAGE, -EINVAL,
				       "unknown format '%s': expected table, csv, json or "
				       "openmetrics",
				       quoted(name).text);
}

static void set_messages(struct playback *out, bool quiet)
{
	out->quiet = quiet;
	out->verbose = !quiet;
}

static int parse_operands(int argc, char **argv, struct playback *out, struct error *err)
{
	out->file = optind < argc ? argv[optind] : NULL;
	if (out->help)
		return 0;
	if (!out->file || !*out->file)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "%s: no recording: expected cxlmon %s FILE", argv[0], argv[0]);
	if (optind + 1 < argc)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "%s: unexpected argument '%s': see cxlmon %s --help", argv[0],
				 quoted(argv[optind + 1]).text, argv[0]);
	return 0;
}

int playback_parse(int argc, char **argv, bool formats, struct playback *out, struct error *err)
{
	static const struct option longs[] = {
		{"help", no_argument, NULL, 'h'},	  {"output", required_argument, NULL, 'o'},
		{"quiet", no_argument, NULL, 'q'},	  {"verbose", no_argument, NULL, 'v'},
		{"format", required_argument, NULL, 'f'}, {"csv", no_argument, NULL, 'c'},
		{"json", no_argument, NULL, 'j'},	  {0},
	};
	/* those of formats come last */
	static const struct option few[] = {
		{"help", no_argument, NULL, 'h'},
		{"output", required_argument, NULL, 'o'},
		{"quiet", no_argument, NULL, 'q'},
		{"verbose", no_argument, NULL, 'v'},
		{0},
	};
	int code, rc = 0;

	*out = (struct playback){.file = NULL};
	optind = 0; /* makes getopt forget an earlier command line */
	opterr = 0;
	while (!rc && (code = getopt_long(argc, argv, formats ? "hqvo:f:" : "hqvo:",
					  formats ? longs : few, NULL)) != -1) {
		if (code == 'h')
			out->help = true;
		else if (code == 'q' || code == 'v')
			set_messages(out, code == 'q');
		else if (code == 'o' && *optarg)
			out->output = optarg;
		else if (code == 'f')
			rc = choose_format(optarg, out, err);
		else if (code == 'c' || code == 'j')
			rc = choose_format(code == 'c' ? "csv" : "json", out, err);
		else
			rc = common_refuse_option(argv[0], argv[optind - 1], formats ? longs : few,
						  err);
	}
	return rc ? rc : parse_operands(argc, argv, out, err);
}

void playback_describe(const struct playback *playback, const struct recording_info *about)
{
	const struct log log = messages_log(playback->quiet, playback->verbose);

	log_write(&log, LEVEL_DETAIL, "%s: recorded by cxlmon %s on %s", playback->file,
		  about->program, about->processor);
}

int playback_open_output(const char *output, bool replaced, struct playback_output *out,
			 struct error *err)
{
	struct sudo_user caller;
	struct stat st;
	int rc = 0;

	*out = (struct playback_output){
		.name = "standard output",
		.out = stdout,
		.fd = STDOUT_FILENO,
		.replaced.directory = -1,
	};
	if (!output)
		return 0;
	rc = sudo_user_find(&caller, err);
	out->name = output;
	out->out = NULL;
	if (rc)
		return rc;
	out->fd = replaced ? output_open_replaced(output, &caller, &out->replaced, err)
			   : output_open(output, &caller, err);
	if (out->fd < 0 || out->replaced.directory >= 0)
		return out->fd < 0 ? out->fd : 0;
	if (fstat(out->fd, &st) || !S_ISREG(st.st_mode) || !ftruncate(out->fd, 0))
		out->out = fdopen(out->fd, "w");
	if (out->out)
		return 0;
	rc = error_set(err, EXIT_FAILED, -errno, "%s: cannot be written: %s", output,
		       strerror(errno));
	close(out->fd);
	return rc;
}

int playback_close_output(struct playback_output *out, struct error *err)
{
	int code = 0;

	if (out->replaced.directory >= 0)
		close(out->replaced.directory);
	if (!out->out)
		return 0;
	if (fflush(out->out) || ferror(out->out))
		code = errno ? errno : EIO;
	if (out->out != stdout && fclose(out->out) && !code)
		code = errno;
	out->out = NULL;
	return code ? error_set(err, EXIT_FAILED, -code, "%s: cannot be written: %s", out->name,
				strerror(code))
		    : 0;
}
