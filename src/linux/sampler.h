/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads by perf events of the kernel: one on each CPU, with a ring buffer of its own. */
#ifndef CXLMON_LINUX_SAMPLER_H
#define CXLMON_LINUX_SAMPLER_H

#include "platform/load_sample.h"
#include "platform/platform.h"

/* As platform_ops.sampler_open. */
int linux_sampler_open(const char *root, const struct topology *topology,
		       const struct load_sampling *sampling, const struct log *log,
		       struct sampler **out, struct error *err);

#endif
