/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes, sent as packets to receivers with different tables. */
#include "linux/run/packet.h"

#include <errno.h>
#include <unistd.h>

#include "fuzz.h"
#include "tests/packet_pair.h"

static const struct packet_kind one[] = {{16, 16}};
static const struct packet_kind several[] = {{8, 8}, {12, 120}, {0, PACKET_BYTES_MOST}};

static const struct {
	const struct packet_kind *kinds;
	size_t count;
} tables[] = {{NULL, 0}, {one, 1}, {several, 3}};

static void receive(int socket, const struct packet_kind *kinds, size_t count)
{
	static struct packet_buffer buffer;
	struct packet packet;
	const int rc = packet_receive(socket, kinds, count, &buffer, &packet);

	if (rc == 1) {
		const struct packet_kind *kind = &kinds[packet.type];

		fuzz_require(packet.type < count && packet.bytes == buffer.bytes);
		fuzz_require(packet.size >= kind->least && packet.size <= kind->most);
	} else {
		fuzz_require(rc == -EBADMSG || rc == -EPIPE);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {.at = data, .left = size};
	uint8_t bytes[sizeof(struct packet_buffer)];
	int ends[2];

	fuzz_require(!packet_pair(ends));
	while (in.left) {
		const uint8_t table = input_u8(&in) % 3;
		const size_t sent = 1 + input_u16(&in) % sizeof(bytes);

		input_bytes(&in, bytes, sent);
		bytes[0] %= 4; /* first byte of the type, whose other bytes are mostly 0 */
		fuzz_require(write(ends[0], bytes, sent) == (ssize_t)sent);
		receive(ends[1], tables[table].kinds, tables[table].count);
	}
	close(ends[0]);
	close(ends[1]);
	return 0;
}
