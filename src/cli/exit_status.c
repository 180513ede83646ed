/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/exit_status.h"

static const enum exit_status statuses[ERROR_KINDS] = {
	[ERROR_NONE] = EXIT_OK,
	[ERROR_FAILED] = EXIT_FAILED,
	[ERROR_USAGE] = EXIT_USAGE,
	[ERROR_NO_UNIT] = EXIT_NO_UNIT,
	[ERROR_PERMISSION] = EXIT_PERMISSION,
	[ERROR_IN_USE] = EXIT_IN_USE,
	[ERROR_CANNOT_RUN] = EXIT_CANNOT_RUN,
	[ERROR_NOT_FOUND] = EXIT_NOT_FOUND,
};

enum exit_status exit_status_of(enum error_kind kind)
{
	return statuses[kind];
}
