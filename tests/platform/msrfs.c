/* SPDX-License-Identifier: BSD-3-Clause */
#define FUSE_USE_VERSION 35

#include "msrfs.h"

#include <errno.h>
#include <fuse.h>
#include <fuse_lowlevel.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msr/cpuid.h"

struct msrfs {
	struct platform *platform;
	FILE *log;
	struct fuse *fuse;
	struct fuse_buf request;
	unsigned cpus;
	bool *hidden; /* by CPU */
	bool msrs_hidden;
	unsigned delay_ms;
};

/* "/", "/12", "/12/msr" or "/12/cpuid" */
struct name {
	enum { ROOT, CPU, MSR, CPUID, NOTHING } kind;
	unsigned cpu;
};

static struct msrfs *self(void)
{
	return fuse_get_context()->private_data;
}

static struct name parse(const struct msrfs *fs, const char *path)
{
	struct name name = {.kind = NOTHING};
	char *end;

	if (!strcmp(path, "/")) {
		name.kind = ROOT;
		return name;
	}
	name.cpu = (unsigned)strtoul(path + 1, &end, 10);
	if (end == path + 1 || name.cpu >= fs->cpus || fs->hidden[name.cpu])
		return name;
	if (!*end)
		name.kind = CPU;
	else if (!strcmp(end, "/msr") && !fs->msrs_hidden)
		name.kind = MSR;
	else if (!strcmp(end, "/cpuid"))
		name.kind = CPUID;
	return name;
}

static int fs_getattr(const char *path, struct stat *st, struct fuse_file_info *info)
{
	(void)info;
	switch (parse(self(), path).kind) {
	case ROOT:
	case CPU:
		st->st_mode = S_IFDIR | 0755;
		st->st_nlink = 2;
		return 0;
	case MSR:
		st->st_mode = S_IFREG | 0600;
		st->st_nlink = 1;
		return 0;
	case CPUID:
		st->st_mode = S_IFREG | 0444;
		st->st_nlink = 1;
		return 0;
	default:
		return -ENOENT;
	}
}

static int fs_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
		      struct fuse_file_info *info, enum fuse_readdir_flags flags)
{
	const struct msrfs *fs = self();

	(void)offset;
	(void)info;
	(void)flags;
	if (parse(fs, path).kind == CPU) {
		if (!fs->msrs_hidden)
			fill(buffer, "msr", NULL, 0, 0);
		fill(buffer, "cpuid", NULL, 0, 0);
		return 0;
	}
	for (unsigned cpu = 0; cpu < fs->cpus; cpu++) {
		char name[16];

		snprintf(name, sizeof(name), "%u", cpu);
		if (!fs->hidden[cpu])
			fill(buffer, name, NULL, 0, 0);
	}
	return 0;
}

/* The kernel's open fails with ENXIO where the CPU is offline and its node is left. */
static int fs_open(const char *path, struct fuse_file_info *info)
{
	const struct msrfs *fs = self();
	const struct name name = parse(fs, path);

	info->direct_io = 1;
	if (name.kind == NOTHING)
		return -ENOENT;
	return sim_cpu_online(sim_of(fs->platform), name.cpu) ? 0 : -ENXIO;
}

static void log_access(const struct msrfs *fs, const char *verb, const struct name *name,
		       uint64_t msr, uint64_t value, int rc)
{
	if (!fs->log)
		return;
	fprintf(fs->log, "%.9f %s cpu %u msr 0x%" PRIx64,
		(double)fs->platform->ops->now(fs->platform) / 1e9, verb, name->cpu, msr);
	if (rc)
		fprintf(fs->log, " error %s\n", strerrorname_np(-rc));
	else
		fprintf(fs->log, " value 0x%" PRIx64 "\n", value);
	fflush(fs->log);
}

static int read_msr(struct msrfs *fs, const struct name *name, char *buffer, size_t size,
		    off_t offset)
{
	/* a multiple of 8 reads the same register again */
	for (size_t at = 0; at < size; at += 8) {
		uint64_t value = 0;
		int rc = fs->platform->ops->msr_read(fs->platform, name->cpu, (uint32_t)offset,
						     &value);

		log_access(fs, "read", name, (uint64_t)offset, value, rc);
		if (rc)
			return at ? (int)at : rc;
		memcpy(buffer + at, &value, sizeof(value));
	}
	return (int)size;
}

static int read_cpuid(struct msrfs *fs, const struct name *name, char *buffer, size_t size,
		      off_t offset)
{
	uint32_t leaf = (uint32_t)offset;

	for (size_t at = 0; at < size; at += 16, leaf++) {
		uint32_t regs[CPUID_REGS];
		int rc = fs->platform->ops->cpuid(fs->platform, name->cpu, leaf,
						  (uint32_t)((uint64_t)offset >> 32), regs, NULL);

		if (rc)
			return rc;
		memcpy(buffer + at, regs, sizeof(regs));
	}
	return (int)size;
}

static int fs_read(const char *path, char *buffer, size_t size, off_t offset,
		   struct fuse_file_info *info)
{
	struct msrfs *fs = self();
	const struct name name = parse(fs, path);
	const size_t unit = name.kind == CPUID ? 16 : 8;

	(void)info;
	if (name.kind != MSR && name.kind != CPUID)
		return -ENXIO; /* it went away while it was open */
	if (size % unit)
		return -EINVAL;
	if (fs->delay_ms)
		usleep(fs->delay_ms * 1000);
	return name.kind == CPUID ? read_cpuid(fs, &name, buffer, size, offset)
				  : read_msr(fs, &name, buffer, size, offset);
}

static int fs_write(const char *path, const char *buffer, size_t size, off_t offset,
		    struct fuse_file_info *info)
{
	struct msrfs *fs = self();
	const struct name name = parse(fs, path);

	(void)info;
	if (name.kind != MSR)
		return -ENXIO;
	if (size % 8)
		return -EINVAL;
	for (size_t at = 0; at < size; at += 8) {
		uint64_t value;

		memcpy(&value, buffer + at, sizeof(value));
		int rc = fs->platform->ops->msr_write(fs->platform, name.cpu, (uint32_t)offset,
						      value);
		log_access(fs, "write", &name, (uint64_t)offset, value, rc);
		if (rc)
			return at ? (int)at : rc;
	}
	return (int)size;
}

/* Opening for writing truncates with some programs; a device file doesn't mind. */
static int fs_truncate(const char *path, off_t size, struct fuse_file_info *info)
{
	(void)path;
	(void)size;
	(void)info;
	return 0;
}

static void *fs_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
	(void)connection;
	config->direct_io = 1;
	config->attr_timeout = 0;
	config->entry_timeout = 0;
	config->negative_timeout = 0;
	return self();
}

static const struct fuse_operations operations = {
	.init = fs_init,
	.getattr = fs_getattr,
	.readdir = fs_readdir,
	.open = fs_open,
	.read = fs_read,
	.write = fs_write,
	.truncate = fs_truncate,
};

struct msrfs *msrfs_new(const char *directory, struct platform *p, FILE *log)
{
	char *arguments[] = {"cxlmon-platform", "-o", "allow_other,default_permissions,fsname=msr",
			     NULL};
	struct fuse_args args = FUSE_ARGS_INIT(3, arguments);
	const struct sim_spec *spec = sim_spec(sim_of(p));
	struct msrfs *fs = calloc(1, sizeof(*fs));

	if (!fs)
		return NULL;
	fs->platform = p;
	fs->log = log;
	fs->cpus = spec->sockets * spec->cpus;
	fs->hidden = calloc(fs->cpus, sizeof(*fs->hidden));
	fs->fuse = fs->hidden ? fuse_new(&args, &operations, sizeof(operations), fs) : NULL;
	fuse_opt_free_args(&args);
	if (!fs->fuse || fuse_mount(fs->fuse, directory)) {
		if (fs->fuse)
			fuse_destroy(fs->fuse);
		free(fs->hidden);
		free(fs);
		return NULL;
	}
	return fs;
}

void msrfs_free(struct msrfs *fs)
{
	fuse_unmount(fs->fuse);
	fuse_destroy(fs->fuse);
	free(fs->request.mem);
	free(fs->hidden);
	free(fs);
}

int msrfs_fd(const struct msrfs *fs)
{
	return fuse_session_fd(fuse_get_session(fs->fuse));
}

bool msrfs_serve(struct msrfs *fs)
{
	struct fuse_session *session = fuse_get_session(fs->fuse);
	int rc = fuse_session_receive_buf(session, &fs->request);

	if (rc > 0)
		fuse_session_process_buf(session, &fs->request);
	return rc > 0 || rc == -EINTR || rc == -EAGAIN;
}

void msrfs_hide_cpu(struct msrfs *fs, unsigned cpu, bool hidden)
{
	if (cpu < fs->cpus)
		fs->hidden[cpu] = hidden;
}

void msrfs_hide_msrs(struct msrfs *fs, bool hidden)
{
	fs->msrs_hidden = hidden;
}

void msrfs_set_delay(struct msrfs *fs, unsigned milliseconds)
{
	fs->delay_ms = milliseconds;
}
