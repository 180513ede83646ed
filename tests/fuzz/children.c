/* SPDX-License-Identifier: BSD-3-Clause */
#include "children.h"

#include <errno.h>
#include <unistd.h>

#include "base/number.h"
#include "linux/run/packet.h"

#define CHILDREN_MOST 256 /* further ones cannot be started */

static struct {
	int sockets[CHILDREN_MOST]; /* sockets of those that have not ended */
	size_t count;
	uint64_t now_ns;
} children;

void children_begin(void)
{
	children.count = 0;
	children.now_ns = 1000 * NS_PER_S;
}

void children_end(void)
{
	while (children.count)
		close(children.sockets[--children.count]);
}

static size_t choose(struct input *in)
{
	return input_u8(in) % children.count;
}

int children_choose(struct input *in)
{
	return children.count ? children.sockets[choose(in)] : -1;
}

void children_end_one(struct input *in)
{
	if (!children.count)
		return;
	const size_t chosen = choose(in);

	close(children.sockets[chosen]);
	children.sockets[chosen] = children.sockets[--children.count];
}

void children_wait(struct input *in, unsigned seconds)
{
	children.now_ns += (uint64_t)input_u8(in) * seconds * NS_PER_S / 256;
}

pid_t __wrap_bounded_fork(const struct bounded_limits *limits, int kept,
			  struct bounded_process *out);
pid_t __wrap_bounded_fork(const struct bounded_limits *limits, int kept,
			  struct bounded_process *out)
{
	int ends[2];

	(void)kept;
	out->socket = -1;
	if (children.count == CHILDREN_MOST || packet_pair(ends))
		return -EAGAIN;
	children.sockets[children.count++] = ends[1];
	*out = (struct bounded_process){
		.socket = ends[0], .deadline_ns = children.now_ns + limits->seconds * NS_PER_S};
	return 1;
}

uint64_t __wrap_clock_monotonic(void);
uint64_t __wrap_clock_monotonic(void)
{
	return children.now_ns;
}
