/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the output file again, after another program has renamed it. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/output_file.h"
#include "output/writer_private.h"

/* Nobody has renamed it. */
static bool still_there(const struct writer *w)
{
	const struct file_place *place = w->setup.reopened;
	struct stat now, ours;

	return !fstat(w->setup.fd, &ours) &&
	       !fstatat(place->directory, place->name, &now, AT_SYMLINK_NOFOLLOW) &&
	       now.st_dev == ours.st_dev && now.st_ino == ours.st_ino;
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

	if (still_there(w))
		return 0;
	const int fd = output_open_again(w->setup.reopened, w->setup.name, w->setup.caller, &err);
	if (fd < 0) {
		log_write(w->setup.log, LEVEL_WARNING,
			  "%s; rows are written to the old file as before", err.text);
		return 0;
	}
	const off_t end = lseek(fd, 0, SEEK_END);
	close(w->setup.fd);
	w->setup.fd = w->sink.fd = fd;
	log_write(w->setup.log, LEVEL_DETAIL, "%s: opened again", w->setup.name);
	rewind(w->text); /* before the first sample: a header that the old file has not got yet */
	return end ? 0 : begin_again(w);
}
