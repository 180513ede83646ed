/* SPDX-License-Identifier: BSD-3-Clause */
#include "fusefs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/clock.h"
#include "platform/mbm.h"
#include "sim/sim_machine.h"

#define GROUPS_MOST 8
#define TEXT_SIZE   4096

struct resctrlfs {
	struct platform *platform;
	FILE *log;
	const struct mbm *mbm;
	char groups[GROUPS_MOST][256]; /* such as "a" or "mon_groups/b"; "": none */
	bool unmounted, assigned, denied;
};

static const char *const names[] = {
	"local_reads",
	"remote_reads",
	"local_non_temporal_writes",
	"remote_non_temporal_writes",
	"local_reads_slow_memory",
	"remote_reads_slow_memory",
	"dirty_victim_writes_all",
};

static struct resctrlfs *self(void)
{
	return fuse_get_context()->private_data;
}

/* Returns the part of a path after its group, and the group: "" is the default one. */
static const char *within_group(const struct resctrlfs *fs, const char *path, const char **group)
{
	const char *rest = path + 1;

	*group = "";
	for (size_t i = 0; i < GROUPS_MOST; i++) {
		const size_t length = strlen(fs->groups[i]);

		if (!length || strncmp(path + 1, fs->groups[i], length) ||
		    (path[1 + length] && path[1 + length] != '/') || length < strlen(*group))
			continue;
		*group = fs->groups[i];
		rest = path[1 + length] ? path + 2 + length : "";
	}
	return rest;
}

/*
 * Returns true if the path is an event's name, such as "mbm_local_bytes", between prefix and
 * suffix.
 */
static bool is_of_event(const char *path, const char *prefix, const char *suffix,
			enum mbm_event *event)
{
	char text[128];

	for (unsigned e = 0; e < MBM_EVENTS; e++) {
		*event = e;
		snprintf(text, sizeof(text), "%s%s%s", prefix, mbm_event_name(e), suffix);
		if (!strcmp(path, text))
			return true;
	}
	return false;
}

static bool is_setting(const struct resctrlfs *fs, const char *path, enum mbm_event *event)
{
	return fs->assigned
		       ? is_of_event(path, "/info/L3_MON/event_configs/", "/event_filter", event)
		       : is_of_event(path, "/info/L3_MON/", "_config", event);
}

/* Returns true for a file of counts. Sets *cache to the index in fs->mbm->caches. */
static bool is_count(const struct resctrlfs *fs, const char *path, size_t *cache,
		     enum mbm_event *event)
{
	const char *group, *rest = within_group(fs, path, &group);
	char prefix[32];

	for (*cache = 0; *cache < fs->mbm->count; ++*cache) {
		snprintf(prefix, sizeof(prefix), "mon_data/mon_L3_%02u/",
			 fs->mbm->caches[*cache].number);
		if (is_of_event(rest, prefix, "", event))
			return true;
	}
	return false;
}

/* The file at a path. */
struct place {
	enum { NOTHING, DIRECTORY, TASKS, SETTING, COUNT } kind;
	enum mbm_event event;
	size_t cache;
};

static struct place find(const struct resctrlfs *fs, const char *path)
{
	const char *group, *rest = within_group(fs, path, &group);
	struct place at = {.kind = NOTHING};
	unsigned number;

	if (fs->unmounted || !strcmp(path, "/"))
		at.kind = strcmp(path, "/") ? NOTHING : DIRECTORY;
	else if (is_setting(fs, path, &at.event))
		at.kind = SETTING;
	else if (!strcmp(rest, "tasks"))
		at.kind = TASKS;
	else if (is_count(fs, path, &at.cache, &at.event))
		at.kind = COUNT;
	else if (!*rest || !strcmp(rest, "mon_data") ||
		 (!strcmp(rest, "mon_groups") && !strstr(group, "mon_groups")) ||
		 sscanf(rest, "mon_data/mon_L3_%u", &number) == 1 || !strcmp(path, "/info") ||
		 !strcmp(path, "/info/L3_MON") ||
		 (fs->assigned &&
		  (!strcmp(path, "/info/L3_MON/event_configs") ||
		   is_of_event(path, "/info/L3_MON/event_configs/", "", &at.event))))
		at.kind = DIRECTORY;
	return at;
}

/* Returns the number of groups directly below the top. */
static nlink_t control_groups(const struct resctrlfs *fs)
{
	nlink_t count = 0;

	for (size_t i = 0; i < GROUPS_MOST; i++)
		count += fs->groups[i][0] && !strchr(fs->groups[i], '/');
	return count;
}

static int fs_getattr(const char *path, struct stat *st, struct fuse_file_info *info)
{
	const struct resctrlfs *fs = self();
	const struct place at = find(fs, path);
	const bool directory = at.kind == DIRECTORY;

	(void)info;
	if (at.kind == NOTHING)
		return -ENOENT;
	st->st_mode = directory ? S_IFDIR | 0755 : S_IFREG | 0644;
	st->st_nlink = !directory ? 1 : strcmp(path, "/") != 0 ? 2 : 5 + control_groups(fs);
	return 0;
}

/* Lists only the files that cxlmon lists. */
static int fs_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
		      struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
	static const char *const top[] = {"info", "mon_data", "mon_groups", "tasks"};
	const struct resctrlfs *fs = self();
	const size_t length = strcmp(path, "/") ? strlen(path + 1) + 1 : 0;

	(void)offset;
	(void)info;
	(void)flags;
	for (size_t i = 0; !length && !fs->unmounted && i < 4; i++)
		fill(buffer, top[i], NULL, 0, 0);
	for (size_t i = 0; !strcmp(path, "/mon_data") && i < fs->mbm->count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "mon_L3_%02u", fs->mbm->caches[i].number);
		fill(buffer, name, NULL, 0, 0);
	}
	for (size_t i = 0; !fs->unmounted && i < GROUPS_MOST; i++) {
		const char *group = fs->groups[i];

		if (*group &&
		    (!length ||
		     (!strncmp(group, path + 1, length - 1) && group[length - 1] == '/')) &&
		    !strchr(group + length, '/'))
			fill(buffer, group + length, NULL, 0, 0);
	}
	return 0;
}

static int fs_mkdir(const char *path, mode_t mode)
{
	struct resctrlfs *fs = self();
	size_t i = 0;

	(void)mode;
	while (i < GROUPS_MOST && fs->groups[i][0])
		i++;
	if (i == GROUPS_MOST || strlen(path) > 255)
		return -ENOSPC; /* as without a free RMID */
	strcpy(fs->groups[i], path + 1);
	return 0;
}

static int fs_rmdir(const char *path)
{
	struct resctrlfs *fs = self();

	for (size_t i = 0; i < GROUPS_MOST; i++)
		if (!strcmp(fs->groups[i], path + 1)) {
			fs->groups[i][0] = '\0';
			return 0;
		}
	return -EPERM;
}

static int fs_open(const char *path, struct fuse_file_info *info)
{
	info->direct_io = 1;
	if (self()->denied && (info->flags & O_ACCMODE) != O_RDONLY)
		return -EACCES;
	const struct place at = find(self(), path);
	return at.kind == NOTHING || at.kind == DIRECTORY ? -ENOENT : 0;
}

static void show_setting(const struct resctrlfs *fs, enum mbm_event event, char *text)
{
	uint64_t setting = 0;

	for (size_t i = 0; i < fs->mbm->count; i++) {
		sim_mbm_get(sim_of(fs->platform), fs->mbm->caches[i].number, event, &setting);
		if (!fs->assigned)
			text_append(text, TEXT_SIZE, "%s%u=0x%02x", i ? ";" : "",
				    fs->mbm->caches[i].number, (unsigned)setting);
	}
	for (size_t i = 0; fs->assigned && i < sizeof(names) / sizeof(names[0]); i++)
		if (setting >> i & 1)
			text_append(text, TEXT_SIZE, "%s%s", *text ? "," : "", names[i]);
	text_append(text, TEXT_SIZE, "\n");
}

static void show_count(const struct resctrlfs *fs, const char *path, size_t cache,
		       enum mbm_event event, char *text)
{
	double *bytes = calloc(fs->mbm->count, sizeof(*bytes));
	const char *group;
	uint64_t now;

	within_group(fs, path, &group);
	if (bytes && !*group)
		sim_mbm_read(fs->platform, event, fs->platform->ops->clock->wall(fs->platform),
			     bytes, &now);
	if (!bytes || isnan(bytes[cache]))
		snprintf(text, TEXT_SIZE, fs->assigned ? "Unassigned\n" : "Unavailable\n");
	else
		snprintf(text, TEXT_SIZE, "%.0f\n", bytes[cache]);
	free(bytes);
}

static int fs_read(const char *path, char *buffer, size_t size, off_t offset,
		   struct fuse_file_info *info)
{
	const struct resctrlfs *fs = self();
	char text[TEXT_SIZE] = "";
	const struct place at = find(fs, path);

	(void)info;
	if (at.kind == NOTHING)
		return -ENODEV;
	if (at.kind == SETTING)
		show_setting(fs, at.event, text);
	else if (at.kind == COUNT)
		show_count(fs, path, at.cache, at.event, text);
	return fusefs_read_text(text, buffer, size, offset);
}

static int set_caches(struct resctrlfs *fs, enum mbm_event event, char *text)
{
	unsigned cache, setting;
	char *save, *part = strtok_r(text, ";", &save);
	int rc = part ? 0 : -EINVAL;

	for (; !rc && part; part = strtok_r(NULL, ";", &save))
		rc = sscanf(part, "%u=%x", &cache, &setting) == 2
			     ? sim_mbm_set(sim_of(fs->platform), cache, event, setting)
			     : -EINVAL;
	return rc;
}

static int set_all(struct resctrlfs *fs, enum mbm_event event, char *text)
{
	uint64_t setting = 0;
	char *save;

	for (char *name = strtok_r(text, ", ", &save); name; name = strtok_r(NULL, ", ", &save)) {
		size_t i = 0;

		while (i < sizeof(names) / sizeof(names[0]) && strcmp(names[i], name) != 0)
			i++;
		if (i == sizeof(names) / sizeof(names[0]))
			return -EINVAL;
		setting |= UINT64_C(1) << i;
	}
	for (size_t i = 0; i < fs->mbm->count; i++)
		sim_mbm_set(sim_of(fs->platform), fs->mbm->caches[i].number, event, setting);
	return 0;
}

/* Writes a line with its newline, which the kernel requires, at any offset. */
static int fs_write(const char *path, const char *buffer, size_t size, off_t offset,
		    struct fuse_file_info *info)
{
	struct resctrlfs *fs = self();
	char text[TEXT_SIZE];
	enum mbm_event event;

	(void)offset;
	(void)info;
	if (!is_setting(fs, path, &event))
		return -ENODEV;
	if (!size || size > sizeof(text) || buffer[size - 1] != '\n')
		return -EINVAL;
	memcpy(text, buffer, size);
	text[size - 1] = '\0';
	if (fs->log) {
		fprintf(fs->log, "resctrl write %s %s\n", path, text);
		fflush(fs->log);
	}
	const int rc = fs->assigned ? set_all(fs, event, text) : set_caches(fs, event, text);
	return rc ? rc : (int)size;
}

static const struct fuse_operations operations = {
	.getattr = fs_getattr,
	.readdir = fs_readdir,
	.mkdir = fs_mkdir,
	.rmdir = fs_rmdir,
	.open = fs_open,
	.read = fs_read,
	.write = fs_write,
};

struct fusefs *resctrlfs_new(const char *directory, struct platform *p, FILE *log)
{
	struct resctrlfs *fs = calloc(1, sizeof(*fs));

	if (!fs)
		return NULL;
	fs->platform = p;
	fs->log = log;
	if (sim_mbm_open(p, &fs->mbm, NULL)) {
		free(fs);
		return NULL;
	}
	return fusefs_new(directory, "resctrl", &operations, fs, free);
}

bool resctrlfs_set(struct fusefs *mounted, const char *state)
{
	struct resctrlfs *fs = fusefs_context(mounted);
	const struct {
		const char *name;
		bool *member, value;
	} states[] = {
		{"mounted", &fs->unmounted, false}, {"unmounted", &fs->unmounted, true},
		{"default", &fs->assigned, false},  {"assigned", &fs->assigned, true},
		{"allowed", &fs->denied, false},    {"denied", &fs->denied, true},
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (!strcmp(states[i].name, state)) {
			*states[i].member = states[i].value;
			return true;
		}
	return false;
}
