/* SPDX-License-Identifier: BSD-3-Clause */
/* The job of Slurm in which this process runs, as the environment describes it. */
#ifndef CXLMON_CLI_JOB_H
#define CXLMON_CLI_JOB_H

#include <stdbool.h>

#include "base/error.h"
#include "record/recording.h"

/* Returns true if this process runs in a job. */
bool job_is_slurm(void);

/*
 * Adds options to a recording: the node as "host", and the numbers "job", "step" and "rank". Keeps
 * options that the recording has already. Leaves out options whose variable is unset or invalid.
 */
void job_describe(struct recording_info *info);

/*
 * Sets *name to a file name, to be freed by the caller, in which parts of the pattern are replaced
 * as by Slurm. %N: node or, if Slurm names none, the host's name up to its first dot. %j, %s, %t:
 * numbers of job, step and task. %%: a percent sign. Other parts stay. Returns 0 or a negative
 * errno, after which *name is NULL. ERROR_USAGE: the value of a part is unknown.
 */
int job_file_name(const char *pattern, char **name, struct error *err);

#endif
