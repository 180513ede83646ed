/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/hot/left_out.h"

#include <inttypes.h>

#include "base/text.h"
#include "platform/load_sample.h"

static void say_left_out(const struct log *log, uint64_t count, const char *what)
{
	if (count)
		log_write(log, LEVEL_NOTE, "%s: %" PRIu64, what, count);
}

static void say_skipped(const struct hot_intake *intake, const struct log *log)
{
	const struct hot_functions *functions = &intake->functions;
	char files[512] = "";

	for (size_t i = 0; i < functions->skipped_count; i++)
		text_list(files, sizeof(files), "%s",
			  quoted(hot_name(&intake->names, functions->skipped[i])).text);
	if (*files)
		log_write(log, LEVEL_NOTE,
			  "files without names of functions, as their symbols took too long to "
			  "read, or too much memory: %s%s",
			  files, functions->skipped_count == HOT_SKIPPED_MOST ? ", ..." : "");
}

void hot_intake_say_left_out(const struct hot_intake *intake, const struct log *log)
{
	say_left_out(
		log, intake->processes.refused,
		"processes that ran already, and whose mappings have no names, as the kernel refuses "
		"access to their memory maps (run it as root, outside of a container)");
	say_left_out(log, intake->processes.left_out,
		     "processes and mappings that are unknown, as there was no room for more of "
		     "their user");
	say_left_out(log, intake->sampler ? intake->sampler->records_lost : 0,
		     "records of processes that were lost, as there were too many: names of "
		     "processes and mappings may be missing");
	say_left_out(log, intake->pages.left_out,
		     "samples of further pages of --range, as there was no room for more");
	say_left_out(
		log, intake->functions.left_out + intake->not_held,
		"samples without the name of their function, as there was no room, or other files "
		"of that user took too long");
	say_skipped(intake, log);
	say_left_out(log, intake->functions.ended,
		     "the process that finds names of functions ended early, or was too slow");
	say_left_out(log, intake->names.left_out,
		     "names that are unknown, as there was no room for more of their user");
	say_left_out(
		log, intake->unmapped,
		"samples of memory that is in no node, or came online after the start, and so of "
		"unknown memory");
	say_left_out(log, intake->sampler ? intake->sampler->malformed : 0,
		     "malformed records of the kernel, which were left out");
}
