/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private to src/show/explain. From a sample to a finding, by the rule latency_high and its
 * subject, socket 0:
 *
 * 1. Figures. The rule needs links_share_pct and cxl_read_latency_ns of each sample; explain_add()
 *    takes the latter from the row of the socket, and the former is derived from the rows of its
 *    ports. A sample in which one of the two is not known is none of the rule's.
 * 2. Samples. .takes chooses those in which no link was in use. Of 100 samples there may be 95.
 * 3. Means of both, over these 95.
 * 4. .holds compares the mean latency with what is promised, and sets numbers for the sentence.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_PRIVATE_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_PRIVATE_H

#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "show/explain/explain.h"

/* Figures of a rule, by how it needs them. */
#define NEEDS_MOST   5
#define ANY_MOST     3
#define BESIDE_MOST  5
#define SHOWS_MOST   6
#define FIGURES_MOST (NEEDS_MOST + ANY_MOST + BESIDE_MOST + SHOWS_MOST)
_Static_assert(FIGURES_MOST >= REGION_MAX_WAYS, "one for each device of a region");

struct sums {
	uint64_t samples;
	struct value_sum *figures; /* NULL: there was no sample so far */
	size_t count;
};

/*
 * Busy samples, by their traffic: a bin is a thousandth wide, so that the highest ones reach down
 * to a tenth less. What has fallen below is dropped, and nothing else.
 */
#define BUSY_BINS 106

/* What a rule keeps of a subject. */
struct explained_subject {
	uint64_t known; /* samples in which all that the rule needs was known */
	/* those that it takes: in bins by traffic, a ring of BUSY_BINS, or NULL, and all in sums */
	struct sums *bins;
	struct sums sums;
	unsigned highest;	    /* bin */
	double least[FIGURES_MOST]; /* of the samples known; NAN: never known */
	double last[FIGURES_MOST];  /* likewise */
};

struct explained_rule {
	const char *figures[FIGURES_MOST]; /* names */
	size_t columns[FIGURES_MOST];	   /* SIZE_MAX: derived, or there is no such column */
	bool missing[FIGURES_MOST];	   /* there is none, or none that it is derived from */
	bool seen[FIGURES_MOST];	   /* it was known of a subject, in some sample */
	size_t count;
	size_t needed, any; /* the first so many must be known, and one of the next */
	struct explained_subject *subjects;
	size_t subject_count;
};

/* What happened: the marks of one kind. */
struct explained_mark {
	uint64_t count;
	char first[MARK_LINE_SIZE];
};

/* Rules. */

enum answer { NOT_KNOWN, NO, YES };

/* What a rule is about. */
enum subject { PORTS, SOCKETS, NODES, DEVICES, REGIONS, MARKS, SAMPLED_LOADS, SYSTEM };

#define NUMBERS_MOST 6
#define CAVEATS_MOST 2

/* One subject while a rule judges it. */
struct situation {
	const struct explain *explain;
	const struct rule *rule;
	/* one of these; the others are NULL */
	const struct row *row;
	const struct cxl_device *device;
	const struct cxl_region *region;
	const struct explained_mark *mark;
	const struct explained_hot *hot;
	const struct explained_rule *kept; /* NULL: nothing is */
	/* of the rule: in .takes of one sample, in .holds means over its samples; NAN: not known */
	double figures[FIGURES_MOST];
	uint64_t samples;			 /* in .holds */
	const struct explained_subject *subject; /* likewise */
	/* what .holds has found out, for the sentence: {text}, and {unloaded_ns} */
	char text[MARK_LINE_SIZE + 48];
	struct evidence numbers[NUMBERS_MOST];
	size_t number_count;
	/* sentences that go behind that of the rule; NULL: no more */
	const char *caveats[CAVEATS_MOST];
	const char *reason; /* why .holds has no answer; NULL: a figure is not known */
};

struct rule {
	const char *name;
	const char *checks; /* name of its check, for lists; NULL: it is not listed */
	bool optional;	    /* it is only listed if it has an answer */
	enum subject of;
	bool busy; /* it takes busy samples alone */
	/*
	 * Metrics, or derived figures: those that a sample must have; of which it must
	 * have one; others that .holds looks at; and what is shown with the sentence. Of a region
	 * there are none but the traffic of its devices, in their order, which is needed of each.
	 */
	const char *needs[NEEDS_MOST], *any[ANY_MOST], *beside[BESIDE_MOST], *shows[SHOWS_MOST];
	bool (*takes)(const struct situation *s); /* whether it takes a sample; NULL: it does */
	bool (*moot)(const struct situation *s);  /* it can't be of this subject; NULL: it can */
	enum answer (*holds)(struct situation *s);
	/* Names in braces are numbers that .holds has set, figures, {where} and {text}. */
	const char *sentence;
	const char *advice;
};

/* A line each, the worst limit first: rule_NAME. */
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
	DO(uneven)                                                                                 \
	DO(remote_reads)                                                                           \
	DO(thrashing)                                                                              \
	DO(same_tier)                                                                              \
	DO(misplaced)

#define DECLARE_RULE(name) extern const struct rule rule_##name;
FOR_EACH_RULE(DECLARE_RULE)
extern const struct rule *const explain_rules[]; /* these, and a NULL behind them */

/* The sentence if no rule holds; the list of checks follows it. */
extern const struct rule explain_nothing;

/* Whether the rule is about the peak of a load that cxlmon made itself, to find that peak. */
static inline bool explain_is_made(const struct explain *explain, const struct rule *rule)
{
	return rule->busy && explain->swept;
}

/* What is kept of a rule of the table, or of explain_nothing. */
const struct explained_rule *explain_rule(const struct explain *explain, const struct rule *rule);

/* explain_subject.c */

size_t explain_subject_count(const struct explain *explain, const struct rule *rule);
/* Whether a rule's subjects are rows: of all rows, those that explain_is_subject() says. */
bool explain_is_of_rows(const struct rule *rule);
bool explain_is_subject(const struct row *row, enum subject of);
/* Sets the situation of a subject, without figures; false behind the last. */
bool explain_next_subject(const struct explain *explain, const struct rule *rule, size_t i,
			  struct situation *out);

/* The row of a socket; of none (-1), or where there is no such row, the system's. */
const struct row *explain_socket_row(const struct explain *explain, int socket);
/* The device behind a row; NULL: not known. */
const struct cxl_device *explain_device(const struct explain *explain, const struct row *row);
/* Whether a socket may have ports that have no row, as others were selected. */
bool explain_lacks_ports(const struct explain *explain);

/* Sets what .holds needs of the samples of a subject. */
void explain_means(const struct explained_rule *kept, size_t subject, struct situation *out);
/* A figure by its name; NAN: not known. */
double explain_figure(const struct situation *s, const char *name);
/* The least, and the last, of all samples that have what the rule needs. */
double explain_least(const struct situation *s, const char *name);
double explain_last(const struct situation *s, const char *name);

/* explain_figures.c */

/* A figure in the sample that the view shows. */
struct figure {
	double number;		  /* NAN: not known */
	const struct value *cell; /* NULL: it is derived, of that time, or not known */
	double ns;
};

/* What is derived from several cells of the same sample. */
struct derived {
	const char *name; /* ends with its unit, shown with a decimal */
	const char *of;	  /* a metric without which it is never known */
	double (*number)(const struct explain *explain, const struct row *row);
	const char *reason; /* why it is not known where the metric is; NULL: there is none */
};

/* NULL: it is none. */
const struct derived *explain_find_derived(const char *figure);

struct figure explain_row_figure(const struct explain *explain, const struct explained_rule *kept,
				 size_t figure, const struct row *row);
/* Of each device of a region. */
void explain_region_figures(const struct explain *explain, const struct cxl_region *region,
			    struct figure out[FIGURES_MOST]);

#define UNKNOWN_FLITS "what 256-byte flits can carry is not known"
bool explain_has_68_byte_flits(const struct explain *explain, const struct row *port);

/* explain_reason.c */

/* Says why a rule has no answer for any subject. reason: of the first; NULL: none was given. */
void explain_reason(const struct explain *explain, const struct rule *rule, const char *reason,
		    struct not_checked *out);

#endif
