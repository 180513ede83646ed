/* SPDX-License-Identifier: BSD-3-Clause */
/* Intake of samples made by the test: node 0 is DRAM, node 1 CXL memory, 4 KiB each. */
#include "process/intake.h"

#include <math.h>
#include <unistd.h>

#include "linux/run/packet.h"
#include "unit.h"

static unsigned numbers[] = {1};
static const struct cxl_nodes nodes = {.numbers = numbers, .count = 1};
static const struct load_event counting = {.name = "misses", .counts = true};
static const struct load_event timing = {.name = "loads", .takes_time = true, .of_caches = true};
static struct process_intake intake;
static struct load_sample next;
static struct sampler sampler;

static void pass(struct sampler *s, sample_visitor *visit, void *context)
{
	(void)s;
	visit(context, &(struct sample_record){.kind = RECORD_SAMPLE, .sample = next});
}

static void begin(void)
{
	static const struct memory_range ranges[] = {{0x1000, 0x2000, 0}, {0x2000, 0x3000, 1}};
	static const struct sampler_ops ops = {.read = pass};

	sampler = (struct sampler){
		.ops = &ops,
		.sampling = {.events = {&counting, &timing}, .event_count = 2},
	};
	intake = (struct process_intake){
		.sampler = &sampler,
		.nodes = &nodes,
		.map = {.ranges = malloc(sizeof(ranges)), .count = 2},
	};
	memcpy(intake.map.ranges, ranges, sizeof(ranges));
	ck_assert_int_eq(process_intake_init(&intake, NULL), 0);
	ck_assert_int_eq(process_intake_add_set(&intake, &(struct row_set){.by = BY_PROCESS}), 0);
}

static void end(void)
{
	process_intake_free(&intake);
}

FIXTURE(begin, end)

static void sample(unsigned event, enum load_level level, uint64_t physical)
{
	next = (struct load_sample){
		.event = event,
		.pid = 1,
		.address = 0x7f0000000000,
		.physical = physical,
		.period = 100,
		.level = level,
		.latency_ns = event ? 300 : NAN,
		.load = true,
	};
	process_intake_read(&intake);
}

static const struct read_count *count_of(enum read_memory memory)
{
	return &intake.sets[0].rows.all.counts[TIME_RUN][memory];
}

static void call(unsigned pid, unsigned number)
{
	char name[32];

	snprintf(name, sizeof(name), "name %u", number);
	process_table_take(
		&intake.processes,
		&(struct sample_record){.kind = RECORD_NAME, .pid = pid, .tid = pid, .name = name});
}

static const char *command_of(unsigned pid)
{
	return process_name(&intake.names, process_table_find(&intake.processes, pid)->name);
}

/* A long compilation has many names: each compiler has files of its own. */
TEST(test_names_that_nothing_has_any_more_make_room_for_others)
{
	call(1, 1);
	sample(0, LOAD_MISS, 0x2040);
	call(1, 2);
	for (unsigned i = 10; i < NAMES_MOST; i++)
		call(3, i);
	call(4, 3);
	ck_assert_str_eq(command_of(4), "");
	process_intake_next(&intake);
	ck_assert_uint_lt(intake.names.count, 10);
	call(4, 3);
	ck_assert_str_eq(command_of(4), "name 3");
	/* names in use stay: a process, and a row with its former name */
	ck_assert_str_eq(command_of(1), "name 2");
	ck_assert_str_eq(process_name(&intake.names, intake.sets[0].rows.at[0]->command), "name 1");
}

/* Level 0 of the kernel's table for PEBS: the read missed the L3, at an unknown level. */
TEST(test_a_miss_whose_level_is_unknown_is_placed_by_its_address)
{
	sample(1, LOAD_MISS, 0x2040);
	sample(1, LOAD_MISS, 0x1040);
	ck_assert_uint_eq(count_of(MEMORY_CXL)->timed, 1);
	ck_assert_uint_eq(count_of(MEMORY_DRAM)->timed, 1);
	/* a sample of an event that samples all loads does not prove a miss */
	sample(1, LOAD_UNKNOWN, 0x2040);
	ck_assert_uint_eq(count_of(MEMORY_CXL)->timed, 1);
	/* a sample of an event that samples misses does */
	sample(0, LOAD_UNKNOWN, 0x2040);
	ck_assert_uint_eq(count_of(MEMORY_CXL)->events, 100);
}

/* Samples of memory that came online later, or that belongs to no node. */
TEST(test_samples_of_no_known_node_are_counted)
{
	sample(0, LOAD_UNKNOWN, 0x3000);
	sample(0, LOAD_UNKNOWN, 0x2fff);
	sample(0, LOAD_UNKNOWN, 0);
	ck_assert_uint_eq(count_of(MEMORY_UNKNOWN)->samples, 2);
	ck_assert_uint_eq(intake.unmapped, 1);
}

/* Reads answered by another cache also count as misses of the L3. */
TEST(test_what_another_cache_answered_is_no_read_of_memory)
{
	for (unsigned event = 0; event < 2; event++)
		sample(event, LOAD_CACHE, 0x2040);
	ck_assert_uint_eq(count_of(MEMORY_CXL)->events, 0);
	ck_assert_uint_eq(count_of(MEMORY_CXL)->timed, 0);
	ck_assert_uint_eq(intake.sets[0].heat.count, 0);
}

TEST(test_each_set_has_the_samples_of_its_own_processes)
{
	static const unsigned others[] = {2}, this_one[] = {1};
	const struct row_set *set = &intake.sets[1];

	ck_assert_int_eq(process_intake_add_set(
				 &intake, &(struct row_set){.by = BY_NODE, .pids_chosen = true}),
			 0);
	sample(0, LOAD_DRAM, 0x1000);
	ck_assert_uint_eq(set->rows.count, 0); /* no process is chosen */
	ck_assert_int_eq(process_intake_restart(&intake, 1, this_one, 1), 0);
	sample(0, LOAD_DRAM, 0x1000);
	ck_assert_uint_eq(set->rows.count, 1);
	ck_assert_uint_eq(sampled_row_samples(&set->rows.all, TIME_RUN), 1);
	ck_assert_uint_eq(sampled_row_samples(&intake.sets[0].rows.all, TIME_RUN), 2);
	ck_assert_int_eq(process_intake_restart(&intake, 1, others, 1), 0);
	sample(0, LOAD_DRAM, 0x1000);
	ck_assert_uint_eq(set->rows.count, 0);
	ck_assert_uint_eq(set->heat.count, 0);
}

/* Maps a file's code at its address in a process of this user. */
static void map_code(unsigned pid, uid_t owner)
{
	struct process_table *processes = &intake.processes;

	process_table_take(processes, &(struct sample_record){.kind = RECORD_MAPPING,
							      .pid = pid,
							      .tid = pid,
							      .start = 0x400000,
							      .length = 0x1000,
							      .inode = 5,
							      .name = "/program",
							      .executable = true});
	process_table_find(processes, pid)->owner = owner;
}

static void sample_code(unsigned pid)
{
	next = (struct load_sample){.pid = pid, .ip = 0x400010, .period = 1, .load = true};
	process_intake_read(&intake);
}

TEST(test_samples_that_wait_for_a_function_leave_other_users_room)
{
	struct symbol_process nobody_answers;
	int questions[2], answers[2];

	ck_assert_int_eq(packet_pair(questions), 0);
	ck_assert_int_eq(packet_pair(answers), 0);
	nobody_answers = (struct symbol_process){.questions = questions[1], .answers = answers[0]};
	process_intake_free(&intake);
	intake = (struct process_intake){.sampler = &sampler, .nodes = &nodes};
	ck_assert_int_eq(process_intake_init(&intake, &nobody_answers), 0);
	ck_assert_int_eq(process_intake_add_set(&intake, &(struct row_set){.by = BY_FUNCTION}), 0);
	map_code(1, 1000);
	map_code(2, 1001);
	while (!intake.not_held)
		sample_code(1);
	ck_assert_uint_eq(intake.held_count, INTAKE_HELD_MOST / 2);
	sample_code(2);
	ck_assert_uint_eq(intake.not_held, 1);
	ck_assert_uint_eq(intake.held_count, INTAKE_HELD_MOST / 2 + 1);
	process_intake_finish(&intake, 1);
	ck_assert(intake.functions.ended);
	ck_assert_uint_eq(intake.held_count, 0);
	ck_assert_uint_eq(intake.held_by.used, 0);
	for (int i = 0; i < 2; i++) {
		close(questions[i]);
		close(answers[i]);
	}
}
