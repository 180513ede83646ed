/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/times.h"
#include "linux/rights/sudo_user.h"

#define BLANKS " \t\r"

static bool find_file(char path[PATH_MAX])
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	const bool own = config && *config == '/';
	const char *directory = own ? config : home;

	return directory && *directory == '/' &&
	       snprintf(path, PATH_MAX, "%s%s/cxlmon/screen", directory, own ? "" : "/.config") <
		       PATH_MAX;
}

/*
 * Reads the file as a text if it belongs to this user or the caller, and no other can write it:
 * another user's file might be one that only root may read. Returns NULL, or why it is refused.
 */
static const char *read_own(int fd, uid_t caller, char text[SCREEN_DEFAULTS_SIZE])
{
	struct stat st;

	if (fstat(fd, &st))
		return strerror(errno);
	if (!S_ISREG(st.st_mode) || (st.st_uid != geteuid() && st.st_uid != caller) ||
	    st.st_mode & (S_IWGRP | S_IWOTH))
		return "expected a file that belongs to this user, and no other can write";
	const ssize_t size = read(fd, text, SCREEN_DEFAULTS_SIZE);
	if (size < 0)
		return strerror(errno);
	if (size == SCREEN_DEFAULTS_SIZE)
		return "is too large";
	text[size] = '\0';
	return NULL;
}

/* Reads the whole file; text is empty if there is none. */
static int read_file(const char *path, char text[SCREEN_DEFAULTS_SIZE], struct error *err)
{
	struct sudo_user caller;
	const int rc = sudo_user_find(&caller, err);

	*text = '\0';
	if (rc)
		return rc;
	const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
		return 0;
	const char *refused = fd < 0 ? strerror(errno) : read_own(fd, caller.uid, text);
	if (fd >= 0)
		close(fd);
	return refused ? error_set(err, ERROR_USAGE, -EINVAL, "%s: %s", path, refused) : 0;
}

static const struct option_row *find_option(const char *name)
{
	const struct option_row *row = monitor_options;

	while (strcmp(row->name, name) != 0)
		row++;
	return row;
}

static int set_default(struct screen_defaults *d, struct options *wanted, const char *name,
		       const char *value, struct error *err)
{
	if (!strcmp(name, "interval"))
		return interval_parse(value, &wanted->session.interval_ns, err);
	if (!strcmp(name, "metrics") || !strcmp(name, "link-GBps"))
		return option_set(find_option(name), wanted, value, err);
	if (strcmp(name, "units") != 0)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "expected interval, metrics, link-GBps or units");
	d->binary = !strcmp(value, "GiB");
	return d->binary || !strcmp(value, "GB")
		       ? 0
		       : error_set(err, ERROR_USAGE, -EINVAL, "expected units = GB or GiB");
}

/* Removes blanks at both ends. */
static char *trimmed_text(char *text)
{
	text += strspn(text, BLANKS);
	for (size_t end = strlen(text); end && strchr(BLANKS, text[end - 1]); end--)
		text[end - 1] = '\0';
	return text;
}

static int parse_lines(struct screen_defaults *d, struct options *wanted, struct error *err)
{
	char *rest = d->text, *line;
	struct error why;

	for (unsigned number = 1; (line = strsep(&rest, "\n")); number++) {
		char *value = line;
		const char *name = trimmed_text(strsep(&value, "="));

		if (!*name || *name == '#')
			continue;
		const int rc = set_default(d, wanted, name, value ? trimmed_text(value) : "", &why);
		if (rc)
			return error_set(err, ERROR_USAGE, rc, "line %u: %s", number, why.text);
	}
	return 0;
}

int screen_defaults_apply(struct screen_defaults *d, struct options *o, struct error *err)
{
	struct options wanted = {.link_GBps = o->link_GBps};
	struct error why;
	char path[PATH_MAX];

	*d = (struct screen_defaults){.binary = false};
	if (!find_file(path))
		return 0;
	int rc = read_file(path, d->text, err);
	if (rc)
		return rc;
	rc = parse_lines(d, &wanted, &why);
	if (rc)
		return error_set(err, ERROR_USAGE, rc, "%s, %s", path, why.text);
	if (!o->interval_text && wanted.session.interval_ns)
		o->session.interval_ns = wanted.session.interval_ns;
	if (!o->groups_chosen && wanted.session.view.groups) {
		o->session.view.groups = wanted.session.view.groups;
		o->groups_chosen = true;
	}
	if (!(o->link_GBps > 0))
		o->link_GBps = wanted.link_GBps;
	return 0;
}
