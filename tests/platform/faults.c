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

/* The words behind the first; NULL where there are no more. */
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

/* Each returns NULL, or what is wrong with its words. */
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

/* What takes one word. */
static const char *set_state(const struct published *machine, const char *name, const char *word)
{
	struct sim *sim = sim_of(machine->platform);
	struct msrfs *msrs = fusefs_context(machine->msrs);

	if (!strcmp(name, "module")) {
		msrs->msrs_hidden = strcmp(word, "loaded") != 0;
		if (!strcmp(word, "absent"))
			tree_remove(machine->root, "sys/module/msr");
		else
			publish_allow_writes(machine->root, "on");
	} else if (!strcmp(name, "driver") && !strcmp(word, "loaded")) {
		sim_load_driver(sim);
	} else if (!strcmp(name, "safe")) {
		msrs->safe = !strcmp(word, "on");
	} else if (!strcmp(name, "writes")) {
		sim_set_writes_refused(sim, !strcmp(word, "refused"));
	} else if (!strcmp(name, "lockdown")) {
		sim_set_writes_refused(sim, strcmp(word, "none") != 0);
		publish_lockdown(machine->root, word);
	} else if (!strcmp(name, "allow_writes")) {
		sim_set_writes_refused(sim, !strcmp(word, "off"));
		publish_allow_writes(machine->root, word);
	} else if (!strcmp(name, "hypervisor")) {
		sim_set_hypervisor(sim, strcmp(word, "none") ? word : "");
	} else if (!strcmp(name, "watchdog")) {
		publish_watchdog(machine->root, !strcmp(word, "on"));
	} else if ((!strcmp(name, "slow") || !strcmp(name, "pass")) && !is_number(word)) {
		return "expected a number";
	} else if (!strcmp(name, "slow")) {
		msrs->delay_ms = number(word);
	} else if (!strcmp(name, "pass")) {
		sim_pass(sim, number(word) * NS_PER_S);
	} else if (!strcmp(name, "resctrl")) {
		return machine->resctrl && resctrlfs_set(machine->resctrl, word) ? NULL
										 : "no such state";
	} else {
		return "unknown command, or wrong number of words";
	}
	return NULL;
}

/* Commands of several words. */
static const struct {
	const char *name;
	size_t words;	/* that must follow */
	size_t numbers; /* of which so many, the first ones, are numbers */
	const char *(*run)(const struct published *machine, words_of words);
} commands[] = {
	{"cpu", 2, 1, set_cpu},		{"msr", 2, 1, set_msr},	    {"unit", 4, 3, set_unit},
	{"counter", 5, 5, set_counter}, {"save", 1, 0, save_state},
};

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
	return count == 1 ? set_state(machine, name, words[0]) : "unknown command";
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
	mirror_update(machine->mirror); /* what was written last */
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
