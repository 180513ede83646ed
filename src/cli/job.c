/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/job.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define MOST_DIGITS 10 /* digits of the largest number of 32 bits */

/* A part of a job's description: its letter in names of files, and its option in recordings. */
struct part {
	char letter;
	const char *option, *variable;
};

/* Source: srun(1) of Slurm 22.05, "FILENAME PATTERN" and "OUTPUT ENVIRONMENT VARIABLES". */
static const struct part parts[] = {
	{'N', "host", "SLURMD_NODENAME"},
	{'j', "job", "SLURM_JOB_ID"},
	{'s', "step", "SLURM_STEP_ID"},
	{'t', "rank", "SLURM_PROCID"},
};

#define NODE  (&parts[0])
#define JOB   (&parts[1])
#define PARTS (sizeof(parts) / sizeof(*parts))

/* Returns whether text is a host's name. It has no slash, and is neither "." nor "..". */
static bool is_host_name(const char *text)
{
	return text_is_name(text) && isalnum((unsigned char)*text) && strlen(text) <= HOST_NAME_MAX;
}

static bool is_digits(const char *text)
{
	const size_t length = strspn(text, "0123456789");

	return length && length <= MOST_DIGITS && !text[length];
}

/* Returns the value of a part; NULL: unknown. */
static const char *part_value(const struct part *part)
{
	const char *text = getenv(part->variable);

	return text && (part == NODE ? is_host_name(text) : is_digits(text)) ? text : NULL;
}

bool job_is_slurm(void)
{
	return part_value(JOB);
}

void job_describe(struct recording_info *info)
{
	for (size_t i = 0; i < PARTS; i++)
		if (!recorded_option(info, parts[i].option))
			recording_add_option(info, parts[i].option, part_value(&parts[i]));
}

/* Writes this host's name up to its first dot. Returns false if it cannot be a file's name. */
static bool put_host(FILE *out)
{
	char host[HOST_NAME_MAX + 1] = "";

	if (gethostname(host, sizeof(host) - 1))
		return false;
	host[strcspn(host, ".")] = '\0';
	if (!is_host_name(host))
		return false;
	fputs(host, out);
	return true;
}

static const struct part *find_part(char letter)
{
	for (size_t i = 0; i < PARTS; i++)
		if (parts[i].letter == letter)
			return &parts[i];
	return NULL;
}

static int put_part(const struct part *part, const char *pattern, FILE *out, struct error *err)
{
	const char *value = part_value(part);

	if (value)
		fputs(value, out);
	else if (part != NODE || getenv(part->variable) || !put_host(out))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "%s: no %s for %%%c: expected the environment variable %s, as "
				 "Slurm sets it",
				 quoted(pattern).text, part->option, part->letter, part->variable);
	return 0;
}

static int put_name(const char *pattern, FILE *out, struct error *err)
{
	int rc = 0;

	for (const char *at = pattern; !rc && *at; at++) {
		const struct part *part = *at == '%' ? find_part(at[1]) : NULL;

		if (part)
			rc = put_part(part, pattern, out, err);
		else
			fputc(*at, out);
		if (part || !strncmp(at, "%%", 2))
			at++;
	}
	return rc;
}

int job_file_name(const char *pattern, char **name, struct error *err)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int rc = out ? put_name(pattern, out, err) : error_no_memory(err);

	if (out && fclose(out) && !rc)
		rc = error_no_memory(err);
	if (rc) {
		free(text);
		text = NULL;
	}
	*name = text;
	return rc;
}
