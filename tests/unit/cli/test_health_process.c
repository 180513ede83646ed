/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the run's end of the socket: the test is the process that answers. */
#include "cli/cli_private.h"

#include <math.h>
#include <unistd.h>

#include "linux/run/packet.h"
#include "unit.h"

static struct health_process process;
static struct health_answer answer;
static int other;

static void set_up(void)
{
	int ends[2];

	ck_assert_int_eq(packet_pair(ends), 0);
	process = (struct health_process){.answers = ends[0]};
	other = ends[1];
}

static void tear_down(void)
{
	health_process_stop(&process);
	close(other);
}

FIXTURE(set_up, tear_down)

static void give(const struct health_answer *given)
{
	struct health_answer copy = *given;
	struct bytes bytes = {.failed = false};

	health_answer_code(&(struct coder){.out = &bytes}, &copy);
	ck_assert_int_eq(packet_send(other, &bytes), 0);
	bytes_free(&bytes);
}

static const struct health_answer possible[] = {
	{.device = 3, .code = -ENXIO, .at_ns = 1},
	{.at_ns = 1,
	 .health = {.state = DEVICE_STATE_MOST,
		    .temperature_C = -32768,
		    .life_used_pct = 100,
		    .corrected_errors = 2 * (double)UINT32_MAX}},
	{.at_ns = 1,
	 .health = {.temperature_C = 32767, .life_used_pct = NAN, .corrected_errors = NAN}},
};

TEST_LOOP(test_answers_are_taken_when_they_come, COUNT(possible))
{
	ck_assert(!health_process_next(&process, &answer));
	give(&possible[_i]);
	ck_assert(health_process_next(&process, &answer));
	ck_assert_mem_eq(&answer, &possible[_i], sizeof(answer));
	ck_assert(!health_process_next(&process, &answer));
	ck_assert_int_ge(process.answers, 0);
}

static const struct health_answer wrong[] = {
	{.code = 1},
	{.code = -4096},
	{.at_ns = UINT64_MAX},
	{.health.state = DEVICE_STATE_MOST + 1},
	{.health.temperature_C = -32769},
	{.health.life_used_pct = 101},
	{.health.life_used_pct = -1},
	{.health.corrected_errors = -1},
};

TEST_LOOP(test_after_a_wrong_answer_no_other_is_taken, COUNT(wrong))
{
	give(&wrong[_i]);
	give(&possible[0]);
	ck_assert(!health_process_next(&process, &answer));
	ck_assert(!health_process_next(&process, &answer));
	ck_assert_int_eq(process.answers, -1);
}

TEST(test_after_a_part_of_an_answer_no_other_is_taken)
{
	ck_assert_int_eq(
		packet_send(other, &(struct bytes){.data = (uint8_t[]){3, 0, 1}, .size = 3}), 0);
	ck_assert(!health_process_next(&process, &answer));
	ck_assert_int_eq(process.answers, -1);
}
