/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Encoding and decoding of recordings: the rows of a table for each sample, and everything needed
 * to show them again without the machine. It works in memory; callers read and write files. The
 * format is in docs/dev/recording.md.
 */
#ifndef CXLMON_RECORDING_H
#define CXLMON_RECORDING_H

#include "base/error.h"
#include "counts/sample.h"
#include "platform/memory.h"
#include "record/block_kind.h"
#include "table/table.h"

#define RECORDING_VERSION 2
#define RECORDING_OPTIONS 24

struct recording_option {
	const char *name, *value;
};

/* Information about the run. */
struct recording_info {
	const char *program;   /* version of cxlmon: "0.1.0" */
	const char *processor; /* "Sapphire Rapids" */
	uint64_t interval_ns;
	uint64_t started_ns;				    /* since 1970, UTC */
	struct recording_option options[RECORDING_OPTIONS]; /* as on the command line */
	size_t option_count;
	/*
	 * Devices and memory of the machine, as the kernel reports them. Not owned, except those of
	 * a recording that is decoded.
	 */
	struct cxl_device *devices;
	size_t device_count;
	struct memory_layout memory;
};

/* Adds an option; value NULL: the option was not given. */
void recording_add_option(struct recording_info *info, const char *name, const char *value);

/* Returns the value of an option; NULL: it was not given. */
const char *recorded_option(const struct recording_info *info, const char *name);

/*
 * Writes the processor's name for people: "Sapphire Rapids", or "simulated Sapphire Rapids".
 * Returns text.
 */
#define RECORDED_PROCESSOR_SIZE 128
const char *recorded_processor(const struct recording_info *info,
			       char text[RECORDED_PROCESSOR_SIZE]);

/* A block with more about a sample. */
struct attached_block {
	const struct block_kind *kind;
	const void *content;
};

/* Appends the header to out. These functions set out->failed if out of memory. */
void recording_put_header(struct bytes *out, const struct recording_info *info,
			  const struct table *table);
/*
 * Appends a sample: the rows that the table shows, its marks, the time since which earlier samples
 * are doubtful, and the attached block (NULL: none).
 */
void recording_put_sample(struct bytes *out, const struct table *table, const struct sample *sample,
			  const struct attached_block *attached);
/* Appends a block that belongs to the next sample: call it before recording_put_sample(). */
void recording_put_block(struct bytes *out, const struct block_kind *kind, const void *content);
/* Appends the end block. */
void recording_put_end(struct bytes *out, uint64_t samples);

/* Checks the size of a table: -E2BIG if it is too large for a recording; else 0. */
int recording_check_size(const struct table *table);

enum recording_item {
	RECORDING_NOTHING, /* more data is needed */
	RECORDING_HEADER,  /* always first */
	RECORDING_SAMPLE,
	RECORDING_OTHER, /* a block that belongs to the header or the next sample, or is unknown */
	RECORDING_END,	 /* always last */
};

/* A recording while it is decoded. Initially {0} except for .kinds; freed by recording_free(). */
struct recording {
	struct recording_info info;
	struct table table;   /* with the values of the latest sample */
	struct sample sample; /* the latest, without counts */
	uint64_t samples;     /* number of samples so far */
	/* optional kinds to decode, ending with NULL; NULL: none */
	const struct block_kind *const *kinds;

	/* Private members. */
	enum recording_item last;
	struct recorded_block *blocks; /* latest blocks of .kinds */
	size_t block_count;
	struct recording_own *own; /* user-defined metrics that were added; NULL: none */
	struct bytes header, body; /* decompressed blocks; strings point into them */
	struct metric *metrics;
	struct recorded_formula **formulas;
	size_t formula_count;
	struct pmu_type *pmu_types;
	struct unit *units;
	struct event *events;
};

/*
 * Decodes the block at the beginning of data. *found is its meaning, *used its size in bytes; for a
 * part of a block, RECORDING_NOTHING and 0. -EBADMSG: damaged, or not a recording. -ENOTSUP:
 * another version. -ENOMEM. After an error *recording can only be freed.
 */
int recording_decode(struct recording *recording, const void *data, size_t size, size_t *used,
		     enum recording_item *found, struct error *err);
void recording_free(struct recording *recording);

/*
 * Returns the latest sample's block of this kind; NULL: it has none. Valid until the next sample.
 */
const void *recording_block(const struct recording *recording, const struct block_kind *kind);
/* Returns the content decoded from all blocks of this kind so far; NULL: there was none. */
void *recording_content(const struct recording *recording, const struct block_kind *kind);

#endif
