/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Private header of src/show/explain. A rule looks for one cause, at each of its subjects (such as
 * sockets). Its inputs are figures: metrics, or numbers derived from metrics. As an example, the
 * rule latency_high judges socket 0:
 *
 * 1. For each sample, explain_add() finds the figures cxl_read_latency_ns, from the socket's row,
 *    and links_share_pct, from the rows of the socket's ports. If one of the two is unknown, the
 *    rule ignores the sample.
 * 2. .takes chooses the samples in which the links were nearly idle: perhaps 95 of 100.
 * 3. Both figures are averaged over these 95 samples.
 * 4. .holds compares the mean latency with the latency that firmware reports, and sets numbers for
 *    the sentence.
 */
#ifndef CXLMON_SHOW_EXPLAIN_EXPLAIN_PRIVATE_H
#define CXLMON_SHOW_EXPLAIN_EXPLAIN_PRIVATE_H

#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "show/explain/explain.h"

/* Most figures of a rule, by their use: see the members of struct rule. */
#define NEEDS_MOST   5
#define ANY_MOST     3
#define BESIDE_MOST  5
#define SHOWS_MOST   6
#define FIGURES_MOST (NEEDS_MOST + ANY_MOST + BESIDE_MOST + SHOWS_MOST)
_Static_assert(FIGURES_MOST >= REGION_MAX_WAYS, "one for each device of a region");

/* Sums of the figures of a rule, over samples. */
struct sums {
	uint64_t samples;
	struct value_sum *figures; /* one per figure, owned; NULL: no sample so far */
	size_t count;		   /* number of .figures */
};

/*
 * Number of bins for busy samples. Each bin is for traffic within 0.1 %, so the bins reach 10 %
 * down from the highest traffic. Samples with less traffic are dropped.
 */
#define BUSY_BINS 106

/* Values that a rule keeps about one subject. */
struct explained_subject {
	bool has_samples; /* it is a region, or a row that the rule is about */
	bool known;	  /* all figures that the rule needs were known in a sample */
	/* for a rule on busy samples: sums by traffic, a ring of BUSY_BINS; else NULL */
	struct sums *bins;
	struct sums sums;	    /* for other rules: sums over the samples that .takes chose */
	unsigned highest;	    /* number of the highest bin so far; its index: % BUSY_BINS */
	double least[FIGURES_MOST]; /* least values in such samples; NAN: never known */
	double last[FIGURES_MOST];  /* last known values in them; NAN: never known */
};

/* Values that are kept for one rule. */
struct explained_rule {
	const char *figures[FIGURES_MOST]; /* names of figures */
	/* columns of the table; SIZE_MAX: the figure is derived, or has no column */
	size_t columns[FIGURES_MOST];
	const struct derived *derived[FIGURES_MOST]; /* NULL: the figure is a metric */
	bool missing[FIGURES_MOST]; /* the table lacks the metric on which the figure depends */
	/* for figures of .needs and .any: the figure was known for some subject in some sample */
	bool seen[FIGURES_MOST];
	size_t count; /* number of figures; 0 for regions */
	/* numbers of figures from .needs, which come first, and from .any, which come next */
	size_t needed, any;
	struct explained_subject *subjects; /* by index: see explain_next_subject() */
	size_t subject_count;
};

/* Marks (logged events) of one kind: their number, and the text of the first. */
struct explained_mark {
	uint64_t count;
	char first[MARK_LINE_SIZE];
};

/* Rules. */

/* Answer of a rule for a subject. YES: the cause applies. NOT_KNOWN: an input is unknown. */
enum answer { NOT_KNOWN, NO, YES };

/* Kinds of subjects. SAMPLED_LOADS and SYSTEM are one subject each, MARKS one per kind of mark. */
enum subject { PORTS, SOCKETS, NODES, DEVICES, REGIONS, MARKS, SAMPLED_LOADS, SYSTEM };

#define NUMBERS_MOST 6
#define CAVEATS_MOST 2

/* A subject that a rule judges. */
struct situation {
	const struct explain *explain;
	const struct rule *rule;
	/* The subject: one of these five; the others are NULL. */
	const struct row *row;
	const struct cxl_device *device;
	const struct cxl_region *region;
	const struct explained_mark *mark;
	const struct explained_hot *hot;
	/* values kept for the rule; NULL: the subject is not a row or a region */
	const struct explained_rule *kept;
	/* figures of the rule; NAN: unknown. In .takes: of one sample; in .holds: means */
	double figures[FIGURES_MOST];

	/* Input of .holds. */
	uint64_t samples; /* number of averaged samples; without .kept: number of all samples */
	const struct explained_subject *subject; /* values kept for it; NULL if .kept is NULL */

	/* Results of .holds. */
	char text[MARK_LINE_SIZE + 48];	       /* text for {text} in the sentence */
	struct evidence numbers[NUMBERS_MOST]; /* numbers for the sentence: set_number() */
	size_t number_count;
	const char *caveats[CAVEATS_MOST]; /* sentences after the rule's: add_caveat() */
	const char *reason; /* for NOT_KNOWN: the reason; NULL: a figure is unknown */
};

/* A rule: a constant in explain_rules_*.c. */
struct rule {
	const char *name;
	const char *checks; /* name of the check in lists of checks; NULL: not listed */
	bool optional;	    /* without an answer, the check is not listed as unchecked */
	enum subject of;    /* kind of its subjects */
	bool busy;	    /* only busy samples are used: see explain.h */
	/*
	 * Names of figures, NULL after the last:
	 * .needs: a sample is used only if all of these are known.
	 * .any: if the rule has such figures, at least one of them must also be known.
	 * .beside: .holds uses these if they are known.
	 * .shows: these are printed with the sentence.
	 * A rule about regions has no names: its figures are the traffic of each device of the
	 * region, and all are needed.
	 */
	const char *needs[NEEDS_MOST], *any[ANY_MOST], *beside[BESIDE_MOST], *shows[SHOWS_MOST];
	/* returns true if a sample is used; NULL: all are */
	bool (*takes)(const struct situation *s);
	/* returns true if the rule cannot apply to the subject; NULL: it always can */
	bool (*moot)(const struct situation *s);
	/* judges the subject, with the means of its figures */
	enum answer (*holds)(struct situation *s);
	/* text with names in braces: .numbers of the situation, figures, {where} and {text} */
	const char *sentence;
	const char *advice; /* what to do; NULL: nothing */
};

/* Calls DO(NAME) for each rule rule_NAME, in the order of findings: the worst limit first. */
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

/* Rule for the sentence that is printed, with a list of checks, if no other rule has a finding. */
extern const struct rule explain_nothing;

/*
 * Returns true if the rule is not applied, because the samples are of cxlmon sweep: its load always
 * fills something.
 */
static inline bool explain_is_made(const struct explain *explain, const struct rule *rule)
{
	return rule->busy && explain->swept;
}

/* Returns the values kept for a rule of explain_rules, or for explain_nothing. */
const struct explained_rule *explain_rule(const struct explain *explain, const struct rule *rule);

/* explain_subject.c */

/*
 * Returns the number of candidates for subjects. If the rule is about rows, all rows of metrics are
 * candidates, and explain_is_subject() tells which of them are subjects.
 */
size_t explain_subject_count(const struct explain *explain, const struct rule *rule);
/* Returns true if a rule is about rows: ports, sockets, nodes or the system. */
bool explain_is_of_rows(const struct rule *rule);
/* Returns true if a row is a subject of this kind. */
bool explain_is_subject(const struct row *row, enum subject of);
/*
 * Sets *out to candidate i, from 0, without figures and results. Returns false if there is no
 * candidate i.
 */
bool explain_next_subject(const struct explain *explain, const struct rule *rule, size_t i,
			  struct situation *out);

/* Returns the row of a socket; the last row, the system's, if there is none; NULL: no rows. */
const struct row *explain_socket_row(const struct explain *explain, int socket);
/* Returns the device of a row, or of the row's port; NULL: unknown. */
const struct cxl_device *explain_device(const struct explain *explain, const struct row *row);

/*
 * Sets .kept, .figures and the input of .holds in *out, from the samples of a subject. subject: its
 * index in kept->subjects.
 */
void explain_means(const struct explained_rule *kept, size_t subject, struct situation *out);
/* Returns a figure of the situation by its name; NAN: unknown, or the rule has no such figure. */
double explain_figure(const struct situation *s, const char *name);
/*
 * Return the least and the last known value of a figure, as in struct explained_subject; NAN:
 * unknown. Only for .holds of rules about rows and regions.
 */
double explain_least(const struct situation *s, const char *name);
double explain_last(const struct situation *s, const char *name);

/* explain_figures.c */

/* A figure in the present sample. */
struct figure {
	double number;		  /* NAN: unknown */
	const struct value *cell; /* cell of the table; NULL: derived, or unknown */
	double ns;		  /* weight of a derived figure in means, as a duration in ns */
};

/* A kind of figure that is derived from several cells of the same sample. */
struct derived {
	const char *name; /* ends with its unit */
	const char *of;	  /* name of a metric without which the figure is always unknown */
	/* returns the figure of a row, or of one of its ports; NAN: unknown */
	double (*number)(const struct explain *explain, const struct row *row);
	bool of_fullest_port; /* the figure of a socket is the highest of its ports */
	/* a further reason why the figure may be unknown; NULL: none */
	const char *reason;
};

/* Returns the derived figure with this name; NULL: there is none. */
const struct derived *explain_find_derived(const char *figure);

/*
 * Returns a figure of a rule for a row. figure: its index in kept->figures. If only sockets have
 * the metric, returns the value of the row's socket. A latency that may be too high is unknown.
 */
struct figure explain_row_figure(const struct explain *explain, const struct explained_rule *kept,
				 size_t figure, const struct row *row);
/*
 * Sets out[i] to the traffic of device i of a region: reads, and writes if they are counted. If it
 * is counted by other events than the traffic of device 0, the figure is unknown.
 */
void explain_region_figures(const struct explain *explain, const struct cxl_region *region,
			    struct figure out[FIGURES_MOST]);

#define UNKNOWN_FLITS "the capacity of 256-byte flits is unknown"
/* Returns true if a port's device is known, and uses 68-byte flits. */
bool explain_has_68_byte_flits(const struct explain *explain, const struct row *port);

/* explain_findings.c */

#define SAME_RULES 3 /* most findings of one rule, so that others have room */

/* explain_reason.c */

/*
 * Sets *out to the reason why a rule has no answer for any subject. reason: the first one that
 * .holds has set; NULL: none. A group that was not measured takes precedence.
 */
void explain_reason(const struct explain *explain, const struct rule *rule, const char *reason,
		    struct not_checked *out);

#endif
