/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The whole file. Another user's might name what only root may know. */
static int read_file(const char *path, char text[SCREEN_DEFAULTS_SIZE], struct error *err)
{
	const char *refused = NULL;
	struct sudo_user caller;
	ssize_t size = 0;
	struct stat st;
	const int rc = sudo_user_find(&caller, err);

	if (rc)
		return rc;
	const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
		return 0;
	if (fd < 0 || fstat(fd, &st))
		refused = strerror(errno);
	else if (!S_ISREG(st.st_mode) || (st.st_uid != geteuid() && st.st_uid != caller.uid) ||
		 st.st_mode & (S_IWGRP | S_IWOTH))
		refused = "expected a file that belongs to this user, and no other can write";
	else
		size = read(fd, text, SCREEN_DEFAULTS_SIZE);
	if (!refused && (size < 0 || size == SCREEN_DEFAULTS_SIZE))
		refused = size < 0 ? strerror(errno) : "is too large";
	if (fd >= 0)
		close(fd);
	if (refused)
		return error_set(err, EXIT_USAGE, -EINVAL, "%s: %s", path, refused);
	text[size] = '\0';
	return 0;
}

static const struct option_row *find_option(const char *name)
{
	const struct option_row *row = monitor_options;

	while (strcmp(row->name, name) != 0)
		row++;
	return row;
}

static int set(struct screen_defaults *d, struct options *wanted, const char *name,
	       const char *value, struct error *err)
{
	if (!strcmp(name, "interval"))
		return interval_parse(value, &wanted->session.interval_ns, err);
	if (!strcmp(name, "metrics") || !strcmp(name, "link-GBps"))
		return option_set(find_option(name), wanted, value, err);
	if (strcmp(name, "units") != 0)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "expected interval, metrics, link-GBps or units");
	d->binary = !strcmp(value, "GiB");
	return d->binary || !strcmp(value, "GB")
		       ? 0
		       : error_set(err, EXIT_USAGE, -EINVAL, "expected units = GB or GiB");
}

/* Removes blanks at both ends. */
static char *trimmed(char *text)
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
		const char *name = trimmed(strsep(&value, "="));

		if (!*name || *name == '#')
			continue;
		const int rc = set(d, wanted, name, value ? trimmed(value) : "", &why);
		if (rc)
			return error_set(err, EXIT_USAGE, rc, "line %u: %s", number, why.text);
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
		return error_set(err, EXIT_USAGE, rc, "%s, %s", path, why.text);
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
