/* SPDX-License-Identifier: BSD-3-Clause */
/* The permanent work of cxlmon: a thread that samples, and the writer's. */
#include <err.h>
#include <fcntl.h>
#include <unistd.h>

#include "commands.h"
#include "linux/kernel/clock.h"
#include "linux/run/signals.h"
#include "output/writer.h"

static struct writer *start_writer(struct subject *s, int fd)
{
	static const struct log silent = {.write = NULL};
	const struct writer_setup setup = {
		.sink = {.format = &format_csv, .fd = fd},
		.name = "/dev/null",
		.device = true,
		.view = &s->view,
		.plan = &s->plan,
		.interval_ns = s->options->interval_ns,
		.frame_ns = poller_frame_interval(s->poller),
		.log = &silent,
	};
	struct writer *writer;
	struct error why;

	if (writer_new(&setup, &writer, &why) || writer_start(writer, &why))
		errx(1, "%s", why.text);
	writer_push(writer, poller_frame(s->poller)); /* the first sample counts from here */
	return writer;
}

void run_watch(const struct bench_options *options, size_t samples)
{
	const int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	enum read_reason due;
	struct signals signals;
	struct subject s;
	struct error why;
	int signal_number;

	if (fd < 0)
		err(1, "/dev/null");
	signals_block(&signals);
	subject_open(&s, options);
	clock_set_timerslack(); /* as in the monitor */
	struct writer *writer = start_writer(&s, fd);
	for (size_t i = 0; i < samples;) {
		if (poller_wait(s.poller, &s.ends, &signal_number, &due, &why))
			break;
		if (!writer_has_room(writer)) {
			poller_skip(s.poller, due);
			continue;
		}
		if (poller_read(s.poller, due, &why))
			errx(1, "%s", why.text);
		writer_push(writer, poller_frame(s.poller));
		i += due == READ_SAMPLE;
	}
	writer_close(writer);
	if (writer_join(writer, &why))
		errx(1, "%s", why.text);
	print_result(json_object());
	subject_close(&s);
	close(fd);
}
