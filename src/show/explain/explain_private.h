/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private header of src/show/explain. An example of the way from a sample to a finding, with the
 * rule latency_high and its subject, socket 0:
 *
 * 1. Figures. The rule needs links_share_pct and cxl_read_latency_ns of each sample; explain_add()
 *    takes the latter from the row of the socket, and the former is derived from the rows of its
 *    ports. The rule ignores a sample in which one of the two is unknown.
 * 2. Samples. .takes chooses those in which no link was in use. Of 100 samples there may be 95.
 * 3. Means of both, over these 95.
 * 4. .holds compares the mean latency with what is promised, and sets numbers for the sentence.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_PRIVATE_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_PRIVATE_H

#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "show/explain/explain.h"

/* Most figures of a rule, by use: see struct rule. */
#define NEEDS_MOST   5
#define ANY_MOST     3
#define BESIDE_MOST  5
#define SHOWS_MOST   6
#define FIGURES_MOST (NEEDS_MOST + ANY_MOST + BESIDE_MOST + SHOWS_MOST)
_Static_assert(FIGURES_MOST >= REGION_MAX_WAYS, "one for each device of a region");

/* Sums of the figures of a rule, over samples. */
struct sums {
	uint64_t samples;
	struct value_sum *figures; /* one per figure; NULL: no sample so far */
	size_t count;
};

/*
 * Number of bins for busy samples, by traffic. A bin is a thousandth of its traffic wide, so that
 * the bins reach a tenth down from the highest. Samples below them are dropped.
 */
#define BUSY_BINS 106

/* Values that a rule keeps about one subject. */
struct explained_subject {
	uint64_t known; /* number of samples in which all figures that the rule needs were known */
	/*
	 * sums of the samples that the rule takes, by traffic: a ring of BUSY_BINS; NULL: all are
	 * in .sums
	 */
	struct sums *bins;
	struct sums sums;
	unsigned highest;	    /* index of the highest bin so far */
	double least[FIGURES_MOST]; /* least values in the known samples; NAN: never known */
	double last[FIGURES_MOST];  /* last values in the known samples; NAN: never known */
};

/* Values that are kept for one rule. */
struct explained_rule {
	const char *figures[FIGURES_MOST]; /* names of figures */
	/* columns of the table; SIZE_MAX: the figure is derived, or has no column */
	size_t columns[FIGURES_MOST];
	/* how it is derived; NULL: it is a column, or unknown */
	const struct derived *derived[FIGURES_MOST];
	/* the table lacks the metric that the figure is, or is derived from */
	bool missing[FIGURES_MOST];
	bool seen[FIGURES_MOST]; /* the figure was known for some subject in some sample */
	size_t count;
	/* the first .needed figures must all be known, and at least one of the next .any */
	size_t needed, any;
	struct explained_subject *subjects;
	size_t subject_count;
};

/* The marks of one kind: their number, and the text of the first. */
struct explained_mark {
	uint64_t count;
	char first[MARK_LINE_SIZE];
};

/* Rules. */

enum answer { NOT_KNOWN, NO, YES };

/* Kinds of subjects that a rule can be about. */
enum subject { PORTS, SOCKETS, NODES, DEVICES, REGIONS, MARKS, SAMPLED_LOADS, SYSTEM };

#define NUMBERS_MOST 6
#define CAVEATS_MOST 2

/* A subject while a rule judges it. */
struct situation {
	const struct explain *explain;
	const struct rule *rule;
	/* The subject: one of the next five; the others are NULL. */
	const struct row *row;
	const struct cxl_device *device;
	const struct cxl_region *region;
	const struct explained_mark *mark;
	const struct explained_hot *hot;
	/* values kept for the rule; NULL: none are kept for this kind of subject */
	const struct explained_rule *kept;
	/*
	 * figures of the rule; NAN: unknown. In .takes: those of one sample; in .holds: means over
	 * the samples
	 */
	double figures[FIGURES_MOST];
	uint64_t samples; /* for .holds: number of samples that the means are over */
	const struct explained_subject *subject; /* for .holds: values kept for the subject */
	char text[MARK_LINE_SIZE + 48]; /* text that .holds makes for {text} in the sentence */
	struct evidence numbers[NUMBERS_MOST]; /* numbers that .holds adds: set_number() */
	size_t number_count;
	/* sentences that .holds adds after the rule's: add_caveat(); NULL: no more */
	const char *caveats[CAVEATS_MOST];
	/* reason that .holds sets if it has no answer; NULL: a figure is unknown */
	const char *reason;
};

/* A rule: a constant in explain_rules_*.c. */
struct rule {
	const char *name;
	const char *checks; /* name of the check in lists of checks; NULL: not listed */
	bool optional;	    /* not listed as unchecked if it has no answer */
	enum subject of;    /* kind of its subjects */
	bool busy;	    /* only busy samples are taken: see explain.h */
	/*
	 * Names of its figures: metrics, or derived figures. A sample must have all of .needs, and
	 * one of .any. .holds also uses .beside, if known. .shows are only printed with the
	 * sentence. A rule about regions has none of these: its figures are the traffic of each
	 * device of the region, in their order, and all are needed.
	 */
	const char *needs[NEEDS_MOST], *any[ANY_MOST], *beside[BESIDE_MOST], *shows[SHOWS_MOST];
	/* returns true if a sample is taken; NULL: all are */
	bool (*takes)(const struct situation *s);
	/* returns true if the rule cannot apply to the subject; NULL: it always can */
	bool (*moot)(const struct situation *s);
	/* returns YES if there is a finding, NOT_KNOWN if that cannot be told */
	enum answer (*holds)(struct situation *s);
	/*
	 * text with names in braces: numbers that .holds has set, figures, {where} (the subject)
	 * and {text}
	 */
	const char *sentence;
	const char *advice; /* what to do; NULL: nothing */
};

/* Names of rules, the worst limit first: DO(NAME) for each rule_NAME. */
#define FOR_EACH_RULE(DO)                                                                          \
	DO(link_degraded)                                                                          \
	DO(happened)                                                                               \
	DO(throttled)                                                                              \
	DO(device_unwell)                                                                          \
	DO(uncorrectable_errors)                                                                   \
	DO(link_errors)                                                                            \
	DO(io_errors)                                                                              \
	DO(media_errors)                                                                           \
	DO(other_errors)                                                                           \
	DO(link_saturated)                                                                         \
	DO(buffer_full)                                                                            \
	DO(upi_nearly_full)                                                                        \
	DO(link_nearly_full)                                                                       \
	DO(below_promise)                                                                          \
	DO(reads_slow)                                                                             \
	DO(latency_high)                                                                           \
	DO(latency_unexplained)                                                                    \
	DO(prefetched)                                                                             \
	DO(uneven)                                                                                 \
	DO(remote_reads)                                                                           \
	DO(thrashing)                                                                              \
	DO(same_tier)                                                                              \
	DO(misplaced)

#define DECLARE_RULE(name) extern const struct rule rule_##name;
FOR_EACH_RULE(DECLARE_RULE)
extern const struct rule *const explain_rules[]; /* the rules, ended by NULL */

/*
 * The rule whose sentence is used if no other rule holds. The list of checks follows the sentence.
 */
extern const struct rule explain_nothing;

/*
 * Returns true if the rule would judge the peak of a sweep, whose load cxlmon made to find that
 * peak.
 */
static inline bool explain_is_made(const struct explain *explain, const struct rule *rule)
{
	return rule->busy && explain->swept;
}

/* Returns the values kept for a rule of the table, or for explain_nothing. */
const struct explained_rule *explain_rule(const struct explain *explain, const struct rule *rule);

/* explain_subject.c */

/*
 * Returns the number of indices of subjects. If the subjects are rows, not each index is a subject.
 */
size_t explain_subject_count(const struct explain *explain, const struct rule *rule);
/* Returns true if a rule's subjects are rows: those for which explain_is_subject() is true. */
bool explain_is_of_rows(const struct rule *rule);
/* Returns true if a row is a subject of this kind. */
bool explain_is_subject(const struct row *row, enum subject of);
/* Sets *out to subject i, from 0, without figures. Returns false if there is none. */
bool explain_next_subject(const struct explain *explain, const struct rule *rule, size_t i,
			  struct situation *out);

/* Returns the row of a socket; the system's for -1, or if the socket has none; NULL: no rows. */
const struct row *explain_socket_row(const struct explain *explain, int socket);
/* Returns the device of a row; NULL: unknown. */
const struct cxl_device *explain_device(const struct explain *explain, const struct row *row);

/* Sets the members that .holds needs: means over the samples of a subject, by index. */
void explain_means(const struct explained_rule *kept, size_t subject, struct situation *out);
/* Returns a figure of the situation by its name; NAN: unknown, or the rule has no such figure. */
double explain_figure(const struct situation *s, const char *name);
/*
 * Return the least and the last value of a figure in the samples that have all figures that the
 * rule needs, whether it takes them or not; NAN: unknown. Only for .holds.
 */
double explain_least(const struct situation *s, const char *name);
double explain_last(const struct situation *s, const char *name);

/* explain_figures.c */

/* A figure in the present sample. */
struct figure {
	double number;		  /* NAN: unknown */
	const struct value *cell; /* cell of the table; NULL: derived, or unknown */
	double ns;		  /* ns for which a derived figure is valid */
};

/* A figure derived from several cells of the same sample. */
struct derived {
	const char *name; /* ends with its unit; shown with one decimal */
	const char *of;	  /* metric without which it is always unknown */
	/* returns the figure of a row; NAN: unknown */
	double (*number)(const struct explain *explain, const struct row *row);
	/* reason why it may be unknown although the metric is known; NULL: none */
	const char *reason;
};

/* Returns the derived figure with this name; NULL: there is none. */
const struct derived *explain_find_derived(const char *figure);

/*
 * Returns figure number figure, from 0, of a rule in a row. A row of a port has its socket's value
 * of a metric that only sockets have. A latency that may be too high is unknown.
 */
struct figure explain_row_figure(const struct explain *explain, const struct explained_rule *kept,
				 size_t figure, const struct row *row);
/*
 * Sets out[i] to the traffic of device i of a region; unknown if it is not counted as the first
 * device's.
 */
void explain_region_figures(const struct explain *explain, const struct cxl_region *region,
			    struct figure out[FIGURES_MOST]);

#define UNKNOWN_FLITS "the capacity of 256-byte flits is unknown"
/* Returns true if the device at a port is known to use 68-byte flits. */
bool explain_has_68_byte_flits(const struct explain *explain, const struct row *port);

/* explain_reason.c */

/*
 * Sets *out to the reason why a rule has no answer for any subject. reason: that of the first
 * subject, from .holds; NULL: none.
 */
void explain_reason(const struct explain *explain, const struct rule *rule, const char *reason,
		    struct not_checked *out);

#endif
