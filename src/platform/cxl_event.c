/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/cxl_event.h"

const char *const cxl_event_names[CXL_EVENT_KINDS] = {
	[CXL_EVENT_AER_UNCORRECTABLE] = "cxl_aer_uncorrectable_error",
	[CXL_EVENT_AER_CORRECTABLE] = "cxl_aer_correctable_error",
	[CXL_EVENT_PORT_AER_UNCORRECTABLE] = "cxl_port_aer_uncorrectable_error",
	[CXL_EVENT_PORT_AER_CORRECTABLE] = "cxl_port_aer_correctable_error",
	[CXL_EVENT_OVERFLOW] = "cxl_overflow",
	[CXL_EVENT_GENERIC] = "cxl_generic_event",
	[CXL_EVENT_GENERAL_MEDIA] = "cxl_general_media",
	[CXL_EVENT_DRAM] = "cxl_dram",
	[CXL_EVENT_MEMORY_MODULE] = "cxl_memory_module",
	[CXL_EVENT_MEMORY_SPARING] = "cxl_memory_sparing",
	[CXL_EVENT_POISON] = "cxl_poison",
};
