/* SPDX-License-Identifier: BSD-3-Clause */
/* Specifications of simulated machines: printed and read again, they are the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sim/sim_spec.h"
#include "tests/sim/cpmu_kinds.h"
#include "tests/sim/keys.h"

#define TEXT_SIZE 32768 /* holds seventeen doubles with all their digits */

static bool within(double value, double least, double most)
{
	return value >= least && value <= most;
}

static void check_bounds(const struct sim_spec *s)
{
	fuzz_require(s->model->simulated == s->facts);
	fuzz_require(within(s->sockets, 1, 8) && within(s->dies, 1, 8) && within(s->hbms, 0, 32) &&
		     within(s->cpus, 1, 256));
	fuzz_require(within(s->ports, 1, 16) && within(s->chas, 1, 128) && within(s->imcs, 1, 32));
	fuzz_require(within(s->threads, 1, 2) && within(s->paranoid, 0, 4));
	fuzz_require(s->kernel >= SIM_KERNEL_OLDEST && s->lockdown <= SIM_LOCKDOWN_CONFIDENTIALITY);
	fuzz_require(within(s->read, 0, 1e4) && within(s->write, 0, 1e4));
	fuzz_require(within(s->cache_d2h, 0, 1e4) && within(s->cache_h2d, 0, 1e4));
	fuzz_require(within(s->limit, 0, 1e4) && within(s->ramp, 0, 1e5));
	fuzz_require(within(s->memspecrd, 0, 100));
	fuzz_require(!s->wave || s->ramp == 0);
	fuzz_require(within(s->latency, 0, 1e6) && within(s->ddr_latency, 0, 1e6));
	fuzz_require(within(s->ddr_remote_latency, 0, 1e6));
	fuzz_require(within(s->dram_read, 0, 1e5) && within(s->dram_write, 0, 1e5));
	fuzz_require(within(s->crc, 0, 1e9) && within(s->retry, 0, 1e9) && within(s->full, 0, 100));
}

static void print(const struct sim_spec *s, char text[TEXT_SIZE])
{
	const struct test_values values = test_values_of(s);
	static const char *const lockdowns[] = {"none", "integrity", "confidentiality"};
	const struct {
		const char *key;
		double value;
	} reals[] = {
		{"read", s->read},
		{"write", s->write},
		{"cache_d2h", s->cache_d2h},
		{"cache_h2d", s->cache_h2d},
		{"limit", s->limit},
		{"memspecrd", s->memspecrd},
		{"ramp", s->ramp},
		{"latency", s->latency},
		{"ddr_latency", s->ddr_latency},
		{"ddr_remote_latency", s->ddr_remote_latency},
		{"dram_read", s->dram_read},
		{"dram_write", s->dram_write},
		{"crc", s->crc},
		{"retry", s->retry},
		{"full", s->full},
	};
	int used = snprintf(
		text, TEXT_SIZE,
		"%s,sockets=%u,dies=%u,cpus=%u,ports=%u,chas=%u,imcs=%u,threads=%u,rxc=%d,wave=%d,invalid=%d,clock=%s"
		",kernel=%u.%u,paranoid=%u,lockdown=%s,cpmu=%d%s%s",
		sim_model_name(s->model), s->sockets, s->dies, s->cpus, s->ports, s->chas, s->imcs,
		s->threads, s->rxc, s->wave, values.invalid, s->virtual_clock ? "virtual" : "real",
		s->kernel >> 16, s->kernel & 0xffff, s->paranoid, lockdowns[s->lockdown], s->cpmu,
		cpmu_kind_blocks(values.cpmu_kind) ? ",cpmu_kind=" : "",
		cpmu_kind_blocks(values.cpmu_kind) ? cpmu_kind_names[values.cpmu_kind] : "");

	for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++)
		used += snprintf(text + used, (size_t)(TEXT_SIZE - used), ",%s=%.1080f",
				 reals[i].key, reals[i].value);
	fuzz_require(used < TEXT_SIZE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	char *text = input_text(&in);
	struct sim_spec spec, same;
	struct error err = {0};
	int rc;

	rc = sim_spec_parse(text, &spec, &err);
	if (rc) {
		fuzz_check_usage(rc, &err);
		fuzz_require(strstr(err.text, "expected") || strstr(err.text, "did you mean") ||
			     strstr(err.text, "--help=sim"));
	} else {
		char printed[TEXT_SIZE], again[TEXT_SIZE];

		check_bounds(&spec);
		print(&spec, printed);
		fuzz_require(!sim_spec_parse(printed, &same, NULL));
		print(&same, again);
		fuzz_require(!strcmp(printed, again));
	}
	free(text);
	return 0;
}
