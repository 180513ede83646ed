/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "cli/playback.h"
#include "cli/replayed.h"
#include "probe/hot/hot_block.h"
#include "record/recording_own.h"
#include "uncore/models/models.h"

const struct hot_format *replay_format_of_hot(const struct recording_file *file,
					      const struct format *format)
{
	return recorded_option(&file->recording.info, RECORDED_BY) ? hot_format_of(format) : NULL;
}

static int check_hot(const struct options *options, const struct recording_file *file,
		     struct error *err)
{
	const char *surplus = options->session.interval_ns	   ? "INTERVAL"
			      : options->summary == SUMMARY_ALWAYS ? "--summary"
			      : options->scope_chosen		   ? "--per"
			      : options->session.view.groups	   ? "-m"
								   : NULL;

	if (!surplus ||
	    !replay_format_of_hot(file, options->format ? options->format : &format_table))
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "%s: recorded by cxlmon hot, whose rows are shown unchanged: expected no "
			 "%s",
			 file->name, surplus);
}

/* Adds user-defined metrics, for the processor of the recording. */
static int add_metrics(const struct options *options, struct recording *recording,
		       struct event_catalogue *catalogue, struct custom_metrics *metrics,
		       struct error *err)
{
	const struct session_options *o = &options->session;
	const struct custom_context context = {catalogue};
	const struct model *model = model_by_name(recording->table.model);
	int rc = 0;

	if (!o->metrics.count && !o->metric_files.count)
		return 0;
	if (!model)
		return error_set(err, ERROR_USAGE, -ENODATA,
				 "metrics cannot be computed: cxlmon knows no events of %s",
				 recording->info.processor);
	catalogue_init(catalogue, model);
	for (size_t i = 0; !rc && i < o->metric_files.count; i++)
		rc = custom_metrics_load(metrics, &context, o->metric_files.at[i], err);
	for (size_t i = 0; !rc && i < o->metrics.count; i++)
		rc = custom_metrics_add(metrics, &context, o->metrics.at[i], err);
	return rc ? rc : recording_own_add(recording, metrics, err);
}

int replay_open(const struct options *options, const char *name, struct replayed *out,
		struct error *err)
{
	const struct aggregate_choice choice = {.finest = options->session.view.finest,
						.groups = options->session.view.groups};

	*out = (struct replayed){.catalogue = {.model = NULL}};
	int rc = playback_open(options, name, &out->file, err);
	if (!rc)
		rc = check_hot(options, &out->file, err);
	if (!rc)
		rc = add_metrics(options, &out->file.recording, &out->catalogue, &out->metrics,
				 err);
	if (!rc)
		rc = replay_init(&out->replay, &out->file, &choice, options->session.interval_ns,
				 err);
	return rc;
}

void replay_close(struct replayed *replayed)
{
	replay_free(&replayed->replay);
	recording_file_close(&replayed->file);
	custom_metrics_free(&replayed->metrics);
	catalogue_free(&replayed->catalogue);
}
