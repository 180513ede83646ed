/* SPDX-License-Identifier: BSD-3-Clause */
#include "allowlist.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_blanks_and_comments(const char *at)
{
	for (;; at += strcspn(at, "\n")) {
		at += strspn(at, " \t\r\n\f\v");
		if (*at != '#')
			return at;
	}
}

/*
 * Parses a line. A number must end with a blank: the module takes the end of the text as a cut
 * line.
 */
static int take_number(const char **at, uint64_t *value)
{
	char *end;

	*at += strspn(*at, " \t\r\n\f\v");
	errno = 0;
	*value = strtoull(*at, &end, 0);
	if (errno || end == *at || !isspace((unsigned char)*end) || **at == '-')
		return -EINVAL;
	*at = end;
	return 0;
}

static int add(struct allowlist *list, const struct allowed *item)
{
	struct allowed *grown = reallocarray(list->items, list->count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	list->items = grown;
	list->items[list->count++] = *item;
	return 0;
}

static int parse(const char *text, struct allowlist *out)
{
	int rc = 0;

	for (const char *at = text; !rc && *(at = skip_blanks_and_comments(at));) {
		struct allowed item;

		rc = take_number(&at, &item.msr);
		if (!rc)
			rc = take_number(&at, &item.mask);
		if (!rc)
			rc = add(out, &item);
	}
	return rc || out->count ? rc : -EINVAL;
}

static bool has_twice(const struct allowlist *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (allowlist_find(list, list->items[i].msr) != &list->items[i])
			return true;
	return false;
}

int allowlist_write(struct allowlist *list, const char *text, size_t bytes)
{
	struct allowlist made = {.items = NULL};
	char *copy;
	int rc;

	if (bytes > 2) {
		copy = bytes < ALLOWLIST_BYTES ? strndup(text, bytes) : NULL;
		rc = copy ? parse(copy, &made) : -EINVAL;
		free(copy);
		if (rc) {
			allowlist_free(&made);
			return rc;
		}
	}
	allowlist_free(list);
	if (has_twice(&made)) {
		allowlist_free(&made);
		return -EINVAL;
	}
	*list = made;
	return 0;
}

char *allowlist_text(const struct allowlist *list)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (list->count)
		fputs("# MSR # Write Mask # Comment\n", out);
	for (size_t i = 0; i < list->count; i++)
		fprintf(out, "0x%08" PRIX64 " 0x%016" PRIX64 "\n", list->items[i].msr,
			list->items[i].mask);
	return fclose(out) ? NULL : text;
}

const struct allowed *allowlist_find(const struct allowlist *list, uint64_t msr)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].msr == msr)
			return &list->items[i];
	return NULL;
}

static bool has_rawio(pid_t process)
{
	char path[32], line[128];
	unsigned long long effective = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", process);
	FILE *status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, "CapEff:", 7))
			effective = strtoull(line + 7, NULL, 16);
	if (status)
		fclose(status);
	return effective >> CAP_SYS_RAWIO & 1;
}

int allowlist_ask(const struct allowlist *list, pid_t process, uint64_t msr, uint64_t *mask)
{
	const struct allowed *allowed = allowlist_find(list, msr);

	*mask = UINT64_MAX;
	if (has_rawio(process))
		return 0;
	*mask = allowed ? allowed->mask : 0;
	return allowed ? 0 : -EACCES;
}

void allowlist_free(struct allowlist *list)
{
	free(list->items);
	*list = (struct allowlist){.items = NULL};
}
