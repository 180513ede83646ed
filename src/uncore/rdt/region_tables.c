/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/rdt/region_tables.h"

#include <errno.h>
#include <stdlib.h>

#include "platform/platform.h"
#include "uncore/rdt/rdt_private.h"

static int read_regions(struct region_tables *tables, struct platform *p,
			const struct topology *topology, struct error *err)
{
	struct memory_piece *pieces = NULL;
	uint8_t *bytes = NULL;
	size_t size, count = 0;
	int rc = p->ops->rdt->table(p, MRRM_SIGNATURE, &bytes, &size, err);

	if (!rc)
		rc = mrrm_parse(bytes, size, &tables->mrrm, err);
	if (!rc)
		rc = memory_pieces(p, topology, &pieces, &count, err);
	if (!rc)
		regions_find(&tables->mrrm, pieces, count, &p->log, tables->kinds);
	free(pieces);
	free(bytes);
	return rc;
}

static int read_domains(struct region_tables *tables, struct platform *p, struct error *err)
{
	uint8_t *bytes = NULL;
	size_t size;
	int rc = p->ops->rdt->table(p, ERDT_SIGNATURE, &bytes, &size, err);

	if (!rc)
		rc = erdt_parse(bytes, size, &tables->erdt, err);
	free(bytes);
	return rc;
}

int region_tables_read(struct platform *p, const struct topology *topology,
		       struct region_tables *out, struct error *err)
{
	*out = (struct region_tables){.kinds = {REGION_NONE}};
	if (!p->ops->rdt)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "this machine has no counters of bytes by region of memory");
	const int rc = read_domains(out, p, err);
	return rc ? rc : read_regions(out, p, topology, err);
}

void region_tables_free(struct region_tables *tables)
{
	erdt_free(&tables->erdt);
	mrrm_free(&tables->mrrm);
}

const char *region_tables_name(const struct region_tables *tables, int region)
{
	static const char *const names[MEMORY_REGIONS] = {
		[REGION_CXL] = "CXL",
		[REGION_CXL_REMOTE] = "remote CXL",
		[REGION_DRAM] = "DRAM",
		[REGION_DRAM_REMOTE] = "remote DRAM",
	};

	return region < 0 || region >= ERDT_REGIONS ? NULL : names[tables->kinds[region]];
}
