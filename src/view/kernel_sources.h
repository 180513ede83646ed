/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel says of NUMA nodes and CXL devices: cells of metrics that have a kernel_stat; and
 * what caches count by resctrl. They are text files, and so read where rows are made, not where
 * registers are sampled. A rate is divided by the time between the two readings that it is the
 * difference of.
 *
 * A reading is of the newest sample that was taken. Where the output has waited, rows of older ones
 * are late: nothing is read for them, and their cells are empty. The first row that is not has all
 * that was counted since the reading before, and rates over that time.
 */
#ifndef CXLMON_KERNEL_SOURCES_H
#define CXLMON_KERNEL_SOURCES_H

#include "counts/sample.h"
#include "platform/cxl.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "platform/mbm.h"
#include "platform/pci.h"
#include "platform/platform.h"
#include "table/mark.h"
#include "uncore/rdt/region_counters.h"
#include "view/group_sources.h"

struct inputs;
struct metric;
struct program;

/* Shows an input as it is. */
extern const struct program kernel_program;
/* Of what the kernel counts, of a level that it says, and of what caches count by resctrl. */
extern const struct formula kernel_rate, kernel_level, mbm_rate;

/* Sets the input of a formula of that program. */
void kernel_input(struct inputs *out, const struct formula *formula, double number, double seconds);

/*
 * Reads of CXL memory as AMD's L3 caches count them, by resctrl (platform/mbm.h): those that the
 * cores of a socket make, whose memory it ever is. They fill the column of a metric that no unit
 * counts.
 */

#define MBM_METRIC "cxl_mem_read_MBps"
#define MBM_SOURCE "bmec"

struct mbm_sources {
	struct platform *platform; /* not owned; NULL: none are open */
	const struct mbm *mbm;	   /* the platform's */
	enum mbm_event event;
	bool set;     /* the event is to be set, by the session: nothing is counted before */
	bool stale;   /* what is counted was changed by another program, or groups were */
	int *sockets; /* by cache; -1: not known */
	double *before, *now;	    /* bytes, of the latest two readings; NAN: not known */
	uint64_t before_ns, now_ns; /* when they were read; 0: not yet */
	uint64_t due_ns;	    /* wall-clock time of the next reading */
	bool fresh;		    /* they were read for this sample */
};

/* As mbm_ops.open, and mbm_choose(). Also with an error, free it. */
int mbm_sources_open(struct mbm_sources *m, struct platform *p, const struct topology *topology,
		     struct error *err);
void mbm_sources_free(struct mbm_sources *m);

/* Counting begins here: the first call must be made before rights are dropped. */
void mbm_sources_begin(struct mbm_sources *m);

/*
 * For a sample of that wall-clock time, so long after the one before (NAN: not known). They are
 * read each 10 ms at most; else rates are unknown.
 */
void mbm_sources_read(struct mbm_sources *m, uint64_t wall_ns, double sample_s);

/*
 * What a cell is of: of a socket; -1: of the sockets of a number list, or of all. False: it is not
 * known, and *out stays as it is.
 */
bool mbm_sources_inputs(const struct mbm_sources *m, int socket, const char *sockets,
			struct inputs *out);

/* The two latest readings of the same: a rate is of their difference. */
struct kernel_reading {
	bool fresh;			 /* it was read for this sample */
	bool known;			 /* the latest reading has succeeded */
	bool has_before;		 /* so has one until then: */
	struct kernel_stats before, now; /* the latest such, and this one */
};

/* What the kernel, or a device through it, says of a node, a device, or the whole machine. */
struct kernel_source {
	int node;		   /* NODE_MACHINE: the whole machine; of a device, -1 */
	struct cxl_device *device; /* NULL: none. Not owned */
	char pci[PCI_TEXT_SIZE];   /* of the device whose memory it is; "": none, or several */
	bool shown;		   /* it has a row, and is part of the system's */
	struct kernel_reading files;
	/* of a device: */
	struct kernel_reading health; /* its own answers */
	int health_code;	      /* why the latest of these is missing; 0: it is not */
	/* the latest that was known, which a change is said of */
	struct pci_link links[CXL_HOPS_MOST];
	bool gone;
	struct aer_kinds aer;
};

/* Takes the next answer of a device. False: there is none yet. */
typedef bool health_reader(void *context, struct health_answer *out);

struct kernel_sources {
	struct platform *platform; /* not owned */
	struct kernel_source *nodes;
	size_t node_count;
	struct kernel_source *devices;
	size_t device_count;
	uint64_t devices_due_ns; /* wall-clock time when they are read next */
	uint64_t sample_ns;	 /* that of the latest sample, */
	double sample_s;	 /* and its distance from the one before; NAN: not known */
	bool late;		 /* nothing was read for it */
	struct kernel_source machine;
	struct mbm_sources mbm;		/* where they are asked for */
	struct region_counters regions; /* likewise */
	struct group_sources groups;	/* likewise */
	/*
	 * Devices are asked for their health each 30 s, by cxl_ops.health; or, as that
	 * may take long, by somebody else whose answers are read.
	 */
	bool has_health;
	health_reader *next_health; /* NULL: they are asked here */
	void *health_context;
	uint64_t health_due_ns; /* wall-clock time when they are asked here next; 0: not yet */
};

/* Opens and reads all nodes with memory; none is shown yet. Also with an error, free it. */
int kernel_sources_open_nodes(struct kernel_sources *k, struct error *err);
/* Reads the devices, whose hops are kept up to date from now on. They must outlive it. */
int kernel_sources_open_devices(struct kernel_sources *k, struct cxl_device *devices, size_t count,
				struct error *err);
/* Lets devices be asked for their health from now on. */
void kernel_sources_open_health(struct kernel_sources *k);
void kernel_sources_free(struct kernel_sources *k);

/*
 * Reads all that is shown, for a sample; nothing for one that is late, unless the clock is virtual:
 * see memory_ops.stats.
 * Devices are read once a second at most, at the first sample of each second since they were
 * opened: else their links are as they were, and rates unknown.
 * Adds a mark for each change of a link or of a device's health, and each device that has gone or
 * returned.
 */
void kernel_sources_read(struct kernel_sources *k, const struct sample *sample,
			 struct marks *marks);

/* Finds the source of a device. NULL: there is none. */
const struct kernel_source *kernel_source_of(const struct kernel_sources *k,
					     const struct cxl_device *device);

/*
 * What a cell is of, in a source's row (NULL: there is none), or the system's (the machine): the
 * sum over the nodes shown. What the kernel counts of the whole machine alone is known in the
 * system's row; but not a sum, where some nodes are not shown. Unknown where a counter has gone
 * backwards, and in a late row.
 */
void kernel_sources_inputs(const struct kernel_sources *k, const struct kernel_source *source,
			   const struct metric *metric, struct inputs *out);

/* Seconds between the two latest readings; NAN: not known. */
double kernel_sources_interval_s(const struct kernel_sources *k,
				 const struct kernel_source *source);

/* Whether some row can have it, as far as the latest reading says. */
bool kernel_sources_can_know(const struct kernel_sources *k, enum kernel_stat stat);

#endif
