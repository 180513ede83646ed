/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of guests, as AMD's IBS takes them: they belong to a process, but have guest addresses.
 */
#include "process/intake.h"

#include <math.h>

#include "unit.h"

static const struct load_event event = {.name = "ibs_op", .period = 7, .counts = true};
static unsigned numbers[] = {1};
static const struct cxl_nodes nodes = {.numbers = numbers, .count = 1};
static struct process_intake intake;
static struct sampler sampler;
static struct load_sample samples[10];
static size_t sample_count;
static const struct sampled_row *rows[SAMPLED_ROWS_MOST];

/* The process 10 has mapped a file of 2 MiB at 0x200000. */
static void pass(struct sampler *s, sample_visitor *visit, void *context)
{
	(void)s;
	visit(context,
	      &(struct sample_record){.kind = RECORD_NAME, .pid = 10, .tid = 10, .name = "qemu"});
	visit(context, &(struct sample_record){.kind = RECORD_MAPPING,
					       .pid = 10,
					       .tid = 10,
					       .name = "/usr/bin/qemu",
					       .start = 0x200000,
					       .length = 0x200000,
					       .executable = true});
	for (size_t i = 0; i < sample_count; i++)
		visit(context,
		      &(struct sample_record){.kind = RECORD_SAMPLE, .sample = samples[i]});
}

static void begin(void)
{
	static const struct sampler_ops ops = {.read = pass};

	sample_count = 0;
	sampler = (struct sampler){
		.ops = &ops, .sampling = {.events = {&event}, .event_count = 1}, .cpus = 1};
	intake = (struct process_intake){.sampler = &sampler, .nodes = &nodes};
	intake.map.ranges = calloc(1, sizeof(*intake.map.ranges));
	intake.map.ranges[0] = (struct memory_range){0, 1 << 30, 1};
	intake.map.count = 1;
}

static void end(void)
{
	process_intake_free(&intake);
}

static void sample(bool guest, enum load_level level, uint64_t address)
{
	samples[sample_count++] = (struct load_sample){.pid = 10,
						       .tid = 11,
						       .address = address,
						       .ip = address,
						       .physical = 4096,
						       .period = 5,
						       .latency_ns = NAN,
						       .level = level,
						       .load = true,
						       .region = -1,
						       .guest = guest};
}

FIXTURE(begin, end)

/*
 * Reads a sample of the emulator, one of its guest from CXL memory, and two of its guest from
 * unknown memory.
 */
static void read_by(enum row_by by, size_t expected)
{
	ck_assert_int_eq(process_intake_init(&intake, NULL), 0);
	ck_assert_int_eq(process_intake_add_set(&intake, &(struct row_set){.by = by}), 0);
	sample(false, LOAD_DRAM, 0x200040);
	sample(true, LOAD_CXL, 0x200080);
	sample(true, LOAD_DRAM, 0x2000c0);
	sample(true, LOAD_DRAM, 0x9000c0);
	process_intake_read(&intake);
	ck_assert_uint_eq(sampled_rows_sort(&intake.sets[0].rows, TIME_INTERVAL, rows), expected);
}

/* Returns the row with this name; "": without a name. */
static const struct sampled_row *row_of(const char *name)
{
	for (size_t i = 0; i < intake.sets[0].rows.count; i++)
		if (!strcmp(process_name(&intake.names, rows[i]->name), name))
			return rows[i];
	ck_abort_msg("no row of '%s'", name);
}

static void expect(const char *name, uint64_t cxl, uint64_t unknown)
{
	const struct read_count *counts = row_of(name)->counts[TIME_INTERVAL];

	ck_assert_uint_eq(counts[MEMORY_CXL].samples, cxl);
	ck_assert_uint_eq(counts[MEMORY_DRAM].samples, 0);
	ck_assert_uint_eq(counts[MEMORY_UNKNOWN].samples, unknown);
}

TEST(test_a_guest_has_a_row_beside_that_of_its_emulator)
{
	read_by(BY_PROCESS, 2);
	expect("", 1, 0);
	expect("[guest]", 1, 2);
	ck_assert_uint_eq(row_of("[guest]")->pid, 10);
	ck_assert_str_eq(process_name(&intake.names, row_of("[guest]")->command), "qemu");
}

TEST_LOOP(test_a_guest_s_address_is_in_no_mapping_and_no_page_of_its_emulator, 3)
{
	static const enum row_by by[] = {BY_MAPPING, BY_FUNCTION, BY_PAGE};

	read_by(by[_i], 2);
	expect("/usr/bin/qemu", 1, 0);
	expect("[guest]", 1, 2);
	ck_assert_uint_eq(row_of("[guest]")->address, 0);
	ck_assert_uint_eq(row_of("/usr/bin/qemu")->address, by[_i] == BY_PAGE ? 0x200000 : 0);
	/* the guest's address is in no range of memory that may be moved */
	ck_assert_uint_eq(intake.sets[0].heat.count, 1);
	ck_assert_uint_eq(intake.sets[0].heat.ranges[0].events, 5);
}

TEST(test_a_guest_s_memory_is_of_no_known_node)
{
	read_by(BY_NODE, 2);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(rows[i]->name, NAME_UNKNOWN);
		ck_assert_uint_eq(rows[i]->counts[TIME_INTERVAL][MEMORY_CXL].samples, 1);
		ck_assert_uint_eq(rows[i]->counts[TIME_INTERVAL][MEMORY_UNKNOWN].samples,
				  rows[i]->node == 1 ? 0 : 2);
	}
	/* the guest's address does not count as memory that came online later */
	ck_assert_uint_eq(intake.unmapped, 0);
}
