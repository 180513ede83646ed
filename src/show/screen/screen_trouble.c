/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "platform/cxl.h"
#include "platform/cxl_link.h"
#include "platform/pci.h"
#include "show/screen/screen_draw.h"

#define RECENT_NS (60 * NS_PER_S)

#define MORE_SIZE 16 /* size of "  and 99 more" */

/* A line that is being filled. */
struct line {
	char *text;
	size_t size;
	unsigned more; /* parts that have no room */
};

static void add_trouble(struct line *line, const char *place, const char *what)
{
	const size_t used = strlen(line->text);
	char next[MARK_LINE_SIZE + 24];
	const int length = snprintf(next, sizeof(next), "%s! %s%s%s", used ? "  " : "", place,
				    *place ? ": " : "", what);

	if (used && (line->more || used + (size_t)length + MORE_SIZE > line->size))
		line->more++;
	else
		snprintf(line->text + used, line->size - used, "%s", next);
}

static void add_more(const struct line *line)
{
	if (line->more)
		text_append(line->text, line->size, "  and %u more", line->more);
}

/* Adds the first two words of a panel's title: "s0 p1  mem3". */
static void add_panel(const struct scene *scene, const struct panel *p, struct line *line)
{
	const struct panels *panels = scene->panels;
	const char *node = strstr(p->title, "  node ");
	bool known;
	const struct pci_hop *degraded =
		p->row->place.device ? cxl_device_degraded(p->row->place.device, &known) : NULL;
	char place[sizeof(p->title)], what[DEVICE_HEALTH_TEXT_SIZE + 24], link[PCI_HOP_TEXT_SIZE];
	char health[DEVICE_HEALTH_TEXT_SIZE];

	snprintf(place, sizeof(place), "%.*s",
		 (int)(node ? (size_t)(node - p->title) : strlen(p->title)), p->title);
	if (degraded) {
		snprintf(what, sizeof(what), "link %.72s", pci_hop_text(degraded, link));
		add_trouble(line, place, what);
	}
	for (size_t c = 0; c < panels->table->column_count; c++) {
		const struct metric *metric = panels->table->columns[c].metric;
		const double value = panel_value(p, c, scene->back);
		const double share = screen_link_share(scene, p, c);
		const double use = screen_link_use(scene, p, c);

		if (metric_is_state(metric) && device_state_of(value))
			snprintf(what, sizeof(what), "its health: %s",
				 device_health_text(device_state_of(value), health));
		else if (panels->troubles[c] && value > 0)
			snprintf(what, sizeof(what), "%s %s", screen_label(metric),
				 screen_value_text(scene, metric, value).text);
		else if (use >= CXL_LINK_FULL)
			snprintf(what, sizeof(what), "%s is %.0f%% of the link, at most %.0f%%",
				 screen_label(metric), share * 100, share / use * 100);
		else
			continue;
		add_trouble(line, place, what);
	}
}

/* Adds the first finding of explain, as far as it has room. */
static void add_finding(const struct finding *finding, char *text, size_t size)
{
	static const char cut[] = "...";
	const int length = snprintf(text, size, "! so far: %s", finding->sentence);

	if ((size_t)length >= size && size > sizeof(cut))
		memcpy(text + size - sizeof(cut), cut, sizeof(cut));
}

void screen_troubles(const struct scene *scene, char *text, size_t size)
{
	struct line line = {.text = text, .size = size};
	char missed[40];

	*text = '\0';
	snprintf(missed, sizeof(missed), "%" PRIu64 " sample%s missed", scene->missed,
		 scene->missed == 1 ? "" : "s");
	if (scene->missed)
		add_trouble(&line, "", missed);
	for (size_t i = 0; i < scene->count; i++)
		add_panel(scene, scene->chosen[i], &line);
	add_more(&line);
	if (!*text && !scene->back && !scene->findings->none && scene->findings->count)
		add_finding(&scene->findings->all[0], text, size);
}

/* Returns the nth recent mark, the newest first; NULL: no more. */
static const struct mark *recent_mark(const struct scene *scene, size_t nth)
{
	const struct panels *panels = scene->panels;
	const uint64_t now = screen_wall_ns(scene);

	for (size_t i = panels->mark_count; i > 0 && panels->mark_count - i < PANELS_MARKS; i--) {
		const struct mark *mark = &panels->marks[(i - 1) % PANELS_MARKS];

		if (mark->wall_ns <= now && now - mark->wall_ns < RECENT_NS && !nth--)
			return mark;
	}
	return NULL;
}

void screen_marks(const struct scene *scene, char *text, size_t size)
{
	struct line line = {.text = text, .size = size};
	const struct mark *mark;
	char said[MARK_LINE_SIZE], clock[SCREEN_CLOCK_SIZE];

	*text = '\0';
	for (size_t i = 0; (mark = recent_mark(scene, i)); i++)
		add_trouble(&line, screen_clock(mark->wall_ns, clock), mark_line(mark, said));
	add_more(&line);
}

bool screen_marks_say(const struct scene *scene, const char *message)
{
	const struct mark *mark = recent_mark(scene, 0);
	char line[MARK_LINE_SIZE];

	return mark && !strcmp(mark_line(mark, line), message);
}
