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

#define LOAD_NODE_PORTS	 16 /* of one node, at most */
#define LOAD_NODE_CPUS	 16 /* more don't make a port faster, but the machine slower */
#define LOAD_MIN_STEP_NS UINT64_C(20000000)

struct load_port {
	int socket, port;
};

/* A node whose memory traffic is moved to and from. */
struct load_node {
	int node;
	bool dram; /* of a socket, as a control; else behind CXL ports */
	int socket;
	char memdev[16]; /* "mem0"; "" */
	char device[10]; /* its PCI vendor and device, "1b00:c002"; "": not known */
	struct load_port ports[LOAD_NODE_PORTS];
	size_t port_count;
	bool port_unknown;     /* it is behind one of these */
	uint64_t memory_bytes; /* used; 0: a simulated machine has none */
	struct error skipped;  /* code 0: it can be measured */
};

struct load_nodes {
	struct load_node *at;
	size_t count;
};

/* The nodes to take: one of both, or neither for all. */
struct load_choice {
	int node;	    /* -1: any */
	const char *device; /* "mem0"; NULL: any */
};

/*
 * Nodes behind the ports that the view shows, then those of DRAM. Those without enough memory are
 * .skipped. ERROR_USAGE: the choice names none; ERROR_NO_UNIT: there is none. *out is initially
 * {0}, and freed by load_nodes_free(), also after an error.
 */
int load_nodes_find(struct load_nodes *out, const struct machine *machine, const struct view *view,
		    const struct load_choice *choice, struct error *err);
void load_nodes_free(struct load_nodes *nodes);

/* "node 2 (mem0, socket 0 port 0)"; returns text. */
#define LOAD_NODE_NAME_SIZE 96
const char *load_node_name(const struct load_node *node, char text[LOAD_NODE_NAME_SIZE]);

/* Returns true if one of these CPUs is a thread of the same core as cpu. */
bool load_has_core(const struct topology *topology, const unsigned *cpus, size_t count,
		   const struct cpu_location *cpu);

/* One CPU of each core of the socket, as many as there is room for. Returns how many. */
size_t load_node_cpus(const struct topology *topology, int socket, unsigned cpus[LOAD_NODE_CPUS]);

/* The traffic during a measurement. */
struct load_moved {
	double asked_MBps; /* INFINITY: the most */
	double read_MBps, write_MBps;
	double chase_ns; /* NAN: there was none */
};

struct under_load {
	struct session *session; /* started */
	const sigset_t *wake;
	int signal_number; /* that came; 0: none */
	struct sampling sampling;
	struct load *load; /* of one node; NULL: none */
	double asked_MBps; /* INFINITY: the most */
};

/* Call right after session_start(). Freed by under_load_end(), also after failure. */
int under_load_begin(struct under_load *u, struct error *err);
void under_load_end(struct under_load *u);

/*
 * Takes memory of the node. What can't be had is node->skipped, and no error: .load is NULL then.
 * -EINTR: a signal came. Freed by under_load_close(), or with the next node.
 */
int under_load_open(struct under_load *u, struct load_node *node, struct error *err);
void under_load_close(struct under_load *u);

/*
 * Replaces the traffic, and lets it settle for a part of ns, of which *sample is. A sample is valid
 * until the next one.
 */
int under_load_start(struct under_load *u, const struct load_traffic *traffic, uint64_t ns,
		     struct sample *sample, struct error *err);
/* Measures it for the rest of ns. The traffic goes on. */
int under_load_measure(struct under_load *u, uint64_t ns, struct load_moved *moved,
		       struct sample *sample, struct error *err);

#endif
