/* SPDX-License-Identifier: BSD-3-Clause */
/* How bytes get out: to readers that don't read, and to disks without room. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "output/replace.h"
#include "output/writer_parts.h"

#define GRACE_NS (1 * NS_PER_S) /* that a hurried writer gives its reader */

/* A disk without room is tried again with each sample, but neither in a busy loop nor too late. */
#define SOONEST_RETRY (10 * MS)
#define LATEST_RETRY  (1 * NS_PER_S)

uint64_t writer_clamp(uint64_t value, uint64_t least, uint64_t most)
{
	if (value < least)
		return least;
	return value < most ? value : most;
}

/* The first of the descriptors is where others wake us. */
static bool sleep_on(const struct writer *w, struct pollfd *fds, nfds_t count, uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
				      .tv_nsec = (long)(ns % NS_PER_S)};
	uint64_t ignored;
	const int found = ppoll(fds, count, ns == FOREVER ? NULL : &time, NULL);

	if (found > 0 && fds[0].revents && read(w->wake_fd, &ignored, sizeof(ignored)) < 0)
		return true; /* nothing there to read, as little as there is to do about it */
	return found != 0;
}

bool writer_sleep(struct writer *w, int fd, uint64_t ns)
{
	struct pollfd fds[] = {{.fd = w->wake_fd, .events = POLLIN}, {.fd = fd, .events = POLLOUT}};

	return sleep_on(w, fds, 2, ns);
}

void writer_listen(struct writer *w, uint64_t ns)
{
	struct pollfd fds[] = {{.fd = w->wake_fd, .events = POLLIN},
			       {.fd = w->sink.inputs[0], .events = POLLIN},
			       {.fd = w->sink.inputs[1], .events = POLLIN}};

	if (!w->setup.format->interaction)
		writer_sleep(w, -1, ns);
	else if (sleep_on(w, fds, 3, ns))
		w->heard = fds[1].revents || fds[2].revents;
}

/* A full disk has been reported as such. */
static void report_slow(struct writer *w)
{
	if (w->slow_said || w->disk_full || !w->sink.skipped)
		return;
	w->slow_said = true;
	log_write(
		w->setup.log, LEVEL_WARNING,
		"the reader of the output is slow: samples are merged into longer ones, so that no "
		"count is lost; -v says how many");
}

/*
 * Said here and not when it happens: the thread that takes samples shouldn't wait for whoever reads
 * standard error either.
 */
void writer_report(struct writer *w)
{
	report_slow(w);
}

static int wait_for_reader(struct writer *w)
{
	const bool hurried = atomic_load(&w->hurried);

	if (atomic_load(&w->given_up))
		return -EAGAIN;
	if (writer_sleep(w, w->setup.fd, hurried ? GRACE_NS : FOREVER))
		return 0;
	return -EAGAIN;
}

static bool may_pass(int code)
{
	return code == -ENOSPC || code == -EDQUOT || code == -EIO;
}

/* code stands after the last try, which is the one after the last sample. */
static int wait_for_disk(struct writer *w, int code)
{
	w->disk_full = true;
	if (!w->disk_said) {
		w->disk_said = true;
		log_write(w->setup.log, LEVEL_WARNING,
			  "%s: can't be written: %s; tried again with each sample, and nothing "
			  "counted is lost meanwhile",
			  w->setup.name, strerror(-code));
	}
	if (w->last_try)
		return code;
	w->last_try = atomic_load(&w->closed);
	if (!w->last_try)
		writer_sleep(
			w, -1,
			writer_clamp(atomic_load(&w->interval_ns), SOONEST_RETRY, LATEST_RETRY));
	return 0;
}

static void report_room(struct writer *w)
{
	w->disk_full = false;
	if (!w->room_said)
		log_write(w->setup.log, LEVEL_WARNING, "%s: can be written again", w->setup.name);
	w->room_said = true;
}

/* How many bytes, or a negative errno. */
static ssize_t put_some(const struct writer *w)
{
	if (w->setup.replaces) {
		const int rc = replace_file(w->target, w->bytes, w->size);
		return rc ? rc : (ssize_t)w->size;
	}
	const ssize_t n = write(w->setup.fd, w->bytes + w->written, w->size - w->written);
	return n < 0 ? -errno : n;
}

int writer_put(struct writer *w)
{
	int rc = 0;

	while (!rc && w->written < w->size) {
		const ssize_t n = put_some(w);
		const int code = n < 0 ? (int)n : 0;

		if (n > 0)
			w->written += (size_t)n;
		else if (code == -EAGAIN)
			rc = wait_for_reader(w);
		else if (may_pass(code))
			rc = wait_for_disk(w, code);
		else if (code != -EINTR)
			rc = code;
	}
	if (!rc && w->disk_full)
		report_room(w);
	return rc;
}

/* What is left of a row would be taken for one by whoever reads the file. */
static void cut_torn_row(const struct writer *w)
{
	struct stat st;
	const off_t at = lseek(w->setup.fd, 0, SEEK_CUR);

	if (w->setup.own_file && w->written < w->size && !fstat(w->setup.fd, &st) &&
	    S_ISREG(st.st_mode) && at >= (off_t)w->written &&
	    ftruncate(w->setup.fd, at - (off_t)w->written))
		log_write(w->setup.log, LEVEL_WARNING, "%s: its last row is torn", w->setup.name);
}

/* Samples that did not get out. */
static size_t count_missing(struct writer *w)
{
	const struct frame *frame;
	size_t missing = w->has_sample;

	for (; (frame = ring_oldest(w->ring)); ring_drop(w->ring))
		missing += frame->sample;
	return missing;
}

void writer_report_failure(struct writer *w, struct error *err)
{
	const size_t missing = count_missing(w);
	const int rc = w->failure;

	if (rc == -ENOMEM) {
		error_set(err, EXIT_FAILED, rc, "out of memory");
		return;
	}
	error_set(err, EXIT_FAILED, rc, "%s: can't be written: %s; %zu sample%s missing",
		  w->setup.name, rc == -EAGAIN ? "its reader doesn't read" : strerror(-rc), missing,
		  missing == 1 ? " is" : "s are");
	cut_torn_row(w);
}
