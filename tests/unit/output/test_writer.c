/* SPDX-License-Identifier: BSD-3-Clause */
/* The writer on real descriptors: pipes that are full, devices without room. */
#include "output/writer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counts/decoder.h"
#include "linux/run/signals.h"
#include "poller/frame.h"
#include "sim_monitor.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define SPEC	  "gnr,ports=1,read=12.8,clock=virtual"
#define MOST_SAID 8

static struct sim_monitor m;
static struct writer *writer;
static struct signals signals;
static struct error err;
static char expected[1 << 18]; /* CSV of the samples offered so far */
static size_t expected_size;
static char text[sizeof(expected)]; /* text that was read of it */

/* State of the writer's thread; samples that count here are complete. */
static struct {
	_Atomic unsigned warnings;
	char text[MOST_SAID][512];
	char details[512]; /* in lines */
} said;

static void remember(void *context, enum log_level level, const char *remark)
{
	const unsigned said_before = said.warnings;

	(void)context;
	if (level == LEVEL_DETAIL)
		text_append(said.details, sizeof(said.details), "%s\n", remark);
	if (level != LEVEL_WARNING || said_before == MOST_SAID)
		return;
	snprintf(said.text[said_before], sizeof(said.text[0]), "%s", remark);
	said.warnings = said_before + 1;
}

static const struct log remembering = {.write = remember};

static struct sink sink; /* makes .expected, from a view and a decoder of its own */
static struct view view;
static struct decoder *decoder;
static const struct frame *frame;

/* Makes a writer, which is not started yet. */
static void make_writer(struct writer_setup setup)
{
	setup.name = "the output";
	setup.view = &m.view;
	setup.plan = &m.plan;
	setup.log = &remembering;
	ck_assert_msg(!writer_new(&setup, &writer, &err), "%s", err.text);
	writer_push(writer, poller_frame(m.poller));
}

static void start_writer_with(struct writer_setup setup)
{
	make_writer(setup);
	ck_assert_msg(!writer_start(writer, &err), "%s", err.text);
}

static void start_writer(int fd)
{
	start_writer_with((struct writer_setup){.sink = {.format = &format_csv, .fd = fd}});
}

static void set_up_groups(const char *spec, const char *groups)
{
	const struct sim_setup setup = {.spec = spec, .start_ns = 1, .view = {.groups = groups}};

	signals_block(&signals);
	sim_monitor_start_as(&m, &setup);
	ck_assert_int_eq(view_make(&m.machine, &setup.view, &view, &err), 0);
	view_bind(&view, &m.plan);
	decoder = decoder_new(&m.plan);
	decoder_add(decoder, poller_frame(m.poller), &m.sample);
	sink = (struct sink){.format = &format_csv, .table = &view.table};
	sink.out = fmemopen(expected, sizeof(expected), "w");
	format_csv.begin(&sink);
}

static void set_up(void)
{
	set_up_groups(SPEC, "cxl");
}

static void tear_down(void)
{
	fclose(sink.out);
	decoder_free(decoder);
	view_free(&view);
}

static void expect_sample(void)
{
	ck_assert(decoder_add(decoder, frame, &m.sample));
	view_update(&view, &m.sample);
	format_csv.sample(&sink, &m.sample);
	fflush(sink.out);
	expected_size = (size_t)ftell(sink.out);
}

/* Takes a sample. The view belongs to the writer, and is not updated here. */
static void take_sample(void)
{
	enum read_reason due;
	int signal_number;

	ck_assert_int_eq(poller_wait(m.poller, &signals.wake, &signal_number, &due, &m.err), 0);
	ck_assert_int_eq(poller_read(m.poller, due, &m.err), 0);
	frame = poller_frame(m.poller);
}

/* Offers samples until there is no room. Returns the number that fitted. */
static unsigned offer_until_full(void)
{
	unsigned offered = 0;

	for (;;) {
		if (!writer_has_room(writer))
			return offered;
		take_sample();
		writer_push(writer, frame);
		expect_sample();
		offered++;
	}
}

/* Returns the number of frames that the ring has room for, except the last one. */
static unsigned ring_room(void)
{
	return (unsigned)ring_room_for(poller_frame_size(&m.plan));
}

static void offer(unsigned samples)
{
	while (samples) {
		take_sample();
		while (!writer_has_room(writer))
			;
		writer_push(writer, frame);
		expect_sample();
		samples--;
	}
}

/* Reads all from a descriptor until its end, and compares. */
static void assert_read(int fd)
{
	size_t size = 0;
	ssize_t got;

	while ((got = read(fd, text + size, sizeof(text) - size)) > 0)
		size += (size_t)got;
	ck_assert_uint_eq(size, expected_size);
	ck_assert_mem_eq(text, expected, size);
}

/* Takes the signals that are held until the writer has ended. */
static void wait_for_end(void)
{
	while (!writer_ended(writer))
		ck_assert_int_eq(sigwaitinfo(&signals.wake, NULL), SIGNAL_KICK);
}

static void assert_end(int code)
{
	wait_for_end();
	ck_assert_int_eq(writer_join(writer, &err), code);
}

static void close_writer(int code)
{
	writer_close(writer);
	assert_end(code);
}

TREE_FIXTURE(set_up, tear_down)

TEST(test_all_samples_are_written_before_the_writer_ends)
{
	int fd = memfd_create("output", 0);

	start_writer(fd);
	offer(800);
	take_sample();
	writer_push_last(writer, frame);
	expect_sample();
	close_writer(0);
	lseek(fd, 0, SEEK_SET);
	assert_read(fd);
	ck_assert_uint_eq(said.warnings, 0);
}

struct reader {
	pthread_t thread;
	int fd;
	size_t bytes_at_once;
};

static void *read_all(void *context)
{
	const struct reader *reader = context;
	size_t size = 0;
	ssize_t got;

	while ((got = read(reader->fd, text + size, reader->bytes_at_once)) > 0)
		size += (size_t)got;
	ck_assert_uint_eq(size, expected_size);
	ck_assert_mem_eq(text, expected, size);
	return NULL;
}

/* Opens a blocking pipe, one that returns EAGAIN, or a socket with room for less than a row. */
static void open_channel(int kind, int ends[2])
{
	const int bytes = 1;

	if (kind == 2) {
		ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
		setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
		fcntl(ends[0], F_SETFL, 0);
	} else {
		ck_assert_int_eq(pipe(ends), 0);
		fcntl(ends[1], F_SETPIPE_SZ, 4096);
		fcntl(ends[1], F_SETFL, kind ? O_NONBLOCK : 0);
	}
}

TEST_LOOP(test_a_slow_reader_gets_all_that_was_offered, 3)
{
	struct reader reader = {.bytes_at_once = 37};
	int ends[2];

	open_channel(_i, ends);
	start_writer(ends[1]);
	/* the ring, except the last frame, and the first one, which may still be there */
	ck_assert_uint_ge(offer_until_full(), ring_room() - 2);
	reader.fd = ends[0];
	take_sample();
	writer_push_last(writer, frame);
	expect_sample();
	writer_close(writer);
	ck_assert_int_eq(pthread_create(&reader.thread, NULL, read_all, &reader), 0);
	assert_end(0);
	close(ends[1]);
	pthread_join(reader.thread, NULL);
	ck_assert_uint_eq(said.warnings, 0);
}

/* Returns the number of whole samples in a pipe: each ends with the row of the system. */
static unsigned whole_samples(int fd)
{
	unsigned samples = 0;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	const ssize_t size = read(fd, text, sizeof(text) - 1);
	ck_assert_int_gt(size, 0);
	ck_assert_mem_eq(text, expected, (size_t)size);
	for (const char *at = strstr(text, "system"); at; at = strstr(at + 1, "system"))
		samples += strchr(at, '\n') != NULL;
	return samples;
}

TEST_LOOP(test_a_draining_writer_does_not_wait_for_a_reader_that_does_not_read, 2)
{
	int ends[2];
	char missing[64];

	open_channel(_i, ends);
	const int flags = fcntl(ends[1], F_GETFL);
	start_writer(ends[1]);
	const unsigned offered = offer_until_full();
	writer_close(writer);
	writer_drain(writer);
	writer_abort(writer);
	assert_end(-EAGAIN);
	ck_assert_int_eq(fcntl(ends[1], F_GETFL), flags);
	assert_contains(err.text, "the output: cannot be written: the reader has stopped reading");
	snprintf(missing, sizeof(missing), "; %u samples are missing",
		 offered - whole_samples(ends[0]));
	assert_contains(err.text, missing);
}

TEST(test_a_reader_that_goes_away_ends_the_writer_at_once)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	start_writer(ends[1]);
	offer(1);
	assert_end(-EPIPE);
	ck_assert_uint_eq(said.warnings, 0);
}

TEST(test_an_output_that_can_never_be_written_ends_the_writer)
{
	start_writer(open("/dev/null", O_RDONLY));
	offer(1);
	assert_end(-EBADF);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, "the output: cannot be written: Bad file descriptor");
}

TEST(test_a_full_disk_is_survived_and_what_is_missing_is_counted)
{
	char missing[64];

	start_writer(open("/dev/full", O_WRONLY));
	const unsigned room = ring_room();

	offer(room); /* one for the writer, and all that the ring has room for */
	take_sample();
	ck_assert(!writer_has_room(writer));
	writer_push_last(writer, frame);
	ck_assert(!writer_ended(writer));
	close_writer(-ENOSPC);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, "the output: cannot be written: No space left on device; ");
	snprintf(missing, sizeof(missing), "; %u samples are missing", room + 1);
	assert_contains(err.text, missing);
	ck_assert_uint_eq(said.warnings, 1);
	assert_contains(said.text[0], "the output: cannot be written: No space left on device");
}

TEST(test_a_disk_that_has_room_again_gets_every_byte)
{
	const int fd = memfd_create("output", 0), full = open("/dev/full", O_WRONLY);
	const int output = dup(full);

	start_writer(output);
	offer(5);
	while (!said.warnings)
		;
	dup2(fd, output); /* now there is room */
	offer(5);
	close_writer(0);
	ck_assert_uint_eq(said.warnings, 2);
	ck_assert_str_eq(said.text[1], "the output: writable again");
	lseek(fd, 0, SEEK_SET);
	assert_read(fd);
}

TEST(test_skipped_samples_are_reported_once)
{
	start_writer(open("/dev/null", O_WRONLY));
	for (unsigned k = 0; k < 3; k++)
		poller_skip(m.poller, READ_SAMPLE);
	offer(2);
	close_writer(0);
	ck_assert_uint_eq(said.warnings, 1);
	assert_contains(said.text[0], "the reader of the output is slow");
}

/* File "out" in the test's directory. */
static struct file_place place;
static const struct sudo_user nobody = {.known = false};
static struct file_process keeper;

static void start_in_directory(bool no_header)
{
	const struct file_process_use use = {
		.place = &place, .name = "the output", .caller = &nobody};

	place = (struct file_place){.name = "out"};
	place.directory = close_at_end(open(tree_root(), O_PATH | O_DIRECTORY | O_CLOEXEC));
	ck_assert_int_eq(file_process_start(&use, &keeper, &err), 0);
	start_writer_with((struct writer_setup){
		.sink = {.format = &format_csv,
			 .fd = openat(place.directory, "out", O_WRONLY | O_CREAT, 0600),
			 .no_header = no_header},
		.reopened = &keeper,
	});
}

/* Waits until the writer has written so many rows to a file of the directory. */
static void wait_for_lines(const char *name, unsigned lines)
{
	const struct timespec soon = {.tv_nsec = 1000000};

	for (unsigned found = 0; found < lines; nanosleep(&soon, NULL)) {
		const int fd = openat(place.directory, name, O_RDONLY);
		const ssize_t got = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

		text[got] = '\0';
		close(fd);
		found = 0;
		for (const char *at = text; (at = strchr(at, '\n')); at++)
			found++;
	}
}

static void end_writer(void)
{
	writer_close(writer);
	wait_for_end();
	const int fd = writer_fd(writer);
	ck_assert_int_eq(writer_join(writer, &err), 0);
	file_process_stop(&keeper);
	close(fd);
}

/* Asserts the bytes of both files, one after the other. */
static void assert_in_files(const char *first, const char *second, const char *header)
{
	const size_t length = strlen(header);
	int fd = openat(place.directory, first, O_RDONLY);
	ssize_t size = read(fd, text, sizeof(text));

	close(fd);
	ck_assert_int_gt(size, 0);
	fd = openat(place.directory, second, O_RDONLY);
	char *next = text + size;
	size += read(fd, next, sizeof(text) - (size_t)size);
	close(fd);
	ck_assert_mem_eq(next, header, length);
	memmove(next, next + length, (size_t)size - (size_t)(next - text) - length);
	ck_assert_uint_eq((size_t)size - length, expected_size);
	ck_assert_mem_eq(text, expected, expected_size);
}

/* logrotate renames the file, and then sends the signal. */
TEST(test_a_file_that_was_renamed_is_opened_again_and_no_row_is_lost)
{
	char header[512];

	start_in_directory(false);
	offer(4);
	snprintf(header, sizeof(header), "%.*s", (int)strcspn(expected, "\n") + 1, expected);
	wait_for_lines("out", 1 + 4 * 3);
	ck_assert_int_eq(renameat(place.directory, "out", place.directory, "out.1"), 0);
	writer_reopen(writer);
	wait_for_lines("out", 1);
	offer(3);
	/* while it is still there, nothing happens */
	wait_for_lines("out", 1 + 3 * 3);
	writer_reopen(writer);
	offer(2);
	end_writer();
	ck_assert_uint_eq(said.warnings, 0);
	assert_in_files("out.1", "out", header);
}

TEST(test_a_file_renamed_before_the_first_sample_is_followed_by_one_with_one_header)
{
	struct stat first;

	start_in_directory(false);
	ck_assert_int_eq(renameat(place.directory, "out", place.directory, "out.1"), 0);
	writer_reopen(writer);
	wait_for_lines("out", 1);
	offer(2);
	end_writer();
	ck_assert_int_eq(fstatat(place.directory, "out.1", &first, 0), 0);
	ck_assert_int_eq(first.st_size, 0);
	const int fd = openat(place.directory, "out", O_RDONLY);
	assert_read(fd);
}

TEST(test_a_file_that_cannot_be_opened_again_is_written_as_before)
{
	start_in_directory(false);
	offer(1);
	wait_for_lines("out", 1 + 3);
	ck_assert_int_eq(renameat(place.directory, "out", place.directory, "out.1"), 0);
	ck_assert_int_eq(mkdirat(place.directory, "out", 0700), 0);
	writer_reopen(writer);
	while (!said.warnings)
		;
	offer(2);
	end_writer();
	ck_assert_uint_eq(said.warnings, 1);
	assert_contains(said.text[0], "the output: cannot be written: ");
	assert_contains(said.text[0], "; rows are written to the old file as before");
	const int fd = openat(place.directory, "out.1", O_RDONLY);
	assert_read(fd);
}

TEST(test_no_header_is_none_in_the_next_file_either)
{
	char first;

	start_in_directory(true);
	offer(1);
	wait_for_lines("out", 3);
	ck_assert_int_eq(renameat(place.directory, "out", place.directory, "out.1"), 0);
	writer_reopen(writer);
	offer(1);
	end_writer();
	for (int i = 0; i < 2; i++) {
		const int fd = openat(place.directory, i ? "out" : "out.1", O_RDONLY);

		ck_assert_int_eq(read(fd, &first, 1), 1);
		ck_assert_int_eq(first, '2'); /* first digit of the year */
		close(fd);
	}
}

static enum input_result handle_no_input(struct sink *unused)
{
	(void)unused;
	return INPUT_HANDLED;
}

/* The screen draws when it has time, and shows how many samples were merged. */
TEST(test_skipped_samples_of_a_screen_are_not_its_readers_fault)
{
	struct format screen = format_csv;

	screen.handle_input = handle_no_input;
	start_writer_with((struct writer_setup){
		.sink = {.format = &screen, .fd = open("/dev/null", O_WRONLY)}});
	for (unsigned k = 0; k < 3; k++)
		poller_skip(m.poller, READ_SAMPLE);
	offer(2);
	close_writer(0);
	ck_assert_uint_eq(said.warnings, 0);
}

TEST(test_sources_of_values_are_details)
{
	tear_down();
	set_up_groups(SPEC, "cxl,latency");
	start_writer(open("/dev/null", O_WRONLY));
	offer(1);
	close_writer(0);
	ck_assert_str_eq(said.details, "cxl_mem_read_MBps is computed from rxc\n"
				       "cxl_read_latency_ns is computed from acc\n");
}

TEST(test_the_first_unit_without_values_is_reported_once)
{
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 0);

	start_writer(open("/dev/null", O_WRONLY));
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, true);
	offer(2);
	writer_close(writer);
	wait_for_end();
	ck_assert_uint_eq(writer_lost_readings(writer), 2);
	ck_assert_int_eq(writer_join(writer, &err), 0);
	ck_assert_uint_eq(said.warnings, 1);
	assert_contains(said.text[0],
			"socket 0 cxlcm 2: no response (a counter reads as all ones)");
}
