/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing bytes: with readers that do not read, and full disks. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "output/file_process.h"
#include "output/writer_private.h"

#define DRAIN_TIMEOUT_NS (1 * NS_PER_S) /* for the reader, after writer_drain() */

/* Writing to a full disk is retried at each sample, within these limits. */
#define MIN_RETRY_NS (10 * MS)
#define MAX_RETRY_NS (1 * NS_PER_S)

uint64_t writer_clamp(uint64_t value, uint64_t least, uint64_t most)
{
	if (value < least)
		return least;
	return value < most ? value : most;
}

/* fds[0] is wake_fd. */
static bool poll_fds(const struct writer *w, struct pollfd *fds, nfds_t count, uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
				      .tv_nsec = (long)(ns % NS_PER_S)};
	uint64_t ignored;
	const int found = ppoll(fds, count, ns == NO_TIMEOUT ? NULL : &time, NULL);

	if (found > 0 && fds[0].revents && read(w->wake_fd, &ignored, sizeof(ignored)) < 0)
		return true; /* already reset */
	return found != 0;
}

/* Waits until fd (-1: none) is writable or the writer is woken. False after ns. */
static bool wait_writable(struct writer *w, int fd, uint64_t ns)
{
	struct pollfd fds[] = {{.fd = w->wake_fd, .events = POLLIN}, {.fd = fd, .events = POLLOUT}};

	return poll_fds(w, fds, 2, ns);
}

void writer_wait_input(struct writer *w, uint64_t ns)
{
	struct pollfd fds[] = {{.fd = w->wake_fd, .events = POLLIN},
			       {.fd = w->sink.inputs[0], .events = POLLIN},
			       {.fd = w->sink.inputs[1], .events = POLLIN}};

	if (!w->setup.format->interaction)
		wait_writable(w, -1, ns);
	else if (poll_fds(w, fds, 3, ns))
		w->input_ready = fds[1].revents || fds[2].revents;
}

/*
 * Not if the disk is full, which was reported already; nor for a screen: the interval may be too
 * short for it, which it shows as missed deadlines.
 */
static void report_slow_reader(struct writer *w)
{
	if (w->slow_reported || w->disk_full || w->setup.format->interaction || !w->sink.skipped)
		return;
	w->slow_reported = true;
	log_write(
		w->setup.log, LEVEL_WARNING,
		"the reader of the output is slow: samples are merged into longer ones, no counts are lost; "
		"-v says how many");
}

/* Reported by this thread, so that the sampler never waits for the reader of stderr. */
void writer_report(struct writer *w)
{
	report_slow_reader(w);
}

static int wait_for_reader(struct writer *w)
{
	const bool draining = atomic_load(&w->draining);

	if (atomic_load(&w->aborted))
		return -EAGAIN;
	if (wait_writable(w, w->setup.fd, draining ? DRAIN_TIMEOUT_NS : NO_TIMEOUT))
		return 0;
	return -EAGAIN;
}

static bool is_transient(const struct writer *w, int code)
{
	return (code == -ENOSPC && !w->setup.device) || code == -EDQUOT || code == -EIO;
}

/* Returns code after the last attempt, which follows the last sample. */
static int wait_for_disk(struct writer *w, int code)
{
	w->disk_full = true;
	if (!w->disk_full_reported) {
		w->disk_full_reported = true;
		log_write(w->setup.log, LEVEL_WARNING,
			  "%s: cannot be written: %s; retrying at each sample, no counts are lost",
			  w->setup.name, strerror(-code));
	}
	if (w->last_try)
		return code;
	w->last_try = atomic_load(&w->closed);
	if (!w->last_try)
		wait_writable(
			w, -1,
			writer_clamp(atomic_load(&w->interval_ns), MIN_RETRY_NS, MAX_RETRY_NS));
	return 0;
}

static void report_recovery(struct writer *w)
{
	w->disk_full = false;
	if (!w->recovery_reported)
		log_write(w->setup.log, LEVEL_WARNING, "%s: writable again", w->setup.name);
	w->recovery_reported = true;
}

/* The number of bytes written, or a negative errno. */
static ssize_t write_some(const struct writer *w)
{
	if (w->setup.replaced) {
		const int rc = file_process_replace(w->setup.replaced, w->bytes, w->size);
		return rc ? rc : (ssize_t)w->size;
	}
	const ssize_t n = write(w->setup.fd, w->bytes + w->written, w->size - w->written);
	return n < 0 ? -errno : n;
}

/* Writes all bytes. 0, or the negative errno that ends the writer. */
static int write_all(struct writer *w)
{
	int rc = 0;

	while (!rc && w->written < w->size) {
		const ssize_t n = write_some(w);
		const int code = n < 0 ? (int)n : 0;

		if (n > 0)
			w->written += (size_t)n;
		else if (code == -EAGAIN)
			rc = wait_for_reader(w);
		else if (is_transient(w, code))
			rc = wait_for_disk(w, code);
		else if (code != -EINTR)
			rc = code;
	}
	if (!rc && w->disk_full)
		report_recovery(w);
	return rc;
}

/* Readers of the file would take an incomplete row for a complete one. */
static void truncate_partial_row(const struct writer *w)
{
	struct stat st;
	const off_t at = lseek(w->setup.fd, 0, SEEK_CUR);

	if (w->setup.own_file && w->written < w->size && !fstat(w->setup.fd, &st) &&
	    S_ISREG(st.st_mode) && at >= (off_t)w->written &&
	    ftruncate(w->setup.fd, at - (off_t)w->written))
		log_write(w->setup.log, LEVEL_WARNING, "%s: the last row is incomplete",
			  w->setup.name);
}

/* Samples that were not written. */
static size_t count_missing(struct writer *w)
{
	const struct frame *frame;
	size_t missing = w->has_sample;

	for (; (frame = ring_oldest(w->ring)); ring_drop(w->ring))
		missing += frame->sample;
	return missing;
}

void writer_explain_failure(struct writer *w, struct error *err)
{
	const size_t missing = count_missing(w);
	const int rc = w->failure;

	if (rc == -ENOMEM) {
		error_set(err, EXIT_FAILED, rc, "out of memory");
		return;
	}
	error_set(err, EXIT_FAILED, rc, "%s: cannot be written: %s; %zu sample%s missing",
		  w->setup.name, rc == -EAGAIN ? "the reader has stopped reading" : strerror(-rc),
		  missing, missing == 1 ? " is" : "s are");
	truncate_partial_row(w);
}

int writer_flush_text(struct writer *w)
{
	if (fflush(w->text) || ferror(w->text))
		return -ENOMEM;
	w->written = 0;
	const int rc = write_all(w);
	if (!rc)
		rewind(w->text);
	return rc;
}

/* Nobody has renamed the one that is open. */
static bool is_same(int fd, int open)
{
	struct stat now, ours;

	return !fstat(open, &ours) && !fstat(fd, &now) && now.st_dev == ours.st_dev &&
	       now.st_ino == ours.st_ino;
}

/* As in a new run. */
static int begin_again(struct writer *w)
{
	const struct format *format = w->setup.format;

	if (format->end)
		format->end(&w->sink);
	w->sink.state = NULL;
	w->sink.no_header = w->setup.no_header;
	const int rc = format->begin(&w->sink);
	return rc ? rc : writer_flush_text(w);
}

int writer_open_again(struct writer *w)
{
	struct error err;

	const int fd = file_process_open(w->setup.reopened, &err);
	if (fd < 0) {
		log_write(w->setup.log, LEVEL_WARNING,
			  "%s; rows are written to the old file as before", err.text);
		return 0;
	}
	if (is_same(fd, w->setup.fd)) {
		close(fd);
		return 0;
	}
	const off_t end = lseek(fd, 0, SEEK_END);
	close(w->setup.fd);
	w->setup.fd = w->sink.fd = fd;
	log_write(w->setup.log, LEVEL_DETAIL, "%s: opened again", w->setup.name);
	rewind(w->text); /* before the first sample: a header that the old file has not got yet */
	return end ? 0 : begin_again(w);
}
