/* SPDX-License-Identifier: BSD-3-Clause */
/* The screen as an output format, on its own terminal. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "linux/run/packet.h"
#include "linux/run/signals.h"
#include "probe/top/top_code.h"
#include "record/recording_file.h"
#include "show/screen/screen.h"
#include "sim_monitor.h"
#include "unit.h"

#define ROWS	24
#define MANY	30 /* rows with room for processes below the ports */
#define COLUMNS 80

static struct sim_monitor m;
static struct recording recording;
static struct bytes file;
static struct deferred_log deferred;
static struct screen_requests requests;
static struct screen_setup setup;
static struct sink sink;
static struct termios before;
static struct packet_buffer received;
static int keyboard; /* end of the terminal that types */
static const struct recording_info info = {
	.program = "1", .processor = "Some Rapids", .interval_ns = SECOND};
static char *text;
static size_t length;

/* Opens a terminal, also as standard input, from which keys are read. */
static int open_terminal(void)
{
	const struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};

	keyboard = posix_openpt(O_RDWR | O_NOCTTY);
	ck_assert_int_ge(keyboard, 0);
	ck_assert_int_eq(grantpt(keyboard), 0);
	ck_assert_int_eq(unlockpt(keyboard), 0);
	const int terminal = open(ptsname(keyboard), O_RDWR | O_NOCTTY);
	ck_assert_int_ge(terminal, 0);
	ck_assert_int_eq(ioctl(terminal, TIOCSWINSZ, &size), 0);
	ck_assert_int_eq(dup2(terminal, STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(tcgetattr(terminal, &before), 0);
	setenv("TERM", "vt220", 1);
	return terminal;
}

static void set_up(void)
{
	sim_monitor_start(&m, .spec = "gnr,sockets=1,ports=2,read=5,clock=virtual", .start_ns = 1,
			  .view = {.groups = "cxl", .finest = SCOPE_PORT});
	deferred_log_init(&deferred, &silent_log);
	requests.sampler = pthread_self();
	setup = (struct screen_setup){.processor = "Some Rapids",
				      .interval_ns = SECOND,
				      .requests = &requests,
				      .deferred_log = &deferred};
	sink = (struct sink){.format = &format_screen,
			     .table = &m.view.table,
			     .info = &info,
			     .out = open_memstream(&text, &length),
			     .fd = open_terminal(),
			     .terminal = true,
			     .target = &setup,
			     .inputs = {-1, -1, -1}};
}

static void tear_down(void)
{
	fclose(sink.out);
	free(text);
	bytes_free(&file);
	recording_free(&recording);
}

static void sample(void)
{
	sim_monitor_sample(&m);
	sink.format->sample(&sink, &m.sample);
}

/* Asserts the text of a screen that is drawn anew, as after a change of the terminal's size. */
static void assert_shown(const char *expected)
{
	ck_assert_int_eq(fflush(sink.out), 0);
	const size_t drawn = length;
	ck_assert_int_eq(raise(SIGWINCH), 0);
	ck_assert_int_eq(sink.format->handle_input(&sink), INPUT_HANDLED);
	ck_assert_int_eq(fflush(sink.out), 0);
	assert_contains(text + drawn, expected);
}

EACH_IN_A_PROCESS

FIXTURE(set_up, tear_down)

TEST(test_the_header_has_the_number_of_samples)
{
	ck_assert_int_eq(sink.format->begin(&sink), 0);
	assert_shown("samples 0 ");
	sample();
	assert_shown("samples 1 ");
	sample();
	sample();
	assert_shown("samples 3 ");
	sink.format->end(&sink);
}

TEST(test_the_terminal_is_left_as_it_was)
{
	const size_t descriptors = count_descriptors();
	struct termios after;

	ck_assert_int_eq(sink.format->begin(&sink), 0);
	ck_assert_int_eq(tcgetattr(sink.fd, &after), 0);
	ck_assert(!(after.c_lflag & (ICANON | ECHO)));
	sample();
	sink.format->finish(&sink);
	sink.format->end(&sink);
	ck_assert_int_eq(tcgetattr(sink.fd, &after), 0);
	ck_assert_uint_eq(after.c_lflag, before.c_lflag);
	ck_assert_uint_eq(after.c_iflag, before.c_iflag);
	ck_assert_uint_eq(after.c_oflag, before.c_oflag);
	ck_assert_uint_eq(count_descriptors(), descriptors);
}

/* A recording of one sample, with a process. */
static void record(void)
{
	static const struct block_kind *const kinds[] = {&top_block, NULL};
	struct process_row row = {.is.pid = 1001, .is.name = "postgres", .memory.cxl = 1 << 30};
	const struct top_update update = {
		.summary = {.interval_s = 1, .processes = 1, .known = 1, .row_count = 1},
		.rows = &row};
	enum recording_item item = RECORDING_NOTHING;
	struct error err;

	sim_monitor_sample(&m);
	recording_put_header(&file, &info, &m.view.table);
	recording_put_block(&file, &top_block, &update);
	recording_put_sample(&file, &m.view.table, &m.sample, NULL);
	recording.kinds = kinds;
	for (size_t at = 0, used; item != RECORDING_SAMPLE; at += used) {
		ck_assert_msg(!recording_decode(&recording, file.data + at, file.size - at, &used,
						&item, &err),
			      "%s", err.text);
		ck_assert_int_ne(item, RECORDING_NOTHING);
	}
}

TEST(test_processes_of_a_recording_are_shown)
{
	record();
	setup.tab = TAB_PROCESSES;
	setup.played = &recording;
	sink.table = &recording.table;
	ck_assert_int_eq(sink.format->begin(&sink), 0);
	sink.format->sample(&sink, &recording.sample);
	assert_shown("postgres");
	sink.format->end(&sink);
}

/* Waits until the terminal has passed it on. */
static void press(char key)
{
	struct pollfd typed = {.fd = STDIN_FILENO, .events = POLLIN};

	ck_assert_int_eq(write(keyboard, &key, 1), 1);
	ck_assert_int_eq(poll(&typed, 1, -1), 1);
	ck_assert_int_eq(sink.format->handle_input(&sink), INPUT_HANDLED);
}

/* Each request comes once: after the sampling thread took it, it is 0. */
TEST(test_a_key_asks_the_thread_that_samples_for_another_interval)
{
	sigset_t kick, pending;

	sigemptyset(&kick);
	sigaddset(&kick, SIGNAL_KICK);
	ck_assert_int_eq(pthread_sigmask(SIG_BLOCK, &kick, NULL), 0);
	ck_assert_int_eq(sink.format->begin(&sink), 0);
	press('u');
	sigpending(&pending);
	ck_assert(!sigismember(&pending, SIGNAL_KICK));
	ck_assert_uint_eq(requests.interval_ns, 0);
	press('+');
	sigpending(&pending);
	ck_assert(sigismember(&pending, SIGNAL_KICK));
	ck_assert_uint_eq(requests.interval_ns, 2 * SECOND);
	ck_assert(!requests.quit);
	requests.interval_ns = 0;
	press('q');
	ck_assert_uint_eq(requests.interval_ns, 0);
	ck_assert(requests.quit);
	sink.format->end(&sink);
}

/* A run also waits for standard input, and so sees keys at once. */
TEST(test_keys_are_read_from_standard_input)
{
	ck_assert_int_eq(sink.format->begin(&sink), 0);
	ck_assert_int_eq(sink.inputs[0], STDIN_FILENO);
	press('q');
	ck_assert_int_eq(sink.inputs[0], STDIN_FILENO);
	ck_assert(requests.quit);
	sink.format->end(&sink);
}

/*
 * Returns the last request for a process; without an interval, there was none since the last call.
 */
static struct top_request last_request(int process)
{
	static struct packet_buffer buffer;
	struct top_request request = {.interval_ns = 0};
	struct coder c;

	while (packet_receive(process, &buffer, &c, NULL) == 1) {
		top_code_request(&c, &request);
		ck_assert(!c.bad && !c.left);
	}
	return request;
}

static uint64_t asked(int process)
{
	return last_request(process).interval_ns;
}

/* Begins with a process that watches processes. Returns that process's end of the socket. */
static int begin_watched(void)
{
	static struct top_watcher watcher;
	int ends[2];

	ck_assert_int_eq(packet_pair(ends), 0);
	watcher = (struct top_watcher){.socket = close_at_end(ends[0]), .buffer = &received};
	setup.watcher = &watcher;
	ck_assert_int_eq(sink.format->begin(&sink), 0);
	return close_at_end(ends[1]);
}

/* Watching processes costs time, and so is not requested before they are shown. */
TEST(test_processes_are_watched_from_when_on_they_are_shown)
{
	const int process = begin_watched();

	press('-');
	ck_assert_uint_eq(asked(process), 0);
	ck_assert_int_eq(sink.inputs[2], -1);
	press('\t');
	ck_assert_uint_eq(asked(process), SECOND / 2);
	ck_assert_int_eq(sink.inputs[2], setup.watcher->socket);
	/* still watched while ports are shown */
	press('\t');
	press('+');
	ck_assert_uint_eq(asked(process), SECOND);
	sink.format->end(&sink);
}

/* The memory of processes is requested at once, their reads by a key. */
TEST(test_a_high_screen_has_processes_below_the_ports)
{
	const struct winsize size = {.ws_row = MANY, .ws_col = COLUMNS};

	ck_assert_int_eq(ioctl(sink.fd, TIOCSWINSZ, &size), 0);
	const int process = begin_watched();
	struct top_request request = last_request(process);
	ck_assert_uint_eq(request.interval_ns, SECOND);
	ck_assert(!request.reads && request.aside);
	assert_shown("waiting for processes");
	press('l');
	request = last_request(process);
	ck_assert(request.reads && request.aside);
	press('l');
	request = last_request(process);
	ck_assert(!request.reads && request.aside);
	press('\t');
	request = last_request(process);
	ck_assert(request.reads && !request.aside);
	sink.format->end(&sink);
}

TEST(test_a_screen_that_becomes_high_has_processes_from_then_on)
{
	const struct winsize size = {.ws_row = MANY, .ws_col = COLUMNS};
	const int process = begin_watched();

	ck_assert_uint_eq(asked(process), 0);
	ck_assert_int_eq(ioctl(sink.fd, TIOCSWINSZ, &size), 0);
	assert_shown("waiting for processes");
	ck_assert_uint_eq(asked(process), SECOND);
	sink.format->end(&sink);
}

TEST(test_it_says_that_processes_are_no_longer_watched)
{
	int ends[2];

	ck_assert_int_eq(packet_pair(ends), 0);
	struct top_watcher watcher = {.socket = ends[0], .buffer = &received};
	setup.watcher = &watcher;
	setup.tab = TAB_PROCESSES;
	ck_assert_int_eq(sink.format->begin(&sink), 0);
	close(ends[1]);
	ck_assert_int_eq(sink.format->handle_input(&sink), INPUT_HANDLED);
	assert_shown("the process that watches processes has ended");
	ck_assert_int_eq(sink.inputs[2], -1);
	sink.format->end(&sink);
}
