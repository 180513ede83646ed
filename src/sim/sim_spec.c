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

#include "platform/number.h"
#include "platform/text.h"

#define MODELS "spr, emr, gnr, gnr-d, srf, cwf, dmr, turin, venice or genoa"

enum kind { INTEGER, REAL, BOOLEAN, CLOCK, VERSION, LOCKDOWN, MISCOUNT };

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
	{"invalid", BOOLEAN, offsetof(struct sim_spec, invalid), 0, 1, false, true},
};

#define LATENCY_READS 1 /* GB/s */
#define KEY_COUNT     (sizeof(keys) / sizeof(keys[0]))
_Static_assert(KEY_COUNT <= 64, "those given are a mask of 64 bits");

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

static int bad_value(const struct key *key, const char *value, struct error *err)
{
	switch (key->kind) {
	case CLOCK:
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: clock=%s: expected real or virtual", quoted(value).text);
	case VERSION:
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: kernel=%s: expected a version from 5.14 on, such as 6.12",
				 quoted(value).text);
	case LOCKDOWN:
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: lockdown=%s: expected none, integrity or confidentiality",
				 quoted(value).text);
	case MISCOUNT:
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: miscount=%s: expected port, rxc, m2s_req, write, tor, "
				 "latency, dram_read or dram_write",
				 quoted(value).text);
	case BOOLEAN:
		return error_set(err, EXIT_USAGE, -EINVAL, "--sim: %s=%s: expected 0 or 1",
				 key->name, quoted(value).text);
	default:
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--sim: %s=%s: expected a%s number from %g to %g", key->name,
				 quoted(value).text, key->kind == INTEGER ? " whole" : "", key->min,
				 key->max);
	}
}

static int set_number(struct sim_spec *spec, const struct key *key, const char *value,
		      struct error *err)
{
	void *field = (char *)spec + key->offset;
	char *end;

	/* strtod() also accepts blanks, signs, exponents, hexadecimal numbers, inf and nan */
	double number = strtod(value, &end);
	if (!*value || *end || value[strspn(value, "0123456789.")] || number < key->min ||
	    number > key->max || (key->kind != REAL && number != round_double(number)))
		return bad_value(key, value, err);
	if (key->kind == INTEGER)
		*(unsigned *)field = (unsigned)number;
	else if (key->kind == BOOLEAN)
		*(bool *)field = number != 0;
	else
		*(double *)field = number;
	return 0;
}

static int set_clock(struct sim_spec *spec, const struct key *key, const char *value,
		     struct error *err)
{
	spec->virtual_clock = !strcmp(value, "virtual");
	return spec->virtual_clock || !strcmp(value, "real") ? 0 : bad_value(key, value, err);
}

/* MAJOR.MINOR, and anything behind another dot. */
static int set_version(struct sim_spec *spec, const struct key *key, const char *value,
		       struct error *err)
{
	unsigned major, minor;
	char next = '\0';

	if (value[strspn(value, "0123456789.")] || strlen(value) > 16 ||
	    sscanf(value, "%3u.%3u%c", &major, &minor, &next) < 2 || (next && next != '.') ||
	    SIM_KERNEL(major, minor) < SIM_KERNEL_OLDEST)
		return bad_value(key, value, err);
	spec->kernel = SIM_KERNEL(major, minor);
	return 0;
}

static int set_lockdown(struct sim_spec *spec, const struct key *key, const char *value,
			struct error *err)
{
	static const char *const names[] = {"none", "integrity", "confidentiality"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(value, names[i])) {
			spec->lockdown = (enum sim_lockdown)i;
			return 0;
		}
	return bad_value(key, value, err);
}

static int set_miscount(struct sim_spec *spec, const struct key *key, const char *value,
			struct error *err)
{
	static const char *const names[] = {
		[MISCOUNT_PORT] = "port",
		[MISCOUNT_RXC] = "rxc",
		[MISCOUNT_M2S_REQ] = "m2s_req",
		[MISCOUNT_WRITE] = "write",
		[MISCOUNT_TOR] = "tor",
		[MISCOUNT_LATENCY] = "latency",
		[MISCOUNT_DRAM_READ] = "dram_read",
		[MISCOUNT_DRAM_WRITE] = "dram_write",
	};

	for (unsigned i = MISCOUNT_PORT; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(value, names[i])) {
			spec->miscount = (enum sim_miscount)i;
			return 0;
		}
	return bad_value(key, value, err);
}

static int set_value(struct sim_spec *spec, const struct key *key, const char *value,
		     struct error *err)
{
	switch (key->kind) {
	case CLOCK:
		return set_clock(spec, key, value, err);
	case VERSION:
		return set_version(spec, key, value, err);
	case LOCKDOWN:
		return set_lockdown(spec, key, value, err);
	case MISCOUNT:
		return set_miscount(spec, key, value, err);
	default:
		return set_number(spec, key, value, err);
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

static bool was_given(uint64_t given, size_t offset)
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

/* A latency can be measured only if there are reads: adds some where no rate was given. */
static void add_latency_reads(struct sim_spec *spec, uint64_t given)
{
	if (was_given(given, offsetof(struct sim_spec, latency)) &&
	    !was_given(given, offsetof(struct sim_spec, read)))
		spec->read = LATENCY_READS;
	if ((was_given(given, offsetof(struct sim_spec, ddr_latency)) ||
	     was_given(given, offsetof(struct sim_spec, ddr_remote_latency))) &&
	    !was_given(given, offsetof(struct sim_spec, dram_read)))
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
	for (size_t i = 0; *spec->file && i < KEY_COUNT; i++)
		if (given >> i & 1 && keys[i].layout)
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "--sim: key '%s' with a snapshot, which says how many "
					 "there are: expected rates, latencies, limit, memspecrd, "
					 "rxc, wave, ramp, begin, miscount, miscount_pct, "
					 "miscount_port, swap, clock, kernel, paranoid or "
					 "lockdown",
					 keys[i].name);
	return 0;
}

/* Demo traffic moves as that of a real machine, unless it is to rise, or wave=0 wants it steady. */
static void set_demo(struct sim_spec *spec, uint64_t given)
{
	set_demo_rates(spec);
	if (!was_given(given, offsetof(struct sim_spec, wave)))
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

/* A socket of AMD is one die to the kernel, and moves nothing by CXL.cache that is counted. */
static void drop_what_it_lacks(struct sim_spec *spec)
{
	if (sim_model_facts(spec->model)->vendor != SIM_AMD)
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
	out->rxc_given = was_given(given, offsetof(struct sim_spec, rxc));
	out->full_given = was_given(given, offsetof(struct sim_spec, full));
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
char *sim_spec_idle(const char *text)
{
	const size_t model = strcspn(text, ",");
	char *idle;

	return asprintf(&idle, "%.*s,read=0%s", (int)model, text, text + model) < 0 ? NULL : idle;
}
