/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_spec.h"

#include "tests/sim/keys.h"
#include "unit.h"

static struct sim_spec parse(const char *text)
{
	struct sim_spec spec;
	struct error err = {0};

	ck_assert_msg(!sim_spec_parse(text, &spec, &err), "%s: %s", text, err.text);
	return spec;
}

static void refuse(const char *text, const char *expected)
{
	struct sim_spec spec;
	struct error err = {0};
	int rc = sim_spec_parse(text, &spec, &err);

	assert_refusal(rc, &err, expected);
}

static const struct {
	const char *name;
	bool rxc;
} models[] = {
	{"spr", false},	  {"emr", false}, {"gnr", true},    {"gnr-d", true},   {"srf", true},
	{"cwf", true},	  {"dmr", true},  {"turin", false}, {"venice", false}, {"genoa", false},
	{"intel", false}, {"amd", false}, {"arm", false},
};

TEST(test_a_kind_of_cpmu_means_that_there_is_one)
{
	ck_assert(!parse("spr").cpmu);
	ck_assert(parse("spr,cpmu_kind=one").cpmu);
	ck_assert(parse("spr,cpmu=1").cpmu);
}

TEST_LOOP(test_model_is_the_first_word_and_says_if_rxc_data_inserts_count_reads, COUNT(models))
{
	const struct sim_spec spec = parse(models[_i].name);
	char text[32];

	ck_assert_str_eq(sim_model_name(spec.model), models[_i].name);
	ck_assert_int_eq(spec.rxc, models[_i].rxc);
	snprintf(text, sizeof(text), "%s,rxc=%d", models[_i].name, !models[_i].rxc);
	ck_assert_int_eq(parse(text).rxc, !models[_i].rxc);
}

TEST(test_machine_without_keys_has_the_documented_shape)
{
	const struct sim_spec spec = parse("spr");

	ck_assert_uint_eq(spec.sockets, 1);
	ck_assert_uint_eq(spec.dies, 1);
	ck_assert_uint_eq(spec.cpus, 8);
	ck_assert_uint_eq(spec.ports, 2);
	ck_assert_uint_eq(spec.chas, 8);
	ck_assert_uint_eq(spec.imcs, 4);
	ck_assert_uint_eq(spec.threads, 1);
	ck_assert(!spec.virtual_clock);
	ck_assert_double_eq(spec.latency, 320);
	ck_assert_double_eq(spec.ddr_latency, 110);
	ck_assert_double_eq(spec.ddr_remote_latency, 190);
}

TEST(test_a_socket_of_turin_has_four_ports)
{
	ck_assert_uint_eq(parse("turin").ports, 4);
	ck_assert_uint_eq(parse("turin,ports=3").ports, 3);
	ck_assert_uint_eq(parse("venice").ports, 2);
	ck_assert_uint_eq(parse("venice,ports=16").ports, 16);
}

TEST(test_dies_and_cxl_cache_have_no_effect_on_amd)
{
	ck_assert_uint_eq(parse("genoa,dies=4").dies, 1);
	ck_assert_double_eq(parse("turin,limit=20").cache_d2h, 0);
	ck_assert_double_eq(parse("venice,read=5,cache_h2d=3").cache_h2d, 0);
}

/* A machine without rates shows moving traffic, with noise unless its kind is chosen. */
static const struct {
	const char *text;
	bool reads, wave, noise;
} traffics[] = {
	{"spr", true, true, true},
	{"gnr,ports=1,latency=400", true, true, true},
	{"spr,limit=20", true, true, true}, /* a limit is not a rate */
	{"spr,wave=1,limit=20,latency=400", true, true, true},
	{"spr,wave=0", true, false, false},
	{"spr,wave=1", true, true, true},
	{"spr,crc=3", true, true, true},
	{"spr,retry=3", true, true, true},
	{"spr,crc=3,read=1", true, false, false},
	{"spr,read=1", true, false, false},
	{"gnr,read=0", false, false, false},
	{"spr,read=1,wave=1", true, true, false},
	{"spr,wave=1,read=1", true, true, false},
	{"spr,read=1,wave=0", true, false, false},
	{"spr,ramp=10", true, false, false}, /* in place of the wave */
	{"spr,ramp=10,wave=0", true, false, false},
	{"spr,ramp=0,wave=1", true, true, true},
};

TEST_LOOP(test_traffic_moves_unless_it_is_given, COUNT(traffics))
{
	const struct sim_spec spec = parse(traffics[_i].text);

	ck_assert_int_eq(spec.read > 0, traffics[_i].reads);
	ck_assert_int_eq(spec.write > 0, traffics[_i].reads && !strstr(traffics[_i].text, "read="));
	ck_assert_int_eq(spec.wave, traffics[_i].wave);
	ck_assert_int_eq(spec.noise, traffics[_i].noise);
	ck_assert_double_eq(spec.crc, strstr(traffics[_i].text, "crc=3") ? 3 : 0);
	ck_assert_double_eq(spec.retry, strstr(traffics[_i].text, "retry=3") ? 3 : 0);
}

TEST(test_a_demo_demotes_memory_unless_it_is_said_what_moves)
{
	ck_assert_double_eq(parse("spr").demote, 2560);
	ck_assert_double_eq(parse("spr,demote=0").demote, 0);
	ck_assert_double_eq(parse("spr,promote=100").demote, 0);
	ck_assert_double_eq(parse("spr,read=1").demote, 0);
}

static const char *const rate_keys[] = {"read",	     "write",	   "cache_d2h", "cache_h2d",
					"dram_read", "dram_write", "full"};

TEST_LOOP(test_one_rate_given_leaves_the_others_at_zero_and_steady, COUNT(rate_keys))
{
	char text[32];

	snprintf(text, sizeof(text), "gnr,%s=3", rate_keys[_i]);
	const struct sim_spec spec = parse(text);
	const double sum = spec.read + spec.write + spec.cache_d2h + spec.cache_h2d +
			   spec.dram_read + spec.dram_write + spec.full;

	ck_assert(!spec.wave);
	ck_assert_double_eq(sum, 3);
}

/* A spec with a latency implies some reads, so that it can be measured. */
static const struct {
	const char *text;
	double read, dram_read;
} measured[] = {
	{"spr,latency=400,write=1", 1, 0},
	{"spr,write=1,latency=400", 1, 0},
	{"spr,latency=400,read=7", 7, 0},
	{"spr,latency=400,read=0", 0, 0},
	{"spr,ddr_latency=100,write=1", 0, 1},
	{"spr,ddr_remote_latency=200,write=1", 0, 1},
	{"spr,ddr_latency=100,ddr_remote_latency=200,dram_read=9", 0, 9},
	{"spr,latency=400,ddr_latency=100,dram_write=1", 1, 1},
	{"spr,write=1", 0, 0},
};

TEST_LOOP(test_latency_asked_for_brings_reads_where_none_are_given, COUNT(measured))
{
	const struct sim_spec spec = parse(measured[_i].text);

	ck_assert_double_eq(spec.read, measured[_i].read);
	ck_assert_double_eq(spec.dram_read, measured[_i].dram_read);
	ck_assert(!spec.wave);
}

static const struct whole {
	const char *name;
	size_t offset;
	unsigned least, most;
} wholes[] = {
	{"sockets", offsetof(struct sim_spec, sockets), 1, 8},
	{"dies", offsetof(struct sim_spec, dies), 1, 8},
	{"hbms", offsetof(struct sim_spec, hbms), 0, 32},
	{"cpus", offsetof(struct sim_spec, cpus), 1, 256},
	{"ports", offsetof(struct sim_spec, ports), 1, 16},
	{"chas", offsetof(struct sim_spec, chas), 1, 128},
	{"imcs", offsetof(struct sim_spec, imcs), 1, 32},
	{"threads", offsetof(struct sim_spec, threads), 1, 2},
	{"paranoid", offsetof(struct sim_spec, paranoid), 0, 4},
};

static unsigned parsed_whole(const struct whole *key, unsigned value)
{
	char text[32];

	snprintf(text, sizeof(text), "spr,%s=%u", key->name, value);
	const struct sim_spec spec = parse(text);
	return *(const unsigned *)((const char *)&spec + key->offset);
}

TEST_LOOP(test_whole_number_is_taken_from_its_least_to_its_most_alone, COUNT(wholes))
{
	const struct whole *key = &wholes[_i];
	char text[32], expected[64];

	ck_assert_uint_eq(parsed_whole(key, key->least), key->least);
	ck_assert_uint_eq(parsed_whole(key, key->most), key->most);
	snprintf(expected, sizeof(expected), "expected a whole number from %u to %u", key->least,
		 key->most);
	snprintf(text, sizeof(text), "spr,%s=%u", key->name, key->least - 1);
	refuse(text, expected);
	snprintf(text, sizeof(text), "spr,%s=%u", key->name, key->most + 1);
	refuse(text, expected);
	snprintf(text, sizeof(text), "spr,%s=1.5", key->name);
	refuse(text, expected);
}

#define VALUE(name) offsetof(struct sim_spec, extra) + offsetof(struct test_values, name)

static const struct real {
	const char *name;
	size_t offset;
	double most;
} reals[] = {
	{"read", offsetof(struct sim_spec, read), 1e4},
	{"write", offsetof(struct sim_spec, write), 1e4},
	{"cache_d2h", offsetof(struct sim_spec, cache_d2h), 1e4},
	{"cache_h2d", offsetof(struct sim_spec, cache_h2d), 1e4},
	{"limit", offsetof(struct sim_spec, limit), 1e4},
	{"memspecrd", offsetof(struct sim_spec, memspecrd), 100},
	{"latency", offsetof(struct sim_spec, latency), 1e6},
	{"ddr_latency", offsetof(struct sim_spec, ddr_latency), 1e6},
	{"ddr_remote_latency", offsetof(struct sim_spec, ddr_remote_latency), 1e6},
	{"dram_read", offsetof(struct sim_spec, dram_read), 1e5},
	{"dram_write", offsetof(struct sim_spec, dram_write), 1e5},
	{"crc", offsetof(struct sim_spec, crc), 1e9},
	{"retry", offsetof(struct sim_spec, retry), 1e9},
	{"full", offsetof(struct sim_spec, full), 100},
	{"ramp", offsetof(struct sim_spec, ramp), 1e5},
	{"begin", offsetof(struct sim_spec, begin), 1e5},
	{"miscount_pct", VALUE(miscount_pct), 1000},
	{"overlap", offsetof(struct sim_spec, overlap), 1e4},
	{"prefetched", offsetof(struct sim_spec, prefetched), 100},
	{"cxl_share", offsetof(struct sim_spec, cxl_share), 100},
	{"deviation", VALUE(deviation), 100},
};

TEST(test_parts_are_all_at_most)
{
	ck_assert_double_eq(parse("gnr,demand_stall=50,cache_stall=30,store_stall=20").demand_stall,
			    50);
	ck_assert_double_eq(
		parse("gnr,read=1,l2_prefetch=50,l3_prefetch=30,ownership=19,code=1").l2_prefetch,
		50);
}

/* Their units count all reads as one kind. */
TEST(test_processors_that_tell_no_kinds_apart_have_one)
{
	ck_assert_double_eq(parse("vera,read=1,l2_prefetch=50").l2_prefetch, 0);
	ck_assert_double_eq(parse("spr,read=1,l2_prefetch=50").l2_prefetch, 50);
}

TEST(test_a_seed_is_a_whole_number)
{
	const struct sim_spec none = parse("gnr"), most = parse("gnr,seed=1000000000");

	ck_assert_uint_eq(test_values_of(&none).seed, 0);
	ck_assert_uint_eq(test_values_of(&most).seed, 1000000000);
}

static double parsed_real(const struct real *key, double value)
{
	char text[48];

	snprintf(text, sizeof(text), "emr,%s=%.17g", key->name, value);
	const struct sim_spec spec = parse(text);
	return *(const double *)((const char *)&spec + key->offset);
}

TEST_LOOP(test_number_is_taken_from_zero_to_its_most_alone, COUNT(reals))
{
	const struct real *key = &reals[_i];
	char text[48], expected[48];

	ck_assert_double_eq(parsed_real(key, 0), 0);
	ck_assert_double_eq(parsed_real(key, 0.25), 0.25);
	ck_assert_double_eq(parsed_real(key, key->most), key->most);
	snprintf(text, sizeof(text), "emr,%s=%.1f", key->name, key->most + 0.5);
	snprintf(expected, sizeof(expected), "expected a number from 0 to %g", key->most);
	refuse(text, expected);
}

static const char *const no_numbers[] = {"",	"abc", "-1",   "inf",	   "nan",
					 "0x2", "2x",  "1 ",   " 1",	   "1e",
					 "--1", "1=1", "-0.5", "infinity", "1e999"};

TEST_LOOP(test_what_is_no_number_is_refused_for_whole_and_real_keys, COUNT(no_numbers))
{
	char text[48];

	snprintf(text, sizeof(text), "spr,ports=%s", no_numbers[_i]);
	refuse(text, "expected a whole number from 1 to 16");
	snprintf(text, sizeof(text), "spr,read=%s", no_numbers[_i]);
	refuse(text, "expected a number from 0 to 10000");
}

static const char *const switches[] = {"rxc", "wave", "swap", "cpmu", "invalid"};

TEST(test_a_temperature_may_be_below_zero)
{
	ck_assert_double_eq(parse("spr,temperature=-5").temperature, -5);
}

static const char *const no_switch_values[] = {"2", "-1", "0.5", "yes", "on", "", "nan", "0x1"};

TEST_LOOP(test_switch_takes_zero_and_one_alone, COUNT(switches) * COUNT(no_switch_values))
{
	const char *key = switches[_i / COUNT(no_switch_values)];
	char text[32];

	snprintf(text, sizeof(text), "spr,%s=%s", key,
		 no_switch_values[_i % COUNT(no_switch_values)]);
	refuse(text, "expected 0 or 1");
}

TEST(test_kernel_is_a_version)
{
	ck_assert_uint_eq(parse("spr").kernel, SIM_KERNEL_NEWEST);
	ck_assert_uint_eq(parse("spr,kernel=5.14").kernel, SIM_KERNEL(5, 14));
	ck_assert_uint_eq(parse("spr,kernel=6.1").kernel, SIM_KERNEL(6, 1));
	ck_assert_uint_eq(parse("spr,kernel=6.12").kernel, SIM_KERNEL(6, 12));
	ck_assert_uint_eq(parse("spr,kernel=6.12.117").kernel, SIM_KERNEL(6, 12));
	ck_assert_uint_lt(parse("spr,kernel=6.9").kernel, parse("spr,kernel=6.10").kernel);
}

static const char *const no_versions[] = {
	"",	"6",	 "6.",	 ".12",	  "5.13", "4.20", "6.x",    "new",
	"6,12", "-6.12", "6.+1", " 6.12", "6.1a", "6 12", "6.1234", "6.12.11111111111111"};

TEST_LOOP(test_what_is_no_version_with_discovery_is_refused, COUNT(no_versions))
{
	char text[64];

	snprintf(text, sizeof(text), "spr,kernel=%s", no_versions[_i]);
	refuse(text, "expected a version from 5.14 on, such as 6.12");
}

TEST(test_lockdown_is_a_state_of_the_kernel)
{
	ck_assert_int_eq(parse("spr").lockdown, SIM_LOCKDOWN_NONE);
	ck_assert_int_eq(parse("spr,lockdown=none").lockdown, SIM_LOCKDOWN_NONE);
	ck_assert_int_eq(parse("spr,lockdown=integrity").lockdown, SIM_LOCKDOWN_INTEGRITY);
	ck_assert_int_eq(parse("spr,lockdown=confidentiality").lockdown,
			 SIM_LOCKDOWN_CONFIDENTIALITY);
}

static const struct {
	const char *before, *expected;
} endless[] = {
	{"", "expected spr, emr"},
	{"spr,", "cxlmon --help=sim lists them"},
	{"spr,ports=", "expected a whole number from 1 to 16"},
	{"spr,rxc=", "expected 0 or 1"},
	{"spr,clock=", "expected real or virtual"},
};

TEST_LOOP(test_endless_word_leaves_room_for_what_was_expected, COUNT(endless))
{
	char text[1024];
	const size_t used = strlen(endless[_i].before);

	strcpy(text, endless[_i].before);
	memset(text + used, 'x', sizeof(text) - 1 - used);
	text[sizeof(text) - 1] = '\0';
	refuse(text, endless[_i].expected);
}

static const struct {
	const char *text, *expected;
} refusals[] = {
	{"",
	 "expected spr, emr, gnr, gnr-d, srf, cwf, dmr, turin, venice, genoa, vera, intel, amd or arm"},
	{",",
	 "expected spr, emr, gnr, gnr-d, srf, cwf, dmr, turin, venice, genoa, vera, intel, amd or arm"},
	{"icx",
	 "unknown model 'icx': expected spr, emr, gnr, gnr-d, srf, cwf, dmr, turin, venice, genoa, vera, intel, amd or arm"},
	{"SPR", "unknown model 'SPR': did you mean 'spr'?"},
	{"GNR,ports=1", "unknown model 'GNR': did you mean 'gnr'?"},
	{"spr2", "unknown model 'spr2': did you mean 'spr'?"},
	{"sp", "unknown model 'sp'"},
	{"ports=2", "unknown model 'ports=2'"},
	{"spr,port=2", "unknown key 'port': did you mean 'ports'?"},
	{"spr,Ports=2", "unknown key 'Ports'"},
	{"spr,=2", "unknown key ''"},
	{"spr,emr", "unknown key 'emr': cxlmon --help=sim lists them"},
	{"spr,ports", "key 'ports' needs a value: expected ports=..."},
	{"spr,clock", "key 'clock' needs a value"},
	{"spr,read=1,what=2", "unknown key 'what'"},
	{"spr,miscount=reads",
	 "miscount=reads: expected none, port, rxc, m2s_req, write, tor, latency"},
	{"spr,miscount", "key 'miscount' needs a value"},
	{"spr,miscount_port=128", "expected a whole number from 0 to 127"},
	{"spr,ramp=10,wave=1", "wave=1 with ramp=10: expected one of the two"},
	{"spr,wave=1,read=3,ramp=10", "expected one of the two"},
	{"spr,temperature=-51", "expected a number from -50 to 200"},
	{"spr,temperature=--5", "expected a number from -50 to 200"},
	{"spr,temperature=-", "expected a number from -50 to 200"},
	{"spr,cpmu_kind=none", "cpmu_kind=none: expected full, fixed, one, readonly"},
	{"spr,lockdown=", "expected none, integrity or confidentiality"},
	{"spr,lockdown=1", "expected none, integrity or confidentiality"},
	{"spr,clock=", "expected real or virtual"},
	{"gnr,demand_stall=50,cache_stall=30,store_stall=21",
	 "add up to 101: expected 100 at most"},
	{"gnr,l2_prefetch=50,l3_prefetch=30,ownership=19,code=2",
	 "add up to 101: expected 100 at most"},
	{"gnr,seed=0.5", "seed=0.5: expected a whole number from 0 to 1e+09"},
	{"turin,ports=5", "ports=5: expected 4 at most: a socket of turin has no more"},
};

TEST_LOOP(test_what_is_not_known_is_refused, COUNT(refusals))
{
	refuse(refusals[_i].text, refusals[_i].expected);
}

TEST(test_last_of_two_values_for_a_key_holds)
{
	ck_assert_uint_eq(parse("spr,ports=3,ports=5").ports, 5);
}

/* Specs without demo traffic, except traffic that is asked for. */
static const struct {
	const char *text;
	double read;
	bool wave;
	double limit;
} idle[] = {
	{"spr", 0, false, 30},
	{"spr,sockets=2", 0, false, 30},
	{"spr,latency=400,limit=50", 0, false, 50},
	{"spr,ddr_latency=120", 0, false, 30},
	{"gnr,ddr_remote_latency=200", 0, false, 30},
	{"spr,read=5", 5, false, 30},
	{"spr,sockets=2,read=5,wave=1", 5, true, 30},
};

TEST_LOOP(test_idle_machine_has_no_traffic_but_what_is_asked_for, COUNT(idle))
{
	char *text = sim_spec_idle(idle[_i].text, ",limit=30");
	const struct sim_spec spec = parse(text), given = parse(idle[_i].text);

	ck_assert_double_eq(spec.read, idle[_i].read);
	ck_assert_double_eq(spec.write, 0);
	ck_assert_double_eq(spec.dram_read, 0);
	ck_assert_int_eq(spec.wave, idle[_i].wave);
	ck_assert_double_eq(spec.limit, idle[_i].limit);
	ck_assert_uint_eq(spec.sockets, given.sockets);
	free(text);
}
