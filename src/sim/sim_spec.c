/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_spec.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "platform/platform.h"
#include "sim/sim_extras.h"
#include "sim/sim_key.h"
#include "uncore/models/models.h"

#define LATENCY_READS 1 /* GB/s */
#define MODELS_SIZE   512
#define DEMO_DEMOTE   2560 /* pages per second: 10 MiB */

/* Values that only keys of tests change. */
static const struct sim_spec fixed = {
	.link_max_width = 16,
	.region_width = 48,
	.read_set = 4,
	.hot_pct = 10,
	.hot_reads_pct = 90,
	.sampled_pct = 50,
	.cache_hits = 99,
	.sample_running = 100,
	.parallelism = 3,
	.overlap = 20,
	.prefetched = 25,
};

static int bad_word(const struct sim_key *key, const char *value, struct error *err)
{
	char known[256] = "";

	for (unsigned n = 0; key->words[n]; n++)
		text_choice(known, sizeof(known), key->words[n], !key->words[n + 1]);
	return error_set(err, ERROR_USAGE, -EINVAL, "--sim: %s=%s: expected %s", key->name,
			 quoted(value).text, known);
}

static int set_word(const struct sim_key *key, const char *value, void *field, struct error *err)
{
	unsigned n = 0;

	while (key->words[n] && strcmp(value, key->words[n]) != 0)
		n++;
	if (!key->words[n])
		return bad_word(key, value, err);
	if (key->kind == SIM_BOOLEAN)
		*(bool *)field = n;
	else
		*(unsigned *)field = n;
	return 0;
}

static void set_field(struct sim_spec *spec, const struct sim_key *key, double number)
{
	void *field = (char *)spec + key->offset;

	if (key->kind == SIM_REAL)
		*(double *)field = number;
	else if (key->kind != SIM_BOOLEAN)
		*(unsigned *)field = (unsigned)number;
}

static int set_number(struct sim_spec *spec, const struct sim_key *key, const char *value,
		      struct error *err)
{
	char *end;

	/* strtod() also accepts blanks, plus, exponents, hexadecimal numbers, inf and nan */
	double number = strtod(value, &end);
	const char *digits = value + (*value == '-');
	if (!*digits || *end || digits[strspn(digits, "0123456789.")] || number < key->min ||
	    number > key->max || (key->kind == SIM_INTEGER && number != round(number)))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: %s=%s: expected a%s number from %g to %g", key->name,
				 quoted(value).text, key->kind == SIM_INTEGER ? " whole" : "",
				 key->min, key->max);
	set_field(spec, key, number);
	return 0;
}

/* Sets a kernel version: MAJOR.MINOR, and any text after another dot. */
static int set_version(const char *value, unsigned *version, struct error *err)
{
	unsigned major, minor;
	char next = '\0';

	if (value[strspn(value, "0123456789.")] || strlen(value) > 16 ||
	    sscanf(value, "%3u.%3u%c", &major, &minor, &next) < 2 || (next && next != '.') ||
	    SIM_KERNEL(major, minor) < SIM_KERNEL_OLDEST)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: kernel=%s: expected a version from 5.14 on, such as 6.12",
				 quoted(value).text);
	*version = SIM_KERNEL(major, minor);
	return 0;
}

static int bad_key(const char *name, struct error *err)
{
	struct text_nearest nearest = text_nearest_start(name);
	const char *const *other = sim_extras.elsewhere;

	while (other && *other && strcmp(*other, name) != 0)
		other++;
	if (other && *other)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: key '%s' is for tests: build/cxlmon-sim of cxlmon's "
				 "sources has it (make build/cxlmon-sim)",
				 name);
	for (size_t i = 0; sim_key(i); i++)
		text_nearest_add(&nearest, sim_key(i)->name);
	if (nearest.name)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: unknown key '%s': did you mean '%s'?", quoted(name).text,
				 nearest.name);
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "--sim: unknown key '%s': cxlmon --help=sim lists them",
			 quoted(name).text);
}

/* Returns the number of the key with this name, or the number of keys. */
static size_t find_key(const char *name)
{
	size_t i = 0;

	while (sim_key(i) && strcmp(sim_key(i)->name, name) != 0)
		i++;
	return i;
}

/* Takes key=value, which it cuts in two, and marks the key as given. */
static int set_key(struct sim_spec *spec, char *assignment, bool given[SIM_KEYS_MOST],
		   struct error *err)
{
	const char *name = strsep(&assignment, "="), *value = assignment;
	const size_t i = find_key(name);
	const struct sim_key *key = sim_key(i);

	if (!key)
		return bad_key(name, err);
	if (!value)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: key '%s' needs a value: expected %s=...", name, name);
	given[i] = true;
	if (key->kind == SIM_INTEGER || key->kind == SIM_REAL)
		return set_number(spec, key, value, err);
	void *field = (char *)spec + key->offset;
	return key->kind == SIM_VERSION ? set_version(value, field, err)
					: set_word(key, value, field, err);
}

/*
 * Adds some reads if a latency but no rate was given: it can be measured only if there are reads.
 */
static void add_latency_reads(struct sim_spec *spec, const bool given[SIM_KEYS_MOST])
{
	if (given[find_key("latency")] && !given[find_key("read")])
		spec->read = LATENCY_READS;
	if ((given[find_key("ddr_latency")] || given[find_key("ddr_remote_latency")]) &&
	    !given[find_key("dram_read")])
		spec->dram_read = LATENCY_READS;
}

const char *sim_model_name(const struct model *model)
{
	return model->simulated->name ? model->simulated->name : model->short_name;
}

unsigned sim_l3_count(unsigned cpus)
{
	return (cpus + SIM_L3_CPUS - 1) / SIM_L3_CPUS;
}

const char *sim_spec_model(size_t i)
{
	const struct model *m = model_next_simulated(NULL);

	for (; m && i; i--)
		m = model_next_simulated(m);
	return m ? sim_model_name(m) : NULL;
}

static void set_model(struct sim_spec *spec, const struct model *model)
{
	spec->model = model;
	spec->facts = model->simulated;
}

/* "spr, emr or arm" */
static void list_models(char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 0; sim_spec_model(i); i++)
		text_choice(text, size, sim_spec_model(i), !sim_spec_model(i + 1));
}

/* Sets the model, and the values that follow from it. -ENOENT: no model has this name. */
static int find_model(struct sim_spec *spec, const char *name)
{
	const struct model *m = NULL;

	while ((m = model_next_simulated(m)) && strcmp(name, sim_model_name(m)) != 0)
		;
	if (!m)
		return -ENOENT;
	set_model(spec, m);
	if (!spec->rxc_given)
		spec->rxc = spec->facts->rxc;
	if (spec->facts->ports)
		spec->ports = spec->facts->ports;
	return 0;
}

static bool names_file(const char *word)
{
	const char *dot = strrchr(word, '.');

	return strchr(word, '/') || (dot && (!strcmp(dot, ".json") || !strcmp(dot, ".snapshot"))) ||
	       (*word && !access(word, F_OK));
}

/* Sets the machine from the first word: a model, or the file of a snapshot. */
static int set_machine(struct sim_spec *spec, const char *word, struct error *err)
{
	struct text_nearest nearest = text_nearest_start(word ? word : "");
	char models[MODELS_SIZE];

	if (word && !find_model(spec, word))
		return 0;
	if (word && names_file(word)) {
		if (snprintf(spec->file, sizeof(spec->file), "%s", word) < SIM_FILE_SIZE)
			return 0;
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: the file's name is too long: expected %d characters at "
				 "most",
				 SIM_FILE_SIZE - 1);
	}
	for (size_t i = 0; word && sim_spec_model(i); i++)
		text_nearest_add(&nearest, sim_spec_model(i));
	if (nearest.name)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: unknown model '%s': did you mean '%s'?", quoted(word).text,
				 nearest.name);
	list_models(models, sizeof(models));
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "--sim: unknown model '%s': expected %s, or a snapshot's file, "
			 "followed by ,key=value pairs",
			 word ? quoted(word).text : "", models);
}

int sim_spec_set_model(struct sim_spec *spec, const char *name, struct error *err)
{
	char models[MODELS_SIZE];

	if (!find_model(spec, name))
		return 0;
	list_models(models, sizeof(models));
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "%s: a snapshot of '%s', which cannot be simulated: expected %s",
			 quoted(spec->file).text, quoted(name).text, models);
}

/* Refuses keys for the layout, which a snapshot has. */
static int check_keys(const struct sim_spec *spec, const bool given[SIM_KEYS_MOST],
		      struct error *err)
{
	const struct sim_key *key;

	for (size_t i = 0; *spec->file && (key = sim_key(i)); i++)
		if (given[i] && key->layout)
			return error_set(err, ERROR_USAGE, -EINVAL,
					 "--sim: key '%s' with a snapshot, which has its own "
					 "number: cxlmon --help=sim lists the keys it takes",
					 key->name);
	return 0;
}

/*
 * Sets the traffic of a demo. It varies as on a real machine, unless ramp= or wave=0 are given,
 * and memory is demoted, unless promote= or demote= are given.
 */
static void set_demo(struct sim_spec *spec, const bool given[SIM_KEYS_MOST])
{
	const struct sim_key *key;

	for (size_t i = 0; (key = sim_key(i)); i++)
		if (key->demo > 0)
			set_field(spec, key, key->demo);
	if (!given[find_key("wave")])
		spec->wave = spec->ramp == 0;
	spec->noise = spec->wave;
	if (!given[find_key("promote")] && !given[find_key("demote")])
		spec->demote = DEMO_DEMOTE;
}

/* Checks numbers that only some models can have. */
static int check_model(struct sim_spec *spec, struct error *err)
{
	const struct sim_model *facts = spec->facts;

	const double stall = spec->demand_stall + spec->cache_stall + spec->store_stall;
	if (stall > 100)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: demand_stall, cache_stall and store_stall add up to %g: "
				 "expected 100 at most",
				 stall);
	const double kinds = spec->l2_prefetch + spec->l3_prefetch + spec->ownership + spec->code;
	if (kinds > 100)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: l2_prefetch, l3_prefetch, ownership and code add up to "
				 "%g: expected 100 at most",
				 kinds);
	if (facts->max_ports && spec->ports > facts->max_ports)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: ports=%u: expected %u at most: a socket of %s has no more",
				 spec->ports, facts->max_ports, sim_model_name(spec->model));
	return sim_extras.finish ? sim_extras.finish(spec, err) : 0;
}

/* A socket of AMD or Arm is one die to the kernel, and moves nothing by CXL.cache that is counted;
 * nor do processors without an uncore. */
static void drop_what_it_lacks(struct sim_spec *spec)
{
	const struct sim_model *facts = spec->facts;

	if (!facts->read_kinds)
		spec->l2_prefetch = spec->l3_prefetch = spec->ownership = spec->code = 0;
	if (facts->vendor == SIM_INTEL && !facts->no_uncore)
		return;
	spec->dies = 1;
	spec->cache_d2h = spec->cache_h2d = 0;
}

static int parse_words(char *text, struct sim_spec *out, struct error *err)
{
	char *save = NULL, *word = strtok_r(text, ",", &save);
	bool given[SIM_KEYS_MOST] = {false};
	const struct sim_key *key;

	*out = fixed;
	set_model(out, model_next_simulated(NULL));
	for (size_t i = 0; (key = sim_key(i)); i++)
		if (key->initial > 0)
			set_field(out, key, key->initial);
	int rc = set_machine(out, word, err);
	while (!rc && (word = strtok_r(NULL, ",", &save)))
		rc = set_key(out, word, given, err);
	if (!rc)
		rc = check_keys(out, given, err);
	if (!rc && out->wave && out->ramp > 0)
		rc = error_set(err, ERROR_USAGE, -EINVAL,
			       "--sim: wave=1 with ramp=%g: expected one of the two", out->ramp);
	if (!rc)
		rc = check_model(out, err);
	if (rc)
		return rc;
	out->rxc_given = given[find_key("rxc")];
	out->full_given = given[find_key("full")];
	bool rates = false;
	for (size_t i = 0; (key = sim_key(i)); i++)
		rates = rates || (given[i] && key->demo > 0);
	if (rates)
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

/* Adds rates of 0 before the other keys: the last value of a key holds. */
char *sim_spec_idle(const char *text, const char *more)
{
	const size_t model = strcspn(text, ",");
	char *idle;

	return asprintf(&idle, "%.*s,read=0,dram_read=0%s%s", (int)model, text, more,
			text + model) < 0
		       ? NULL
		       : idle;
}
