/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of tables of formulas that CPUs, units and CXL devices have. */
#ifndef CXLMON_UNCORE_MODEL_FORMULA_ROWS_H
#define CXLMON_UNCORE_MODEL_FORMULA_ROWS_H

/* Each event stands for BYTES, a number: a cache line of 64, or half of one. */
#define BYTES(name, event, bytes) .metric = name, .text = event " * " #bytes " bytes"

#define EVENTS_PER_SECOND(name, events)                                                            \
	{                                                                                          \
		.metric = name, .text = events                                                     \
	}

#endif
