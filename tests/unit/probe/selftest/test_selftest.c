/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole self-test on simulated machines. */
#include "probe/selftest/selftest.h"

#include <pthread.h>
#include <unistd.h>

#include "json_at.h"
#include "unit.h"

static struct selftest_result result;

static int run(const char *sim, struct load_choice choice, struct error *err)
{
	sigset_t none;
	int signal_number;
	char spec[128];

	sigemptyset(&none);
	snprintf(spec, sizeof(spec), "%s,clock=virtual", sim);
	const struct selftest_options options = {
		.sim = spec,
		.root = "/",
		.backend = BACKEND_AUTO,
		.choice = choice,
		.total_ns = 20 * NS_PER_S,
		.snapshot = true,
		.wake = &none,
	};
	return selftest_run(&options, &silent_log, &result, &signal_number, err);
}

static void test(const char *sim)
{
	const struct load_choice all = {.node = -1};
	struct error err = {0};

	ck_assert_msg(!run(sim, all, &err), "%s", err.text);
}

static void tear_down(void)
{
	selftest_result_free(&result);
}

FIXTURE(NULL, tear_down)

static const struct {
	const char *sim;
	size_t agree;
} good[] = {
	{"spr,sockets=2", 44},
	{"emr", 22},
	{"emr,exp_local=1", 22},
	{"spr,ocr_cxl=1", 22},
	{"gnr", 18},
	{"gnr-d,limit=30", 18},
	{"srf,ports=1,read=4", 10},
	{"cwf", 16},
	{"spr,wave=0,read=9", 22},
	{"spr,cpmu=1", 28},
	{"gnr,cpmu_kind=one", 22},
	{"turin,cpmu_kind=two", 38},
	{"venice", 18},
	{"arm,cpmu=1", 8},
};

/* The occupancy of CXL reads that belongs to DRAM reads, in ns, by clocks of 2 GHz. */
static const struct {
	const char *sim;
	double ns, assumed_ns;
} leaks[] = {
	{"spr", 0, 2},
	{"spr,tor_leak=8", 4, 2},
	{"emr,tor_leak=20,read=0", 10, 2},
	{"emr,tor_leak=20,exp_local=1", 10, 2},
	{"spr,sockets=2,tor_leak=3", 1.5, 2},
	/* CXL reads also have a part of the occupancy, or the processor has no leak */
	{"spr,tor_leak=8,read=3", NAN, 2},
	{"gnr,tor_leak=8", NAN, 0},
	{"turin", NAN, 0},
};

TEST_LOOP(test_reads_of_dram_in_the_occupancy_of_cxl_are_measured, COUNT_OF(leaks))
{
	test(leaks[_i].sim);
	for (size_t n = 0; n < result.node_count; n++)
		for (size_t b = 0; result.nodes[n].at->dram && b < result.backend_count; b++) {
			const struct selftest_leak *leak = &result.nodes[n].leaks[b];

			ck_assert_double_eq(leak->assumed_ns, leaks[_i].assumed_ns);
			if (isnan(leaks[_i].ns))
				ck_assert(isnan(leak->ns) || !leak->assumed_ns);
			else
				ck_assert_double_eq_tol(leak->ns, leaks[_i].ns, 0.01);
		}
}

TEST_LOOP(test_machine_that_counts_right_agrees_everywhere, COUNT_OF(good))
{
	test(good[_i].sim);
	const struct selftest_sum sum = selftest_sum(&result);

	ck_assert_uint_eq(sum.agree, good[_i].agree);
	ck_assert_uint_eq(sum.differ, 0);
	ck_assert_uint_eq(sum.unclear, 0);
}

/*
 * Lines that a fault makes wrong, with the node (-1: all) and the error in percent (-100: not
 * seen).
 */
static const struct {
	const char *sim, *metric, *source;
	int node;
	double off_pct;
} faults[] = {
	{"spr,miscount=m2s_req", "cxl_mem_read_MBps", "m2s_req", -1, -50},
	{"spr,miscount=m2s_req,miscount_port=1", "cxl_mem_read_MBps", "m2s_req", 2, -50},
	{"spr,miscount=m2s_req,miscount_pct=0", "cxl_mem_read_MBps", "m2s_req", -1, -100},
	{"spr,miscount=tor,miscount_pct=90", "cxl_mem_read_MBps", "tor", -1, -10},
	{"spr,miscount=write", "cxl_mem_write_MBps", "", -1, -50},
	{"spr,miscount=write,miscount_port=0,miscount_pct=103", "cxl_mem_write_MBps", "", 1, 3},
	{"gnr,miscount=rxc", "cxl_mem_read_MBps", "rxc", -1, -50},
	{"gnr,miscount=rxc,miscount_port=1,miscount_pct=0", "cxl_mem_read_MBps", "rxc", 2, -100},
	{"spr,miscount=dram_read", "dram_read_MBps", "", 0, -50},
	{"gnr,miscount=dram_write,miscount_pct=200", "dram_write_MBps", "", 0, 100},
	{"srf,miscount=latency", "cxl_read_latency_ns", "opt_acc", -1, -50},
	{"spr,memspecrd=20", "cxl_mem_read_MBps", "m2s_req", -1, 20},
};

TEST_LOOP(test_line_with_a_fault_says_so_and_no_other_does, COUNT_OF(faults))
{
	test(faults[_i].sim);
	for (size_t n = 0; n < result.node_count; n++)
		for (size_t i = 0; i < result.nodes[n].line_count; i++) {
			const struct selftest_line *line = &result.nodes[n].lines[i];
			const bool wrong = !strcmp(line->metric, faults[_i].metric) &&
					   !strcmp(line->source, faults[_i].source) &&
					   (faults[_i].node < 0 ||
					    faults[_i].node == result.nodes[n].at->node);
			const enum judgement expected = !wrong			     ? JUDGED_AGREES
							: faults[_i].off_pct <= -100 ? JUDGED_UNSEEN
										     : JUDGED_OFF;

			if (line->candidate)
				continue;
			ck_assert_int_eq(line->judged.judgement, expected);
			if (wrong)
				ck_assert_double_eq_tol(line->judged.off_pct, faults[_i].off_pct,
							0.01);
		}
	ck_assert_uint_gt(selftest_sum(&result).differ, 0);
}

static const struct {
	size_t agree, differ, unclear;
	const char *says;
} sums[] = {
	{0, 0, 0, "Nothing could be judged.\n"},
	{0, 0, 2, "Nothing could be judged.\n"},
	{1, 0, 0, "All that could be judged agrees: 1 line.\n"},
	{2, 0, 1, "All that could be judged agrees: 2 lines; 1 could not be judged.\n"},
	{0, 1, 0, "1 of 1 lines do not agree.\n"},
	{1, 2, 3, "2 of 3 lines do not agree; 3 could not be judged.\n"},
};

static void add_lines(struct selftest_node *node, size_t count, enum judgement judgement)
{
	for (size_t i = 0; i < count; i++) {
		struct selftest_line *line = selftest_add_line(node);

		ck_assert_ptr_nonnull(line);
		line->metric = "cxl_mem_read_MBps";
		line->judged.judgement = judgement;
	}
}

TEST_LOOP(test_last_line_of_the_text_is_the_sum, COUNT_OF(sums))
{
	struct load_node at = {.node = 1, .dram = true};
	struct selftest_node node = {.at = &at};
	const struct selftest_result judged = {
		.backends = {{.name = "raw"}}, .nodes = &node, .node_count = 1};
	FILE *out = text_open();

	add_lines(&node, sums[_i].agree, JUDGED_AGREES);
	add_lines(&node, sums[_i].differ, JUDGED_OFF);
	add_lines(&node, sums[_i].unclear, JUDGED_UNCLEAR);
	selftest_print(&judged, out);
	const char *text = text_close(out), *last = text + strlen(text) - 1;
	while (last > text && last[-1] != '\n')
		last--;
	ck_assert_str_eq(last, sums[_i].says);
	free(node.lines);
}

/* Sapphire and Emerald Rapids may count CXL reads by candidates, which is not published. */
TEST_LOOP(test_a_candidate_is_measured_and_no_fault, 3)
{
	static const struct {
		const char *sim;
		enum judgement judgement;
		unsigned lines;
	} candidates[] = {{"spr", JUDGED_UNSEEN, 4},
			  {"emr,ocr_cxl=1", JUDGED_AGREES, 4},
			  {"gnr", JUDGED_AGREES, 0}};
	unsigned lines = 0;

	test(candidates[_i].sim);
	for (size_t n = 0; n < result.node_count; n++)
		for (size_t i = 0; i < result.nodes[n].line_count; i++) {
			const struct selftest_line *line = &result.nodes[n].lines[i];

			if (!line->candidate)
				continue;
			ck_assert_int_eq(line->judged.judgement, candidates[_i].judgement);
			lines++;
		}
	ck_assert_uint_eq(lines, candidates[_i].lines);
	ck_assert_uint_eq(selftest_sum(&result).differ, 0);
}

TEST(test_swapped_ports_name_each_other)
{
	test("spr,swap=1");
	for (size_t n = 0; n < 2; n++)
		for (size_t i = 0; i < result.nodes[n].line_count; i++) {
			const struct selftest_line *line = &result.nodes[n].lines[i];

			if (line->candidate)
				continue;
			if (line->scope != SCOPE_PORT) {
				ck_assert_int_eq(line->judged.judgement, JUDGED_AGREES);
				continue;
			}
			ck_assert_int_eq(line->judged.judgement, JUDGED_UNSEEN);
			ck_assert_int_eq(line->moved_socket, 0);
			ck_assert_int_eq(line->moved_port, 1 - (int)n);
		}
}

/* Other programs begin while the first node is tested: not all of its steps are unseen. */
TEST(test_a_port_that_is_off_names_the_one_that_moved_instead)
{
	test("spr,swap=1,read=5,write=2,begin=1");
	for (size_t i = 0; i < result.nodes[0].line_count; i++) {
		const struct selftest_line *line = &result.nodes[0].lines[i];

		if (line->scope != SCOPE_PORT || line->candidate)
			continue;
		ck_assert_int_eq(line->judged.judgement, JUDGED_OFF);
		ck_assert_int_eq(line->moved_socket, 0);
		ck_assert_int_eq(line->moved_port, 1);
	}
}

/* A neighbour begins while the second node is tested: the steps of a node take 20 s / 6. */
TEST(test_neighbour_who_begins_in_the_middle_makes_a_node_unclear)
{
	test("spr,read=5,write=2,begin=5");
	for (size_t n = 0; n < result.node_count; n++)
		for (size_t i = 0; i < result.nodes[n].line_count; i++) {
			const struct selftest_line *line = &result.nodes[n].lines[i];

			if (line->candidate)
				continue;
			ck_assert_int_eq(line->judged.judgement,
					 n == 1 && line->kind != LINE_LATENCY ? JUDGED_UNCLEAR
									      : JUDGED_AGREES);
		}
}

static const struct {
	struct load_choice choice;
	int node; /* -1: refused */
} choices[] = {
	{{.node = 2}, 2},
	{{.node = 0}, 0},
	{{.node = -1, .device = "mem1"}, 2},
	{{.node = 7}, -1},
	{{.node = -1, .device = "mem9"}, -1},
	{{.node = 0, .device = "mem0"}, -1},
};

TEST_LOOP(test_choice_is_one_node_or_refused, COUNT_OF(choices))
{
	struct error err = {0};
	const int rc = run("spr", choices[_i].choice, &err);

	if (choices[_i].node < 0) {
		ck_assert_int_eq(rc, -EINVAL);
		ck_assert_int_eq((int)err.kind, ERROR_USAGE);
	} else {
		ck_assert_msg(!rc, "%s", err.text);
		ck_assert_uint_eq(result.node_count, 1);
		ck_assert_int_eq(result.nodes[0].at->node, choices[_i].node);
	}
}

TEST(test_backend_that_fails_is_in_the_result_beside_one_that_works)
{
	test("spr,lockdown=integrity");
	ck_assert_uint_eq(result.backend_count, 2);
	ck_assert_int_ne(result.backends[0].failed.code, 0);
	ck_assert_int_eq(result.backends[1].failed.code, 0);
	ck_assert_uint_eq(selftest_sum(&result).agree, 11);
}

TEST(test_machine_that_nothing_can_count_on_is_refused)
{
	const struct load_choice all = {.node = -1};
	struct error err = {0};

	ck_assert_int_ne(run("spr,lockdown=integrity,paranoid=2", all, &err), 0);
	ck_assert_int_eq((int)err.kind, ERROR_PERMISSION);
	selftest_result_free(&result);
	ck_assert_int_ne(run("dmr", all, &err), 0);
	ck_assert_int_eq((int)err.kind, ERROR_NO_UNIT);
}

TEST(test_json_has_what_it_takes_to_judge_it_elsewhere)
{
	test("spr,sockets=2");
	const json_t *json = json_kept(selftest_json(&result));
	char host[256] = "";

	ck_assert_int_eq(json_integer_value(json_at(json, "schema")), SELFTEST_SCHEMA);
	ck_assert_uint_eq(json_array_size(json_at(json, "nodes")), 6);
	ck_assert(json_is_object(json_at(json, "snapshot")));
	char *text = json_dumps(json, 0);
	gethostname(host, sizeof(host) - 1);
	assert_lacks(text, "nodename");
	if (strlen(host) > 4)
		assert_lacks(text, host);
	free(text);
}

/* Nodes name their device as in shared results, which lets others recognise theirs. */
TEST(test_a_node_names_its_device_by_vendor_and_device)
{
	test("gnr");
	for (size_t n = 0; n < result.node_count; n++)
		ck_assert_str_eq(result.nodes[n].at->device,
				 result.nodes[n].at->dram ? "" : "8086:0d93");
}

/* AMD does not tell the port of a device: the port with the traffic is named. */
TEST(test_a_node_whose_port_is_not_known_is_behind_the_one_that_moved)
{
	test("turin,ports=2");
	for (size_t n = 0; n < result.node_count; n++) {
		const struct selftest_node *node = &result.nodes[n];

		ck_assert_uint_eq(node->at->port_unknown, !node->at->dram);
		for (size_t i = 0; i < node->line_count && node->at->port_unknown; i++) {
			const struct selftest_line *line = &node->lines[i];

			ck_assert_uint_eq(line->behind, true);
			if (line->scope == SCOPE_PORT)
				ck_assert_int_eq(line->moved_port, (int)n);
		}
	}
}

/* Venice counts by core complex master: a node's traffic is compared with its socket's counts. */
TEST(test_nodes_of_a_processor_without_ports_are_compared_by_socket)
{
	size_t lines = 0;

	test("venice");
	for (size_t n = 0; n < result.node_count; n++) {
		const struct selftest_node *node = &result.nodes[n];

		ck_assert_uint_eq(node->at->port_count, 0);
		for (size_t i = 0; i < node->line_count && !node->at->dram; i++) {
			ck_assert_int_eq(node->lines[i].scope, SCOPE_SOCKET);
			ck_assert_int_eq(node->lines[i].judged.judgement, JUDGED_AGREES);
			lines++;
		}
	}
	ck_assert_uint_eq(lines, 12);
}

TEST(test_processor_without_cpuid_is_named_and_its_nodes_have_no_port)
{
	test("arm,cpmu=1");
	const json_t *root = json_kept(selftest_json(&result));

	assert_json(root, "processor.name", "\"Arm processor, part 0xfff\"");
	assert_json(root, "processor.vendor", "null");
	assert_json(root, "nodes.0.ports", "[]");
	ck_assert_ptr_nonnull(result.snapshot);
}

TEST(test_signal_ends_it_with_its_number)
{
	struct error err = {0};
	sigset_t wake;
	int signal_number;

	sigemptyset(&wake);
	sigaddset(&wake, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &wake, NULL);
	raise(SIGTERM);
	const struct selftest_options options = {
		.sim = "spr,clock=virtual",
		.root = "/",
		.backend = BACKEND_AUTO,
		.choice = {.node = -1},
		.total_ns = NS_PER_S,
		.wake = &wake,
	};
	ck_assert_int_eq(selftest_run(&options, &silent_log, &result, &signal_number, &err),
			 -EINTR);
	ck_assert_int_eq(signal_number, SIGTERM);
}
