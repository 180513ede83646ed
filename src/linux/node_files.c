/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/node_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linux/clock.h"
#include "platform/rootfs.h"

#define NODE_DIRECTORY "sys/devices/system/node"
#define FILE_MOST      16384 /* /proc/vmstat has some 5 KB */

struct one_node {
	int node;
	int vmstat, meminfo; /* descriptors; -1: there is no such file */
};

struct node_files {
	struct one_node *nodes;
	size_t count;
	int vmstat; /* of the whole machine; likewise */
};

/* Text, by lines. */
struct span {
	const char *at, *end;
};

static bool next_line(struct span *text, struct span *line)
{
	const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));

	if (!newline)
		return false;
	*line = (struct span){text->at, newline};
	text->at = newline + 1;
	return true;
}

static void skip_blanks(struct span *line)
{
	while (line->at < line->end && *line->at == ' ')
		line->at++;
}

/* The next word of the line; empty at its end. */
static struct span next_word(struct span *line)
{
	struct span word;

	skip_blanks(line);
	word.at = line->at;
	while (line->at < line->end && *line->at != ' ')
		line->at++;
	word.end = line->at;
	return word;
}

static bool word_is(struct span word, const char *text)
{
	const size_t length = (size_t)(word.end - word.at);

	return strlen(text) == length && !memcmp(word.at, text, length);
}

/* NODE_STAT_UNKNOWN: not a number, or too large a one. */
static uint64_t number_of(struct span word)
{
	uint64_t number = 0;

	if (word.at == word.end)
		return NODE_STAT_UNKNOWN;
	for (; word.at < word.end; word.at++) {
		if (*word.at < '0' || *word.at > '9' ||
		    __builtin_mul_overflow(number, 10U, &number) ||
		    __builtin_add_overflow(number, (unsigned)(*word.at - '0'), &number))
			return NODE_STAT_UNKNOWN;
	}
	return number;
}

/* The parts of a sum, of which some kernels have fewer. Source: the kernel's mm/vmstat.c */
static const struct {
	const char *name;
	enum node_stat stat;
} counters[] = {
	{"pgpromote_success", NODE_PROMOTED}, {"pgdemote_kswapd", NODE_DEMOTED},
	{"pgdemote_direct", NODE_DEMOTED},    {"pgdemote_khugepaged", NODE_DEMOTED},
	{"pgdemote_proactive", NODE_DEMOTED}, {"numa_hint_faults", NODE_HINTING_FAULTS},
};

void node_stats_parse_vmstat(const char *text, size_t length, struct node_stats *out)
{
	struct span rest = {text, text + length}, line;
	bool found[NODE_STATS] = {false}, bad[NODE_STATS] = {false};
	uint64_t sums[NODE_STATS] = {0};

	while (next_line(&rest, &line)) {
		const struct span name = next_word(&line);

		for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
			if (!word_is(name, counters[i].name))
				continue;
			const enum node_stat stat = counters[i].stat;
			const uint64_t number = number_of(next_word(&line));

			found[stat] = true;
			bad[stat] |= number == NODE_STAT_UNKNOWN ||
				     __builtin_add_overflow(sums[stat], number, &sums[stat]);
		}
	}
	for (unsigned i = 0; i < NODE_STATS; i++)
		if (found[i])
			out->values[i] = bad[i] ? NODE_STAT_UNKNOWN : sums[i];
}

/* "Node 2 MemFree:  4055988 kB". Source: the kernel's drivers/base/node.c */
static uint64_t bytes_of(struct span line, const char *name)
{
	uint64_t kib, bytes;

	if (!word_is(next_word(&line), "Node"))
		return NODE_STAT_UNKNOWN;
	next_word(&line);
	if (!word_is(next_word(&line), name))
		return NODE_STAT_UNKNOWN;
	kib = number_of(next_word(&line));
	return word_is(next_word(&line), "kB") && !__builtin_mul_overflow(kib, 1024U, &bytes)
		       ? bytes
		       : NODE_STAT_UNKNOWN;
}

/* The kernel's MemUsed is the difference, too. */
void node_stats_parse_meminfo(const char *text, size_t length, struct node_stats *out)
{
	uint64_t total = NODE_STAT_UNKNOWN, unused = NODE_STAT_UNKNOWN;
	struct span rest = {text, text + length}, line;

	while (next_line(&rest, &line)) {
		if (total == NODE_STAT_UNKNOWN)
			total = bytes_of(line, "MemTotal:");
		if (unused == NODE_STAT_UNKNOWN)
			unused = bytes_of(line, "MemFree:");
	}
	out->values[NODE_FREE] = unused;
	out->values[NODE_USED] =
		total == NODE_STAT_UNKNOWN || unused > total ? NODE_STAT_UNKNOWN : total - unused;
}

/* /proc hands out a page at a time. False: it can't be read, or is too long. */
static bool read_whole(int fd, char *text, size_t *length)
{
	ssize_t got = 1;

	for (*length = 0; got && *length < FILE_MOST; *length += (size_t)got) {
		got = pread(fd, text + *length, FILE_MOST - *length, (off_t)*length);
		if (got < 0)
			return false;
	}
	return !got;
}

static void read_file(int fd, void (*parse)(const char *, size_t, struct node_stats *),
		      struct node_stats *out)
{
	char text[FILE_MOST];
	size_t length;

	if (fd >= 0 && read_whole(fd, text, &length))
		parse(text, length, out);
}

static bool any_known(const struct node_stats *stats)
{
	for (unsigned i = 0; i < NODE_STATS; i++)
		if (stats->values[i] != NODE_STAT_UNKNOWN)
			return true;
	return false;
}

int node_files_read(const struct node_files *files, int node, struct node_stats *out)
{
	size_t i = 0;

	*out = node_stats_unknown(clock_monotonic());
	if (node == NODE_MACHINE) {
		read_file(files->vmstat, node_stats_parse_vmstat, out);
		return any_known(out) ? 0 : -ENODATA;
	}
	while (i < files->count && files->nodes[i].node != node)
		i++;
	if (i == files->count)
		return -ENOENT;
	read_file(files->nodes[i].vmstat, node_stats_parse_vmstat, out);
	read_file(files->nodes[i].meminfo, node_stats_parse_meminfo, out);
	return any_known(out) ? 0 : -ENODATA;
}

static int open_file(const char *root, const char *name)
{
	char path[ROOTFS_PATH_SIZE];

	return rootfs_path(path, root, "%s", name) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
}

static int open_node_file(const char *root, unsigned node, const char *name)
{
	char path[ROOTFS_PATH_SIZE];

	return rootfs_path(path, root, NODE_DIRECTORY "/node%u/%s", node, name)
		       ? -1
		       : open(path, O_RDONLY | O_CLOEXEC);
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void close_node(const struct one_node *node)
{
	close_file(node->vmstat);
	close_file(node->meminfo);
}

/* A node of CPUs alone has no memory, and one without files says nothing of it. */
static bool has_memory(const struct node_files *files, int node)
{
	struct node_stats stats;

	return !node_files_read(files, node, &stats) &&
	       (stats.values[NODE_USED] || stats.values[NODE_FREE]);
}

static void add_node(struct node_files *files, const char *root, unsigned number)
{
	struct one_node *node = &files->nodes[files->count++];

	*node = (struct one_node){
		.node = (int)number,
		.vmstat = open_node_file(root, number, "vmstat"),
		.meminfo = open_node_file(root, number, "meminfo"),
	};
	if (has_memory(files, node->node))
		return;
	close_node(node);
	files->count--;
}

int node_files_open(const char *root, struct node_files **out)
{
	struct node_files *files = calloc(1, sizeof(*files));
	unsigned *numbers = NULL;
	size_t count = 0;
	int rc = files ? sysfs_indices(root, NODE_DIRECTORY, "node", &numbers, &count) : -ENOMEM;

	if (!rc) {
		files->nodes = calloc(count + 1, sizeof(*files->nodes));
		rc = files->nodes ? 0 : -ENOMEM;
	}
	if (rc) {
		free(numbers);
		free(files);
		return rc;
	}
	for (size_t i = 0; i < count; i++)
		add_node(files, root, numbers[i]);
	files->vmstat = open_file(root, "proc/vmstat");
	free(numbers);
	*out = files;
	return 0;
}

void node_files_close(struct node_files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->count; i++)
		close_node(&files->nodes[i]);
	close_file(files->vmstat);
	free(files->nodes);
	free(files);
}

size_t node_files_count(const struct node_files *files)
{
	return files->count;
}

int node_files_node(const struct node_files *files, size_t index)
{
	return files->nodes[index].node;
}
