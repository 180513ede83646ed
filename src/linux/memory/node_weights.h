/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's weights of weighted interleave, set for a while: NODE_WEIGHTS/nodeN, and "auto"
 * (from Linux 6.16 on), which is off while weights are set by hand.
 */
#ifndef CXLMON_LINUX_MEMORY_NODE_WEIGHTS_H
#define CXLMON_LINUX_MEMORY_NODE_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define NODE_WEIGHTS	  "sys/kernel/mm/mempolicy/weighted_interleave" /* below the root */
#define NODE_WEIGHTS_MOST 32
#define NODE_WEIGHT_SIZE  16

struct node_weight {
	char name[NODE_WEIGHT_SIZE]; /* of its file */
	char before[NODE_WEIGHT_SIZE], ours[NODE_WEIGHT_SIZE];
	bool set; /* to be put back */
};

struct node_weights {
	const char *root;
	struct node_weight files[NODE_WEIGHTS_MOST + 1]; /* "auto" is the last, where it was on */
	size_t count;
	int lock; /* a descriptor of the directory; -1: none */
};

/*
 * Reads what the files of these nodes have, and changes nothing. Of each .set is false. Until
 * node_weights_close() no other process reads them, which would put back these weights as if they
 * had been there before: EXIT_IN_USE, -EBUSY.
 */
int node_weights_read(const char *root, const int *nodes, const unsigned *weights, size_t count,
		      struct node_weights *out, struct error *err);

/*
 * Writes the weights. After an error, which names the file, none is changed (EXIT_PERMISSION:
 * missing rights).
 */
int node_weights_set(struct node_weights *weights, const struct log *log, struct error *err);

/*
 * Puts back each file that still has our value; what others have set since is left, with a warning,
 * and "auto" with it, as it would replace their weight. Goes on after an error, and returns the
 * first.
 */
int node_weights_put_back(struct node_weights *weights, const struct log *log, struct error *err);

/* Also after node_weights_read() has failed. */
void node_weights_close(struct node_weights *weights);

#endif
