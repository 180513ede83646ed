/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PMUs of the kernel's perf events: root/sys/bus/event_source/devices.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-event_source-devices-format and
 * -devices-uncore; perf_event_open(2).
 */
#ifndef CXLMON_LINUX_PERF_PERF_PMUS_H
#define CXLMON_LINUX_PERF_PERF_PMUS_H

#include "platform/perf.h"
#include "platform/platform.h"

/*
 * As perf_ops.pmus; formats are sorted by name, too. A PMU that cannot be described by
 * struct perf_pmu is left out, and a format that struct perf_format cannot describe; the log has
 * which and why, as a detail. A kernel without perf events has no PMU.
 */
int linux_perf_pmus(struct platform *p, struct perf_pmus *out, struct error *err);

#endif
