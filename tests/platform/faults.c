/* SPDX-License-Identifier: BSD-3-Clause */
#include "faults.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "fusefs.h"
#include "publish.h"
#include "tree.h"

#define MAX_WORDS 6

/* The words after the first; NULL after the last one. */
typedef const char *words_of[MAX_WORDS];

static unsigned number(const char *word)
{
	return (unsigned)strtoul(word, NULL, 0);
}

static bool is_number(const char *word)
{
	char *end;

	strtoull(word, &end, 0);
	return end != word && !*end;
}

/* Functions of commands. Each returns NULL, or an error in its words. */
static const char *set_cpu(const struct published *machine, words_of w)
{
	const bool offline = !strcmp(w[1], "offline"), dead = !strcmp(w[1], "dead");
	struct msrfs *msrs = fusefs_context(machine->msrs);

	if (!offline && !dead && strcmp(w[1], "online"))
		return "expected offline, online or dead";
	sim_set_cpu_online(sim_of(machine->platform), number(w[0]), !offline && !dead);
	if (number(w[0]) < msrs->cpus)
		msrs->hidden[number(w[0])] = offline;
	publish_online(machine->root, machine->platform);
	publish_perf(machine->root, machine->platform);
	return NULL;
}

static const char *set_msr(const struct published *machine, words_of w)
{
	static const struct {
		const char *name;
		int code;
	} errors[] = {{"EIO", EIO}, {"EPERM", EPERM}, {"ENXIO", ENXIO}, {"EINVAL", EINVAL}};
	int code = 0;

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(w[1], errors[i].name))
			code = -errors[i].code;
	if (!code && strcmp(w[1], "ok"))
		return "expected the name of an errno, or ok";
	sim_set_msr_fault(sim_of(machine->platform), number(w[0]), code);
	return NULL;
}

static const char *set_unit(const struct published *machine, words_of w)
{
	const bool dead = !strcmp(w[3], "dead");

	if (!dead && strcmp(w[3], "alive"))
		return "expected dead or alive";
	return sim_set_unit_dead(sim_of(machine->platform), number(w[0]), number(w[1]),
				 number(w[2]), dead)
		       ? "no such unit"
		       : NULL;
}

static const char *set_counter(const struct published *machine, words_of w)
{
	return sim_set_counter(sim_of(machine->platform), number(w[0]), number(w[1]), number(w[2]),
			       number(w[3]), strtoull(w[4], NULL, 0))
		       ? "no such counter"
		       : NULL;
}

static void write_value(void *context, const char *name, uint64_t value)
{
	fprintf(context, "%s 0x%" PRIx64 "\n", name, value);
}

static const char *save_state(const struct published *machine, words_of w)
{
	FILE *file = fopen(w[0], "w");

	if (!file)
		return "cannot be created";
	sim_for_each_state(sim_of(machine->platform), write_value, file);
	return fclose(file) ? "cannot be written" : NULL;
}

static struct sim *sim_of_machine(const struct published *machine)
{
	return sim_of(machine->platform);
}

static struct msrfs *msrs_of(const struct published *machine)
{
	return fusefs_context(machine->msrs);
}

static const char *set_module(const struct published *machine, words_of w)
{
	msrs_of(machine)->msrs_hidden = strcmp(w[0], "loaded") != 0;
	if (!strcmp(w[0], "absent"))
		tree_remove(machine->root, "sys/module/msr");
	else
		publish_allow_writes(machine->root, "on");
	return NULL;
}

static const char *set_driver(const struct published *machine, words_of w)
{
	if (strcmp(w[0], "loaded") != 0)
		return "expected loaded";
	sim_load_driver(sim_of_machine(machine));
	return NULL;
}

static const char *set_safe(const struct published *machine, words_of w)
{
	msrs_of(machine)->safe = !strcmp(w[0], "on");
	return NULL;
}

static const char *set_writes(const struct published *machine, words_of w)
{
	sim_set_writes_refused(sim_of_machine(machine), !strcmp(w[0], "refused"));
	return NULL;
}

static const char *set_lockdown(const struct published *machine, words_of w)
{
	sim_set_writes_refused(sim_of_machine(machine), strcmp(w[0], "none") != 0);
	publish_lockdown(machine->root, w[0]);
	return NULL;
}

static const char *set_allow_writes(const struct published *machine, words_of w)
{
	sim_set_writes_refused(sim_of_machine(machine), !strcmp(w[0], "off"));
	publish_allow_writes(machine->root, w[0]);
	return NULL;
}

static const char *set_hypervisor(const struct published *machine, words_of w)
{
	sim_set_hypervisor(sim_of_machine(machine), strcmp(w[0], "none") ? w[0] : "");
	return NULL;
}

static const char *set_watchdog(const struct published *machine, words_of w)
{
	publish_watchdog(machine->root, !strcmp(w[0], "on"));
	return NULL;
}

static const char *set_delay(const struct published *machine, words_of w)
{
	msrs_of(machine)->delay_ms = number(w[0]);
	return NULL;
}

static const char *pass(const struct published *machine, words_of w)
{
	sim_pass(sim_of_machine(machine), number(w[0]) * NS_PER_S);
	return NULL;
}

static const char *set_resctrl(const struct published *machine, words_of w)
{
	return machine->resctrl && resctrlfs_set(machine->resctrl, w[0]) ? NULL : "no such state";
}

/* clang-format off */
static const struct {
	const char *name;
	size_t words;	/* words that must follow */
	size_t numbers; /* words that must be numbers, from the first one on */
	const char *(*run)(const struct published *machine, words_of words);
} commands[] = {
	/*
	 * cpu N offline | online | dead: offline removes its node, online restores it; dead leaves
	 * the node, which fails with ENXIO
	 */
	{"cpu", 2, 1, set_cpu},
	/* msr REGISTER ERRNO | ok, such as msr 0x38f EIO: accesses fail on every CPU */
	{"msr", 2, 1, set_msr},
	/*
	 * module absent | hidden | loaded: no msr node if absent or hidden; hidden: sysfs shows
	 * the module
	 */
	{"module", 1, 0, set_module},
	/*
	 * driver loaded: the kernel's uncore driver resets all units, and from then on the units
	 * of a die whose first CPU comes online
	 */
	{"driver", 1, 0, set_driver},
	/* safe on | off: msr-safe is loaded: cpu/N/msr_safe, cpu/msr_allowlist */
	{"safe", 1, 0, set_safe},
	/* writes refused | allowed: EPERM, as under lockdown */
	{"writes", 1, 0, set_writes},
	/* lockdown none | integrity | confidentiality: as writes, and sysfs shows the reason */
	{"lockdown", 1, 0, set_lockdown},
	/* allow_writes on | off | default: as writes, and sysfs shows the reason */
	{"allow_writes", 1, 0, set_allow_writes},
	/*
	 * unit SOCKET TYPE ID dead | alive: if dead, its registers read as all ones; TYPE is a
	 * number
	 */
	{"unit", 4, 3, set_unit},
	/* counter SOCKET TYPE ID N VALUE: sets the counter */
	{"counter", 5, 5, set_counter},
	/* hypervisor NAME | none: as in a virtual machine */
	{"hypervisor", 1, 0, set_hypervisor},
	/* resctrl STATE: see resctrlfs_set() */
	{"resctrl", 1, 0, set_resctrl},
	/* watchdog on | off: the kernel's NMI watchdog, only in its file */
	{"watchdog", 1, 0, set_watchdog},
	/* slow MILLISECONDS: duration of each access to an MSR */
	{"slow", 1, 1, set_delay},
	/* pass SECONDS: lets this time pass at once */
	{"pass", 1, 1, pass},
	/* save FILE: writes the values that `state` hashes, by name, one per line */
	{"save", 1, 0, save_state},
};
/* clang-format on */

static size_t split(char *line, const char **name, words_of words)
{
	char *save = NULL;
	size_t count = 0;

	*name = strtok_r(line, " \n", &save);
	while (*name && count < MAX_WORDS && (words[count] = strtok_r(NULL, " \n", &save)))
		count++;
	return count;
}

static const char *run(const struct published *machine, const char *name, words_of words,
		       size_t count)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(name, commands[i].name) != 0)
			continue;
		if (count != commands[i].words)
			return "wrong number of words";
		for (size_t n = 0; n < commands[i].numbers; n++)
			if (!is_number(words[n]))
				return "expected a number";
		return commands[i].run(machine, words);
	}
	return "unknown command";
}

void faults_command(const struct published *machine, const char *line, FILE *out)
{
	char copy[256];
	const char *name;
	words_of words = {NULL};

	snprintf(copy, sizeof(copy), "%s", line);
	size_t count = split(copy, &name, words);
	if (!name)
		return;
	mirror_update(machine->mirror); /* passes on the last writes */
	if (!strcmp(name, "state")) {
		fprintf(out, "ok %" PRIx64 "\n", sim_state_hash(sim_of(machine->platform)));
	} else if (!strcmp(name, "staleness")) {
		fprintf(out, "ok %" PRIu64 "\n", mirror_staleness(machine->mirror));
	} else {
		const char *wrong = run(machine, name, words, count);

		if (wrong)
			fprintf(out, "error: %s\n", wrong);
		else
			fputs("ok\n", out);
	}
	mirror_update(machine->mirror);
	fflush(out);
}
