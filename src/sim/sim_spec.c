/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_spec.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/text.h"
#include "sim/sim_spec_keys.h"

#define MODELS "spr, emr, gnr, gnr-d, srf, cwf, dmr, turin, venice, genoa, intel, amd or arm"

#define LATENCY_READS 1 /* GB/s */

/* Demo traffic, where no rate is given. */
static void set_demo_rates(struct sim_spec *spec)
{
	spec->read = 12;
	spec->write = 5;
	spec->cache_d2h = 0.4;
	spec->cache_h2d = 0.8;
	spec->dram_read = 60;
	spec->dram_write = 25;
	spec->hbm_read = 300;
	spec->hbm_write = 120;
	spec->full = 4;
}

static const struct sim_spec defaults = {
	.sockets = 1,
	.dies = 1,
	.cpus = 8,
	.ports = 2,
	.chas = 8,
	.imcs = 4,
	.threads = 1,
	.latency = 320,
	.ddr_latency = 110,
	.ddr_remote_latency = 190,
	.miscount_pct = 50,
	.miscount_port = SIM_EVERY_PORT,
	.kernel = SIM_KERNEL_NEWEST,
};

/* A latency can be measured only if there are reads: adds some where no rate was given. */
static void add_latency_reads(struct sim_spec *spec, uint64_t given)
{
	if (sim_spec_key_given(given, offsetof(struct sim_spec, latency)) &&
	    !sim_spec_key_given(given, offsetof(struct sim_spec, read)))
		spec->read = LATENCY_READS;
	if ((sim_spec_key_given(given, offsetof(struct sim_spec, ddr_latency)) ||
	     sim_spec_key_given(given, offsetof(struct sim_spec, ddr_remote_latency))) &&
	    !sim_spec_key_given(given, offsetof(struct sim_spec, dram_read)))
		spec->dram_read = LATENCY_READS;
}

/* The model, and what it implies. -ENOENT: no model has this name. */
static int find_model(struct sim_spec *spec, const char *name)
{
	for (enum sim_model m = 0; m < SIM_MODELS; m++) {
		const struct sim_model_facts *facts = sim_model_facts(m);

		if (strcmp(name, facts->name) != 0)
			continue;
		spec->model = m;
		if (!spec->rxc_given)
			spec->rxc = facts->rxc;
		if (facts->ports)
			spec->ports = facts->ports;
		return 0;
	}
	return -ENOENT;
}

static bool names_file(const char *word)
{
	const char *dot = strrchr(word, '.');

	return strchr(word, '/') || (dot && (!strcmp(dot, ".json") || !strcmp(dot, ".snapshot"))) ||
	       (*word && !access(word, F_OK));
}

static int set_file(struct sim_spec *spec, const char *word, struct error *err)
{
	if (strlen(word) >= sizeof(spec->file))
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: the file's name is too long: expected %zu characters at "
				 "most",
				 sizeof(spec->file) - 1);
	strcpy(spec->file, word);
	return 0;
}

/* The first word: a model, or the file of a snapshot. */
static int set_machine(struct sim_spec *spec, const char *word, struct error *err)
{
	if (word && !find_model(spec, word))
		return 0;
	if (word && names_file(word))
		return set_file(spec, word, err);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "--sim: unknown model '%s': expected " MODELS
			 ", or a snapshot's file, then key=value pairs behind commas",
			 word ? quoted(word).text : "");
}

int sim_spec_set_model(struct sim_spec *spec, const char *name, struct error *err)
{
	if (!find_model(spec, name))
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "%s: a snapshot of '%s', which can't be simulated: expected " MODELS,
			 quoted(spec->file).text, quoted(name).text);
}

/* A snapshot has the layout: keys for it are refused. */
static int check_keys(const struct sim_spec *spec, uint64_t given, struct error *err)
{
	const char *layout = *spec->file ? sim_spec_layout_given(given) : NULL;

	if (!layout)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "--sim: key '%s' with a snapshot, which says how many there are: expected "
			 "rates, latencies, limit, memspecrd, rxc, wave, ramp, begin, miscount, "
			 "miscount_pct, miscount_port, swap, clock, kernel, paranoid, lockdown or "
			 "cxl_pmu",
			 layout);
}

/* Demo traffic moves as that of a real machine, unless it is to rise, or wave=0 wants it steady. */
static void set_demo(struct sim_spec *spec, uint64_t given)
{
	set_demo_rates(spec);
	if (!sim_spec_key_given(given, offsetof(struct sim_spec, wave)))
		spec->wave = spec->ramp == 0;
	spec->noise = spec->wave;
}

static int check_movement(const struct sim_spec *spec, struct error *err)
{
	if (spec->wave && spec->ramp > 0)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: wave=1 with ramp=%g: expected one of the two", spec->ramp);
	return 0;
}

/* Numbers that only some models can have. */
static int check_model(const struct sim_spec *spec, struct error *err)
{
	const struct sim_model_facts *facts = sim_model_facts(spec->model);
	const struct {
		const char *key;
		unsigned value, max;
	} limits[] = {{"ports", spec->ports, facts->max_ports},
		      {"imcs", spec->imcs, facts->max_imcs}};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].max && limits[i].value > limits[i].max)
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "--sim: %s=%u: expected %u at most: a socket of %s has no "
					 "more",
					 limits[i].key, limits[i].value, limits[i].max,
					 facts->name);
	return 0;
}

/* A socket of AMD is one die to the kernel, and moves nothing by CXL.cache that is counted; nor do
 * processors without an uncore. */
static void drop_what_it_lacks(struct sim_spec *spec)
{
	const struct sim_model_facts *facts = sim_model_facts(spec->model);

	if (facts->vendor != SIM_AMD && !facts->no_uncore)
		return;
	spec->dies = 1;
	spec->cache_d2h = spec->cache_h2d = 0;
}

static int parse_words(char *text, struct sim_spec *out, struct error *err)
{
	char *save = NULL, *word = strtok_r(text, ",", &save);
	uint64_t given = 0;

	*out = defaults;
	int rc = set_machine(out, word, err);
	while (!rc && (word = strtok_r(NULL, ",", &save)))
		rc = sim_spec_set_key(out, word, &given, err);
	if (!rc)
		rc = check_keys(out, given, err);
	if (!rc)
		rc = check_movement(out, err);
	if (!rc)
		rc = check_model(out, err);
	if (rc)
		return rc;
	out->rxc_given = sim_spec_key_given(given, offsetof(struct sim_spec, rxc));
	out->full_given = sim_spec_key_given(given, offsetof(struct sim_spec, full));
	if (!sim_spec_key_given(given, offsetof(struct sim_spec, cpmu)))
		out->cpmu = sim_spec_key_given(given, offsetof(struct sim_spec, cpmu_kind));
	if (sim_spec_rate_given(given))
		add_latency_reads(out, given);
	else
		set_demo(out, given);
	drop_what_it_lacks(out);
	return 0;
}

int sim_spec_parse(const char *text, struct sim_spec *out, struct error *err)
{
	char *copy = strdup(text);
	int rc = copy ? parse_words(copy, out, err) : error_no_memory(err);

	free(copy);
	return rc;
}

/* Before the other keys: the last value of a key holds. */
char *sim_spec_idle(const char *text)
{
	const size_t model = strcspn(text, ",");
	char *idle;

	return asprintf(&idle, "%.*s,read=0%s", (int)model, text, text + model) < 0 ? NULL : idle;
}
