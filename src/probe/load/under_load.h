/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known traffic (struct load) on the nodes of a machine, while a session counts it. Functions that
 * return int return 0 or a negative errno.
 *
 *   nodes.c       nodes, their names, and CPUs for their traffic
 *   under_load.c  traffic on one node, and samples of the same time
 */
#ifndef CXLMON_PROBE_LOAD_UNDER_LOAD_H
#define CXLMON_PROBE_LOAD_UNDER_LOAD_H

#include <signal.h>

#include "probe/load/load.h"
#include "session/sampling.h"
#include "session/session.h"

#define LOAD_NODE_PORTS	 16 /* most ports of a node */
#define LOAD_NODE_CPUS	 16 /* most CPUs with traffic: more would only slow down the machine */
#define LOAD_MIN_STEP_NS UINT64_C(20000000) /* least time for one kind of traffic */

struct load_port {
	int socket, port;
};

/* A node with known traffic on its memory. */
struct load_node {
	int node;
	bool dram;	 /* a socket's DRAM, as a control; false: memory behind CXL ports */
	int socket;	 /* socket whose CPUs make the traffic */
	char memdev[16]; /* "mem0"; "": DRAM, or unknown */
	char device[10]; /* PCI vendor and device id, "1b00:c002"; "": unknown */
	struct load_port ports[LOAD_NODE_PORTS]; /* ports of the node's traffic */
	size_t port_count;
	bool port_unknown;     /* the traffic passes an unknown one of .ports */
	uint64_t memory_bytes; /* bytes for the traffic; 0: a simulated machine needs none */
	struct error skipped;  /* reason why it is not measured; .code 0: it is measured */
};

struct load_nodes {
	struct load_node *at;
	size_t count;
};

/* The choice of nodes, by number or by device; without either, all nodes. */
struct load_choice {
	int node;	    /* -1: any */
	const char *device; /* "mem0", which excludes DRAM; NULL: any */
};

/*
 * Lists the chosen nodes: first nodes with CXL memory, then the DRAM nodes of the sockets. A node
 * without enough free memory is listed, but .skipped. *out is initially {0}; the caller frees it by
 * load_nodes_free(), also after an error. ERROR_USAGE: there is no such node. ERROR_NO_UNIT: the
 * machine has no nodes. -ENOMEM.
 */
int load_nodes_find(struct load_nodes *out, const struct machine *machine, const struct view *view,
		    const struct load_choice *choice, struct error *err);
void load_nodes_free(struct load_nodes *nodes);

/* Writes a name such as "node 2 (mem0, socket 0 port 0)"; returns text. */
#define LOAD_NODE_NAME_SIZE 96
const char *load_node_name(const struct load_node *node, char text[LOAD_NODE_NAME_SIZE]);

/* Returns true if one of these CPUs is on cpu's core; false also if the core is unknown. */
bool load_has_core(const struct topology *topology, const unsigned *cpus, size_t count,
		   const struct cpu_location *cpu);

/*
 * Lists one CPU of each core of the socket, at most LOAD_NODE_CPUS, also CPUs on which this process
 * must not run. Returns their number.
 */
size_t load_node_cpus(const struct topology *topology, int socket, unsigned cpus[LOAD_NODE_CPUS]);

/* The traffic during a measurement. */
struct load_moved {
	double asked_MBps;	      /* requested rate; INFINITY: as much as possible */
	double read_MBps, write_MBps; /* rates reached; NAN: unknown */
	double chase_ns;	      /* latency of the pointer chase; NAN: none ran */
};

struct under_load {
	struct session *session; /* set by the caller; started; not owned */
	const sigset_t *wake;	 /* signals that end a wait; set by the caller */
	int signal_number;	 /* signal that came; 0: none */
	struct sampling sampling;
	struct load *load; /* load on one node; NULL: none */
	double asked_MBps; /* requested rate, as in struct load_moved */
};

/*
 * Begins to take samples, right after session_start(). All members but .session and .wake are 0
 * before. The caller calls under_load_end(), also after an error.
 */
int under_load_begin(struct under_load *u, struct error *err);
void under_load_end(struct under_load *u);

/*
 * Closes the previous load, and opens a load on the node. If the load cannot be opened, sets
 * node->skipped to the reason. If the node is .skipped, now or already before, returns 0, and .load
 * is NULL. Else the caller closes the load by under_load_close(). -EINTR: a signal came.
 */
int under_load_open(struct under_load *u, struct load_node *node, struct error *err);
void under_load_close(struct under_load *u);

/*
 * Starts traffic in place of the present one, and lets it settle for a fifth of ns. A load must be
 * open. *sample covers this time, and is valid until the next sample is taken. -EINTR: a signal
 * came.
 */
int under_load_start(struct under_load *u, const struct load_traffic *traffic, uint64_t ns,
		     struct sample *sample, struct error *err);
/*
 * Measures the traffic for the other four fifths of the same ns, and sets *moved. *sample covers
 * this time. The traffic goes on afterwards. -EINTR: a signal came.
 */
int under_load_measure(struct under_load *u, uint64_t ns, struct load_moved *moved,
		       struct sample *sample, struct error *err);

#endif
