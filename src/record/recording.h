/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Encodes and decodes recordings. A recording has the rows of a table for each sample, and all that
 * is needed to show them again on another machine. Callers read and write the files.
 * docs/dev/recording.md describes the format.
 */
#ifndef CXLMON_RECORDING_H
#define CXLMON_RECORDING_H

#include "base/error.h"
#include "counts/sample.h"
#include "platform/memory.h"
#include "record/block_kind.h"
#include "table/table.h"

#define RECORDING_VERSION 2
#define RECORDING_OPTIONS 24 /* most options in a recording */

struct recording_option {
	const char *name, *value;
};

/* Information about the run. A decoded recording owns its strings; otherwise they are not owned. */
struct recording_info {
	const char *program;   /* version of cxlmon: "0.1.0" */
	const char *processor; /* "Sapphire Rapids" */
	uint64_t interval_ns;
	uint64_t started_ns;				    /* since 1970, UTC */
	struct recording_option options[RECORDING_OPTIONS]; /* as on the command line */
	size_t option_count;
	/* devices and memory, as the kernel reports them; owned like the strings */
	struct cxl_device *devices;
	size_t device_count;
	struct memory_layout memory;
};

/* Adds an option; strings are not copied. Does nothing if value is NULL or .options is full. */
void recording_add_option(struct recording_info *info, const char *name, const char *value);

/* Returns the value of an option (the last, if repeated); NULL: it was not given. */
const char *recorded_option(const struct recording_info *info, const char *name);

/*
 * Writes the processor's name as users see it: "Sapphire Rapids" or, if the run had option "sim",
 * "simulated Sapphire Rapids". Returns text.
 */
#define RECORDED_PROCESSOR_SIZE 128
const char *recorded_processor(const struct recording_info *info,
			       char text[RECORDED_PROCESSOR_SIZE]);

struct attached_block {
	const struct block_kind *kind;
	const void *content; /* passed to kind->encode() */
};

/*
 * Appends the magic number, the header and the machine's memory to out. Each recording_put function
 * sets out->failed if memory is short.
 */
void recording_put_header(struct bytes *out, const struct recording_info *info,
			  const struct table *table);
/*
 * Appends a sample: the table's rows and marks, sample->doubtful_since_ns if it is not 0, and the
 * attached block; attached NULL: none.
 */
void recording_put_sample(struct bytes *out, const struct table *table, const struct sample *sample,
			  const struct attached_block *attached);
/* Appends a block that belongs to the next sample, before recording_put_sample(). */
void recording_put_block(struct bytes *out, const struct block_kind *kind, const void *content);
/* Appends the end block, with the number of samples in the recording. */
void recording_put_end(struct bytes *out, uint64_t samples);

/* Returns 0, or -E2BIG if the table is too large for a recording. */
int recording_check_size(const struct table *table);

enum recording_item {
	RECORDING_NOTHING, /* more data is needed */
	RECORDING_HEADER,  /* always first */
	RECORDING_SAMPLE,
	RECORDING_OTHER, /* a block that belongs to the header or the next sample, or is unknown */
	RECORDING_END,	 /* always last */
};

/*
 * A recording that is being decoded. Initially {0} except for .kinds. The caller frees it with
 * recording_free(); its strings and pointers are valid until then.
 */
struct recording {
	struct recording_info info; /* set by the header */
	struct table table;	    /* has the values and marks of the latest sample */
	struct sample sample;	    /* latest sample, without counts */
	uint64_t samples;	    /* samples decoded so far */
	/* first row of .table whose values are computed; set after the header was decoded */
	size_t first_row;
	/* values have only their .inputs, of which the caller makes sums; set like .first_row */
	bool only_inputs;
	/* optional kinds to decode; NULL ends them. Not owned. NULL: none */
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
 * Decodes the block at the beginning of data. Sets *found to its meaning, and *used to its size in
 * bytes. If data ends within the block, *found is RECORDING_NOTHING, *used is 0, and 0 is returned.
 * After an error *recording can only be freed:
 *
 * - -EBADMSG: the data is damaged, is not a recording, or follows the end block
 * - -ENOTSUP: the format has another version
 * - -ENOMEM
 */
int recording_decode(struct recording *recording, const void *data, size_t size, size_t *used,
		     enum recording_item *found, struct error *err);
/* Frees all that was decoded, and sets *recording to {0}, including .kinds. */
void recording_free(struct recording *recording);

/*
 * Returns the content of the latest sample's block of this kind; NULL: the sample has none. It is
 * valid until the next recording_decode(), which may decode a block of the next sample.
 */
const void *recording_block(const struct recording *recording, const struct block_kind *kind);
/*
 * Returns the content of the latest block of this kind, which may belong to an earlier sample;
 * NULL: there was none. It is valid until recording_free(), and the caller may change it.
 */
void *recording_content(const struct recording *recording, const struct block_kind *kind);

#endif
