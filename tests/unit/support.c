/* SPDX-License-Identifier: BSD-3-Clause */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux/system/linux_platform.h"
#include "sim/sim.h"
#include "uncore/models/models.h"
#include "uncore/units/cpmu_events.h"

bool is_number(double number, double expected, double tolerance)
{
	return isnan(expected) ? isnan(number) : fabs(number - expected) <= tolerance;
}

size_t occurrences(const char *text, const char *part)
{
	size_t count = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

/*
 * Directory of a test case: made before its processes and removed after them, because a failing
 * test cannot clean up.
 */
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

static struct {
	FILE *file;
	char *text;
	size_t size;
} texts[64];
static size_t text_count;

FILE *text_open(void)
{
	ck_assert_uint_lt(text_count, COUNT_OF(texts));
	const size_t i = text_count++;

	texts[i].file = open_memstream(&texts[i].text, &texts[i].size);
	ck_assert_ptr_nonnull(texts[i].file);
	return texts[i].file;
}

const char *text_close(FILE *file)
{
	size_t i = text_count;

	while (texts[--i].file != file)
		;
	ck_assert_int_eq(fclose(file), 0);
	ck_assert_uint_eq(texts[i].size, strlen(texts[i].text));
	at_end(free, texts[i].text);
	return texts[i].text;
}

/* Returns the number of descriptors that programs started by the test would inherit. */
static size_t count_kept_descriptors(void)
{
	size_t count = 0;
	DIR *dir = opendir("/proc/self/fd");

	ck_assert_ptr_nonnull(dir);
	for (const struct dirent *entry; (entry = readdir(dir));)
		count += fcntl(atoi(entry->d_name), F_GETFD) == FD_CLOEXEC;
	closedir(dir);
	return count;
}

/* Signals that were blocked before the test. */
static sigset_t blocked;
static size_t descriptors;

static void begin(void)
{
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	descriptors = count_kept_descriptors();
}

static void finish_all(void)
{
	while (end_count--)
		ends[end_count].finish(ends[end_count].object);
	end_count = 0;
	text_count = 0;
	pthread_sigmask(SIG_SETMASK, &blocked, NULL);
	/* as a sanitizer reports memory that is not freed */
	ck_assert_uint_eq(count_kept_descriptors(), descriptors);
}

void end_fixture(TCase *tc)
{
	tcase_add_checked_fixture(tc, begin, finish_all);
}

const char *tree_root(void)
{
	return root;
}

struct platform *tree_platform(void)
{
	static struct linux_platform machine;

	machine = (struct linux_platform){.root = (char *)tree_root(), .load_fd = -1};
	return &machine.base;
}

static char *full_path(const char *path)
{
	static char kept[8][PATH_MAX];
	static unsigned next;
	char *full = kept[next++ % 8];

	ck_assert_int_lt(snprintf(full, PATH_MAX, "%s/%s", root, path), PATH_MAX);
	return full;
}

const char *tree_path(const char *path)
{
	return full_path(path);
}

const char *tree_name(const char *format, ...)
{
	static char names[8][PATH_MAX];
	static unsigned next;
	char *name = names[next++ % 8];
	va_list args;

	va_start(args, format);
	ck_assert_int_lt(vsnprintf(name, PATH_MAX, format, args), PATH_MAX);
	va_end(args);
	return name;
}

/* Makes the directories of a path. Returns the path. */
static const char *prepare(const char *path)
{
	char *full = full_path(path);

	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		ck_assert(!mkdir(full, 0755) || errno == EEXIST);
		*slash = '/';
	}
	return full;
}

void tree_directory(const char *path)
{
	ck_assert(!mkdir(prepare(path), 0755) || errno == EEXIST);
}

void tree_link(const char *path, const char *target)
{
	ck_assert_int_eq(symlink(target, prepare(path)), 0);
}

void tree_bytes(const char *path, off_t offset, const void *bytes, size_t count)
{
	int fd = open(prepare(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
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
	uint64_t word;
	int fd = open(tree_path(path), O_RDONLY | O_CLOEXEC);
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
	const char *at = tree_name("sys/bus/pci/devices/%s", f->name);

	tree_file(tree_name("%s/vendor", at), "0x%04x\n", f->vendor);
	tree_file(tree_name("%s/device", at), "0x%04x\n", f->device);
	tree_file(tree_name("%s/class", at), "0x088000\n");
	tree_file(tree_name("%s/irq", at), "0\n");
	tree_file(tree_name("%s/numa_node", at), "%d\n", f->numa_node);
	tree_file(tree_name("%s/resource", at), "%s", f->resource ? f->resource : empty);
	tree_bytes(tree_name("%s/config", at), 0, zeros, f->config_bytes);
}

static void destroy(void *platform)
{
	platform_destroy(platform);
}

static void close_number(void *fd)
{
	close((int)(intptr_t)fd);
}

int close_at_end(int fd)
{
	if (fd >= 0)
		at_end(close_number, (void *)(intptr_t)fd);
	return fd;
}

void destroy_at_end(struct platform *p)
{
	at_end(destroy, p);
}

const struct log silent_log = {.write = NULL};

struct platform *sim_make(const char *spec)
{
	struct platform *p;
	struct error err = {0};

	ck_assert_msg(!platform_sim(spec, &silent_log, &p, &err), "%s", err.text);
	destroy_at_end(p);
	return p;
}

size_t count_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t count = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

void assert_refusal(int rc, const struct error *err, const char *expected)
{
	ck_assert_msg(rc < 0, "not refused; expected a line with '%s'", expected);
	ck_assert_int_eq(err->code, rc);
	ck_assert_int_eq(err->kind, ERROR_USAGE);
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
