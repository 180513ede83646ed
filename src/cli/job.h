/* SPDX-License-Identifier: BSD-3-Clause */
/* The job of Slurm in which this process runs, as the environment describes it. */
#ifndef CXLMON_CLI_JOB_H
#define CXLMON_CLI_JOB_H

#include <stdbool.h>

#include "base/error.h"
#include "record/recording.h"

/* Returns whether this process runs in a job. */
bool job_is_slurm(void);

/*
 * Adds the node as option "host", unless the recording already has one, and the numbers "job",
 * "step" and "rank". Adds nothing for a variable that is unset, or is not a name or a number.
 */
void job_describe(struct recording_info *info);

/*
 * Replaces parts of a file's name as Slurm does in names of outputs: %N by the node (outside a job,
 * by the host's name up to its first dot), %j, %s and %t by the numbers of job, step and task, %%
 * by a percent sign. Other parts stay. The caller frees *name. ERROR_USAGE: a part is unknown here;
 * or -ENOMEM: then *name is NULL.
 */
int job_file_name(const char *pattern, char **name, struct error *err);

#endif
