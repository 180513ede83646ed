/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NULL in place of a required context or string: every function of the header has an error or an
 * unknown value for it. tests/integration/test_library checks that none is missing here.
 */
#include <cxlmon.h>
#include <math.h>

#include "unit.h"

static int (*const actions[])(struct cxlmon_ctx *) = {
	cxlmon_fd,   cxlmon_dispatch, cxlmon_list_events, cxlmon_start,
	cxlmon_wait, cxlmon_sample,   cxlmon_stop,
};

TEST_LOOP(test_nothing_is_done_without_a_context, COUNT_OF(actions))
{
	ck_assert_int_eq(actions[_i](NULL), -EINVAL);
}

static int (*const text_settings[])(struct cxlmon_ctx *, const char *) = {
	cxlmon_set_sim,	    cxlmon_set_root,	cxlmon_set_recording,
	cxlmon_set_metrics, cxlmon_set_sockets, cxlmon_set_ports,
	cxlmon_set_devices, cxlmon_add_event,	cxlmon_add_metric,
};

TEST_LOOP(test_no_text_is_set_without_a_context, COUNT_OF(text_settings))
{
	ck_assert_int_eq(text_settings[_i](NULL, "spr"), -EINVAL);
	ck_assert_int_eq(text_settings[_i](NULL, ""), -EINVAL);
	ck_assert_int_eq(text_settings[_i](NULL, NULL), -EINVAL);
}

TEST(test_nothing_else_is_set_without_a_context)
{
	ck_assert_int_eq(cxlmon_set_interval_ns(NULL, 1000000), -EINVAL);
	ck_assert_int_eq(cxlmon_set_scope(NULL, CXLMON_SCOPE_PORT), -EINVAL);
	ck_assert_int_eq(cxlmon_set_ownership(NULL, CXLMON_OWNERSHIP_REFUSE), -EINVAL);
	ck_assert_int_eq(cxlmon_set_backend(NULL, CXLMON_BACKEND_RAW), -EINVAL);
	ck_assert_int_eq(cxlmon_backend(NULL), -EINVAL);
	cxlmon_set_log(NULL, NULL, NULL);
}

TEST(test_contexts_are_not_made_or_kept_nowhere)
{
	ck_assert_int_eq(cxlmon_new(NULL), -EINVAL);
	ck_assert_ptr_null(cxlmon_ref(NULL));
	ck_assert_ptr_null(cxlmon_unref(NULL));
	ck_assert_str_eq(cxlmon_version(), CXLMON_VERSION);
}

TEST(test_metrics_need_no_context_and_what_is_no_metric_has_no_texts)
{
	const size_t none[] = {cxlmon_metric_count(), SIZE_MAX};

	for (size_t i = 0; i < COUNT_OF(none); i++) {
		ck_assert_str_eq(cxlmon_metric_name(none[i]), "");
		ck_assert_str_eq(cxlmon_metric_group(none[i]), "");
		ck_assert_str_eq(cxlmon_metric_unit(none[i]), "");
		ck_assert_str_eq(cxlmon_metric_help(none[i]), "");
	}
}

TEST(test_the_error_of_no_context_is_that_there_is_none)
{
	assert_contains(cxlmon_error(NULL), "NULL");
	ck_assert_str_eq(cxlmon_error_command(NULL), "");
	ck_assert_int_eq(cxlmon_status(NULL), CXLMON_STATUS_USAGE);
}

TEST(test_no_context_has_no_sample)
{
	ck_assert_str_eq(cxlmon_model(NULL), "");
	ck_assert_uint_eq(cxlmon_time_ns(NULL), 0);
	ck_assert_uint_eq(cxlmon_missed(NULL), 0);
	ck_assert_uint_eq(cxlmon_lost_units(NULL), 0);
	ck_assert_uint_eq(cxlmon_mark_count(NULL), 0);
	ck_assert_uint_eq(cxlmon_mark_time_ns(NULL, 0), 0);
	ck_assert_uint_eq(cxlmon_column_count(NULL), 0);
	ck_assert_uint_eq(cxlmon_row_count(NULL), 0);
	ck_assert_uint_eq(cxlmon_event_count(NULL), 0);
	ck_assert_uint_eq(cxlmon_find_column(NULL, "ipc"), 0);
	ck_assert_uint_eq(cxlmon_find_column(NULL, NULL), 0);
	ck_assert_int_eq(cxlmon_row_scope(NULL, 0), CXLMON_SCOPE_SYSTEM);
	ck_assert_str_eq(cxlmon_row_scope_name(NULL, 0), "system");
	ck_assert_int_eq(cxlmon_column_is_text(NULL, 0), 0);
	ck_assert(isnan(cxlmon_value(NULL, 0, 0)));
	ck_assert_uint_eq(cxlmon_values(NULL, NULL, 1), 0);
	ck_assert_str_eq(cxlmon_text(NULL, 0, 0), "");
}

static const char *(*const texts[])(const struct cxlmon_ctx *, size_t) = {
	cxlmon_column_name, cxlmon_column_unit, cxlmon_column_help, cxlmon_row_pci,
	cxlmon_row_device,  cxlmon_row_event,	cxlmon_row_unit,    cxlmon_event_name,
	cxlmon_event_unit,  cxlmon_event_help,	cxlmon_mark_kind,   cxlmon_mark_device,
	cxlmon_mark_text,
};

static int (*const indices[])(const struct cxlmon_ctx *, size_t) = {
	cxlmon_row_socket, cxlmon_row_port, cxlmon_row_cpu, cxlmon_row_node, cxlmon_row_box,
};

static double (*const numbers[])(const struct cxlmon_ctx *, size_t) = {
	cxlmon_row_interval_s,
	cxlmon_row_counted_pct,
	cxlmon_row_events,
	cxlmon_row_events_per_s,
};

TEST(test_no_context_has_no_rows_or_columns)
{
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		ck_assert_str_eq(texts[i](NULL, 0), "");
	for (size_t i = 0; i < COUNT_OF(indices); i++)
		ck_assert_int_eq(indices[i](NULL, 0), -1);
	for (size_t i = 0; i < COUNT_OF(numbers); i++)
		ck_assert(isnan(numbers[i](NULL, 0)));
}

TEST(test_a_text_that_must_be_is_missed)
{
	struct cxlmon_ctx *ctx;

	ck_assert_int_eq(cxlmon_new(&ctx), 0);
	ck_assert_int_eq(cxlmon_set_metrics(ctx, NULL), -EINVAL);
	assert_contains(cxlmon_error(ctx), "NULL");
	ck_assert_int_eq(cxlmon_add_event(ctx, NULL), -EINVAL);
	ck_assert_int_eq(cxlmon_add_metric(ctx, NULL), -EINVAL);
	ck_assert_int_eq(cxlmon_status(ctx), CXLMON_STATUS_USAGE);
	/* these have a default */
	ck_assert_int_eq(cxlmon_set_root(ctx, NULL), 0);
	ck_assert_int_eq(cxlmon_set_sim(ctx, NULL), 0);
	/* no event was added: there are columns */
	ck_assert_int_eq(cxlmon_set_sim(ctx, "spr,clock=virtual"), 0);
	ck_assert_msg(!cxlmon_start(ctx), "%s", cxlmon_error(ctx));
	ck_assert_uint_gt(cxlmon_column_count(ctx), 0);
	ck_assert_uint_eq(cxlmon_find_column(ctx, NULL), cxlmon_column_count(ctx));
	cxlmon_unref(ctx);
}
