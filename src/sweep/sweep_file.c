/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "output/fields.h"
#include "output/output_file.h"
#include "platform/text.h"
#include "record/recording.h"
#include "sweep/sweep.h"

static int cannot_write(const struct sweep_file *f, int code, struct error *err)
{
	return error_set(err, EXIT_FAILED, -code, "%s: cannot be written: %s", f->name,
			 strerror(code));
}

static int check_file(const struct sweep_file *f, int fd, struct error *err)
{
	if (isatty(fd))
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "can't write a recording to a terminal: expected -o FILE");
	return output_check_empty(fd, f->name, "sweep", err);
}

static int open_file(struct sweep_file *f, struct error *err)
{
	struct sudo_user caller;
	int rc = sudo_user_find(&caller, err);

	if (rc)
		return rc;
	const bool is_stdout = !strcmp(f->name, "-");
	const int fd = is_stdout ? dup(STDOUT_FILENO)
				 : output_open(f->name, &caller, OUTPUT_WRITTEN, NULL, err);
	if (fd < 0)
		return is_stdout ? cannot_write(f, errno, err) : fd;
	rc = check_file(f, fd, err);
	f->file = rc ? NULL : fdopen(fd, "w");
	if (!f->file)
		close(fd);
	return rc || f->file ? rc : cannot_write(f, ENOMEM, err);
}

static int write_bytes(struct sweep_file *f, struct error *err)
{
	const bool complete = !f->bytes.failed;
	const size_t size = f->bytes.size;

	f->bytes.size = 0;
	f->bytes.failed = false;
	if (!complete)
		return error_no_memory(err);
	if (fwrite(f->bytes.data, 1, size, f->file) != size || fflush(f->file))
		return cannot_write(f, errno, err);
	return 0;
}

static void put_header(struct sweep_file *f, const struct sweep *sweep)
{
	const struct sweep_options *o = sweep->options;
	struct platform *p = sweep->session.platform;
	char node[12];
	struct recording_info info = {
		.program = CXLMON_VERSION,
		.processor = sweep->session.machine.model->name,
		.interval_ns = sweep->step_ns,
		.started_ns = p->ops->wall(p),
		.options = {{"metrics", SESSION_METRICS}, {"per", scope_names[SCOPE_PORT]}},
		.option_count = 2,
		.devices = sweep->session.machine.devices,
		.device_count = sweep->session.machine.device_count,
		.memory = sweep->session.machine.memory,
	};

	recording_add_option(&info, "sim", o->sim ? text_last_name(o->sim) : NULL);
	snprintf(node, sizeof(node), "%d", o->choice.node);
	recording_add_option(&info, "node", o->choice.node >= 0 ? node : NULL);
	recording_put_header(&f->bytes, &info, &sweep->session.view);
}

int sweep_file_create(struct sweep_file *out, const char *name, const struct sweep *sweep,
		      struct error *err)
{
	*out = (struct sweep_file){.name = name};
	if (recording_check_size(&sweep->session.view))
		return error_set(err, EXIT_FAILED, -E2BIG, "%s: too many rows for a recording",
				 name);
	const int rc = open_file(out, err);
	if (rc)
		return rc;
	put_header(out, sweep);
	return write_bytes(out, err);
}

int sweep_file_put(struct sweep_file *f, const struct sweep *sweep, const struct sample *sample,
		   const struct sweep_point *point, struct error *err)
{
	if (point)
		recording_put_point(&f->bytes, point);
	recording_put_sample(&f->bytes, &sweep->session.view, sample);
	f->samples++;
	return write_bytes(f, err);
}

int sweep_file_close(struct sweep_file *f, bool complete, struct error *err)
{
	int rc = 0;

	if (f->file && complete) {
		recording_put_end(&f->bytes, f->samples);
		rc = write_bytes(f, err);
	}
	if (f->file && fclose(f->file) && !rc)
		rc = cannot_write(f, errno, err);
	f->file = NULL;
	bytes_free(&f->bytes);
	return rc;
}

static void put_row(FILE *out, enum field_style style, const struct sweep_point *point)
{
	struct fields f = {.out = out, .style = style};

	fields_index(&f, "node", point->node);
	fields_number(&f, "read_pct", 100 * point->read_share, 0);
	fields_number(&f, "asked_MBps", point->asked_MBps, 3);
	fields_number(&f, "read_MBps", point->read_MBps, 3);
	fields_number(&f, "write_MBps", point->write_MBps, 3);
	fields_number(&f, "chase_ns", point->chase_ns, 1);
	fields_number(&f, "counted_read_MBps", point->counted.read_MBps, 3);
	fields_number(&f, "counted_write_MBps", point->counted.write_MBps, 3);
	fields_number(&f, "counted_latency_ns", point->counted.latency_ns, 1);
	putc('\n', out);
}

void sweep_csv_header(FILE *out)
{
	put_row(out, FIELDS_NAMES, &(struct sweep_point){.node = 0});
}

void sweep_csv_row(const struct sweep_point *point, FILE *out)
{
	put_row(out, FIELDS_CSV, point);
}

static void put_curve(const struct sweep_points *all, size_t first, size_t end, enum measured_by by,
		      FILE *out)
{
	const struct curve curve = sweep_curve(all, first, end, by);
	const struct sweep_point *p = &all->points[first];

	fprintf(out, "%5d %5.0f  %-8s", p->node, 100 * p->read_share,
		by == BY_CHASE ? "chase" : "counters");
	field_column(out, curve.unloaded_ns, 10, "%.*f", 1);
	field_column(out, curve.knee.MBps, 10, "%.*f", 1);
	field_column(out, curve.most.MBps, 10, "%.*f", 1);
	field_column(out, curve.most.ns, 10, "%.*f", 1);
	putc('\n', out);
}

void sweep_summary(const struct sweep_points *all, FILE *out)
{
	size_t end;

	if (all->count)
		fputs(" node reads  by        unloaded      knee      peak   at peak\n"
		      "          %                 ns      MB/s      MB/s        ns\n",
		      out);
	for (size_t first = 0; first < all->count; first = end) {
		end = sweep_mix_end(all, first);
		put_curve(all, first, end, BY_CHASE, out);
		put_curve(all, first, end, BY_COUNTERS, out);
	}
}
