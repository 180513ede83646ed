/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/system/linux_platform.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/number.h"
#include "base/rootfs.h"
#include "base/text.h"
#include "linux/run/process.h"
#include "linux/system/numa_maps.h"

#define KIB 1024

static const char *root_of(struct platform *p)
{
	return linux_of(p)->root;
}

static int list_pids(struct platform *p, unsigned **pids, size_t *count)
{
	return sysfs_indices(pids, count, "", root_of(p), "proc");
}

/* Takes the values of one line of status. */
static void take_line(const char *line, struct listed_process *out, bool *has_memory)
{
	unsigned uid;
	uint64_t kib;

	if (sscanf(line, "Uid:%*u%u", &uid) == 1)
		out->uid = uid;
	/* kernel threads and zombies have no such line */
	if (sscanf(line, "VmRSS:%" SCNu64, &kib) == 1) {
		out->resident += kib * KIB;
		*has_memory = true;
	} else if (sscanf(line, "HugetlbPages:%" SCNu64, &kib) == 1) {
		out->resident += kib * KIB;
	}
}

static int read_status(struct platform *p, unsigned pid, struct listed_process *out)
{
	char line[256];
	bool has_memory = false, begins = true;

	*out = (struct listed_process){.pid = pid};
	FILE *in = rootfs_stream(root_of(p), "proc/%u/status", pid);
	if (!in)
		return errno == ENOENT || errno == ESRCH ? 0 : -errno;
	/* the line of groups may be longer than the buffer: its rest is not a line */
	while (fgets(line, sizeof(line), in)) {
		if (begins)
			take_line(line, out, &has_memory);
		begins = strchr(line, '\n') != NULL;
	}
	fclose(in);
	return has_memory;
}

static bool read_stat(struct platform *p, unsigned pid, unsigned tid, struct process_stat *out)
{
	struct proc_stat stat;

	if (!(tid ? proc_stat_read(&stat, root_of(p), "proc/%u/task/%u/stat", pid, tid)
		  : proc_stat_read(&stat, root_of(p), "proc/%u/stat", pid)))
		return false;
	*out = (struct process_stat){
		.started = proc_stat_number(&stat, STAT_STARTED),
		.ticks = proc_stat_number(&stat, STAT_UTIME) + proc_stat_number(&stat, STAT_STIME),
		.cpu = (unsigned)proc_stat_number(&stat, STAT_CPU),
	};
	return true;
}

/* Converts by btime of proc_stat(5), and clock ticks since boot. */
static uint64_t process_began(struct platform *p, uint64_t started)
{
	FILE *in = rootfs_stream(root_of(p), "proc/stat");
	const long ticks = sysconf(_SC_CLK_TCK);
	uint64_t booted_s = 0;
	char line[256];

	while (in && !booted_s && fgets(line, sizeof(line), in))
		sscanf(line, "btime %" SCNu64, &booted_s);
	if (in)
		fclose(in);
	return booted_s && started && ticks > 0
		       ? booted_s * NS_PER_S + started * (NS_PER_S / (uint64_t)ticks)
		       : 0;
}

static int list_threads(struct platform *p, unsigned pid, unsigned **tids, size_t *count)
{
	return sysfs_indices(tids, count, "", root_of(p), "proc/%u/task", pid);
}

static const char *read_name(struct platform *p, unsigned pid, char name[PROCESS_NAME_SIZE])
{
	char text[4 * PROCESS_NAME_SIZE];
	const int length = rootfs_read(text, sizeof(text), root_of(p), "proc/%u/comm", pid);

	/* only the last newline is not a part of the name */
	if (length > 0 && text[length - 1] == '\n')
		text[length - 1] = '\0';
	return printable(text, name, PROCESS_NAME_SIZE);
}

/*
 * Returns the owner of a process's directory. All may read this directory, so its owner is the
 * effective user even if the process is not dumpable.
 */
static uid_t owner_of(struct platform *p, unsigned pid)
{
	char path[ROOTFS_PATH_SIZE];
	struct stat stat_of;
	const bool there = !rootfs_path(path, root_of(p), "proc/%u", pid) && !stat(path, &stat_of);
	const uid_t owner = linux_subuid_owner(&linux_of(p)->subuids, root_of(p),
					       there ? stat_of.st_uid : OWNER_UNKNOWN);

	return there ? owner : OWNER_UNKNOWN;
}

/* Users. */

struct linux_user {
	uid_t uid;
	char name[PROCESS_USER_SIZE];
};

void linux_users_free(struct linux_users *users)
{
	free(users->at);
	*users = (struct linux_users){.count = 0};
}

static struct linux_user look_up(uid_t uid)
{
	char text[PASSWD_SIZE], number[16];
	struct linux_user user = {.uid = uid};
	struct passwd passwd, *found = NULL;

	snprintf(number, sizeof(number), "%u", (unsigned)uid);
	getpwuid_r(uid, &passwd, text, sizeof(text), &found);
	printable(found && *found->pw_name ? found->pw_name : number, user.name, sizeof(user.name));
	return user;
}

/* Finds a user's name. If memory is short, the next call looks it up again. */
static const char *find_user(struct platform *p, uid_t uid, char name[PROCESS_USER_SIZE])
{
	struct linux_users *users = &linux_of(p)->users;
	size_t i = 0;

	while (i < users->count && users->at[i].uid != uid)
		i++;
	const bool known = i < users->count;
	const struct linux_user user = known ? users->at[i] : look_up(uid);
	if (!known && !array_room(&users->at, users->count, 1, sizeof(*users->at)))
		users->at[users->count++] = user;
	memcpy(name, user.name, sizeof(user.name));
	return name;
}

/* Cgroups. */

/*
 * Returns the path in a line of /proc/PID/cgroup, such as "4:cpu,memory:/a" or "0::/a". NULL:
 * another controller's line.
 */
static const char *path_of_memory(char *line)
{
	char *list = strchr(line, ':'), *end = list ? strchr(list + 1, ':') : NULL, *name;

	if (!end)
		return NULL;
	*end = '\0';
	for (list++; (name = strsep(&list, ","));)
		if (!strcmp(name, "memory"))
			return end + 1;
	return NULL;
}

/* Reads the next line that fits. The rest of a longer line could look like another cgroup's. */
static bool next_line(char line[ROOTFS_PATH_SIZE], FILE *in)
{
	bool begins = true, ends;

	while (fgets(line, ROOTFS_PATH_SIZE, in)) {
		ends = strchr(line, '\n') || feof(in);
		if (begins && ends)
			return true;
		begins = ends;
	}
	return false;
}

static const char *read_cgroup(struct platform *p, unsigned pid, char path[ROOTFS_PATH_SIZE])
{
	FILE *in = rootfs_stream(root_of(p), "proc/%u/cgroup", pid);
	char line[ROOTFS_PATH_SIZE];
	bool found = false, v1 = false;

	while (in && !v1 && next_line(line, in)) {
		const bool v2 = !strncmp(line, "0::", 3);
		const char *at = v2 ? line + 3 : path_of_memory(line);

		if (!at)
			continue;
		v1 = !v2;
		found = true;
		snprintf(path, ROOTFS_PATH_SIZE, "%.*s", (int)strcspn(at, "\n"), at);
	}
	if (in)
		fclose(in);
	return found ? path : NULL;
}

/* Memory. */

static int read_memory(struct platform *p, unsigned pid, int (*go_on)(void *context), void *context,
		       uint64_t bytes[NUMA_NODES_MOST])
{
	return numa_maps_read(root_of(p), pid, go_on, context, bytes);
}

static int read_mappings(struct platform *p, unsigned pid, process_mapping_visitor *visit,
			 void *context)
{
	char line[512];
	FILE *in = rootfs_stream(root_of(p), "proc/%u/maps", pid);
	struct proc_mapping there;

	if (!in)
		return -errno;
	while (proc_maps_next(in, line, sizeof(line), &there))
		visit(context,
		      &(struct process_mapping){.start = there.start,
						.end = there.end,
						.offset = there.offset,
						.inode = there.inode,
						.executable = strchr(there.permissions, 'x'),
						.name = there.name});
	fclose(in);
	return 0;
}

/* Virtual machines. */

/*
 * Descriptors to check: they are listed by number, and a machine is created before its disks are
 * opened.
 */
#define VM_DESCRIPTORS_MOST 4096

static bool runs_vm(struct platform *p, unsigned pid)
{
	static const char vm[] = "anon_inode:kvm-vm";
	char path[ROOTFS_PATH_SIZE], target[sizeof(vm)];
	DIR *dir = rootfs_path(path, root_of(p), "proc/%u/fd", pid) ? NULL : opendir(path);
	struct dirent *entry;
	bool found = false;

	if (!dir)
		return false;
	for (unsigned i = 0; !found && i < VM_DESCRIPTORS_MOST && (entry = readdir(dir)); i++)
		found = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target)) ==
				sizeof(vm) - 1 &&
			!memcmp(target, vm, sizeof(vm) - 1);
	closedir(dir);
	return found;
}

const struct process_ops linux_processes = {
	.pids = list_pids,
	.status = read_status,
	.stat = read_stat,
	.began = process_began,
	.threads = list_threads,
	.owner = owner_of,
	.name = read_name,
	.user = find_user,
	.cgroup = read_cgroup,
	.memory = read_memory,
	.mappings = read_mappings,
	.runs_vm = runs_vm,
};
