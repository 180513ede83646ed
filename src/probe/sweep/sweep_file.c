/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/sweep_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "output/output_file.h"
#include "platform/clock.h"
#include "probe/sweep/sweep_point.h"
#include "record/recording.h"

static int check_file(const struct sweep_file *f, int fd, struct error *err)
{
	if (isatty(fd))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "cannot write a recording to a terminal: expected -o FILE");
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
		return is_stdout ? output_cannot_write(f->name, -errno, err) : fd;
	rc = check_file(f, fd, err);
	f->file = rc ? NULL : fdopen(fd, "w");
	if (!f->file)
		close(fd);
	return rc || f->file ? rc : output_cannot_write(f->name, -ENOMEM, err);
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
		return output_cannot_write(f->name, -errno, err);
	return 0;
}

static void put_header(struct sweep_file *f, const struct sweep_file_info *about)
{
	const struct session *session = f->session;
	const struct view_options *table = &session->options.view;
	struct platform *p = session->platform;
	char node[12];
	struct recording_info info = {
		.program = CXLMON_VERSION,
		.processor = session->machine.model->name,
		.interval_ns = about->step_ns,
		.started_ns = p->ops->clock->wall(p),
		.options = {{RECORDED_LOAD, about->load},
			    {"metrics", table->groups},
			    {"per", scope_names[table->finest]}},
		.option_count = 3,
		.devices = session->machine.devices,
		.device_count = session->machine.device_count,
		.memory = session->machine.memory,
	};

	recording_add_option(&info, "sim", about->sim ? text_last_name(about->sim) : NULL);
	snprintf(node, sizeof(node), "%d", about->node);
	recording_add_option(&info, "node", about->node >= 0 ? node : NULL);
	recording_put_header(&f->bytes, &info, &session->view.table);
}

int sweep_file_create(struct sweep_file *out, const char *name, const struct session *session,
		      const struct sweep_file_info *info, struct error *err)
{
	*out = (struct sweep_file){.name = name, .session = session};
	if (recording_check_size(&session->view.table))
		return error_set(err, ERROR_FAILED, -E2BIG, "%s: too many rows for a recording",
				 name);
	const int rc = open_file(out, err);
	if (rc)
		return rc;
	put_header(out, info);
	return write_bytes(out, err);
}

int sweep_file_put(struct sweep_file *f, const struct sample *sample, const struct block_kind *kind,
		   const void *content, struct error *err)
{
	if (content)
		recording_put_block(&f->bytes, kind, content);
	recording_put_sample(&f->bytes, &f->session->view.table, sample, NULL);
	f->samples++;
	return write_bytes(f, err);
}

int sweep_file_close(struct sweep_file *f, int rc, struct error *err)
{
	const bool kept = !rc || rc == -EINTR || rc == -EPIPE;
	int failed = 0;

	if (f->file && kept) {
		recording_put_end(&f->bytes, f->samples);
		failed = write_bytes(f, err);
	}
	if (f->file && fclose(f->file) && kept && !failed)
		failed = output_cannot_write(f->name, -errno, err);
	f->file = NULL;
	bytes_free(&f->bytes);
	return failed ? failed : rc;
}
