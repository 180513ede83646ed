/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of Advanced Error Reporting, by what their kind says. */
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "show/explain/explain_private.h"

/*
 * Kinds that a PCIe link repeats a transfer after, or that are of a damaged symbol; as the kernel
 * names them (drivers/pci/pcie/aer.c). Of the others, NonFatalErr is advisory, CorrIntErr is
 * whatever the function corrected inside, and HeaderOF a log that was full.
 */
static const char *const link_kinds[] = {"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout"};

static bool is_of_link(const char *kind)
{
	for (size_t i = 0; i < sizeof(link_kinds) / sizeof(link_kinds[0]); i++)
		if (!strcmp(link_kinds[i], kind))
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

struct aer_rates explain_aer(const struct explain *e, const struct row *row, double total)
{
	const struct kernel_source *now =
		row->device ? kernel_source_of(&e->view->kernel, row->device) : NULL;
	const struct explained_aer *first = now ? &e->aer[now - e->view->kernel.devices] : NULL;
	struct aer_rates rates = {.unnamed = total, .summed = !now};

	if (!now || !first->known || !now->files.known ||
	    now->files.now.at_ns <= first->stats.at_ns)
		return rates;
	const double seconds = (double)(now->files.now.at_ns - first->stats.at_ns) / NS_PER_S;
	double left = now->files.now.values[AER_CORRECTABLE] - first->stats.values[AER_CORRECTABLE];
	for (size_t i = 0; i < now->aer.count; i++) {
		const struct aer_kind *kind = &now->aer.items[i];
		const double events = kind->count - count_of(&first->kinds, kind);

		if (kind->severity != AER_CORRECTABLE || !(events > 0))
			continue;
		left -= events;
		text_list(is_of_link(kind->name) ? rates.link : rates.others, sizeof(rates.link),
			  "%s %.3g/s", kind->name, events / seconds);
	}
	rates.unnamed = left > 0 ? left / seconds : 0;
	return rates;
}
