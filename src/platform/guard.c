/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* Rules are sorted by space, PCI function and address. */
static int compare_place(const struct guard_rule *rule, enum reg_space space,
			 const struct pci_location *pci, uint64_t address)
{
	if (rule->space != space)
		return rule->space < space ? -1 : 1;
	const int by_function = space == REG_PCI ? pci_location_compare(&rule->pci, pci) : 0;
	if (by_function)
		return by_function;
	return (rule->first > address) - (rule->first < address);
}

/* The number of rules that start at or before an address. */
static size_t count_up_to(const struct guard *guard, enum reg_space space,
			  const struct pci_location *pci, uint64_t address)
{
	size_t low = 0, high = guard->count;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (compare_place(&guard->rules[middle], space, pci, address) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int guard_allow(struct guard *guard, const struct guard_rule *rule)
{
	const size_t at = count_up_to(guard, rule->space, &rule->pci, rule->first);

	/* units of several sockets share MSR numbers */
	if (at && !compare_place(&guard->rules[at - 1], rule->space, &rule->pci, rule->first) &&
	    guard->rules[at - 1].last == rule->last)
		return 0;
	if (array_room(&guard->rules, guard->count, 1, sizeof(*guard->rules)))
		return -ENOMEM;
	memmove(&guard->rules[at + 1], &guard->rules[at],
		(guard->count - at) * sizeof(*guard->rules));
	guard->rules[at] = *rule;
	guard->count++;
	return 0;
}

int guard_allow_registers(struct guard *guard, const struct reg *first, unsigned count,
			  struct guard_rule rule, struct error *err)
{
	rule.space = first->space;
	rule.pci = first->pci;
	rule.first = first->address;
	rule.last = first->address + (first->space == REG_MSR ? count : first->bytes * count) - 1;
	return guard_allow(guard, &rule) ? error_no_memory(err) : 0;
}

void guard_disable(struct guard *guard)
{
	guard->allow_all = true;
}

const struct guard_rule *guard_find(const struct guard *guard, const struct reg *reg)
{
	const bool numbered = reg->space == REG_MSR || reg->space == REG_MBM;
	const uint64_t beyond = numbered ? 0 : reg->bytes - 1U;
	const size_t at = count_up_to(guard, reg->space, &reg->pci, reg->address);
	const struct guard_rule *rule = at ? &guard->rules[at - 1] : NULL;

	if (!rule || rule->space != reg->space || rule->last < reg->address ||
	    rule->last - reg->address < beyond)
		return NULL;
	if (reg->space == REG_PCI && pci_location_compare(&rule->pci, &reg->pci))
		return NULL;
	return rule;
}

void guard_free(struct guard *guard)
{
	free(guard->rules);
	*guard = (struct guard){0};
}
