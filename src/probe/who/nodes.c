/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/nodes.h"

#include <stdlib.h>

#include "base/error.h"

static int find_devdax(const char *root, struct who_nodes *nodes, struct error *err)
{
	size_t count, kept = 0;

	if (devdax_list(root, &nodes->dax, &count))
		return error_no_memory(err);
	for (size_t i = 0; i < count; i++)
		if (cxl_nodes_contain(&nodes->numa, nodes->dax[i].node))
			nodes->dax[kept++] = nodes->dax[i];
	nodes->dax_count = kept;
	return 0;
}

int who_nodes_find(struct platform *p, const char *root, const struct cxl_node_choice *choice,
		   struct who_nodes *out, struct error *err)
{
	*out = (struct who_nodes){.dax_count = 0};
	int rc = cxl_nodes_find(p, root, choice, &out->numa, err);

	if (!rc && root)
		rc = find_devdax(root, out, err);
	if (rc)
		who_nodes_free(out);
	return rc;
}

void who_nodes_free(struct who_nodes *nodes)
{
	cxl_nodes_free(&nodes->numa);
	free(nodes->dax);
	*nodes = (struct who_nodes){.dax_count = 0};
}
