/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_spec_keys.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/number.h"
#include "platform/text.h"
#include "sim/sim_cpmu_kinds.h"

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

static int bad_kind(const char *value, struct error *err)
{
	const struct sim_cpmu_kind *kind;
	char known[256] = "";
	size_t used = 0;

	for (unsigned n = 0; (kind = sim_cpmu_kind(n)) && used < sizeof(known); n++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", n ? ", " : "",
					 kind->name);
	return error_set(err, EXIT_USAGE, -EINVAL, "--sim: cpmu_kind=%s: expected one of %s",
			 quoted(value).text, known);
}

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

static int set_cpmu_kind(struct sim_spec *spec, const char *value, struct error *err)
{
	const struct sim_cpmu_kind *kind;

	for (unsigned n = 0; (kind = sim_cpmu_kind(n)); n++)
		if (!strcmp(value, kind->name)) {
			spec->cpmu_kind = n;
			return 0;
		}
	return bad_kind(value, err);
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
	case CPMU_KIND:
		return set_cpmu_kind(spec, value, err);
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

int sim_spec_set_key(struct sim_spec *spec, char *assignment, uint64_t *given, struct error *err)
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

bool sim_spec_key_given(uint64_t given, size_t offset)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keys[i].offset == offset)
			return given >> i & 1;
	return false;
}

bool sim_spec_rate_given(uint64_t given)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (given >> i & 1 && keys[i].rate)
			return true;
	return false;
}

const char *sim_spec_layout_given(uint64_t given)
{
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (given >> i & 1 && keys[i].layout)
			return keys[i].name;
	return NULL;
}
