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
#include "platform/device_health.h"
#include "platform/memory.h"
#include "platform/platform.h"
#include "sim/sim_cpmu.h"
#include "uncore/models/models.h"

#define LATENCY_READS 1 /* GB/s */
#define MODELS_SIZE   512
#define DEMO_DEMOTE   2560 /* pages a second: 10 MiB */

/* VERSION: of the kernel. BOOLEAN and WORD: one of words, by its number. */
enum kind { INTEGER, REAL, BOOLEAN, WORD, VERSION };

static const char *const booleans[] = {"0", "1", NULL};
static const char *const clocks[] = {"real", "virtual", NULL};
static const char *const lockdowns[] = {"none", "integrity", "confidentiality", NULL};

/* As enum sim_regions. */
static const char *const regions[] = {"four",	 "none",     "mixed", "total",
				      "unknown", "overflow", NULL};

/* As enum sim_miscount, which begins with none. */
static const char *const miscounts[] = {"port",	   "rxc",	"m2s_req",    "write", "tor",
					"latency", "dram_read", "dram_write", NULL};

/* As enum sim_upi. */
static const char *const upis[] = {"all", "even", "off", NULL};

#define FIELD(name) #name, offsetof(struct sim_spec, name)

/* The address map limits the counts, the width of a counter limits the rates. */
static const struct key {
	const char *name;
	size_t offset;
	enum kind kind;
	double min, max, initial;
	double demo; /* a rate, which replaces the traffic of a demo: what it is there */
	const char *const *words; /* NULL: names of CPMUs */
	bool layout;		  /* conflicts with a snapshot, which has the layout */
} keys[] = {
	{FIELD(sockets), INTEGER, 1, 8, 1, .layout = true},
	{FIELD(dies), INTEGER, 1, 8, 1, .layout = true},
	{FIELD(cpus), INTEGER, 1, 256, 8, .layout = true},
	{FIELD(isolated), INTEGER, 0, 256, .layout = true},
	{FIELD(ports), INTEGER, 1, 16, 2, .layout = true},
	{FIELD(chas), INTEGER, 1, 128, 8, .layout = true},
	{FIELD(extra_chas), INTEGER, 0, 16, .layout = true},
	{FIELD(still_chas), INTEGER, 0, 127, .layout = true},
	{FIELD(imcs), INTEGER, 1, 32, 4, .layout = true},
	{FIELD(hbms), INTEGER, 0, 32, .layout = true},
	{FIELD(threads), INTEGER, 1, 2, 1, .layout = true},
	{FIELD(read), REAL, 0, 1e4, .demo = 12},
	{FIELD(write), REAL, 0, 1e4, .demo = 5},
	{FIELD(cache_d2h), REAL, 0, 1e4, .demo = 0.4},
	{FIELD(cache_h2d), REAL, 0, 1e4, .demo = 0.8},
	{FIELD(limit), REAL, 0, 1e4},
	{FIELD(memspecrd), REAL, 0, 100},
	{FIELD(latency), REAL, 0, 1e6, 320},
	{FIELD(ddr_latency), REAL, 0, 1e6, 110},
	{FIELD(ddr_remote_latency), REAL, 0, 1e6, 190},
	{FIELD(tor_leak), REAL, 0, 1e3},
	{FIELD(dram_read), REAL, 0, 1e5, .demo = 60},
	{FIELD(dram_write), REAL, 0, 1e5, .demo = 25},
	{FIELD(hbm_read), REAL, 0, 1e5, .demo = 300},
	{FIELD(hbm_write), REAL, 0, 1e5, .demo = 120},
	{FIELD(crc), REAL, 0, 1e9},
	{FIELD(retry), REAL, 0, 1e9},
	{FIELD(full), REAL, 0, 100, .demo = 4},
	{FIELD(link_width), INTEGER, 1, 32, 16},
	{FIELD(link_max_width), INTEGER, 1, 32, 16},
	{FIELD(link_speed), REAL, 2.5, 64, 32},
	{FIELD(link_change), REAL, 0, 1e5},
	{FIELD(link_change_width), INTEGER, 0, 32, 8},
	{FIELD(link_back), REAL, 0, 1e5},
	{FIELD(aer_correctable), REAL, 0, 1e9},
	{FIELD(aer_nonfatal), REAL, 0, 1e9},
	{FIELD(aer_fatal), REAL, 0, 1e9},
	{FIELD(aer_advisory), REAL, 0, 1e9},
	{FIELD(aer_internal), REAL, 0, 1e9},
	{FIELD(aer_unsupported), REAL, 0, 1e9},
	{FIELD(ways), INTEGER, 1, REGION_MAX_WAYS, 1, .layout = true},
	{FIELD(imbalance), REAL, 0, 100},
	{FIELD(remote), REAL, 0, 100, 25},
	{FIELD(dram_used), REAL, 0, 100, 50},
	{FIELD(promised_bandwidth), REAL, 0, 1e4, .layout = true},
	{FIELD(promised_latency), REAL, 0, 1e6, .layout = true},
	{FIELD(tiers), INTEGER, 0, 2, .layout = true},
	{FIELD(temperature), REAL, -50, 200, 45},
	{FIELD(life_used), REAL, 0, 100, 2},
	{FIELD(health), INTEGER, 0, DEVICE_STATE_MOST},
	{FIELD(corrected), REAL, 0, 1e9},
	{FIELD(events), REAL, 0, 1e6},
	{FIELD(ocr_cxl), BOOLEAN, .words = booleans},
	{FIELD(exp_local), BOOLEAN, .words = booleans},
	{FIELD(rxc), BOOLEAN, .words = booleans},
	{FIELD(wave), BOOLEAN, .words = booleans},
	{FIELD(ramp), REAL, 0, 1e5},
	{FIELD(begin), REAL, 0, 1e5},
	{FIELD(miscount), WORD, .words = miscounts},
	{FIELD(miscount_pct), REAL, 0, 1000, 50},
	{FIELD(miscount_port), INTEGER, 0, 127, SIM_EVERY_PORT},
	{FIELD(upi), WORD, .words = upis},
	{FIELD(swap), BOOLEAN, .words = booleans},
	{"clock", offsetof(struct sim_spec, virtual_clock), BOOLEAN, .words = clocks},
	{FIELD(pause), REAL, 0, 1e4},
	{FIELD(kernel), VERSION, .initial = SIM_KERNEL_NEWEST},
	{FIELD(paranoid), INTEGER, 0, 4},
	{FIELD(lockdown), WORD, .words = lockdowns},
	{FIELD(cpmu), BOOLEAN, .words = booleans, .layout = true},
	{FIELD(cpmu_kind), WORD, .layout = true},
	{FIELD(cxl_pmu), BOOLEAN, .words = booleans},
	{FIELD(bmec), BOOLEAN, .words = booleans},
	{FIELD(regions), WORD, .words = regions, .layout = true},
	{FIELD(region_width), INTEGER, 8, 62, 48, .layout = true},
	{FIELD(region_factor), REAL, 0, 1000, .layout = true},
	{FIELD(region_groups), INTEGER, 0, 31, .layout = true},
	{FIELD(invalid), BOOLEAN, .words = booleans, .layout = true},
	{FIELD(promote), REAL, 0, 1e9},
	{FIELD(demote), REAL, 0, 1e9},
	{FIELD(hint), REAL, 0, 1e9},
	{FIELD(readers), INTEGER, 0, 64, 3},
	{FIELD(vms), INTEGER, 0, 64},
	{FIELD(read_set), REAL, 0.01, 16, 4},
	{FIELD(hot_pct), REAL, 0.1, 100, 10},
	{FIELD(hot_reads_pct), REAL, 0, 100, 90},
	{FIELD(hot_moves), REAL, 0, 1e5},
	{FIELD(sampled_pct), REAL, 0, 100, 50},
	{FIELD(dram_streamed_pct), REAL, 0, 100},
	{FIELD(cache_hits), REAL, 0, 1000, 99},
	{FIELD(sample_running), REAL, 0, 100, 100},
	{FIELD(demand_stall), REAL, 0, 100, 20},
	{FIELD(cache_stall), REAL, 0, 100, 8},
	{FIELD(store_stall), REAL, 0, 100, 4},
	{FIELD(parallelism), REAL, 1, 48, 3},
	{FIELD(overlap), REAL, 0, 1e4, 20},
	{FIELD(prefetched), REAL, 0, 100, 25},
	{FIELD(cxl_share), REAL, 0, 100},
	{FIELD(deviation), REAL, 0, 100},
	{FIELD(seed), INTEGER, 0, 1e9},
};

#define KEY_COUNT (sizeof(keys) / sizeof(keys[0]))
const char *sim_spec_key(size_t i)
{
	return i < KEY_COUNT ? keys[i].name : NULL;
}

static const char *word_of(const struct key *key, unsigned n)
{
	const struct sim_cpmu_kind *cpmu = sim_cpmu_kind(n);

	if (key->kind != BOOLEAN && key->kind != WORD)
		return NULL;
	return key->words ? key->words[n] : cpmu ? cpmu->name : NULL;
}

const char *sim_spec_choice(size_t key, unsigned n)
{
	return word_of(&keys[key], n);
}

static int bad_word(const struct key *key, const char *value, struct error *err)
{
	char known[256] = "";
	size_t used = 0;

	for (unsigned n = 0; word_of(key, n) && used < sizeof(known); n++) {
		const char *between = !n ? "" : !key->words || word_of(key, n + 1) ? ", " : " or ";

		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", between,
					 word_of(key, n));
	}
	return error_set(err, ERROR_USAGE, -EINVAL, "--sim: %s=%s: expected %s%s", key->name,
			 quoted(value).text, key->words ? "" : "one of ", known);
}

static int set_word(const struct key *key, const char *value, void *field, struct error *err)
{
	unsigned n = 0;

	while (word_of(key, n) && strcmp(value, word_of(key, n)) != 0)
		n++;
	if (!word_of(key, n))
		return bad_word(key, value, err);
	if (key->kind == BOOLEAN)
		*(bool *)field = n;
	else
		*(unsigned *)field = key->words == miscounts ? MISCOUNT_PORT + n : n;
	return 0;
}

static void set_field(struct sim_spec *spec, const struct key *key, double number)
{
	void *field = (char *)spec + key->offset;

	if (key->kind == REAL)
		*(double *)field = number;
	else if (key->kind != BOOLEAN)
		*(unsigned *)field = (unsigned)number;
}

static int set_number(struct sim_spec *spec, const struct key *key, const char *value,
		      struct error *err)
{
	char *end;

	/* strtod() also accepts blanks, plus, exponents, hexadecimal numbers, inf and nan */
	double number = strtod(value, &end);
	const char *digits = value + (*value == '-');
	if (!*digits || *end || digits[strspn(digits, "0123456789.")] || number < key->min ||
	    number > key->max || (key->kind == INTEGER && number != round(number)))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: %s=%s: expected a%s number from %g to %g", key->name,
				 quoted(value).text, key->kind == INTEGER ? " whole" : "", key->min,
				 key->max);
	set_field(spec, key, number);
	return 0;
}

/* MAJOR.MINOR, and anything behind another dot. */
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

	for (size_t i = 0; i < KEY_COUNT; i++)
		text_nearest_add(&nearest, keys[i].name);
	if (nearest.name)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: unknown key '%s': did you mean '%s'?", quoted(name).text,
				 nearest.name);
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "--sim: unknown key '%s': cxlmon --help=sim lists them",
			 quoted(name).text);
}

/* KEY_COUNT: there is none of this name. */
static size_t find_key(const char *name)
{
	size_t i = 0;

	while (i < KEY_COUNT && strcmp(keys[i].name, name) != 0)
		i++;
	return i;
}

/* Takes key=value, which it cuts in two, and marks the key as given. */
static int set_key(struct sim_spec *spec, char *assignment, bool given[KEY_COUNT],
		   struct error *err)
{
	const char *name = strsep(&assignment, "="), *value = assignment;
	const size_t i = find_key(name);
	const struct key *key = &keys[i];

	if (i == KEY_COUNT)
		return bad_key(name, err);
	if (!value)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: key '%s' needs a value: expected %s=...", name, name);
	given[i] = true;
	if (key->kind == INTEGER || key->kind == REAL)
		return set_number(spec, key, value, err);
	void *field = (char *)spec + key->offset;
	return key->kind == VERSION ? set_version(value, field, err)
				    : set_word(key, value, field, err);
}

/* A latency can be measured only if there are reads: adds some where no rate was given. */
static void add_latency_reads(struct sim_spec *spec, const bool given[KEY_COUNT])
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
	for (size_t i = 0; sim_spec_model(i); i++) {
		const char *between = sim_spec_model(i + 1) ? ", " : " or ";

		text_append(text, size, "%s%s", i ? between : "", sim_spec_model(i));
	}
}

/* The model, and what it implies. -ENOENT: no model has this name. */
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

/* The first word: a model, or the file of a snapshot. */
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
			 "--sim: unknown model '%s': expected %s, or a snapshot's file, then "
			 "key=value pairs behind commas",
			 word ? quoted(word).text : "", models);
}

int sim_spec_set_model(struct sim_spec *spec, const char *name, struct error *err)
{
	char models[MODELS_SIZE];

	if (!find_model(spec, name))
		return 0;
	list_models(models, sizeof(models));
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "%s: a snapshot of '%s', which can't be simulated: expected %s",
			 quoted(spec->file).text, quoted(name).text, models);
}

/* A snapshot has the layout: keys for it are refused. */
static int check_keys(const struct sim_spec *spec, const bool given[KEY_COUNT], struct error *err)
{
	size_t i = 0;

	while (i < KEY_COUNT && !(given[i] && keys[i].layout))
		i++;
	if (!*spec->file || i == KEY_COUNT)
		return 0;
	return error_set(
		err, ERROR_USAGE, -EINVAL,
		"--sim: key '%s' with a snapshot, which says how many there are: expected "
		"rates, latencies, tor_leak, limit, memspecrd, rxc, wave, ramp, begin, miscount, "
		"miscount_pct, miscount_port, upi, swap, imbalance, remote, dram_used, clock, kernel, paranoid, lockdown or "
		"cxl_pmu",
		keys[i].name);
}

/*
 * Demo traffic moves as that of a real machine, unless it is to rise, or wave=0 wants it steady,
 * and memory is demoted, unless it is said what moves.
 */
static void set_demo(struct sim_spec *spec, const bool given[KEY_COUNT])
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keys[i].demo > 0)
			set_field(spec, &keys[i], keys[i].demo);
	if (!given[find_key("wave")])
		spec->wave = spec->ramp == 0;
	spec->noise = spec->wave;
	if (!given[find_key("promote")] && !given[find_key("demote")])
		spec->demote = DEMO_DEMOTE;
}

/* Numbers that only some models can have. */
static int check_model(const struct sim_spec *spec, struct error *err)
{
	const struct sim_model *facts = spec->facts;

	if (spec->still_chas >= spec->chas)
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"--sim: still_chas=%u: expected fewer than the CHAs of a socket (%u)",
			spec->still_chas, spec->chas);
	const double stall = spec->demand_stall + spec->cache_stall + spec->store_stall;
	if (stall > 100)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: demand_stall, cache_stall and store_stall add up to %g: "
				 "expected 100 at most",
				 stall);
	if (facts->max_ports && spec->ports > facts->max_ports)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--sim: ports=%u: expected %u at most: a socket of %s has no more",
				 spec->ports, facts->max_ports, sim_model_name(spec->model));
	return 0;
}

/* A socket of AMD or Arm is one die to the kernel, and moves nothing by CXL.cache that is counted;
 * nor do processors without an uncore. */
static void drop_what_it_lacks(struct sim_spec *spec)
{
	const struct sim_model *facts = spec->facts;

	if (facts->vendor == SIM_INTEL && !facts->no_uncore)
		return;
	spec->dies = 1;
	spec->cache_d2h = spec->cache_h2d = 0;
}

static int parse_words(char *text, struct sim_spec *out, struct error *err)
{
	char *save = NULL, *word = strtok_r(text, ",", &save);
	bool given[KEY_COUNT] = {false};

	*out = (struct sim_spec){.model = NULL};
	set_model(out, model_next_simulated(NULL));
	for (size_t i = 0; i < KEY_COUNT; i++)
		set_field(out, &keys[i], keys[i].initial);
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
	if (!given[find_key("cpmu")])
		out->cpmu = given[find_key("cpmu_kind")];
	bool rates = false;
	for (size_t i = 0; i < KEY_COUNT; i++)
		rates = rates || (given[i] && keys[i].demo > 0);
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

/* Before the other keys: the last value of a key holds. */
char *sim_spec_idle(const char *text, const char *more)
{
	const size_t model = strcspn(text, ",");
	char *idle;

	return asprintf(&idle, "%.*s,read=0,dram_read=0%s%s", (int)model, text, more,
			text + model) < 0
		       ? NULL
		       : idle;
}
