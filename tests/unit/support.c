/* SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/sim.h"
#include "uncore/models/models.h"

/* Made before a test case's processes and removed after them: a test that fails can't clean up. */
static char parent[PATH_MAX / 4];
static char root[PATH_MAX / 2];

static void make_parent(void)
{
	const char *where = getenv("TMPDIR");

	snprintf(parent, sizeof(parent), "%s/cxlmon-test-XXXXXX", where ? where : "/tmp");
	if (!mkdtemp(parent))
		abort();
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static void remove_parent(void)
{
	nftw(parent, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_root(void)
{
	snprintf(root, sizeof(root), "%s/root-XXXXXX", parent);
	ck_assert_ptr_nonnull(mkdtemp(root));
}

void tree_fixture(TCase *tc)
{
	tcase_add_unchecked_fixture(tc, make_parent, remove_parent);
	tcase_add_checked_fixture(tc, make_root, NULL);
}

#define ENDS 512

static struct {
	void (*finish)(void *object);
	void *object;
} ends[ENDS];
static size_t end_count;

void at_end(void (*finish)(void *object), void *object)
{
	ck_assert_uint_lt(end_count, ENDS);
	ends[end_count].finish = finish;
	ends[end_count++].object = object;
}

static void finish_all(void)
{
	while (end_count--)
		ends[end_count].finish(ends[end_count].object);
	end_count = 0;
}

void end_fixture(TCase *tc)
{
	tcase_add_checked_fixture(tc, NULL, finish_all);
}

const char *tree_root(void)
{
	return root;
}

void tree_path(char *full, size_t size, const char *path)
{
	ck_assert_int_lt(snprintf(full, size, "%s/%s", root, path), (int)size);
}

static void make_parents_of(char *full)
{
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		ck_assert(!mkdir(full, 0755) || errno == EEXIST);
		*slash = '/';
	}
}

static void prepare(char full[PATH_MAX], const char *path)
{
	tree_path(full, PATH_MAX, path);
	make_parents_of(full);
}

void tree_directory(const char *path)
{
	char full[PATH_MAX];

	prepare(full, path);
	ck_assert(!mkdir(full, 0755) || errno == EEXIST);
}

void tree_link(const char *path, const char *target)
{
	char full[PATH_MAX];

	prepare(full, path);
	ck_assert_int_eq(symlink(target, full), 0);
}

void tree_bytes(const char *path, off_t offset, const void *bytes, size_t count)
{
	char full[PATH_MAX];

	prepare(full, path);
	int fd = open(full, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, bytes, count, offset), (ssize_t)count);
	close(fd);
}

void tree_file(const char *path, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	int length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ck_assert(length >= 0 && (size_t)length < sizeof(text));
	tree_bytes(path, 0, text, (size_t)length);
}

uint64_t tree_word(const char *path, off_t offset)
{
	char full[PATH_MAX];
	uint64_t word;

	tree_path(full, sizeof(full), path);
	int fd = open(full, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, &word, sizeof(word), offset), sizeof(word));
	close(fd);
	return word;
}

#define NO_RESOURCE "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"

void tree_pci_function(const struct tree_function *f)
{
	static const uint8_t zeros[PCI_CONFIG_BYTES];
	static const char empty[] =
		NO_RESOURCE NO_RESOURCE NO_RESOURCE NO_RESOURCE NO_RESOURCE NO_RESOURCE NO_RESOURCE;
	char path[128];
	int head = snprintf(path, sizeof(path), "sys/bus/pci/devices/%s/", f->name);
	char *tail = path + head;

	strcpy(tail, "vendor");
	tree_file(path, "0x%04x\n", f->vendor);
	strcpy(tail, "device");
	tree_file(path, "0x%04x\n", f->device);
	strcpy(tail, "class");
	tree_file(path, "0x088000\n");
	strcpy(tail, "irq");
	tree_file(path, "0\n");
	strcpy(tail, "numa_node");
	tree_file(path, "%d\n", f->numa_node);
	strcpy(tail, "resource");
	tree_file(path, "%s", f->resource ? f->resource : empty);
	strcpy(tail, "config");
	tree_bytes(path, 0, zeros, f->config_bytes);
}

static void destroy(void *platform)
{
	platform_destroy(platform);
}

void destroy_at_end(struct platform *p)
{
	at_end(destroy, p);
}

struct platform *sim_make(const char *spec)
{
	static const struct log silent = {NULL, NULL};
	struct platform *p;
	struct error err = {0};

	ck_assert_msg(!platform_sim(spec, &silent, &p, &err), "%s", err.text);
	destroy_at_end(p);
	return p;
}

void assert_refusal(int rc, const struct error *err, const char *expected)
{
	ck_assert_msg(rc < 0, "not refused; expected a line with '%s'", expected);
	ck_assert_int_eq(err->code, rc);
	ck_assert_int_eq(err->status, EXIT_USAGE);
	ck_assert_ptr_null(strchr(err->text, '\n'));
	ck_assert_msg(strstr(err->text, expected), "'%s' does not say '%s'", err->text, expected);
}

static const struct event *find_event(const struct event *events, const char *name)
{
	for (; events && events->name; events++)
		if (!strcmp(events->name, name))
			return events;
	return NULL;
}

const struct event *model_event(const struct model *model, const char *name)
{
	const struct event *event = NULL;

	while ((event = model_next_event(model, event)) && strcmp(event->name, name) != 0)
		;
	if (!event)
		event = find_event(model_core(model)->events, name);
	return event ? event : find_event(cpmu_events, name);
}
