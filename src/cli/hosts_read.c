/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/hosts_read.h"

#include <errno.h>

#include "cli/playback.h"

static int read_samples(struct recording_file *file, const struct hosts_visitor *visitor,
			struct hosts *hosts, struct error *flaw)
{
	int found, rc = hosts_begin(hosts, file);

	if (!rc && visitor)
		rc = visitor->begin(visitor->context, file);
	else
		hosts_compute_less(hosts, file);
	while (!rc && (found = recording_file_next(file, flaw)) > 0) {
		rc = hosts_add(hosts, file);
		if (!rc && visitor)
			rc = visitor->sample(visitor->context, file);
	}
	if (!rc && visitor)
		rc = visitor->end(visitor->context);
	return rc;
}

/* Reads an opened recording. */
static int read_host(const struct options *options, struct recording_file *file,
		     const struct hosts_visitor *visitor, struct hosts *hosts,
		     struct error *failure, struct error *err)
{
	struct playback_progress progress;
	struct error flaw = {.code = 0}, why;

	playback_describe(options, file);
	playback_progress_begin(&progress, options, file);
	const int rc = read_samples(file, visitor, hosts, &flaw);
	playback_progress_end(&progress);
	if (rc)
		return error_no_memory(err);
	if (playback_check(options, file, &why) && !flaw.code)
		flaw = why;
	hosts_end(hosts, &flaw);
	if (flaw.code)
		messages_keep_last(failure, &flaw);
	return 0;
}

/* Opens and reads a recording. One that cannot be opened is noted. */
static int add_recording(const struct options *options, const char *name,
			 const struct hosts_visitor *visitor, struct hosts *hosts,
			 struct error *failure, struct error *err)
{
	struct recording_file file;
	struct error why = {.code = 0};
	int rc = playback_open(options, name, &file, &why);

	if (!rc) {
		rc = read_host(options, &file, visitor, hosts, failure, err);
	} else if (rc == -ENOMEM || why.kind == ERROR_USAGE) {
		*err = why;
	} else {
		messages_keep_last(failure, &why);
		rc = hosts_refuse(hosts, &why) ? error_no_memory(err) : 0;
	}
	recording_file_close(&file);
	return rc;
}

int hosts_read(const struct options *options, const struct hosts_visitor *visitor,
	       struct hosts *hosts, struct error *failure, struct error *err)
{
	int rc = 0;

	*failure = (struct error){.code = 0};
	for (size_t i = 0; !rc && i < options->operand_count; i++)
		rc = add_recording(options, options->operands[i], visitor, hosts, failure, err);
	if (rc)
		return rc;
	if (!hosts->count)
		return messages_pass_on(failure, err);
	return hosts_conclude(hosts) ? error_no_memory(err) : 0;
}

static void warn_of(void *context, const char *text)
{
	log_write(context, LEVEL_WARNING, "%s", text);
}

void hosts_warn(struct host *const *hosts, size_t count, const struct log *log)
{
	struct log copy = *log;

	hosts_differences(hosts, count, warn_of, &copy);
}
