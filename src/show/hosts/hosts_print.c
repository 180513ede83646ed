/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts that stand out, as text and JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/wrap.h"
#include "show/hosts/hosts.h"

#define HOSTS_SCHEMA 1 /* grows when a key is removed or changes its meaning */
#define FILE_SIZE    4096

static void print_note(void *context, const char *text)
{
	fprintf(context, "\nNote: %s.\n", text);
}

static void print_sentences(const struct hosts *hosts, FILE *out)
{
	char text[HOST_SENTENCE_SIZE], rule[HOSTS_RULE_SIZE];
	const char *undecided = hosts_undecided(hosts);
	size_t count = 0;

	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		for (size_t i = 0; i < hosts->count; i++)
			if (hosts->all[i]->stands_out[m])
				fprintf(out, "\n%zu. %s.\n", ++count,
					hosts_sentence(hosts, i, m, text));
	if (undecided)
		fprintf(out, "\nWhether a host stands out is undecided: %s.\n", undecided);
	else if (!count)
		fputs("\nNo host stands out.\n", out);
	hosts_differences(hosts->all, hosts->count, print_note, out);
	fprintf(out, "\n%s\n", hosts_rule(rule));
}

void hosts_print(const struct hosts *hosts, int width, FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *plain = open_memstream(&text, &size);

	if (!plain)
		return;
	fprintf(plain, "%zu host%s\n", hosts->count, hosts->count == 1 ? "" : "s");
	print_sentences(hosts, plain);
	if (!fclose(plain))
		wrapped_lines(out, text, width);
	free(text);
}

static json_t *number_or_null(double number)
{
	return isnan(number) ? json_null() : json_real(number);
}

static json_t *means_object(const struct hosts *hosts, const struct host *host)
{
	json_t *means = json_object();

	for (enum host_metric m = 0; m < HOST_METRICS; m++)
		json_object_set_new(means, host_metric(m)->name,
				    json_pack("{s:o, s:b, s:o, s:o, s:I}", "mean",
					      number_or_null(host->means[m]), "stands_out",
					      host->stands_out[m], "median",
					      number_or_null(hosts->spreads[m].median),
					      "median_absolute_deviation",
					      number_or_null(hosts->spreads[m].deviation), "hosts",
					      (json_int_t)hosts->spreads[m].known));
	return means;
}

static json_t *host_object(const struct hosts *hosts, const struct host *host)
{
	char file[FILE_SIZE];

	return json_pack("{s:s, s:s, s:o}", "host", host->name, "file",
			 printable(host->file, file, sizeof(file)), "metrics",
			 means_object(hosts, host));
}

static void add_note(void *context, const char *text)
{
	json_array_append_new(context, json_string(text));
}

json_t *hosts_json(const struct hosts *hosts)
{
	json_t *list = json_array(), *notes = json_array(), *not_read = json_array();

	for (size_t i = 0; i < hosts->count; i++)
		json_array_append_new(list, host_object(hosts, hosts->all[i]));
	hosts_differences(hosts->all, hosts->count, add_note, notes);
	for (size_t i = 0; i < hosts->refused_count; i++)
		json_array_append_new(not_read, json_string(hosts->refused[i].text));
	return json_pack("{s:i, s:o, s:o, s:o}", "schema", HOSTS_SCHEMA, "hosts", list, "notes",
			 notes, "not_read", not_read);
}
