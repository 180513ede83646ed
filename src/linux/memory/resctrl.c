/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/memory/resctrl.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/rootfs.h"
#include "base/text.h"
#include "linux/kernel/kernel_text.h"
#include "platform/mbm.h"

#define MONITORING  RESCTRL_DIRECTORY "/info/L3_MON"
#define MOUNT	    "sudo mount -t resctrl resctrl /" RESCTRL_DIRECTORY
#define GROUPS_MOST 4096 /* more groups than any processor has RMIDs, one for each */

struct resctrl {
	const char *root;
	int settings[MBM_EVENTS]; /* files; -1: not open */
	int directory;		  /* descriptor; -1: not open */
	nlink_t links;		  /* links of .directory: one more for each group */
	struct mbm mbm;
	char **groups; /* control groups, whose counts include their monitoring groups */
	size_t group_count;
	int *counts; /* descriptors by group and cache; NULL: not opened yet */
};

/* Names by bit of a setting: the kernel's mbm_transactions (fs/resctrl/monitor.c). */
static const char *const transactions[] = {
	"local_reads",
	"remote_reads",
	"local_non_temporal_writes",
	"remote_non_temporal_writes",
	"local_reads_slow_memory",
	"remote_reads_slow_memory",
	"dirty_victim_writes_all",
};

#define TRANSACTIONS (sizeof(transactions) / sizeof(transactions[0]))

/* Takes the part before the next separator, or the end. Returns false if nothing is left. */
static bool next_part(struct span *text, char separator, struct span *part)
{
	while (text->at < text->end &&
	       (*text->at == separator || isspace((unsigned char)*text->at)))
		text->at++;
	part->at = text->at;
	while (text->at < text->end && *text->at != separator && !isspace((unsigned char)*text->at))
		text->at++;
	part->end = text->at;
	return part->at < part->end;
}

static uint32_t bits_of_names(struct span text)
{
	uint32_t bits = 0;
	struct span name;

	while (next_part(&text, ',', &name)) {
		size_t i = 0;

		while (i < TRANSACTIONS && !span_is(name, transactions[i]))
			i++;
		bits |= i < TRANSACTIONS ? UINT32_C(1) << i : MBM_UNKNOWN;
	}
	return bits;
}

/* Parses "0x7f". */
static uint32_t bits_of_number(struct span text)
{
	const size_t length = (size_t)(text.end - text.at);
	char copy[8];
	uint64_t value;

	snprintf(copy, sizeof(copy), "%.*s", (int)length, text.at);
	return length < sizeof(copy) && text_number(copy, &value) && value <= MBM_ALL_BITS
		       ? (uint32_t)value
		       : MBM_UNKNOWN;
}

uint32_t resctrl_parse_setting(struct span text, unsigned cache)
{
	struct span part, number;

	if (cache == MBM_EVERY_CACHE)
		return bits_of_names(text);
	while (next_part(&text, ';', &part)) {
		next_part(&part, '=', &number);
		if (span_number(number) == cache && part.at < part.end)
			return bits_of_number((struct span){part.at + 1, part.end});
	}
	return MBM_UNKNOWN;
}

/* Files. */

struct resctrl *resctrl_new(const char *root)
{
	struct resctrl *r = calloc(1, sizeof(*r));

	if (r)
		*r = (struct resctrl){.root = root, .settings = {-1, -1}, .directory = -1};
	return r;
}

static void close_file(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Closes all that resctrl_open() and resctrl_read() have opened, except the settings. */
static void close_counts(struct resctrl *r)
{
	for (size_t i = 0; r->counts && i < r->group_count * r->mbm.count; i++)
		close_file(&r->counts[i]);
	for (size_t g = 0; g < r->group_count; g++)
		free(r->groups[g]);
	close_file(&r->directory);
	free(r->counts);
	free(r->groups);
	free(r->mbm.caches);
	r->counts = NULL;
	r->groups = NULL;
	r->group_count = 0;
	r->mbm = (struct mbm){.at_once = r->mbm.at_once};
}

void resctrl_close(struct resctrl *r)
{
	if (!r)
		return;
	close_counts(r);
	for (unsigned e = 0; e < MBM_EVENTS; e++)
		close_file(&r->settings[e]);
	free(r);
}

/* Opens a setting. If counters are assigned, the kernel hides the files of single caches. */
static int open_setting(struct resctrl *r, enum mbm_event event, int flags)
{
	const char *name = mbm_event_name(event);
	int fd = rootfs_open(flags, r->root, MONITORING "/%s_config", name);
	const bool at_once = fd == -ENOENT;

	if (at_once)
		fd = rootfs_open(flags, r->root, MONITORING "/event_configs/%s/event_filter", name);
	if (fd < 0)
		return fd;
	close_file(&r->settings[event]);
	r->mbm.at_once = at_once;
	return r->settings[event] = fd;
}

static int read_setting(struct resctrl *r, enum mbm_event event, char text[KERNEL_TEXT_MOST],
			struct span *out)
{
	const int fd =
		r->settings[event] < 0 ? open_setting(r, event, O_RDONLY) : r->settings[event];

	return fd < 0 ? fd : kernel_text_read(fd, text, out);
}

static uint32_t setting_of(const struct resctrl *r, struct span text, size_t i)
{
	return resctrl_parse_setting(text,
				     r->mbm.at_once ? MBM_EVERY_CACHE : r->mbm.caches[i].number);
}

/* Reads a setting. A cache that is missing has no online CPU. */
int resctrl_get(struct resctrl *r, unsigned cache, enum mbm_event event, uint64_t *setting)
{
	char text[KERNEL_TEXT_MOST];
	struct span whole;
	const int rc = read_setting(r, event, text, &whole);

	if (rc)
		return rc;
	*setting = resctrl_parse_setting(whole, cache);
	return r->mbm.at_once != (cache == MBM_EVERY_CACHE) ||
			       (*setting == MBM_UNKNOWN && !r->mbm.at_once)
		       ? -ENXIO
		       : 0;
}

int resctrl_set(struct resctrl *r, unsigned cache, enum mbm_event event, uint64_t setting)
{
	int fd = r->settings[event];
	char text[256] = "";

	for (size_t i = 0; cache == MBM_EVERY_CACHE && i < TRANSACTIONS; i++)
		if (setting >> i & 1)
			text_append(text, sizeof(text), "%s%s", *text ? "," : "", transactions[i]);
	text_append(text, sizeof(text), cache == MBM_EVERY_CACHE ? "\n" : "%u=0x%x\n", cache,
		    (unsigned)setting);
	if (fd < 0 || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDWR)
		fd = open_setting(r, event, O_RDWR);
	if (fd < 0)
		return fd;
	/* pwrite() would be refused: rights_filter() allows it only for registers */
	const ssize_t length = (ssize_t)strlen(text),
		      written = lseek(fd, 0, SEEK_SET) ? -1 : write(fd, text, (size_t)length);
	return written == length ? 0 : written < 0 ? -errno : -EIO;
}

void resctrl_explain(const char *root, int code, struct error *out)
{
	if (code == -EACCES || code == -EPERM) {
		error_set(out, ERROR_PERMISSION, code, "%s", strerror(-code));
		error_hint(out, ERROR_COMMAND_AS_ROOT);
	} else if (code != -ENOENT && code != -ENODEV) {
		error_set(out, ERROR_FAILED, code, "%s", strerror(-code));
	} else if (!rootfs_exists(root, RESCTRL_DIRECTORY)) {
		error_set(out, ERROR_NO_UNIT, code,
			  "there is no /" RESCTRL_DIRECTORY ": the processor has no monitoring of "
			  "memory bandwidth, or the kernel no CONFIG_X86_CPU_RESCTRL");
	} else if (!rootfs_exists(root, RESCTRL_DIRECTORY "/info")) {
		error_set(out, ERROR_PERMISSION, code, "resctrl is not mounted: " MOUNT);
		error_hint(out, MOUNT);
	} else {
		error_set(out, ERROR_NO_UNIT, code,
			  "its events cannot be configured (by AMD's BMEC, from Linux 6.3 on)");
	}
}

int resctrl_error(const char *root, int code, struct error *err)
{
	struct error why;

	resctrl_explain(root, code, &why);
	error_set(err, why.kind, code, "resctrl: %s", why.text);
	error_hint(err, why.command);
	return code;
}

/* Groups. */

struct walk {
	const char *root;
	resctrl_visitor *visit;
	void *context;
	size_t count;
};

/* Tells if a directory at the top is not a group. */
static bool is_reserved(const char *name)
{
	return !strcmp(name, "info") || !strcmp(name, "mon_groups") || !strcmp(name, "mon_data");
}

/* Visits the groups in a directory, whose name is empty or ends with '/'. */
static int walk_directory(struct walk *w, const char *directory)
{
	char path[ROOTFS_PATH_SIZE], group[ROOTFS_PATH_SIZE];
	const struct dirent *entry;
	int rc = 0;

	DIR *stream = rootfs_path(path, w->root, RESCTRL_DIRECTORY "/%s", directory)
			      ? NULL
			      : opendir(path);
	while (stream && !rc && (entry = readdir(stream))) {
		if (entry->d_name[0] == '.' || (!*directory && is_reserved(entry->d_name)) ||
		    (size_t)snprintf(group, sizeof(group), "%s%s", directory, entry->d_name) >=
			    sizeof(group) ||
		    !rootfs_exists(w->root, RESCTRL_DIRECTORY "/%s/tasks", group))
			continue;
		rc = ++w->count > GROUPS_MOST ? -E2BIG : w->visit(w->context, group);
		if (!rc && !*directory) {
			text_append(group, sizeof(group), "/mon_groups/");
			rc = walk_directory(w, group);
		}
	}
	if (stream)
		closedir(stream);
	return rc;
}

int resctrl_groups(const char *root, resctrl_visitor *visit, void *context)
{
	struct walk walk = {.root = root, .visit = visit, .context = context};
	int rc = visit(context, "");

	if (!rc)
		rc = walk_directory(&walk, "mon_groups/");
	return rc ? rc : walk_directory(&walk, "");
}

static int add_group(void *context, const char *group)
{
	struct resctrl *r = context;

	if (*group && !*r->mbm.group)
		printable(group, r->mbm.group, MBM_GROUP_SIZE);
	if (strstr(group, "mon_groups/"))
		return 0;
	char *copy = strdup(group);
	if (!copy || array_room(&r->groups, r->group_count, 1, sizeof(*r->groups))) {
		free(copy);
		return -ENOMEM;
	}
	r->groups[r->group_count++] = copy;
	return 0;
}

/* File with the count of a group, given by its path, for an event in a cache. */
#define COUNT_PATH RESCTRL_DIRECTORY "/%s/mon_data/mon_L3_%02u/%s"

double resctrl_group_bytes(const char *root, const char *group, const struct mbm *mbm,
			   enum mbm_event event)
{
	double sum = 0;

	for (size_t i = 0; i < mbm->count; i++) {
		const int fd = rootfs_open(O_RDONLY, root, COUNT_PATH, group, mbm->caches[i].number,
					   mbm_event_name(event));

		/* "Unavailable", "Unassigned" and "Error" are not numbers */
		sum += kernel_text_number(fd);
		if (fd >= 0)
			close(fd);
	}
	return sum;
}

int resctrl_group_rmid(const char *root, const char *group)
{
	return *group ? rootfs_int(root, -1, RESCTRL_DIRECTORY "/%s/mon_hw_id", group) : 0;
}

bool resctrl_group_has_cpus(const char *root, const char *group)
{
	char list[KERNEL_TEXT_MOST];

	if (!*group)
		return false;
	const int rc =
		rootfs_line(list, sizeof(list), root, RESCTRL_DIRECTORY "/%s/cpus_list", group);
	return rc ? rc != -ENOENT : *list;
}

bool resctrl_has_node_rmids(const char *root)
{
	unsigned *caches, *nodes;
	size_t count, node_count, all = 0;

	if (sysfs_indices(&caches, &count, "mon_L3_", root, RESCTRL_DIRECTORY "/mon_data"))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (sysfs_indices(&nodes, &node_count, "mon_sub_L3_", root,
				  RESCTRL_DIRECTORY "/mon_data/mon_L3_%02u", caches[i]))
			continue;
		all += node_count;
		free(nodes);
	}
	free(caches);
	return all > 0;
}

/* Lists the caches; each has a directory in the default group. */

static int list_caches(struct resctrl *r)
{
	unsigned *numbers;
	size_t count;
	int rc = sysfs_indices(&numbers, &count, "mon_L3_", r->root, RESCTRL_DIRECTORY "/mon_data");

	if (!rc && !count)
		rc = -ENOENT;
	r->mbm.caches = rc ? NULL : calloc(count, sizeof(*r->mbm.caches));
	for (size_t i = 0; r->mbm.caches && i < count; i++)
		r->mbm.caches[r->mbm.count++].number = numbers[i];
	free(numbers);
	return rc || r->mbm.caches ? rc : -ENOMEM;
}

static int read_settings(struct resctrl *r)
{
	char text[KERNEL_TEXT_MOST];
	struct span whole;
	int rc = 0;

	for (unsigned e = 0; !rc && e < MBM_EVENTS; e++) {
		close_file(&r->settings[e]); /* the mode may have changed */
		rc = read_setting(r, e, text, &whole);
		for (size_t i = 0; !rc && i < r->mbm.count; i++)
			r->mbm.caches[i].settings[e] = setting_of(r, whole, i);
	}
	return rc;
}

static nlink_t count_links(const struct resctrl *r)
{
	struct stat st;

	return fstat(r->directory, &st) ? 0 : st.st_nlink;
}

int resctrl_open(struct resctrl *r, const struct mbm **out, struct error *err)
{
	close_counts(r);
	r->directory = rootfs_open(O_RDONLY | O_DIRECTORY, r->root, RESCTRL_DIRECTORY);
	r->links = count_links(r);
	int rc = list_caches(r);
	if (!rc)
		rc = read_settings(r);
	if (!rc)
		rc = resctrl_groups(r->root, add_group, r);
	*out = &r->mbm;
	return rc ? resctrl_error(r->root, rc, err) : 0;
}

static int open_counts(struct resctrl *r, enum mbm_event event)
{
	r->counts = calloc(r->group_count * r->mbm.count + 1, sizeof(*r->counts));
	for (size_t i = 0; r->counts && i < r->group_count * r->mbm.count; i++)
		r->counts[i] =
			rootfs_open(O_RDONLY, r->root, COUNT_PATH, r->groups[i / r->mbm.count],
				    r->mbm.caches[i % r->mbm.count].number, mbm_event_name(event));
	return r->counts ? 0 : -ENOMEM;
}

static double read_cache(const struct resctrl *r, size_t cache)
{
	double sum = 0;

	for (size_t g = 0; g < r->group_count; g++)
		sum += kernel_text_number(r->counts[g * r->mbm.count + cache]);
	return sum;
}

int resctrl_read(struct resctrl *r, enum mbm_event event, double *bytes)
{
	const bool other_groups = count_links(r) != r->links;
	bool stale = other_groups;
	char text[KERNEL_TEXT_MOST];
	struct span whole;

	if (!r->counts && open_counts(r, event))
		return -ENOMEM;
	const int rc = read_setting(r, event, text, &whole);
	for (size_t i = 0; i < r->mbm.count; i++) {
		const bool ours = !rc && setting_of(r, whole, i) == MBM_SLOW_READS;

		bytes[i] = ours && !other_groups ? read_cache(r, i) : NAN;
		stale |= !ours;
	}
	return stale ? -ESTALE : 0;
}
