/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the output file again, after another program has renamed it. */
#include <sys/stat.h>
#include <unistd.h>

#include "output/writer_private.h"

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
