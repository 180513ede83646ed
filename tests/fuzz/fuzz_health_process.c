/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers of cxlmon-health, which may be compromised: accepted ones can be shown. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_private.h"
#include "fuzz.h"
#include "linux/run/packet.h"

static void check(const struct health_answer *answer)
{
	char text[DEVICE_HEALTH_TEXT_SIZE];

	fuzz_require(answer->code <= 0 && answer->code >= -ERRNO_MOST);
	fuzz_require(strlen(device_health_text(answer->health.state, text)) < sizeof(text));
	fuzz_require(device_state_of(answer->health.state) == answer->health.state);
	fuzz_require(!isinf(answer->health.temperature_C) &&
		     !isinf(answer->health.corrected_errors) &&
		     !(answer->health.life_used_pct < 0));
}

/* Sends an answer that a device could have given, with a part replaced by the input. */
static void give(int fd, struct input *in)
{
	struct health_answer answer = {
		.device = input_u8(in) % 4,
		.code = -(input_u8(in) % 2),
		.health = {.state = input_u16(in), .temperature_C = 20, .life_used_pct = 1}};
	struct bytes bytes = {.failed = false};

	health_answer_code(&(struct coder){.out = &bytes}, &answer);
	fuzz_require(!bytes.failed);
	const size_t at = input_u8(in) % bytes.size;
	const size_t count = input_u8(in) % (bytes.size - at + 1);
	input_bytes(in, bytes.data + at, count);
	fuzz_require(!packet_send(fd, &bytes));
	bytes_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {.at = data, .left = size};
	struct health_answer answer;
	int ends[2];

	fuzz_require(!packet_pair(ends));
	struct health_process process = {.answers = ends[0]};
	while (in.left && process.answers >= 0) {
		give(ends[1], &in);
		if (health_process_next(&process, &answer))
			check(&answer);
	}
	health_process_stop(&process);
	close(ends[1]);
	return 0;
}
