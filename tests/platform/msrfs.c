/* SPDX-License-Identifier: BSD-3-Clause */
#include "fusefs.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "msr/cpuid.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/reg.h"
#include "tests/registers.h"

/* A parsed path: "/", "/12", "/12/msr", "/12/msr_safe", "/12/cpuid" or "/msr_allowlist". */
struct name {
	enum { ROOT, CPU, MSR, MSR_SAFE, CPUID, ALLOWLIST, NOTHING } kind;
	unsigned cpu;
};

/*
 * Modes of files. Source: the kernel's and msr-safe's devices belong to root; an administrator of
 * msr-safe opens its devices to users.
 */
static const mode_t modes[] = {
	[ROOT] = S_IFDIR | 0755,     [CPU] = S_IFDIR | 0755,   [MSR] = S_IFREG | 0600,
	[MSR_SAFE] = S_IFREG | 0666, [CPUID] = S_IFREG | 0444, [ALLOWLIST] = S_IFREG | 0600,
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
	if (!strcmp(path, "/msr_allowlist") && fs->safe)
		name.kind = ALLOWLIST;
	name.cpu = (unsigned)strtoul(path + 1, &end, 10);
	if (end == path + 1 || name.cpu >= fs->cpus || fs->hidden[name.cpu])
		return name;
	if (!*end)
		name.kind = CPU;
	else if (!strcmp(end, "/msr") && !fs->msrs_hidden)
		name.kind = MSR;
	else if (!strcmp(end, "/msr_safe") && fs->safe)
		name.kind = MSR_SAFE;
	else if (!strcmp(end, "/cpuid"))
		name.kind = CPUID;
	return name;
}

static int fs_getattr(const char *path, struct stat *st, struct fuse_file_info *info)
{
	const struct name name = parse(self(), path);

	(void)info;
	if (name.kind == NOTHING)
		return -ENOENT;
	st->st_mode = modes[name.kind];
	st->st_nlink = S_ISDIR(st->st_mode) ? 2 : 1;
	return 0;
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
		if (fs->safe)
			fill(buffer, "msr_safe", NULL, 0, 0);
		fill(buffer, "cpuid", NULL, 0, 0);
		return 0;
	}
	if (fs->safe)
		fill(buffer, "msr_allowlist", NULL, 0, 0);
	for (unsigned cpu = 0; cpu < fs->cpus; cpu++) {
		char name[16];

		snprintf(name, sizeof(name), "%u", cpu);
		if (!fs->hidden[cpu])
			fill(buffer, name, NULL, 0, 0);
	}
	return 0;
}

/*
 * Opens a file; fails with ENXIO as the kernel's open if the CPU is offline and its node is left.
 */
static int fs_open(const char *path, struct fuse_file_info *info)
{
	const struct msrfs *fs = self();
	const struct name name = parse(fs, path);

	info->direct_io = 1;
	if (name.kind == NOTHING)
		return -ENOENT;
	if (name.kind == ALLOWLIST)
		return 0;
	return sim_cpu_online(sim_of(fs->platform), name.cpu) ? 0 : -ENXIO;
}

static void log_access(const struct msrfs *fs, const char *verb, const struct name *name,
		       uint64_t msr, uint64_t value, int rc)
{
	if (!fs->log)
		return;
	fprintf(fs->log, "%.9f %s cpu %u msr 0x%" PRIx64,
		(double)fs->platform->ops->clock->now(fs->platform) / 1e9, verb, name->cpu, msr);
	if (rc)
		fprintf(fs->log, " error %s\n", strerror(-rc));
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
		int rc = raw_msr_read(fs->platform, name->cpu, (uint32_t)offset, &value);

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
		int rc = fs->platform->ops->cpus->cpuid(fs->platform, name->cpu, leaf,
							(uint32_t)((uint64_t)offset >> 32), regs,
							NULL);

		if (rc)
			return rc;
		memcpy(buffer + at, regs, sizeof(regs));
	}
	return (int)size;
}

static int ask_allowlist(const struct msrfs *fs, size_t size, uint64_t msr, uint64_t *mask)
{
	return size == 8 ? allowlist_ask(&fs->allowlist, fuse_get_context()->pid, msr, mask)
			 : -EINVAL;
}

static int read_allowlist(const struct msrfs *fs, char *buffer, size_t size, off_t offset)
{
	char *text = allowlist_text(&fs->allowlist);
	const int moved = text ? fusefs_read_text(text, buffer, size, offset) : -ENOMEM;

	free(text);
	return moved;
}

static int fs_read(const char *path, char *buffer, size_t size, off_t offset,
		   struct fuse_file_info *info)
{
	struct msrfs *fs = self();
	const struct name name = parse(fs, path);
	const size_t unit = name.kind == CPUID ? 16 : 8;
	uint64_t ignored;

	(void)info;
	if (name.kind == ALLOWLIST)
		return read_allowlist(fs, buffer, size, offset);
	if (name.kind != MSR && name.kind != MSR_SAFE && name.kind != CPUID)
		return -ENXIO; /* the file went away while it was open */
	if (name.kind == MSR_SAFE) {
		int rc = ask_allowlist(fs, size, (uint64_t)offset, &ignored);
		if (rc)
			return rc;
	}
	if (size % unit)
		return -EINVAL;
	if (fs->delay_ms)
		usleep(fs->delay_ms * 1000);
	return name.kind == CPUID ? read_cpuid(fs, &name, buffer, size, offset)
				  : read_msr(fs, &name, buffer, size, offset);
}

static int write_msr(struct msrfs *fs, const struct name *name, uint32_t msr, uint64_t value)
{
	int rc = raw_msr_write(fs->platform, name->cpu, msr, value);

	log_access(fs, "write", name, msr, value, rc);
	return rc;
}

/* Writes the bits that may be written; other bits stay as they are, without an error. */
static int write_safe(struct msrfs *fs, const struct name *name, const char *buffer, size_t size,
		      uint32_t msr)
{
	uint64_t mask, value, held = 0;
	int rc = ask_allowlist(fs, size, msr, &mask);

	if (!rc && !mask)
		rc = -EACCES;
	if (!rc && mask != UINT64_MAX)
		rc = raw_msr_read(fs->platform, name->cpu, msr, &held);
	if (rc)
		return rc;
	memcpy(&value, buffer, sizeof(value));
	rc = write_msr(fs, name, msr, (value & mask) | (held & ~mask));
	return rc ? rc : (int)size;
}

static int fs_write(const char *path, const char *buffer, size_t size, off_t offset,
		    struct fuse_file_info *info)
{
	struct msrfs *fs = self();
	const struct name name = parse(fs, path);

	int rc;

	(void)info;
	if (name.kind == ALLOWLIST) {
		rc = allowlist_write(&fs->allowlist, buffer, size);
		return rc ? rc : (int)size;
	}
	if (name.kind == MSR_SAFE)
		return write_safe(fs, &name, buffer, size, (uint32_t)offset);
	if (name.kind != MSR)
		return -ENXIO;
	/* checks the length last, as the driver does */
	rc = fs->platform->ops->registers->msr_may_write(fs->platform, name.cpu);
	if (rc)
		return rc;
	if (size % 8)
		return -EINVAL;
	for (size_t at = 0; at < size; at += 8) {
		uint64_t value;

		memcpy(&value, buffer + at, sizeof(value));
		rc = write_msr(fs, &name, (uint32_t)offset, value);
		if (rc)
			return at ? (int)at : rc;
	}
	return (int)size;
}

static const struct fuse_operations operations = {
	.getattr = fs_getattr,
	.readdir = fs_readdir,
	.open = fs_open,
	.read = fs_read,
	.write = fs_write,
};

static void release(void *context)
{
	struct msrfs *fs = context;

	allowlist_free(&fs->allowlist);
	free(fs->hidden);
	free(fs);
}

struct fusefs *msrfs_new(const char *directory, struct platform *p, FILE *log)
{
	const struct sim_spec *spec = &sim_of(p)->spec;
	struct msrfs *fs = calloc(1, sizeof(*fs));

	if (!fs)
		return NULL;
	fs->platform = p;
	fs->log = log;
	fs->cpus = spec->sockets * spec->cpus;
	fs->hidden = calloc(fs->cpus, sizeof(*fs->hidden));
	if (!fs->hidden)
		err(1, "calloc");
	return fusefs_new(directory, "msr", &operations, fs, release);
}
