/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/system/numa_maps.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rootfs.h"

#define PAGE_SIZE_KEY "kernelpagesize_kB="

/* Holds an escaped name of PATH_MAX bytes, and a count of every node. */
#define LINE_SIZE 65536

/* More than any mapping: user space has at most 56 bits of addresses. */
#define BYTES_MOST (UINT64_C(1) << 57)

/* Parses a decimal number; returns its end, or NULL. */
static const char *parse_number(const char *at, uint64_t *out)
{
	char *end;

	if (!isdigit((unsigned char)*at))
		return NULL;
	errno = 0;
	*out = strtoull(at, &end, 10);
	return errno ? NULL : end;
}

static bool ends_token(const char *at)
{
	return at && (!*at || *at == ' ' || *at == '\n');
}

static const char *next_token(const char *at)
{
	at += strcspn(at, " \n");
	return at + strspn(at, " \n");
}

/* Parses "N2=384". Returns -EBADMSG for any other token that begins with N and a digit. */
static int node_token(const char *at, unsigned *node, uint64_t *pages)
{
	uint64_t which;

	at = parse_number(at + 1, &which);
	if (!at || *at != '=' || which >= NUMA_NODES_MOST ||
	    !ends_token(parse_number(at + 1, pages)))
		return -EBADMSG;
	*node = (unsigned)which;
	return 0;
}

static bool is_node_token(const char *at)
{
	return *at == 'N' && isdigit((unsigned char)at[1]);
}

/* Returns the page size in bytes; 0: none is given, or it is not a number. */
static uint64_t page_size(const char *at)
{
	const size_t length = sizeof(PAGE_SIZE_KEY) - 1;
	uint64_t kib = 0;

	for (; *at; at = next_token(at))
		if (!strncmp(at, PAGE_SIZE_KEY, length) &&
		    (!ends_token(parse_number(at + length, &kib)) || kib > BYTES_MOST >> 10))
			return 0;
	return kib << 10;
}

/*
 * Adds the counts of each node, in units of size bytes. bytes NULL: only checks them, before all
 * are added.
 */
static int add_counts(const char *at, uint64_t size, uint64_t *bytes)
{
	unsigned node;
	uint64_t count;

	for (; *at; at = next_token(at)) {
		if (!is_node_token(at))
			continue;
		if (node_token(at, &node, &count) || !size || count > BYTES_MOST / size)
			return -EBADMSG;
		if (bytes && __builtin_add_overflow(bytes[node], count * size, &bytes[node]))
			bytes[node] = UINT64_MAX;
	}
	return 0;
}

int numa_maps_line(const char *line, uint64_t bytes[NUMA_NODES_MOST])
{
	const size_t address = strspn(line, "0123456789abcdef");
	const char *rest = line + address;
	const uint64_t size = page_size(rest);

	if (!address || *rest != ' ' || add_counts(rest, size, NULL))
		return -EBADMSG;
	return add_counts(rest, size, bytes);
}

typedef int take_line(const char *line, uint64_t bytes[NUMA_NODES_MOST]);

static int no_limit(void *context)
{
	(void)context;
	return 0;
}

static int read_lines(FILE *in, take_line *take, numa_maps_go_on *go_on, void *context,
		      uint64_t bytes[NUMA_NODES_MOST])
{
	char line[LINE_SIZE];

	while (errno = 0, fgets(line, sizeof(line), in)) {
		int rc = strchr(line, '\n') ? take(line, bytes) : -EBADMSG;

		if (!rc)
			rc = go_on(context);
		if (rc)
			return rc;
	}
	return ferror(in) ? -(errno ? errno : EIO) : 0;
}

/* Reads a file line by line, and closes it. */
static int read_file(FILE *in, take_line *take, numa_maps_go_on *go_on, void *context,
		     uint64_t bytes[NUMA_NODES_MOST])
{
	memset(bytes, 0, NUMA_NODES_MOST * sizeof(*bytes));
	if (!in)
		return -errno;
	const int rc = read_lines(in, take, go_on, context, bytes);
	fclose(in);
	return rc;
}

int numa_maps_read(const char *root, unsigned pid, numa_maps_go_on *go_on, void *context,
		   uint64_t bytes[NUMA_NODES_MOST])
{
	return read_file(rootfs_stream(root, "proc/%u/numa_maps", pid), numa_maps_line, go_on,
			 context, bytes);
}

/* Tells if a kind is one of those that together are all memory by node. */
static bool is_kind(const char *line, size_t length)
{
	static const char *const kinds[] = {
		"anon",
		"file",
		"kernel_stack",
		"pagetables",
		"sec_pagetables",
		"slab_reclaimable",
		"slab_unreclaimable",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i]) == length && !memcmp(kinds[i], line, length))
			return true;
	return false;
}

/*
 * Checks a line whose kind has this length and is followed by this character. If counted, adds its
 * counts in units of size bytes.
 */
static int stat_line(const char *line, size_t kind, char behind, bool counted, uint64_t size,
		     uint64_t bytes[NUMA_NODES_MOST])
{
	const char *first = next_token(line);

	for (const char *at = first; *at; at = next_token(at))
		if (!is_node_token(at))
			return -EBADMSG;
	if (!kind || line[kind] != behind || !*first || add_counts(first, size, NULL))
		return -EBADMSG;
	return counted ? add_counts(first, size, bytes) : 0;
}

int numa_stat_line(const char *line, uint64_t bytes[NUMA_NODES_MOST])
{
	const size_t kind = strcspn(line, " =\n");

	return stat_line(line, kind, ' ', is_kind(line, kind), 1, bytes);
}

/* Reads a line "KIND=...", which is counted if its kind is this one. */
static int total_line(const char *line, const char *counted, uint64_t size,
		      uint64_t bytes[NUMA_NODES_MOST])
{
	const size_t kind = strcspn(line, " =\n");

	return stat_line(line, kind, '=', kind == strlen(counted) && !memcmp(line, counted, kind),
			 size, bytes);
}

int numa_stat_v1_line(const char *line, uint64_t bytes[NUMA_NODES_MOST])
{
	return total_line(line, "hierarchical_total", (uint64_t)sysconf(_SC_PAGESIZE), bytes);
}

int hugetlb_stat_line(const char *line, uint64_t bytes[NUMA_NODES_MOST])
{
	return total_line(line, "total", 1, bytes);
}

int hugetlb_stat_v1_line(const char *line, uint64_t bytes[NUMA_NODES_MOST])
{
	return total_line(line, "hierarchical_total", 1, bytes);
}

int numa_stat_read(const char *root, const char *path, bool v1, uint64_t bytes[NUMA_NODES_MOST])
{
	return read_file(rootfs_stream(root, "%s/memory.numa_stat", path),
			 v1 ? numa_stat_v1_line : numa_stat_line, no_limit, NULL, bytes);
}

int hugetlb_stat_read(const char *root, const char *path, const char *file, bool v1,
		      uint64_t bytes[NUMA_NODES_MOST])
{
	return read_file(rootfs_stream(root, "%s/%s", path, file),
			 v1 ? hugetlb_stat_v1_line : hugetlb_stat_line, no_limit, NULL, bytes);
}
