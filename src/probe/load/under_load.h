/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Known traffic on the nodes of a machine, while a session counts it.
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

#define LOAD_NODE_PORTS	 16 /* at most, for one node */
#define LOAD_NODE_CPUS	 16 /* more do not make a port faster, but the machine slower */
#define LOAD_MIN_STEP_NS UINT64_C(20000000)

struct load_port {
	int socket, port;
};

/* A node with known traffic on its memory. */
struct load_node {
	int node;
	bool dram; /* a socket's DRAM, as a control; else memory behind CXL ports */
	int socket;
	char memdev[16]; /* "mem0"; "" */
	char device[10]; /* PCI vendor and device, "1b00:c002"; "": unknown */
	struct load_port ports[LOAD_NODE_PORTS];
	size_t port_count;
	bool port_unknown;     /* the node is behind one of .ports */
	uint64_t memory_bytes; /* bytes in use; 0: a simulated machine has none */
	struct error skipped;  /* reason not to measure it; code 0: none */
};

struct load_nodes {
	struct load_node *at;
	size_t count;
};

/* The choice of nodes: by one of both members, or neither for all nodes. */
struct load_choice {
	int node;	    /* -1: any */
	const char *device; /* "mem0"; NULL: any */
};

/*
 * Finds the nodes behind the ports that the view shows, and then those of DRAM. Nodes without
 * enough memory are .skipped. ERROR_USAGE: the choice names none; ERROR_NO_UNIT: there is none.
 * *out is initially {0}, and freed by load_nodes_free(), also after an error.
 */
int load_nodes_find(struct load_nodes *out, const struct machine *machine, const struct view *view,
		    const struct load_choice *choice, struct error *err);
void load_nodes_free(struct load_nodes *nodes);

/* Writes "node 2 (mem0, socket 0 port 0)"; returns text. */
#define LOAD_NODE_NAME_SIZE 96
const char *load_node_name(const struct load_node *node, char text[LOAD_NODE_NAME_SIZE]);

/* Returns true if one of these CPUs is a thread of the same core as cpu. */
bool load_has_core(const struct topology *topology, const unsigned *cpus, size_t count,
		   const struct cpu_location *cpu);

/* Lists one CPU of each core of the socket, as many as there is room for. Returns their number. */
size_t load_node_cpus(const struct topology *topology, int socket, unsigned cpus[LOAD_NODE_CPUS]);

/* The traffic during a measurement. */
struct load_moved {
	double asked_MBps; /* INFINITY: the highest rate */
	double read_MBps, write_MBps;
	double chase_ns; /* NAN: without a chase */
};

struct under_load {
	struct session *session; /* started */
	const sigset_t *wake;
	int signal_number; /* signal that came; 0: none */
	struct sampling sampling;
	struct load *load; /* load on one node; NULL: none */
	double asked_MBps; /* INFINITY: the highest rate */
};

/*
 * Begins; to be called right after session_start(). Freed by under_load_end(), also after failure.
 */
int under_load_begin(struct under_load *u, struct error *err);
void under_load_end(struct under_load *u);

/*
 * Takes memory of the node. If there is not enough, sets node->skipped, which is not an error, and
 * .load is NULL. -EINTR: a signal came. Freed by under_load_close(), or with the next node.
 */
int under_load_open(struct under_load *u, struct load_node *node, struct error *err);
void under_load_close(struct under_load *u);

/*
 * Replaces the traffic, and lets it settle for a part of ns, which *sample covers. A sample is
 * valid until the next one.
 */
int under_load_start(struct under_load *u, const struct load_traffic *traffic, uint64_t ns,
		     struct sample *sample, struct error *err);
/* Measures the traffic for the rest of ns. The traffic goes on. */
int under_load_measure(struct under_load *u, uint64_t ns, struct load_moved *moved,
		       struct sample *sample, struct error *err);

#endif
