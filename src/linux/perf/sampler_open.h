/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads: a perf event on each CPU, with a ring buffer of its own. */
#ifndef CXLMON_LINUX_PERF_SAMPLER_OPEN_H
#define CXLMON_LINUX_PERF_SAMPLER_OPEN_H

#include "platform/load_sample.h"
#include "platform/platform.h"

/* As sampling_ops.open. */
int linux_sampler_open(struct platform *p, const struct load_sampling *sampling,
		       struct sampler **out, struct error *err);

#endif
