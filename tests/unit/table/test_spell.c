/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/spell.h"

#include "support.h"
#include "uncore/model/event.h"
#include "uncore/units/unit.h"
#include "unit.h"

#define PLACE(is, of_socket, of_port, of_cpu, of_memory, address, name, ...)                       \
	.place = {.kind = (is),                                                                    \
		  .socket = (of_socket),                                                           \
		  .port = (of_port),                                                               \
		  .cpu = (of_cpu),                                                                 \
		  .node = (of_memory),                                                             \
		  .pci = (address),                                                                \
		  .memdev = (name),                                                                \
		  __VA_ARGS__}

/* clang-format off */
static const struct {
	struct row row;
	const char *kind, *brief, *full, *title, *device;
	int node;
} rows[] = {
	{{PLACE(ROW_CPU, 0, -1, 7, -1, "", "")}, "cpu", "cpu7", "CPU 7", "CPU 7", "", -1},
	{{PLACE(ROW_PORT, 0, 1, -1, 3, "0000:35:00.0", "mem2")},
	 "port", "s0 p1 mem2", "socket 0 port 1 mem2", "s0 p1  mem2  node 3  0000:35:00.0", "mem2", -1},
	{{PLACE(ROW_PORT, 1, 0, -1, -1, "", "", .port_name = "ccm")},
	 "ccm", "s1 ccm0", "socket 1 ccm 0", "s1 ccm0", "", -1},
	{{PLACE(ROW_DEVICE, -1, -1, -1, 2, "0000:35:00.0", "")},
	 "device", "0000:35:00.0", "device 0000:35:00.0", "0000:35:00.0  node 2", "0000:35:00.0", -1},
	{{PLACE(ROW_NODE, -1, -1, -1, 2, "", "mem0")},
	 "node", "node2 mem0", "node 2 mem0", "node 2  mem0", "mem0", 2},
	{{PLACE(ROW_DOMAIN, 0, 3, -1, -1, "", "", .port_name = TABLE_DOMAIN)},
	 "domain", "s0 domain3", "socket 0 domain 3", "s0 domain3", "", -1},
	{{PLACE(ROW_GROUP, -1, -1, -1, -1, "", "", .group = "/batch")},
	 "group", "group /batch", "group /batch", "group /batch", "", -1},
	{{PLACE(ROW_SOCKET, 1, -1, -1, -1, "", "")}, "socket", "s1", "socket 1", "socket 1", "", -1},
	{{PLACE(ROW_SYSTEM, -1, -1, -1, -1, "", "")}, "system", "system", "system", "system", "", -1},
};
/* clang-format on */

TEST_LOOP(test_a_row_has_one_place_in_each_form, COUNT(rows))
{
	const struct row *row = &rows[_i].row;
	char text[LOCATION_SIZE];

	ck_assert_str_eq(row_scope_name(row), rows[_i].kind);
	ck_assert_str_eq(location(row, text), rows[_i].brief);
	ck_assert_str_eq(location_with_unit(row, true, text), rows[_i].full);
	ck_assert_str_eq(location_title(row, text), rows[_i].title);
	ck_assert_str_eq(place_device_label(&row->place), rows[_i].device);
	ck_assert_int_eq(place_node_number(&row->place), rows[_i].node);
}

TEST_LOOP(test_a_row_is_the_same_as_itself_and_as_no_other, COUNT(rows))
{
	for (size_t other = 0; other < COUNT_OF(rows); other++) {
		const int order = row_compare(&rows[_i].row, &rows[other].row);

		ck_assert_int_eq(order == 0, (int)other == _i);
		ck_assert_int_eq(order > 0, row_compare(&rows[other].row, &rows[_i].row) < 0);
	}
}

static const struct pmu_type cha = {.name = "cha"};
static const struct unit units[] = {{.pmu_type = &cha, .id = 0}, {.pmu_type = &cha, .id = 3}};
static const struct event events[] = {{.name = "A"}, {.name = "B"}};

TEST(test_rows_of_events_differ_by_event_and_unit)
{
	const struct row row = {PLACE(ROW_SOCKET, 0, -1, -1, -1, "", ""), .event = &events[0],
				.unit = &units[1]};
	struct row other = row;
	char text[LOCATION_SIZE];

	ck_assert_str_eq(location_with_unit(&row, false, text), "s0 cha 3");
	other.unit = &units[0];
	ck_assert_int_gt(row_compare(&row, &other), 0);
	other = row;
	other.event = &events[1];
	ck_assert_int_lt(row_compare(&row, &other), 0);
	/* a sum has no unit, whichever is the first */
	other = row;
	other.summed = true;
	ck_assert_str_eq(location_with_unit(&other, false, text), "s0");
	ck_assert_int_ne(row_compare(&row, &other), 0);
}

static const struct {
	struct metric metric;
	unsigned exact, brief;
	const char *unit;
} numbers[] = {
	{{.decimals = 3, .unit = "MB/s"}, 3, 1, "MB/s"},
	{{.decimals = 1, .unit = "ns"}, 1, 1, "ns"},
	{{.decimals = 3, .unit = ""}, 3, 3, ""}, /* a ratio would be left with next to nothing */
	{{.decimals = 2}, 2, 2, ""},
};

TEST_LOOP(test_people_read_fewer_decimals_of_what_has_a_unit, COUNT(numbers))
{
	const struct decimals decimals = decimals_of(&numbers[_i].metric);

	ck_assert_uint_eq(decimals.exact, numbers[_i].exact);
	ck_assert_uint_eq(decimals.brief, numbers[_i].brief);
	ck_assert_str_eq(unit_text(&numbers[_i].metric), numbers[_i].unit);
}

TEST(test_rates_of_events_are_per_second)
{
	ck_assert_uint_eq(decimals_of(NULL).exact, 3);
	ck_assert_uint_eq(decimals_of(NULL).brief, 1);
	ck_assert_str_eq(unit_text(NULL), "1/s");
}
