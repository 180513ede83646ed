/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats that print, after the last sample, what limits CXL. The sink's .about must be known. */
#ifndef CXLMON_OUT_EXPLAIN_H
#define CXLMON_OUT_EXPLAIN_H

#include "explain/explain.h"
#include "output/sink.h"

extern const struct format format_explain, format_explain_json;

#endif
