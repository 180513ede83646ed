/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to src/explain. */
#ifndef CXLMON_EXPLAIN_PRIVATE_H
#define CXLMON_EXPLAIN_PRIVATE_H

#include "platform/memory.h"
#include "show/explain/explain.h"

struct mean {
	double sum, weight;
};

struct explained_cell {
	struct mean whole, busy;
	double least; /* of any sample; NAN: never known */
	double last;  /* that was known; likewise */
};

struct explained_row {
	double most;  /* the highest traffic, MB/s */
	double least; /* the lowest of the busy samples */
};

/* What happened: the marks of one kind. */
struct explained_mark {
	uint64_t count;
	char first[MARK_LINE_SIZE];
};

/* The numbers of a cell. NAN: never known, or there is no such column. */
struct explained {
	double whole, busy; /* means */
	double least, last;
};

struct explained explain_cell(const struct explain *explain, const struct row *row,
			      const char *metric);

/* While a row is busy; of a port, what its socket has alone, too. NAN as above. */
double explain_busy(const struct explain *explain, const struct row *row, const char *metric);

/* The row of a socket; of none (-1), or where there is no such row, the system's. */
const struct row *explain_socket_row(const struct explain *explain, int socket);

/* Rules. */

enum answer { NOT_KNOWN, NO, YES };

/* What a rule is about. */
enum subject { PORTS, SOCKETS, NODES, DEVICES, REGIONS, MARKS, SAMPLED_LOADS };

#define NUMBERS_MOST 6

/* One subject while a rule judges it. */
struct situation {
	const struct explain *explain;
	/* one of these; the others are NULL */
	const struct row *row;
	const struct cxl_device *device;
	const struct cxl_region *region;
	const struct explained_mark *mark;
	const struct explained_hot *hot;
	/* what .holds has found out, for the sentence: {link}, and {promised_ns} */
	char text[MARK_LINE_SIZE + 48];
	struct evidence numbers[NUMBERS_MOST];
	size_t number_count;
};

struct rule {
	const char *name;
	struct not_checked checks; /* without inputs; .what NULL: that is not said */
	enum subject of;
	enum answer (*holds)(struct situation *s);
	/*
	 * Names in braces are numbers that .holds has set, metrics of the row or of its socket
	 * while busy, {where} and {text}.
	 */
	const char *sentence;
	const char *evidence; /* metrics, comma separated, besides the numbers set by .holds */
	const char *advice;
};

extern const struct rule explain_rules[]; /* ends with a row without a name */

#endif
