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

/* Most figures of a rule, by how it needs them. */
#define NEEDS_MOST   5
#define ANY_MOST     3
#define BESIDE_MOST  5
#define SHOWS_MOST   6
#define FIGURES_MOST (NEEDS_MOST + ANY_MOST + BESIDE_MOST + SHOWS_MOST)
_Static_assert(FIGURES_MOST >= REGION_MAX_WAYS, "one for each device of a region");

struct sums {
	uint64_t samples;
	struct value_sum *figures; /* NULL: no sample so far */
	size_t count;
};

/*
 * Number of bins for busy samples, by their traffic. A bin is a thousandth wide, so that the bins
 * below the highest reach a tenth down. Only samples below them are dropped.
 */
#define BUSY_BINS 106

/* Sums and other values that a rule keeps of a subject. */
struct explained_subject {
	uint64_t known; /* samples in which all figures that the rule needs were known */
	/*
	 * sums of the samples that it takes: in bins by traffic, a ring of BUSY_BINS, or, if bins
	 * is NULL, all in sums
	 */
	struct sums *bins;
	struct sums sums;
	unsigned highest;	    /* highest bin so far */
	double least[FIGURES_MOST]; /* least values in these known samples; NAN: never known */
	double last[FIGURES_MOST];  /* last values in these samples; NAN: never known */
};

struct explained_rule {
	const char *figures[FIGURES_MOST]; /* names of figures */
	size_t columns[FIGURES_MOST];	   /* SIZE_MAX: derived, or no such column */
	/* neither the metric nor one that it is derived from exists */
	bool missing[FIGURES_MOST];
	bool seen[FIGURES_MOST]; /* the figure was known for a subject, in some sample */
	size_t count;
	/* number of first figures that must be known, and of the next ones, of which one must be */
	size_t needed, any;
	struct explained_subject *subjects;
	size_t subject_count;
};

/* Marks of one kind: their count and the first. */
struct explained_mark {
	uint64_t count;
	char first[MARK_LINE_SIZE];
};

/* Rules. */

enum answer { NOT_KNOWN, NO, YES };

/* Subjects that a rule can be about. */
enum subject { PORTS, SOCKETS, NODES, DEVICES, REGIONS, MARKS, SAMPLED_LOADS, SYSTEM };

#define NUMBERS_MOST 6
#define CAVEATS_MOST 2

/* One subject while a rule judges it. */
struct situation {
	const struct explain *explain;
	const struct rule *rule;
	/* subject; the other members are NULL */
	const struct row *row;
	const struct cxl_device *device;
	const struct cxl_region *region;
	const struct explained_mark *mark;
	const struct explained_hot *hot;
	const struct explained_rule *kept; /* NULL: nothing is kept */
	/*
	 * figures of the rule: of one sample in .takes, means over its samples in .holds; NAN:
	 * unknown
	 */
	double figures[FIGURES_MOST];
	uint64_t samples;			 /* number of samples, for .holds */
	const struct explained_subject *subject; /* for .holds */
	/* text that .holds has made for the sentence: {text}, and {unloaded_ns} */
	char text[MARK_LINE_SIZE + 48];
	struct evidence numbers[NUMBERS_MOST];
	size_t number_count;
	/* sentences that follow the rule's; NULL: no more */
	const char *caveats[CAVEATS_MOST];
	const char *reason; /* reason why .holds has no answer; NULL: a figure is unknown */
};

struct rule {
	const char *name;
	const char *checks; /* name of the check in lists; NULL: not listed */
	bool optional;	    /* listed only if it has an answer */
	enum subject of;
	bool busy; /* takes only busy samples */
	/*
	 * Names of metrics or derived figures. A sample must have all of needs, and one of any;
	 * .holds uses those of beside; those of shows are only printed with the sentence. A region
	 * has only the traffic of each of its devices, in their order, and needs all of it.
	 */
	const char *needs[NEEDS_MOST], *any[ANY_MOST], *beside[BESIDE_MOST], *shows[SHOWS_MOST];
	/* returns whether a sample is taken; NULL: all are */
	bool (*takes)(const struct situation *s);
	/* returns whether the rule cannot apply to the subject; NULL: it can */
	bool (*moot)(const struct situation *s);
	enum answer (*holds)(struct situation *s);
	/* Text with names in braces: numbers that .holds has set, figures, {where} and {text}. */
	const char *sentence;
	const char *advice;
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

/* Rule with the sentence if no other holds; the list of checks follows it. */
extern const struct rule explain_nothing;

/*
 * Returns whether the rule is about the peak of a load that cxlmon itself made, to find that peak.
 */
static inline bool explain_is_made(const struct explain *explain, const struct rule *rule)
{
	return rule->busy && explain->swept;
}

/* Returns the values kept for a rule of the table, or for explain_nothing. */
const struct explained_rule *explain_rule(const struct explain *explain, const struct rule *rule);

/* explain_subject.c */

size_t explain_subject_count(const struct explain *explain, const struct rule *rule);
/* Returns whether a rule's subjects are rows: the rows for which explain_is_subject() is true. */
bool explain_is_of_rows(const struct rule *rule);
bool explain_is_subject(const struct row *row, enum subject of);
/* Sets the situation of a subject, without figures. Returns false after the last. */
bool explain_next_subject(const struct explain *explain, const struct rule *rule, size_t i,
			  struct situation *out);

/* Returns the row of a socket; the system's for -1, or if there is no such row. */
const struct row *explain_socket_row(const struct explain *explain, int socket);
/* Returns the device behind a row; NULL: unknown. */
const struct cxl_device *explain_device(const struct explain *explain, const struct row *row);
/* Returns whether a socket may have ports without a row, because others were selected. */
bool explain_lacks_ports(const struct explain *explain);

/* Sets the parts of a situation that .holds needs: means over the samples of a subject. */
void explain_means(const struct explained_rule *kept, size_t subject, struct situation *out);
/* Returns a figure by its name; NAN: unknown. */
double explain_figure(const struct situation *s, const char *name);
/*
 * Returns the least value in the samples that have all figures that the rule needs; explain_last():
 * the last value.
 */
double explain_least(const struct situation *s, const char *name);
double explain_last(const struct situation *s, const char *name);

/* explain_figures.c */

/* A figure in the sample that the view shows. */
struct figure {
	double number;		  /* NAN: unknown */
	const struct value *cell; /* NULL: derived and valid for .ns, or unknown */
	double ns;
};

/* A figure derived from several cells of the same sample. */
struct derived {
	const char *name; /* ends with its unit; shown with one decimal */
	const char *of;	  /* metric without which the figure is always unknown */
	double (*number)(const struct explain *explain, const struct row *row);
	const char *reason; /* reason why it is unknown although the metric is known; NULL: none */
};

/* Finds a derived figure; NULL: no such figure. */
const struct derived *explain_find_derived(const char *figure);

struct figure explain_row_figure(const struct explain *explain, const struct explained_rule *kept,
				 size_t figure, const struct row *row);
/* Finds the figure of each device of a region. */
void explain_region_figures(const struct explain *explain, const struct cxl_region *region,
			    struct figure out[FIGURES_MOST]);

#define UNKNOWN_FLITS "the capacity of 256-byte flits is unknown"
bool explain_has_68_byte_flits(const struct explain *explain, const struct row *port);

/* explain_reason.c */

/*
 * Says why a rule has no answer for any subject. reason: the first subject's; NULL: none was given.
 */
void explain_reason(const struct explain *explain, const struct rule *rule, const char *reason,
		    struct not_checked *out);

#endif
