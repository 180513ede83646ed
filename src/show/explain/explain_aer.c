/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of Advanced Error Reporting (AER), by kind. */
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "show/explain/explain_private.h"

/*
 * Correctable kinds after which CXL.io repeats a transfer, or that report a damaged symbol. The
 * others: NonFatalErr is advisory; HeaderOF is a log that was full; CorrIntErr is any error that
 * the function corrected inside, which on a CXL function includes link errors of CXL.mem and
 * CXL.cache (CRC or retry threshold, physical layer). Source: the kernel's drivers/pci/pcie/aer.c.
 */
static const char *const transfer_kinds[] = {"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout"};

/* An uncorrectable UnsupReq is a request that was refused, such as a probe of a missing function.
 */
static bool is_clear(const struct aer_kind *kind)
{
	if (kind->severity != AER_CORRECTABLE)
		return strcmp(kind->name, "UnsupReq") != 0;
	for (size_t i = 0; i < sizeof(transfer_kinds) / sizeof(transfer_kinds[0]); i++)
		if (!strcmp(transfer_kinds[i], kind->name))
			return true;
	return false;
}

static double count_of(const struct aer_kinds *kinds, const struct aer_kind *kind)
{
	for (size_t i = 0; i < kinds->count; i++)
		if (kinds->items[i].severity == kind->severity &&
		    !strcmp(kinds->items[i].name, kind->name))
			return kinds->items[i].count;
	return 0;
}

struct aer_rates explain_aer(const struct explain *e, const struct row *row,
			     enum kernel_stat severity, double total)
{
	const struct kernel_source *now =
		row->device ? kernel_source_of(&e->view->kernel, row->device) : NULL;
	const struct explained_aer *first = now ? &e->aer[now - e->view->kernel.devices] : NULL;
	struct aer_rates rates = {.unnamed = total, .summed = !now};

	if (!now || !first->known || !now->files.known ||
	    now->files.now.at_ns <= first->stats.at_ns)
		return rates;
	const double seconds = (double)(now->files.now.at_ns - first->stats.at_ns) / NS_PER_S;
	double left = now->files.now.values[severity] - first->stats.values[severity];
	for (size_t i = 0; i < now->aer.count; i++) {
		const struct aer_kind *kind = &now->aer.items[i];
		const double events = kind->count - count_of(&first->kinds, kind);

		if (kind->severity != severity || !(events > 0))
			continue;
		left -= events;
		text_list(is_clear(kind) ? rates.clear : rates.others, sizeof(rates.clear),
			  "%s %.3g/s", kind->name, events / seconds);
	}
	rates.unnamed = left > 0 ? left / seconds : 0;
	return rates;
}
