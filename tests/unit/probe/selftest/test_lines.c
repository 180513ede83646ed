/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of latency, one for each class of reads. */
#include <math.h>

#include "probe/selftest/selftest.h"
#include "unit.h"

static struct load_node at;
static struct selftest_node node = {.at = &at};
static const struct view view;

static void tear_down(void)
{
	free(node.lines);
	node = (struct selftest_node){.at = &at};
}

FIXTURE(NULL, tear_down)

static void add(const char *source, double ns)
{
	struct selftest_line *line = selftest_add_line(&node);

	ck_assert_ptr_nonnull(line);
	line->metric = "cxl_read_latency_ns";
	line->source = source;
	line->kind = LINE_LATENCY;
	line->from_core = line->one_class = true;
	line->scope = SCOPE_SOCKET;
	for (size_t i = 0; i < STEPS; i++)
		line->counted[i] = step_moves(&step_table[i], LINE_LATENCY) ? ns : NAN;
}

static const struct {
	double near_ns, far_ns; /* NAN: nothing was counted */
	const char *left;
} classes[] = {
	{100, NAN, "near "},
	{NAN, 100, "far "},
	{100, 200, "near far "},
	{NAN, NAN, "near far "},
};

TEST_LOOP(test_a_class_without_reads_is_removed_where_another_has_some, COUNT(classes))
{
	char left[32] = "";

	for (size_t i = 0; i < STEPS; i++)
		node.moved[0][i].chase_ns = 100;
	add("near", classes[_i].near_ns);
	add("far", classes[_i].far_ns);
	lines_judge(&node, 0, &view);
	for (size_t i = 0; i < node.line_count; i++) {
		strcat(left, node.lines[i].source);
		strcat(left, " ");
	}
	ck_assert_str_eq(left, classes[_i].left);
}
