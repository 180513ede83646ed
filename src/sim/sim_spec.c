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

#include "platform/text.h"
#include "sim/sim_cpmu_kinds.h"

#define MODELS "spr, emr, gnr, gnr-d, srf, cwf, dmr, turin, venice, genoa, intel, amd or arm"

#define LATENCY_READS 1 /* GB/s */

enum kind { INTEGER, REAL, BOOLEAN, CLOCK, VERSION, LOCKDOWN, MISCOUNT, CPMU_KIND };

/* The address map limits the counts, the width of a counter limits the rates. */
static const struct key {
	const char *name;
	enum kind kind;
	size_t offset;
	double min, max;
	bool rate;   /* replaces the demo traffic */
	bool layout; /* conflicts with a snapshot, which has the layout */
} keys[] = {
	{"sockets", INTEGER, offsetof(struct sim_spec, sockets), 1, 8, false, true},
	{"dies", INTEGER, offsetof(struct sim_spec, dies), 1, 8, false, true},
	{"cpus", INTEGER, offsetof(struct sim_spec, cpus), 1, 256, false, true},
	{"ports", INTEGER, offsetof(struct sim_spec, ports), 1, 16, false, true},
	{"chas", INTEGER, offsetof(struct sim_spec, chas), 1, 128, false, true},
	{"extra_chas", INTEGER, offsetof(struct sim_spec, extra_chas), 0, 16, false, true},
	{"imcs", INTEGER, offsetof(struct sim_spec, imcs), 1, 32, false, true},
	{"hbms", INTEGER, offsetof(struct sim_spec, hbms), 0, 32, false, true},
	{"threads", INTEGER, offsetof(struct sim_spec, threads), 1, 2, false, true},
	{"read", REAL, offsetof(struct sim_spec, read), 0, 1e4, true},
	{"write", REAL, offsetof(struct sim_spec, write), 0, 1e4, true},
	{"cache_d2h", REAL, offsetof(struct sim_spec, cache_d2h), 0, 1e4, true},
	{"cache_h2d", REAL, offsetof(struct sim_spec, cache_h2d), 0, 1e4, true},
	{"limit", REAL, offsetof(struct sim_spec, limit), 0, 1e4, false},
	{"memspecrd", REAL, offsetof(struct sim_spec, memspecrd), 0, 100, false},
	{"latency", REAL, offsetof(struct sim_spec, latency), 0, 1e6, false},
	{"ddr_latency", REAL, offsetof(struct sim_spec, ddr_latency), 0, 1e6, false},
	{"ddr_remote_latency", REAL, offsetof(struct sim_spec, ddr_remote_latency), 0, 1e6, false},
	{"dram_read", REAL, offsetof(struct sim_spec, dram_read), 0, 1e5, true},
	{"dram_write", REAL, offsetof(struct sim_spec, dram_write), 0, 1e5, true},
	{"hbm_read", REAL, offsetof(struct sim_spec, hbm_read), 0, 1e5, true},
	{"hbm_write", REAL, offsetof(struct sim_spec, hbm_write), 0, 1e5, true},
	{"crc", REAL, offsetof(struct sim_spec, crc), 0, 1e9, false},
	{"retry", REAL, offsetof(struct sim_spec, retry), 0, 1e9, false},
	{"full", REAL, offsetof(struct sim_spec, full), 0, 100, true},
	{"link_width", INTEGER, offsetof(struct sim_spec, link_width), 1, 32, false},
	{"link_max_width", INTEGER, offsetof(struct sim_spec, link_max_width), 1, 32, false},
	{"link_speed", REAL, offsetof(struct sim_spec, link_speed), 2.5, 64, false},
	{"ocr_cxl", BOOLEAN, offsetof(struct sim_spec, ocr_cxl), 0, 1, false},
	{"exp_local", BOOLEAN, offsetof(struct sim_spec, exp_local), 0, 1, false},
	{"rxc", BOOLEAN, offsetof(struct sim_spec, rxc), 0, 1, false},
	{"wave", BOOLEAN, offsetof(struct sim_spec, wave), 0, 1, false},
	{"ramp", REAL, offsetof(struct sim_spec, ramp), 0, 1e5, false},
	{"begin", REAL, offsetof(struct sim_spec, begin), 0, 1e5, false},
	{"miscount", MISCOUNT, offsetof(struct sim_spec, miscount), 0, 0, false},
	{"miscount_pct", REAL, offsetof(struct sim_spec, miscount_pct), 0, 1000, false},
	{"miscount_port", INTEGER, offsetof(struct sim_spec, miscount_port), 0, 127, false},
	{"swap", BOOLEAN, offsetof(struct sim_spec, swap), 0, 1, false},
	{"clock", CLOCK, offsetof(struct sim_spec, virtual_clock), 0, 0, false},
	{"kernel", VERSION, offsetof(struct sim_spec, kernel), 0, 0, false},
	{"paranoid", INTEGER, offsetof(struct sim_spec, paranoid), 0, 4, false},
	{"lockdown", LOCKDOWN, offsetof(struct sim_spec, lockdown), 0, 0, false},
	{"cpmu", BOOLEAN, offsetof(struct sim_spec, cpmu), 0, 1, false, true},
	{"cpmu_kind", CPMU_KIND, offsetof(struct sim_spec, cpmu_kind), 0, 0, false, true},
	{"cxl_pmu", BOOLEAN, offsetof(struct sim_spec, cxl_pmu), 0, 1, false, false},
	{"invalid", BOOLEAN, offsetof(struct sim_spec, invalid), 0, 1, false, true},
	{"promote", REAL, offsetof(struct sim_spec, promote), 0, 1e9, false},
	{"demote", REAL, offsetof(struct sim_spec, demote), 0, 1e9, false},
	{"hint", REAL, offsetof(struct sim_spec, hint), 0, 1e9, false},
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))
_Static_assert(KEY_COUNT <= 64, "those given are a mask of 64 bits");

const char *sim_spec_key(size_t i)
{
	return i < KEY_COUNT ? keys[i].name : NULL;
}

/* The nth word that a key takes as its value; NULL: there are no more. */
static const char *choice(const struct key *key, unsigned n)
{
	static const char *const booleans[] = {"0", "1", NULL};
	static const char *const clocks[] = {"real", "virtual", NULL};
	static const char *const lockdowns[] = {"none", "integrity", "confidentiality", NULL};
	static const char *const miscounts[] = {"port",	     "rxc",	   "m2s_req",
						"write",     "tor",	   "latency",
						"dram_read", "dram_write", NULL};
	const struct sim_cpmu_kind *kind;

	switch (key->kind) {
	case BOOLEAN:
		return booleans[n];
	case CLOCK:
		return clocks[n];
	case LOCKDOWN:
		return lockdowns[n];
	case MISCOUNT:
		return miscounts[n];
	case CPMU_KIND:
		kind = sim_cpmu_kind(n);
		return kind ? kind->name : NULL;
	default:
		return NULL;
	}
}

const char *sim_spec_choice(size_t key, unsigned n)
{
	return choice(&keys[key], n);
}

static int bad_choice(const struct key *key, const char *value, struct error *err)
{
	const bool list = key->kind == CPMU_KIND;
	char known[256] = "";
	size_t used = 0;

	for (unsigned n = 0; choice(key, n) && used < sizeof(known); n++) {
		const char *between = !n ? "" : list || choice(key, n + 1) ? ", " : " or ";

		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", between,
					 choice(key, n));
	}
	return error_set(err, EXIT_USAGE, -EINVAL, "--sim: %s=%s: expected %s%s", key->name,
			 quoted(value).text, list ? "one of " : "", known);
}

static int set_choice(struct sim_spec *spec, const struct key *key, const char *value,
		      struct error *err)
{
	unsigned n = 0;

	while (choice(key, n) && strcmp(value, choice(key, n)) != 0)
		n++;
	if (!choice(key, n))
		return bad_choice(key, value, err);
	if (key->kind == CLOCK)
		spec->virtual_clock = n;
	else if (key->kind == LOCKDOWN)
		spec->lockdown = (enum sim_lockdown)n;
	else if (key->kind == MISCOUNT)
		spec->miscount = (enum sim_miscount)(MISCOUNT_PORT + n);
	else
		spec->cpmu_kind = n;
	return 0;
}

static int bad_number(const struct key *key, const char *value, struct error *err)
{
	if (key->kind == BOOLEAN)
		return error_set(err, EXIT_USAGE, -EINVAL, "--sim: %s=%s: expected 0 or 1",
				 key->name, quoted(value).text);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "--sim: %s=%s: expected a%s number from %g to %g", key->name,
			 quoted(value).text, key->kind == INTEGER ? " whole" : "", key->min,
			 key->max);
}

static int set_number(struct sim_spec *spec, const struct key *key, const char *value,
		      struct error *err)
{
	void *field = (char *)spec + key->offset;
	char *end;

	/* strtod() also accepts blanks, signs, exponents, hexadecimal numbers, inf and nan */
	double number = strtod(value, &end);
	if (!*value || *end || value[strspn(value, "0123456789.")] || number < key->min ||
	    number > key->max || (key->kind != REAL && number != round(number)))
		return bad_number(key, value, err);
	if (key->kind == INTEGER)
		*(unsigned *)field = (unsigned)number;
	else if (key->kind == BOOLEAN)
		*(bool *)field = number != 0;
	else
		*(double *)field = number;
	return 0;
}

/* MAJOR.MINOR, and anything behind another dot. */
static int set_version(struct sim_spec *spec, const char *value, struct error *err)
{
	unsigned major, minor;
	char next = '\0';

	if (value[strspn(value, "0123456789.")] || strlen(value) > 16 ||
	    sscanf(value, "%3u.%3u%c", &major, &minor, &next) < 2 || (next && next != '.') ||
	    SIM_KERNEL(major, minor) < SIM_KERNEL_OLDEST)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: kernel=%s: expected a version from 5.14 on, such as 6.12",
				 quoted(value).text);
	spec->kernel = SIM_KERNEL(major, minor);
	return 0;
}

static int set_value(struct sim_spec *spec, const struct key *key, const char *value,
		     struct error *err)
{
	switch (key->kind) {
	case INTEGER:
	case REAL:
	case BOOLEAN:
		return set_number(spec, key, value, err);
	case VERSION:
		return set_version(spec, value, err);
	default:
		return set_choice(spec, key, value, err);
	}
}

static int bad_key(const char *name, struct error *err)
{
	char known[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < KEY_COUNT; i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
					 keys[i].name);
	return error_set(err, EXIT_USAGE, -EINVAL, "--sim: unknown key '%s': expected one of %s",
			 quoted(name).text, known);
}

/* Takes key=value, which it cuts in two, and adds the key's bit to *given. */
static int set_key(struct sim_spec *spec, char *assignment, uint64_t *given, struct error *err)
{
	char *value = strchr(assignment, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const struct key *key = &keys[i];

		if (strcmp(assignment, key->name))
			continue;
		if (!value)
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "--sim: key '%s' needs a value: expected %s=...",
					 key->name, key->name);
		*given |= UINT64_C(1) << i;
		return set_value(spec, key, value, err);
	}
	return bad_key(assignment, err);
}

/* Whether the key of the field at this offset is among those given. */
static bool key_given(uint64_t given, size_t offset)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keys[i].offset == offset)
			return given >> i & 1;
	return false;
}

static bool rate_given(uint64_t given)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (given >> i & 1 && keys[i].rate)
			return true;
	return false;
}

/* The name of one that says what the machine has; NULL: none does. */
static const char *layout_given(uint64_t given)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (given >> i & 1 && keys[i].layout)
			return keys[i].name;
	return NULL;
}

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
	.link_width = 16,
	.link_max_width = 16,
	.link_speed = 32,
	.ddr_latency = 110,
	.ddr_remote_latency = 190,
	.miscount_pct = 50,
	.miscount_port = SIM_EVERY_PORT,
	.kernel = SIM_KERNEL_NEWEST,
};

/* A latency can be measured only if there are reads: adds some where no rate was given. */
static void add_latency_reads(struct sim_spec *spec, uint64_t given)
{
	if (key_given(given, offsetof(struct sim_spec, latency)) &&
	    !key_given(given, offsetof(struct sim_spec, read)))
		spec->read = LATENCY_READS;
	if ((key_given(given, offsetof(struct sim_spec, ddr_latency)) ||
	     key_given(given, offsetof(struct sim_spec, ddr_remote_latency))) &&
	    !key_given(given, offsetof(struct sim_spec, dram_read)))
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
	struct text_nearest nearest = text_nearest_start(word ? word : "");

	if (word && !find_model(spec, word))
		return 0;
	if (word && names_file(word))
		return set_file(spec, word, err);
	for (enum sim_model m = 0; word && m < SIM_MODELS; m++)
		text_nearest_add(&nearest, sim_model_facts(m)->name);
	if (nearest.name)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: unknown model '%s': did you mean '%s'?", quoted(word).text,
				 nearest.name);
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
	const char *layout = *spec->file ? layout_given(given) : NULL;

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
	if (!key_given(given, offsetof(struct sim_spec, wave)))
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
		rc = set_key(out, word, &given, err);
	if (!rc)
		rc = check_keys(out, given, err);
	if (!rc)
		rc = check_movement(out, err);
	if (!rc)
		rc = check_model(out, err);
	if (rc)
		return rc;
	out->rxc_given = key_given(given, offsetof(struct sim_spec, rxc));
	out->full_given = key_given(given, offsetof(struct sim_spec, full));
	if (!key_given(given, offsetof(struct sim_spec, cpmu)))
		out->cpmu = key_given(given, offsetof(struct sim_spec, cpmu_kind));
	if (rate_given(given))
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
char *sim_spec_idle(const char *text, const char *more)
{
	const size_t model = strcspn(text, ",");
	char *idle;

	return asprintf(&idle, "%.*s,read=0%s%s", (int)model, text, more, text + model) < 0 ? NULL
											    : idle;
}
